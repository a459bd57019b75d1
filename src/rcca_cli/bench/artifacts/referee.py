"""Judges that are models: by our own protocol, and by that of the released harness."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from rcca_cli import seeds
from rcca_cli.bench.artifacts import official, prompt, prompt_official, reply
from rcca_cli.bench.artifacts.asking import Desk
from rcca_cli.bench.artifacts.budget import OVERHEAD, Counter
from rcca_cli.bench.artifacts.evidence import Evidence
from rcca_cli.bench.artifacts.ledger import Spent
from rcca_cli.bench.artifacts.reply import Marks, Unusable
from rcca_cli.bench.artifacts.rows import Item
from rcca_cli.bench.artifacts.verdict import Verdict
from rcca_cli.chat import Answer, Refused, Unanswered
from rcca_cli.judge.model.data import visible

ROUNDS = 4  # times that the released harness asks until a score is read
REASON = 4000  # characters of a reply that are kept as its reason
# What a request may say of the reply's form, for servers that understand less.
FORMS: tuple[dict[str, Any], ...] = (
    {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "marks", "strict": True, "schema": prompt.SCHEMA},
        }
    },
    {"response_format": {"type": "json_object"}},
    {},
)


@dataclass(frozen=True)
class Limits:
    """Tokens of a request and its reply together, of the reply alone, and how often an answer is marked."""

    context: int = 32_768
    reply: int = 4096
    repeats: int = 1


class Referee:
    """Our protocol: ten marks a reply, the total reckoned here. A reply that cannot be used is asked for once more."""

    def __init__(self, desk: Desk, counter: Counter, limits: Limits, seed: int) -> None:
        self.desk, self.counter, self.limits, self.seed = desk, counter, limits, seed

    @property
    def identity(self) -> str:
        """Model, server and version of the prompt, and the limits that change what it is shown."""
        limits = f"context {self.limits.context} reply {self.limits.reply} repeats {self.limits.repeats}"
        return f"{_named(self.desk)} prompt {prompt.version()} {limits}"

    def verdict(self, item: Item, answer: str, evidence: Evidence, pictures: Sequence[bytes]) -> Verdict:
        """The marks: of several replies those with the median total (the lower one of two)."""
        room = self.limits.context - self.limits.reply
        request = prompt.request(item, answer, evidence, pictures, self.counter, room)
        found: list[tuple[Marks, str]] = []
        try:
            for number in range(self.limits.repeats):
                found.append(self._marks(item, request, number))
        except _NoMarks as error:
            return Verdict.unknown("judge_unparsed", str(error), reason=error.said, left_out=request.left_out)
        except Refused as error:
            return Verdict.unknown("judge_refused", str(error), left_out=request.left_out)
        except Unanswered as error:
            return Verdict.unknown("judge_unanswered", str(error))
        except Spent as error:
            return Verdict.unknown("max_cost", str(error))
        ordered = sorted(found, key=lambda pair: pair[0].total)
        marks, said = ordered[(len(ordered) - 1) // 2]
        return Verdict(
            float(marks.total),
            marks.overall,
            f"{marks.overall:g}",
            visible(said)[:REASON],
            marks.scores,
            tuple(visible(words)[:REASON] for words in marks.evidence),
            tuple(float(one.total) for one, _ in found),
            request.left_out,
        )

    def _marks(self, item: Item, request: prompt.Request, number: int) -> tuple[Marks, str]:
        """The marks of one reply, and the reply; _NoMarks if the second one cannot be used either."""
        messages, problem, said = request.messages, "", ""
        for turn in range(2):
            answer = self._ask(item, messages, request.tokens, 2 * number + turn)
            said = answer.text
            try:
                return reply.read(answer), said
            except Unusable as error:
                problem = str(error)
            again = {"role": "user", "content": prompt.AGAIN.format(problem=problem)}
            messages = [*request.messages, {"role": "assistant", "content": said[: 2 * REASON]}, again]
        raise _NoMarks(f"the reply could not be used: {problem}", said[:REASON])

    def _ask(self, item: Item, messages: list[dict[str, Any]], tokens: int, turn: int) -> Answer:
        common = {
            "temperature": 0.0,
            "max_tokens": self.limits.reply,
            "seed": seeds.derive(self.seed, "artifacts", item.key, turn) & 0x7FFFFFFF,
        }
        first, *others = [common | form for form in FORMS]
        return self.desk.ask(messages, tokens, self.limits.reply, item.index, turn, fallbacks=others, **first)


class OfficialReferee:
    """The released protocol: the score is what is read behind a key, asked for up to four times until one is read.

    `way`, gemini or qvl: as the closed referee is asked (nothing but the user's message), or the open one (a system
    message, temperature 0.7).
    """

    def __init__(self, desk: Desk, counter: Counter, way: str) -> None:
        self.desk, self.counter, self.way = desk, counter, way

    @property
    def identity(self) -> str:
        """Model, server, version of the prompt and way of asking."""
        cut = "tokenizer" if self.counter.tokenizer is not None else "no tokenizer"
        return f"{_named(self.desk)} official prompt {prompt_official.version()} {self.way} {cut}"

    def verdict(self, item: Item, answer: str, evidence: Evidence, pictures: Sequence[bytes]) -> Verdict:
        """The score as read, not bounded; unknown if none was read in all rounds."""
        words = prompt_official.text(item, answer, self.counter)
        messages = prompt_official.messages(words, pictures, self.way == "qvl")
        body = {"temperature": 0.7} if self.way == "qvl" else {}
        tokens = self.counter.count(words) + sum(one.tokens for one in evidence.frames) + OVERHEAD
        said = ""
        try:
            for said in self._said(item, messages, tokens, body):
                told = official.overall(said)
                if told is not None:
                    return Verdict(float(told), float(told), told, said)
        except Refused as error:
            return Verdict.unknown("judge_refused", str(error))
        except Unanswered as error:
            return Verdict.unknown("judge_unanswered", str(error))
        except Spent as error:
            return Verdict.unknown("max_cost", str(error))
        return replace(Verdict.unknown("judge_unparsed", f"no score was read in {ROUNDS} replies"), reason=said)

    def _said(self, item: Item, messages: list[dict[str, Any]], tokens: int, body: dict[str, Any]) -> Iterator[str]:
        for turn in range(ROUNDS):
            text = self.desk.ask(messages, tokens, Limits.reply, item.index, turn, **body).text
            yield text.split("</think>")[-1].strip() if self.way == "gemini" else text.strip()


class _NoMarks(Exception):
    """No reply could be used; `said` is the last one."""

    def __init__(self, problem: str, said: str) -> None:
        super().__init__(problem)
        self.said = said


def _named(desk: Desk) -> str:
    client = desk.client.client
    return f"{client.model}@{urlsplit(client.url).netloc}"
