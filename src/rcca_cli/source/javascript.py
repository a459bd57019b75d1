"""Whether JavaScript is valid, and if not, where the parser gave up."""

import re
from typing import NamedTuple

HANDLER = "function _(event) {\n", "\n}"  # how a browser wraps the code of an on… attribute
LIMIT = "resource limit"


class Fault(NamedTuple):
    """Where parsing ended, in code points of the code, and what was wrong there."""

    start: int
    end: int
    message: str


def fault(code: str, kind: str) -> Fault | None:
    """The first syntax error of a script, a module or a handler; None for valid code.

    Code that is nested too deeply for this parser is not known to be wrong, so it counts as valid.
    """
    import esprima  # only here: who asks for units alone does not wait for it

    before, after = HANDLER if kind == "handler" else ("", "")
    goal = esprima.parseModule if kind == "module" else esprima.parseScript
    try:
        goal(before + code + after, positionEncoding="scalar")
    except esprima.Error as error:
        if LIMIT in error.message:
            return None
        index = min(max(error.index - len(before), 0), len(code))
        message = re.sub(r"^Line \d+: ", "", error.message)
        return Fault(*_token(code, index), message)
    except RecursionError:
        return None
    return None


def _token(code: str, index: int) -> tuple[int, int]:
    """The word or sign at a place; at the end of the code, the last one before it."""
    if not code[index:].strip():
        end = len(code.rstrip())
        return max(end - 1, 0), end
    word = re.compile(r"[\w$]+|.", re.S).match(code, index)
    return index, word.end() if word else index + 1
