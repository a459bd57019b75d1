"""`rcca bench NAME`: each is a file here, with the options that mean something there."""

COMMANDS = ("miniapp", "artifacts", "compare", "align", "credit", "redteam", "speed")
HELP = """Benchmarks: of models by our judge, and of our own parts.

`miniapp` answers tasks, judges the apps and counts; `artifacts` scores answers to ArtifactsBench; `compare` ranks
runs of either. The others ask something of rcca itself: `align` how often the credit lands on what was broken,
`credit` what a policy learns from it, `redteam` what hostile pages come to, `speed` how fast its parts are.

\b
Examples:
  rcca bench miniapp --limit 4 --report report.md
"""
