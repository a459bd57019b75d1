"""Tasks of our own in MiniAppBench's classes, levels and schema, with checks that run."""

from rcca_cli.bench.benchmark import Benchmark
from rcca_cli.bench.miniapp import load, own, rule

BENCHMARK = Benchmark(
    name="miniapp",
    title="MiniApp, our own tasks",
    tasks=load.tasks,
    rule=rule.scores,
    own=own.answers,
    note=(
        "rule %: MiniAppBench's min(intention, static, dynamic) >= 0.8, our variant by executed checks on our own "
        "tasks. Not comparable with the MiniAppBench leaderboard, which has other tasks and a judge model."
    ),
)
