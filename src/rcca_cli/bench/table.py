"""The benchmarks of `rcca bench NAME`."""

from rcca_cli.bench import align, miniapp, redteam, speed, stage
from rcca_cli.bench.benchmark import Entry

BENCHMARKS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        stage.entry(miniapp.BENCHMARK),
        align.ENTRY,
        redteam.ENTRY,
        speed.ENTRY,
    )
}
