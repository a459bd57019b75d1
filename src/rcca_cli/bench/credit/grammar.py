"""The generator's templates as a grammar: which text stands in each place of a page that a policy wrote.

A page is read line by line. A line of the template is fixed, or there is a place in it: a slot, or words that hold a
value of the request. In a place stands the right text, a known bug ("0", "1" … in the slot's order), nothing
("absent"), the right text with a wrong value in it ("swapped": another one of the same request; "other": none of it),
or a bug with one ("0~"). If a line says anything else, the page is none of the grammar's.
"""

import contextlib
import itertools
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rcca_cli.synth import app, page
from rcca_cli.synth.feature import PARAMETER, Feature, fill

RIGHT, ABSENT, OTHER, SWAPPED = "right", "absent", "other", "swapped"
VALUE = r"""([^<>"'`;{}()=]{1,60})"""  # what a wrong value may look like
HELPER = "const byId"  # how the one line begins that all features rest on
KEPT = 1024  # grammars kept at once
Span = tuple[int, int]


@dataclass(frozen=True)
class Stands:
    """What stands in a place, and where: code points, half-open. `item` is "" where the place is no item's own."""

    place: str
    item: str
    state: str
    failure: str | None
    start: int
    end: int


Page = Mapping[str, Stands]  # by the place's full name, "family/slot"


@dataclass(frozen=True)
class Text:
    """One thing that a line may say, `$name` standing for each value of the request; the place is `words`."""

    state: str
    failure: str | None
    words: str
    before: str = ""
    after: str = ""

    def line(self, values: Mapping[str, str]) -> str:
        """The whole line with these values."""
        return fill(f"{self.before}{self.words}{self.after}", values)

    def pattern(self, values: Mapping[str, str]) -> tuple[re.Pattern[str], list[str]]:
        """What the line looks like with any values, its second group being the place; and the values it should have."""
        wanted: list[str] = []

        def loose(words: str) -> str:
            pieces = PARAMETER.split(words)
            known = [name in values for name in pieces[1::2]]
            wanted.extend(values[name] for name in pieces[1::2] if name in values)
            names = [VALUE if there else re.escape(f"${name}") for name, there in zip(pieces[1::2], known, strict=True)]
            return "".join(itertools.chain(*itertools.zip_longest(map(re.escape, pieces[::2]), names, fillvalue="")))

        before, words, after = (loose(part) for part in (self.before, self.words, self.after))
        return re.compile(f"{before}(?P<place>{words}){after}"), wanted


@dataclass(frozen=True)
class Row:
    """A line of the template. `place` is "" if nothing in it matters; `dropped` is the state of a line not written."""

    place: str
    item: str
    texts: tuple[Text, ...]
    values: Mapping[str, str]  # the request's, of the feature that the line is of
    foreign: frozenset[str] = frozenset()  # the values that only the page's other feature has
    dropped: Text | None = None

    @cached_property
    def exact(self) -> dict[str, Text]:
        """The known lines."""
        return {text.line(self.values): text for text in reversed(self.texts)}

    @cached_property
    def loose(self) -> list[tuple[re.Pattern[str], list[str], Text]]:
        """What the lines with values look like."""
        made = [(*text.pattern(self.values), text) for text in self.texts]
        return [one for one in made if one[1]]

    def find(self, line: str, start: int) -> Stands | None:
        """What stands in the place, if the row can be this line, which starts at `start`; None if it cannot."""
        text = self.exact.get(line)
        if text is not None:
            begin = start + len(fill(text.before, self.values))
            return self._stands(text, begin, begin + len(fill(text.words, self.values)))
        for pattern, wanted, text in self.loose:
            match = pattern.fullmatch(line)
            if match is None:
                continue
            values = [value for name, value in zip(_numbers(pattern), match.groups(), strict=True) if name]
            wrong = [value for value, right in zip(values, wanted, strict=True) if value != right]
            if self.place and not all(differ(value, right) for value, right in zip(values, wanted, strict=True)):
                continue
            if self.foreign & set(wrong):
                continue  # what that does to the other feature is not known
            state = SWAPPED if set(wrong) & set(self.values.values()) else OTHER
            changed = replace(text, state=f"{text.state}~") if text.state != RIGHT else replace(text, state=state)
            return self._stands(changed, start + match.start("place"), start + match.end("place"))
        return None

    def _stands(self, text: Text, start: int, end: int) -> Stands:
        wrong = "silent" if text.state != RIGHT else None
        return Stands(self.place, self.item, text.state, text.failure or wrong, start, end)

    def skipped(self, start: int) -> Stands | None:
        """What the row is if its line was not written; None if it must be there."""
        return None if self.dropped is None else self._stands(self.dropped, start, start)


def _numbers(pattern: re.Pattern[str]) -> list[bool]:
    """For each group whether it is a value."""
    return [number != pattern.groupindex["place"] for number in range(1, pattern.groups + 1)]


def differ(value: str, right: str) -> bool:
    """Whether a page with the one surely does not say the other: equal, equal as numbers or one in the other may."""
    if value == right:
        return True
    with contextlib.suppress(ValueError):
        if float(value) == float(right):
            return False
    small, large = sorted((value.casefold().strip(), right.casefold().strip()), key=len)
    return small not in large


