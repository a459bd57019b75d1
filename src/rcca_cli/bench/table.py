"""The benchmarks of `rcca bench NAME`."""

from rcca_cli.bench import miniapp, redteam, speed, stage
from rcca_cli.bench.benchmark import Entry

BENCHMARKS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        stage.entry(miniapp.BENCHMARK),
        redteam.ENTRY,
        speed.ENTRY,
    )
}
