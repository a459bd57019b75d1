"""Data drawn for a check when it is played (`DRAWS`). To add a kind: one function, one entry."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from rcca_cli import seeds
from rcca_cli.checks import fields as kinds
from rcca_cli.checks.fields import Entry, Field, FieldError

VERBS = "Bring Carry Clean Count Draw Find Lift Mend Move Open Paint Plant Polish Send Sort Stack Store Wash Weigh Wrap"
NOUNS = (
    "amber anchor basket beacon bottle candle canyon carpet copper cotton dragon falcon feather forest garden ginger"
    " hammer harbor helmet island jacket kettle ladder lantern lemon magnet marble meadow mirror needle orchid paddle"
    " parrot pebble pepper pillow planet pocket puzzle quartz rabbit ribbon rocket saddle shadow silver spider spring"
    " statue summit tailor temple thunder timber tunnel turtle velvet violin walnut window winter yogurt zipper"
)
NAMES = (
    "Amara Anders Aoife Bjørn Camila Chidi Dmitri Elif Esteban Farida Gustav Hanna Ines Ivo Jonas Kenji Leila Lucía"
    " Malik Marit Nadia Noor Olena Omar Priya Quentin Rosa Samir Sofía Tariq Uma Viktor Wanda Ximena Yusuf Zoë"
)
TRIES = 200


@dataclass(frozen=True)
class Kind(Entry):
    """One kind of data: `run(rng, **arguments)` draws a value.

    `free`: any text will do, so that it can be one that the request does not hold. `extremes` of the arguments are
    values that a check is tried with when it is read; without it one that is drawn stands for all.
    """

    free: bool = False
    extremes: Callable[[Mapping[str, Any]], Sequence[Any]] | None = None


def word(rng: Random) -> str:
    """An English noun, in small letters."""
    return rng.choice(NOUNS.split())


def phrase(rng: Random) -> str:
    """Three words that begin with a capital, with a number among them: “Paint 7 lantern”."""
    return f"{rng.choice(VERBS.split())} {rng.randint(2, 99)} {word(rng)}"


def name(rng: Random) -> str:
    """A first name, of any part of the world."""
    return rng.choice(NAMES.split())


def integer(rng: Random, **given: int) -> int:
    """A whole number from `from` to `to`, both included."""
    return rng.randint(given["from"], given["to"])


def decimal(rng: Random, **given: Any) -> float:
    """A number from `from` to `to` with so many decimal `places`."""
    return round(rng.uniform(given["from"], given["to"]), given["places"])


def choice(rng: Random, of: Sequence[Any]) -> Any:
    """One of these, `of`."""
    return rng.choice(of)


def _ends(arguments: Mapping[str, Any]) -> Sequence[Any]:
    return (arguments["from"], arguments["to"])


DRAWS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("word", word, (), free=True),
        Kind("words", phrase, (), free=True),
        Kind("name", name, (), free=True),
        Kind(
            "integer",
            integer,
            (Field("from", kinds.whole), Field("to", kinds.whole)),
            extremes=_ends,
        ),
        Kind(
            "decimal",
            decimal,
            (Field("from", kinds.number), Field("to", kinds.number), Field("places", kinds.integer, 2)),
            extremes=_ends,
        ),
        Kind("choice", choice, (Field("of", kinds.scalars),), extremes=lambda arguments: arguments["of"]),
    )
}


@dataclass(frozen=True)
class Draw:
    """What is drawn under one name."""

    kind: Kind
    arguments: Mapping[str, Any]

    def probes(self) -> Sequence[Any]:
        """Values to try a check with."""
        return self.kind.extremes(self.arguments) if self.kind.extremes else [self.kind.run(Random(0))]


def draw(given: Any) -> Draw:
    """The draw that an object says; FieldError otherwise."""
    if not isinstance(given, dict) or not isinstance(given.get("kind"), str):
        raise FieldError('expected an object like {"kind": "words"}')
    if given["kind"] not in DRAWS:
        raise FieldError(f"kind: no {given['kind']!r} (there are {', '.join(DRAWS)})")
    kind = DRAWS[given["kind"]]
    arguments = kind.arguments({key: value for key, value in given.items() if key != "kind"})
    if "from" in arguments and arguments["from"] >= arguments["to"]:
        raise FieldError("from: must be less than to")
    return Draw(kind, arguments)


def values(draws: Mapping[str, Draw], cases: int, seed: int, request: str) -> list[dict[str, Any]]:
    """For each of so many cases a value for each name.

    They depend on the seed, the name, the kind and the number of the case alone, so that two checks that draw the
    same under one name get the same; but no value comes twice under one name, and free text is none that the request
    or another value holds.
    """
    made: list[dict[str, Any]] = []
    for number in range(cases):
        row: dict[str, Any] = {}
        for called, one in draws.items():
            rng = seeds.generator(seed, "draw", called, one.kind.name, seeds.digest(one.arguments), number)
            used = [earlier[called] for earlier in made]
            others = [*row.values(), *(value for earlier in made for value in earlier.values())]
            row[called] = _fresh(rng, one, used, [request, *others] if one.kind.free else [])
        made.append(row)
    return made


def _fresh(rng: Random, one: Draw, used: Sequence[Any], texts: Sequence[Any]) -> Any:
    held = [text.casefold() for text in texts if isinstance(text, str) and text]
    for _ in range(TRIES):
        value = one.kind.run(rng, **one.arguments)
        if value in used or (held and any(_overlap(value.casefold(), text) for text in held)):
            continue
        return value
    raise FieldError("there are too few values for as many cases")


def _overlap(value: str, text: str) -> bool:
    return value in text or text in value
