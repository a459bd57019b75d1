"""What an evaluator says in plain words, where no browser's evidence says more: things, controls, functions."""

import re
from collections import Counter
from collections.abc import Iterator
from math import log

from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.align.controls import Controls
from rcca_cli.credit import Mark
from rcca_cli.units.hints import hinted
from rcca_cli.units.words import words

ASKED, HINTED, AROUND = 0.5, 0.5, 0.5  # a word of the requirement; one that is hinted at; one of the scope's head
FULL = 2.5  # words that only few units share, at which the score is full
LONG = 0.3  # how much less a word counts in a unit of many words (the b of BM25, Robertson and Zaragoza 2009)
# An element put into a variable: such a line has the words of what it names, and hardly ever a fault.
LOOKUP = re.compile(r"^(?:const|let|var)\s[^=]*=\s*(?:document\.(?:getElementById|querySelector\w*)|\$)\([^()]*\);?$")
HEAD = 120  # characters of a function or rule that say what it is


def marks(case: Case) -> Iterator[Mark]:
    """Words that the verdict and a unit share, controls that it names and what is wired to them; style for looks."""
    if not case.blind or case.kind == "passed":
        return
    units = case.answer.units
    for (start, end), score in zip(units.spans, case.answer.once(Index).scores(case), strict=True):
        if score and not LOOKUP.search(case.answer.text[start:end]):
            yield Mark(start, end, "words", score, "prose")
    controls = case.answer.once(Controls)
    said = f"{case.verdict['diagnosis'] or ''}\n{case.item['requirement']}"
    named = controls.named(said)
    for control in named:
        yield Mark(control.start, control.end, "control", 1.0, "prose")
    wired = controls.functions(case.verdict["diagnosis"] or "") | controls.written_by_script(said)
    for number, feature in (wired | controls.wired([key for one in named for key in one.keys])).items():
        yield Mark(*units.spans[number], feature, 1.0, "prose")
    if case.kind == "visual":
        for (start, end), language in zip(units.spans, units.languages, strict=True):
            if language == "style":
                yield Mark(start, end, "sheet", 1.0, "prose")


class Index:
    """The words of each unit of an answer, those of the function or rule around it counting half."""

    def __init__(self, answer: Answer) -> None:
        heads = [words(_head(answer.text, unit.scope_start, unit.scope_end)) for unit in answer.units.units]
        self.units = [
            dict.fromkeys(head - own, AROUND) | dict.fromkeys(own, 1.0)
            for own, head in zip(answer.words, heads, strict=True)
        ]
        count = Counter(word for own in self.units for word in own)
        size = max(len(self.units), 2)
        usual = sum(map(len, self.units)) / size
        self.long = [1 - LONG + LONG * len(own) / usual if usual else 1.0 for own in self.units]
        self.worth = {word: 1 - log(number) / log(size) for word, number in count.items()}

    def scores(self, case: Case) -> list[float]:
        """For each unit how much of what the verdict says it shares, in [0, 1]."""
        asked, said = words(case.item["requirement"]), words(case.verdict["diagnosis"] or "")
        query = dict.fromkeys(hinted(said | asked), HINTED) | dict.fromkeys(asked, ASKED) | dict.fromkeys(said, 1.0)
        weights = {word: weight * self.worth[word] for word, weight in sorted(query.items()) if word in self.worth}
        sums = [sum(weights[word] * own[word] for word in sorted(weights.keys() & own.keys())) for own in self.units]
        return [min(1.0, total / long / FULL) for total, long in zip(sums, self.long, strict=True)]


def _head(text: str, start: int, end: int) -> str:
    return re.split(r"[{>]", text[start : min(end, start + HEAD)], maxsplit=1)[0]
