"""Arithmetic in a slot, `{price * 15 / 100}`: numbers, names of values, + - * / and brackets, and nothing else."""

import ast
import math
import operator
from collections.abc import Mapping
from typing import Any

from rcca_cli.checks.fields import FieldError

_SIGNS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def reckon(words: str, values: Mapping[str, Any]) -> float:
    """The number that `words` come to; FieldError if they are no such sum. A whole number is an int.

    >>> reckon("n * 2 + 1", {"n": 3}), reckon("-(price - 0.5) / 4", {"price": 2.5}), reckon("n / 3", {"n": 6})
    (7, -0.5, 2)
    """
    try:
        result = _value(ast.parse(words.strip(), mode="eval").body, words, values)
    except SyntaxError:
        raise FieldError(f"{{{words}}}: expected numbers and names with + - * / between them") from None
    except (ZeroDivisionError, OverflowError):
        result = math.inf
    if not math.isfinite(result):
        raise FieldError(f"{{{words}}}: divides by zero, or is too large")
    return int(result) if float(result).is_integer() else result


def _value(node: ast.expr, words: str, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.BinOp(left, op, right) if type(op) in _SIGNS:
            return _SIGNS[type(op)](_value(left, words, values), _value(right, words, values))
        case ast.UnaryOp(ast.USub(), inner):
            return -_value(inner, words, values)
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(name):
            if name not in values:
                raise FieldError(f"{{{words}}}: no such name in the cases" + ("" if name == words else f": {name}"))
            if isinstance(values[name], bool) or not isinstance(values[name], int | float):
                raise FieldError(f"{{{words}}}: {name} is no number, but {values[name]!r}")
            return values[name]
    raise FieldError(f"{{{words}}}: expected numbers and names with + - * / between them")
