"""The benchmarks of `rcca bench NAME`."""

from rcca_cli.bench import miniapp
from rcca_cli.bench.benchmark import Benchmark

BENCHMARKS: dict[str, Benchmark] = {miniapp.BENCHMARK.name: miniapp.BENCHMARK}
