"""Controls that an evaluator names as a person does, by what is written on them, and the code that is wired to them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape

from rcca_cli.align.answer import Answer
from rcca_cli.source import html
from rcca_cli.units.code import WORD

TAGS = frozenset(["button", "a", "input", "select", "textarea", "summary", "label", "option"])
WRITTEN = ("aria-label", "title", "placeholder", "alt")  # attributes that a person sees, or hears
LONGEST = 40  # characters of what is written on a control
NOUN = (
    r"(?:button|tab|link|field|input|box|checkbox|toggle|switch|slider|icon|key|menu|option|tile|card|item|control|"
    r"select|dropdown|form|knopf|taste|feld|schalter|schaltfläche|reiter)s?"
)
VERB = r"(?:click|press|tap|hit|push|select|choose|use|toggl|activat|klick|drück)\w*"
WIRING, BODY = "wiring", "body"  # features: what names a control or registers its handlers; the code of these
PROPERTY = r"(?:textContent|innerText|innerHTML|value|title|className|id|ariaLabel)"
WRITES = re.compile(rf"([\w$]+)\.{PROPERTY}\s*=\s*([\"'`])([^\"'`\n]{{1,{LONGEST}}})\2")


@dataclass(frozen=True)
class Control:
    """`start:end` is the start tag with the text in it; `written` is what a person calls it, `keys` what code does."""

    start: int
    end: int
    written: tuple[str, ...]
    keys: tuple[str, ...]


class Controls:
    """The controls of an answer's page, and which code has to do with each; made once for an answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.page = answer.text[answer.start : answer.end]

    @cached_property
    def all(self) -> list[Control]:
        """All elements that a person can do something with, and all with a name of their own."""
        document = html.parse(self.page)
        return [self._control(element) for element in document.elements if element.written and _is_control(element)]

    def named(self, prose: str) -> list[Control]:
        """Those that a text speaks of."""
        return [one for one in self.all if any(_is_named(name, prose) for name in one.written)]

    def wired(self, keys: Iterable[str]) -> dict[int, str]:
        """The units that name a control by one of its keys, or a variable that holds it, and the handlers: features."""
        found: dict[int, str] = {}
        for key in keys:
            pattern = re.compile(rf"[\"'`#.]{re.escape(key)}(?![\w-])")
            for unit in self._scripts(pattern):
                found[unit] = WIRING
                for holder in _holders(self._code(unit), key):
                    found |= dict.fromkeys(self._holding(holder), WIRING)
        return self._with_functions(found)

    @cached_property
    def made(self) -> list[tuple[str, str]]:
        """(variable, text) of what a script writes on the elements that it makes."""
        return [
            (match.group(1), match.group(3).strip().lower())
            for unit, language in enumerate(self.answer.units.languages)
            if language == "script"
            for match in WRITES.finditer(self._code(unit))
        ]

    def written_by_script(self, prose: str) -> dict[int, str]:
        """The same as `wired` for controls that a script makes, by the texts that it puts on them."""
        holders = dict.fromkeys(holder for holder, text in self.made if _is_named(text, prose))
        return self._with_functions({unit: WIRING for holder in holders for unit in self._holding(holder)})

    def _holding(self, variable: str) -> list[int]:
        return self._scripts(re.compile(rf"(?<![\w$.]){re.escape(variable)}(?![\w$])"))

    def functions(self, prose: str) -> dict[int, str]:
        """The units of functions that a text calls by their names."""
        told = set(WORD.findall(prose))
        return self._bodies(name for name in self.answer.code.functions if len(name) > 2 and name in told)

    def _control(self, element: html.Element) -> Control:
        end = element.start_tag_end
        texts = [element.attribute(name) for name in WRITTEN]
        if element.tag == "input" and element.attribute("type") in ("button", "submit", "reset"):
            texts.append(element.attribute("value"))
        if element.tag in TAGS or "role" in element.attributes:
            inside = self.page[end : element.end_tag_start or end]
            if len(inside) <= 4 * LONGEST:
                texts.append(unescape(re.sub(r"<[^>]*>", " ", inside)))
                end = element.end_tag_start or end
        data = [attribute.value for name, attribute in element.attributes.items() if name.startswith("data-")]
        keys = [key for key in (element.attribute("id"), *data) if key]
        names = (" ".join(name.split()).lower() for name in [*texts, _plain(element.attribute("id"))])
        written = dict.fromkeys(name for name in names if 0 < len(name) <= LONGEST)
        start, end = element.start + self.answer.start, end + self.answer.start
        return Control(start, end, tuple(written), tuple(dict.fromkeys(keys)))

    def _scripts(self, pattern: re.Pattern[str]) -> list[int]:
        units = self.answer.units
        places = dict.fromkeys(
            unit
            for match in pattern.finditer(self.answer.text, self.answer.start, self.answer.end)
            for unit in units.touched(match.start(), match.end())
        )
        return [unit for unit in places if units.languages[unit] == "script"]

    def _code(self, unit: int) -> str:
        return self.answer.text[slice(*self.answer.spans[unit])]

    def _with_functions(self, found: dict[int, str]) -> dict[int, str]:
        """And the units of the functions that those among them that register handlers name or hold."""
        handlers = [unit for unit in found if self.answer.units.units[unit].kind == "handler"]
        named = [
            name
            for unit in handlers
            for name in re.findall(r"[\w$]+", self._code(unit))
            if name in self.answer.code.functions
        ]
        held = {unit: BODY for handler in handlers for unit in self._behind(handler)}
        return self._bodies(named) | held | found

    def _behind(self, handler: int) -> Iterator[int]:
        """The units of the function that a handler registers where it stands."""
        units = self.answer.units.units
        for unit in range(handler + 1, len(units)):
            if units[unit].scope_start < units[handler].start:
                return
            yield unit

    def _bodies(self, names: Iterable[str]) -> dict[int, str]:
        units = self.answer.units
        return {
            unit: BODY
            for name in dict.fromkeys(names)
            for start, end in self.answer.code.functions[name]
            for unit in units.begun(start, end)
        }


