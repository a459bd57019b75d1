"""Times our sampler against `generate` of transformers: the same model, prompts and answers, by turns, in one process.

Both take the likeliest token, so that the answers must be equal, which is looked at before anything is timed. Ours
tells log probabilities too; `generate` is not asked for any.
"""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from rcca_cli import console
from rcca_cli.bench.speed import stage
from rcca_cli.bench.speed.stage import Options, Record
from rcca_cli.errors import RccaError

ROUNDS = 3
BATCH = 32
GROUP = 8
ANSWERS = 128  # of the stream: what a step of training asks for
TOKENS = 96  # as long as the embedded policy's answers are
MAIN = f"embedded, {ANSWERS} answers in groups of {GROUP}"
WIDTHS = (256, 512)  # of the Qwen3
QWEN_TOKENS = 24


@dataclass(frozen=True)
class Case:
    """What is asked of both: `copies` answers to each prompt, `batch` at once, of at most `tokens`."""

    name: str
    policy: Any
    prompts: list[list[int]]
    copies: int
    batch: int
    tokens: int


@dataclass(frozen=True)
class Turn:
    """One side's turn at a case: seconds of the processor and by the clock, and tokens of its answers."""

    case: str
    side: str
    answers: int
    tokens: int
    cpu: float
    wall: float


def write(options: Options, output: str = "-", report: str = "") -> None:
    """Our sampler and `generate` by turns."""
    stage.told(lambda: run(options.seed, options.quick), summary, show, output, report)


def show(figures: Record) -> None:
    """The table, and the ratios in one line."""
    rows = [
        [name, f"{one['ours']:.0f}", f"{one['generate']:.0f}", f"{one['ratio']:.2f}"]
        for name, one in figures["cases"].items()
    ]
    console.table(["case", "ours", "generate", "ratio"], rows, "tokens a processor second, medians; equal answers")
    console.note(f"ours over generate: {figures['ratio']:.2f} times the tokens; at the least {figures['least']:.2f}")


def run(seed: int, quick: bool) -> Iterator[Turn]:
    """Each case: the answers compared, which warms both up, then both sides by turns."""
    for case in cases(seed, quick):
        first, second = ours(case), theirs(case)
        if first != second:
            unlike = sum(one != other for one, other in zip(first, second, strict=True))
            raise RccaError(f"{case.name}: {unlike} of {len(first)} answers differ, so there is nothing to compare")
        for _ in range(1 if quick else ROUNDS):
            yield timed(case, "ours", ours)
            yield timed(case, "generate", theirs)


def cases(seed: int, quick: bool) -> Iterator[Case]:
    """The embedded policy at batch 32, and models of Qwen3's shape at large and small batches."""
    from rcca_cli import models
    from rcca_cli.models import peer

    policy = models.load("embedded")
    tasks = _tasks(seed, ANSWERS // (4 if quick else 1))
    prompts = [policy.prompt_ids(task["task"]["prompt"]) for task in tasks]
    yield Case(MAIN, policy, prompts[: len(prompts) // GROUP], GROUP, BATCH, 10 * TOKENS)
    yield Case("embedded, answers to different tasks", policy, prompts, 1, BATCH, 10 * TOKENS)
    few = prompts[: BATCH // GROUP]
    yield Case("embedded, answers of equal length", peer.endless(policy), few, GROUP, BATCH, TOKENS)
    for width in WIDTHS[: 1 if quick else None]:
        random = peer.random_qwen3(width)
        for copies, batch in ((GROUP, BATCH), (4, 4), (1, 1)):
            some = prompts[: batch // copies]
            yield Case(f"Qwen3-shaped, width {width}, batch {batch}", random, some, copies, batch, QWEN_TOKENS)


def _tasks(seed: int, count: int) -> list[Record]:
    from rcca_cli.synth import stage as synth

    return list(synth.run(synth.Options(seed=seed, count=count), 0))


def ours(case: Case) -> list[list[int]]:
    """The tokens of our answers."""
    from rcca_cli.models.choice import Sampling
    from rcca_cli.models.sample import sample

    sampling = Sampling(temperature=0, max_new_tokens=case.tokens)
    seeds = [list(range(case.copies))] * len(case.prompts)
    groups = sample(case.policy, case.prompts, seeds, sampling, case.batch)
    return [answer.tokens for group in groups for answer in group]


def theirs(case: Case) -> list[list[int]]:
    """The tokens of `generate`'s answers."""
    from rcca_cli.models import peer

    prompts = [prompt for prompt in case.prompts for _ in range(case.copies)]
    return list(peer.generated(case.policy, prompts, case.batch, case.tokens))


def timed(case: Case, side: str, answer: Callable[[Case], list[list[int]]]) -> Turn:
    """One turn."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    answers = answer(case)
    spent = round(time.process_time() - cpu, 4), round(time.perf_counter() - wall, 4)
    return Turn(case.name, side, len(answers), sum(map(len, answers)), *spent)


def summary(turns: Sequence[Turn]) -> Record:
    """Tokens a processor second of each side and case, and ours over generate's: `ratio` is the main case's."""
    found: dict[str, Record] = {}
    for case in dict.fromkeys(one.case for one in turns):
        rates = {}
        for side in ("ours", "generate"):
            rates[side] = median(one.tokens / one.cpu for one in turns if (one.case, one.side) == (case, side))
        found[case] = rates | {"ratio": rates["ours"] / rates["generate"]}
    return {
        "ratio": found[MAIN]["ratio"],
        "least": min(one["ratio"] for one in found.values()),
        "cases": found,
        "turns": [asdict(one) for one in turns],
    }