class Grammar:
    """The pages that can be written for one task."""

    def __init__(self, made: app.App) -> None:
        self.made = made
        values = {feature.family: set(feature.params.values()) for feature in made.features}
        self.foreign = {name: frozenset(set().union(*values.values()) - own) for name, own in values.items()}
        self._rows: dict[tuple[int, ...], list[Row]] = {}

    def rows(self, styles: Sequence[int]) -> list[Row]:
        """The lines of the page with the names of these styles, one a feature."""
        key = tuple(styles)
        if key not in self._rows:
            self._rows[key] = list(self._written(key))
        return self._rows[key]

    def read(self, text: str) -> tuple[Page | None, Span]:
        """The page, or None and the line at which it leaves the grammar (the farthest, whatever the names)."""
        lines = text.rstrip("\n").split("\n")
        starts = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
        farthest = 0
        for styles in itertools.product((0, 1), repeat=len(self.made.features)):
            walk = _Walk(self.rows(styles), lines, starts)
            found = walk.go(0, 0)
            if found is not None:
                return {one.place: one for one in found if one.place}, (0, 0)
            farthest = max(farthest, walk.farthest)
        end = len(text) if farthest >= len(lines) else starts[farthest] + len(lines[farthest])
        return None, (min(starts[farthest], len(text)), end)

    def _written(self, styles: tuple[int, ...]) -> Iterator[Row]:
        features = list(zip(self.made.features, styles, strict=True))
        for line in page.SKELETON.split("\n"):
            if line.startswith("$css"):
                for feature, style in features:
                    yield from self._part(feature, style, "css", feature.css)
                line = line.removeprefix("$css")
            if line.startswith("$sections"):
                for feature, style in features:
                    yield fixed("<section>")
                    yield from self._part(feature, style, "html", feature.html)
                    yield fixed("</section>")
                line = line.removeprefix("$sections")
            if line.startswith("$js"):
                for feature, style in features:
                    yield from self._part(feature, style, "js", feature.js)
                line = line.removeprefix("$js")
            yield self._skeleton(line)

    def _skeleton(self, line: str) -> Row:
        drawn = [{"font": font, "accent": accent} for font in page.FONTS for accent in page.ACCENTS]
        texts = tuple(Text(RIGHT, None, fill(line, values)) for values in drawn)
        if line.startswith(HELPER):
            return Row("page/byId", "", texts, {}, dropped=Text(ABSENT, "absent", ""))
        return Row("", "", texts, {"title": self.made.title})

    def _part(self, feature: Feature, style: int, kind: str, template: str) -> Iterator[Row]:
        for number, raw in enumerate(template.splitlines()):
            line = fill(raw, feature.names[style])
            place = page.PLACE.search(line)
            if place is not None:
                yield self._slot(feature, style, line, place)
            elif any(name in feature.params for name in PARAMETER.findall(line)):
                name = f"{feature.family}/{kind}:{number}"
                yield Row(name, "", (Text(RIGHT, None, line),), feature.params, self.foreign[feature.family])
            else:
                yield fixed(fill(line, feature.params))

    def _slot(self, feature: Feature, style: int, line: str, place: re.Match[str]) -> Row:
        slot = next(one for one in feature.slots if one.name == place[1])
        around = (line[: place.start()], line[place.end() :])
        known = [(RIGHT, None, slot.right), *((str(i), bug.failure, bug.text) for i, bug in enumerate(slot.bugs))]
        texts = [Text(state, why, fill(words, feature.names[style]), *around) for state, why, words in known]
        dropped = None
        if not any(around):
            dropped = next((text for text in texts if not text.words), Text(ABSENT, "absent", ""))
            texts = [text for text in texts if text.words]
        name, item = f"{feature.family}/{slot.name}", f"{feature.family}-{slot.item}"
        return Row(name, item, tuple(texts), feature.params, self.foreign[feature.family], dropped)


def fixed(line: str) -> Row:
    """A line that is always the same."""
    return Row("", "", (Text(RIGHT, None, line),), {})


class _Walk:
    """The search for a reading of all lines by all rows: what is known first, then a line left out, then values."""

    def __init__(self, rows: Sequence[Row], lines: Sequence[str], starts: Sequence[int]) -> None:
        self.rows, self.lines, self.starts = rows, lines, starts
        self.hopeless: set[tuple[int, int]] = set()
        self.farthest = 0

    def go(self, row: int, line: int) -> list[Stands] | None:
        """The rest of the page, from these on; None if it cannot be read."""
        self.farthest = max(self.farthest, line)
        if row == len(self.rows):
            return [] if line == len(self.lines) else None
        if (row, line) in self.hopeless:
            return None
        for found, used in self._ways(self.rows[row], line):
            rest = self.go(row + 1, line + used)
            if rest is not None:
                return [found, *rest]
        self.hopeless.add((row, line))
        return None

    def _ways(self, row: Row, line: int) -> Iterator[tuple[Stands, int]]:
        there = line < len(self.lines)
        known = there and self.lines[line] in row.exact
        found = row.find(self.lines[line], self.starts[line]) if there else None
        if found is not None and known:
            yield found, 1
        skipped = row.skipped(min(self.starts[line], self.starts[-1] - 1))
        if skipped is not None:
            yield skipped, 0
        if found is not None and not known:
            yield found, 1


_kept: OrderedDict[str, Grammar] = OrderedDict()


def of(made: app.App) -> Grammar:
    """The grammar of a task, kept for its other answers."""
    if made.id not in _kept:
        _kept[made.id] = Grammar(made)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(made.id)
    return _kept[made.id]