def _is_control(element: html.Element) -> bool:
    attributes = element.attributes
    return (
        element.tag in TAGS
        or "id" in attributes
        or "role" in attributes
        or any(name[:2] == "on" for name in attributes)
    )


def _plain(name: str) -> str:
    """An id in words: "startBtn" is "start", "export-csv" is "export csv"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[-_]+", " ", name).lower()
    return re.sub(rf"\s*\b(?:btn|el|{NOUN})$", "", words)


def _is_named(name: str, prose: str) -> bool:
    """Whether a text speaks of a control with this written on it, and not just uses the word."""
    if not re.search(r"\w", name):
        return name in prose
    if name.split()[0].lower() not in prose.lower():  # most names: spares them a pattern each
        return False
    pattern = r"[\s-]+".join(re.escape(word) for word in name.split())
    for match in re.finditer(rf"(?<![\w.]){pattern}(?!\w)", prose, re.I):
        before, behind = prose[max(match.start() - 40, 0) : match.start()], prose[match.end() : match.end() + 30]
        if " " in name and len(name) > 6:
            return True
        if re.match(rf"[\"'”’»]?[\s-]+(?:\w+\s)?{NOUN}\b", behind, re.I) or (before and before[-1] in "\"'“‘„«`+#"):
            return True
        if re.search(rf"\b{VERB}(?:\s+\w+){{0,2}}\s*$", before, re.I):
            return True
        if match.group()[0].isupper() and re.search(r"[\w,;]\s*$", before):
            return True
    return False


def _holders(code: str, key: str) -> list[str]:
    """The variables that a statement puts the element with this key into."""
    return re.findall(rf"(?:const|let|var|,)\s*([\w$]+)\s*=\s*[^;,=]*[\"'`#.]{re.escape(key)}[\"'`]", code)
