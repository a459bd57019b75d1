"""Times align against the judge on the same records, and how its time grows with the length of an answer."""

import gc
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from rcca_cli import console, jsonl
from rcca_cli.bench.speed import stage
from rcca_cli.bench.speed.stage import ROUNDS, Options, Record, Timing

APPS = 192  # so that our start-up weighs as little as it does in use
FUNCTION = "align, without start-up"
LENGTHS = (10_000, 30_000, 100_000, 300_000, 1_000_000)  # characters of an answer
# What makes an app longer, with a number in it: markup, style, and code that runs, as far apart as in an app.
FILLING = """<section hidden class="part-{n}"><h2>Part {n}</h2><p data-part="{n}">Row {n} of the archive</p></section>
<style>.part-{n} {{ color: rgb({n}, 10, 20); padding: {n}px }} .part-{n} h2 {{ margin: 0 }}</style>
<script>
function total{n}(rows) {{
  let sum = 0;
  for (const row of rows) {{
    if (row.count > {n}) sum += row.count * {n};
    else sum -= 1;
  }}
  return sum;
}}
const part{n} = {{ name: "part {n}", total: total{n}([{{ count: {n} }}, {{ count: 7 }}]) }};
</script>
"""


@dataclass(frozen=True)
class Growth:
    """One turn of the stage function on a group of answers of one length, in characters; processor seconds."""

    length: int
    characters: int  # of all its answers
    cpu: float


def write(options: Options, output: str = "-", report: str = "") -> None:
    """The judge and align by turns, then answers of growing length."""
    stage.told(lambda: run(options.seed, options.jobs), summary, show, output, report)


def show(figures: Record) -> None:
    """The tables, and the shares in one line."""
    rows = [[side, f"{one['wall']:.2f}", f"{one['cpu']:.2f}"] for side, one in figures["sides"].items()]
    console.table(["side", "seconds", "CPU s"], rows, f"{APPS} apps, medians of {ROUNDS} turns (of the judge: one)")
    console.table(
        ["characters an answer", "CPU s a megabyte"],
        [[f"{int(length):,}", f"{cost:.2f}"] for length, cost in figures["seconds_per_megabyte"].items()],
        f"the time grows with the length to the power {figures['exponent']:.2f}",
    )
    console.note(
        f"align takes {figures['ratio']:.1%} of the judge's processor time, {figures['function_ratio']:.1%} without "
        f"start-up; by the clock {figures['clock_ratio']:.1%}"
    )


def run(seed: int, jobs: int) -> Iterator[Timing | Growth]:
    """The judge once; then align as a process and as a function, by turns, on what it judged; then longer answers."""
    records = [tokenised(record) for record in stage.apps(seed, APPS)]
    items = sum(len(record["task"]["rubric"]) for record in records)
    with tempfile.TemporaryDirectory(prefix="rcca-") as name:
        judged = Path(name) / "judged.jsonl"
        yield judge("judge", records, judged, jobs)
        lines = list(jsonl.read([str(judged)]))
        align = ["rcca_cli", "-q", "align", str(judged), "-o", str(Path(name) / "aligned.jsonl")]
        for _ in range(ROUNDS):
            yield stage.timed("align", len(records), items, align)
            wall, cpu = called(lines)
            yield Timing(FUNCTION, len(records), items, wall, cpu)
        for length in LENGTHS:
            longer = [tokenised(lengthened(record, length)) for record in records[:2]]
            judge(f"judge, {length}", longer, judged, jobs)
            lines = list(jsonl.read([str(judged)]))
            for _ in range(ROUNDS):
                yield Growth(length, sum(len(one["rollout"]["text"]) for one in longer), called(lines)[1])


def judge(side: str, records: Sequence[Record], output: Path, jobs: int) -> Timing:
    """The records judged, in the file `output`."""
    apps = output.with_name("apps.jsonl")
    apps.write_bytes(b"".join(map(jsonl.encode, records)))
    items = sum(len(record["task"]["rubric"]) for record in records)
    words = ["rcca_cli", "-q", "judge", str(apps), "-o", str(output), "--jobs", str(jobs)]
    return stage.timed(side, len(records), items, words)


def called(lines: Sequence[jsonl.Line]) -> tuple[float, float]:
    """Seconds by the clock and of the processor that the stage function takes for judged records."""
    from rcca_cli.align import stage as align

    gc.collect()
    gc.freeze()  # what is held here beside is not align's to look through
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in align.run(lines, align.Options()):
        pass
    spent = round(time.perf_counter() - wall, 4), round(time.process_time() - cpu, 4)
    gc.unfreeze()
    return spent


def tokenised(record: Record) -> Record:
    """The record, with the tokens of the embedded policy for its text."""
    split = _tokenizer().split(record["rollout"]["text"])
    assert split is not None
    tokens = {"tokens": split[0], "offsets": split[1].offsets, "logprobs": []}
    return record | {"rollout": record["rollout"] | tokens}


@cache
def _tokenizer() -> Any:
    from rcca_cli import models

    return models.load_tokenizer("embedded")


def lengthened(record: Record, length: int) -> Record:
    """The same app with so many characters in all, at least; nothing that its rubric asks for changes."""
    text = record["rollout"]["text"]
    before, end, after = text.rpartition("</body>")
    parts: list[str] = []
    size = len(text)
    while size < length:
        parts.append(FILLING.format(n=len(parts)))
        size += len(parts[-1])
    return record | {"rollout": record["rollout"] | {"text": before + "".join(parts) + end + after}}


def summary(turns: Sequence[Timing | Growth]) -> Record:
    """Medians of each side, align's over the judge's, and the growth with length: seconds ∝ length^exponent.

    The ratio is of processor time: what align takes from the judge beside it. By the clock a busy machine makes one
    process wait longer than a browser's many.
    """
    sides = {}
    timings = [one for one in turns if isinstance(one, Timing)]
    for side in dict.fromkeys(one.side for one in timings):
        own = [one for one in timings if one.side == side]
        sides[side] = {"wall": median(one.wall for one in own), "cpu": median(one.cpu for one in own)}
    growths = [one for one in turns if isinstance(one, Growth)]
    costs = {}
    for length in dict.fromkeys(one.length for one in growths):
        costs[str(length)] = median(one.cpu / one.characters * 1e6 for one in growths if one.length == length)
    seconds = [cost * float(length) for length, cost in costs.items()]
    exponent = np.polyfit(np.log([float(length) for length in costs]), np.log(seconds), 1)[0]
    ours, function, theirs = sides["align"], sides[FUNCTION], sides["judge"]
    return {
        "ratio": ours["cpu"] / theirs["cpu"],
        "function_ratio": function["cpu"] / theirs["cpu"],
        "clock_ratio": ours["wall"] / theirs["wall"],
        "seconds_per_megabyte": costs,
        "exponent": float(exponent),
        "sides": sides,
        "turns": [asdict(one) for one in turns],
    }
