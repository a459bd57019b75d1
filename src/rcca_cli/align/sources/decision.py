"""Code that decides something: a comparison, a sum, a number, a truth value. A mere call decides nothing."""

import re
from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark

TEXTS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|=>")  # no operator in these is one
DECIDES = re.compile(r"(?<![\w$#])\d|[<>]=?|[!=]==?|\s[-+*/%]\s|[-+*/%|&?]=|\+\+|--|&&|\|\||!|\?|\btrue\b|\bfalse\b")


def marks(case: Case) -> Iterator[Mark]:
    """1 for each piece of script with an operator or a number."""
    units = case.answer.units
    for unit, language, code in zip(units.units, units.languages, case.answer.codes, strict=True):
        if language == "script" and DECIDES.search(TEXTS.sub("", code)):
            yield Mark(unit.start, unit.end, "decision", 1.0, "decision")
