"""`kill -9` of a command at random moments, and what `--resume` makes of it."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tests.zygote import Zygote


@dataclass(frozen=True)
class Whole:
    """What a command leaves when nobody disturbs it."""

    stdout: bytes
    files: dict[str, bytes]
    seconds: float  # it took


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below, by name: what was asked for, and whatever else was left."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def undisturbed(forks: Zygote, words: Sequence[str], folder: Path) -> Whole:
    """The command in this new folder, to its end."""
    folder.mkdir()
    since = time.monotonic()
    ended = forks.run(*words, cwd=folder)
    assert ended.code == 0, ended.stderr
    return Whole(ended.stdout, contents(folder), time.monotonic() - since)


def killed_and_resumed(
    forks: Zygote, words: Sequence[str], folder: Path, whole: Whole, moments: Sequence[float]
) -> list[bool]:
    """Kill the command, and those that resume it, after these seconds; then resume it to the same end.

    Whether each was killed before its end.
    """
    folder.mkdir()
    killed = []
    for moment in moments:
        command = forks.start(*words, "--resume", cwd=folder)
        killed.append(not command.ends_within(moment))
        command.kill()
        command.wait()
    resumed = forks.run(*words, "--resume", cwd=folder)
    assert resumed.code == 0, resumed.stderr
    assert resumed.stdout == whole.stdout
    found = contents(folder)
    assert {name: content == whole.files.get(name) for name, content in found.items()} == dict.fromkeys(
        whole.files, True
    )
    return killed


def moments(seed: int, most: float, trials: int, kills: int = 1) -> list[list[float]]:
    """Random seconds up to `most`, the same shares of it in every run of the tests."""
    rng = random.Random(seed)
    return [[rng.uniform(0, most) for _ in range(kills)] for _ in range(trials)]


def hundred_kills(forks: Zygote, words: Sequence[str], folder: Path) -> int:
    """Calls of their own, each killed once at a random moment and resumed, until 100 were before their end."""
    whole = undisturbed(forks, words, folder / "whole")
    rng, killed = random.Random(2), 0
    for trial in count():
        moment = rng.uniform(0, whole.seconds)
        killed += sum(killed_and_resumed(forks, words, folder / str(trial), whole, [moment]))
        if killed == 100 or trial == 300:
            print(f"{killed} of {trial + 1} calls were killed before their end")
            return killed
    raise AssertionError
