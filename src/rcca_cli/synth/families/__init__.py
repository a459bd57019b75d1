"""The families: each is one file with its NAME and `make(rng) -> Feature`."""

from types import ModuleType

from rcca_cli.synth.families import (
    accordion,
    colour,
    converter,
    counter,
    filter,
    form,
    quiz,
    rating,
    stopwatch,
    tabs,
    tip,
    todo,
)

FAMILIES: dict[str, ModuleType] = {
    module.NAME: module
    for module in (
        accordion,
        colour,
        converter,
        counter,
        filter,
        form,
        quiz,
        rating,
        stopwatch,
        tabs,
        tip,
        todo,
    )
}
