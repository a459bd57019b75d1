# Recipes run in the active virtual environment; scripts/setup makes one.

# Tests and linters
default: test lint

# Run the tests, two at once (the minutes-long ones: just test -m slow)
test *options:
    python -m pytest -n 2 --dist loadfile {{options}}

# Check style, types and generated docs
lint:
    ruff check .
    ruff format --check .
    mypy
    cog --check README.md docs/*.md

# Mend what can be mended by a program
fix:
    ruff check --fix .
    ruff format .
    cog -r README.md docs/*.md

# The whole loop on the embedded policy, about five minutes on two cores (again: just demo --resume)
demo *options:
    rcca run --minutes 4 --out demo {{options}} >/dev/null

# Make the embedded policy again
policy *options:
    python recipes/policy.py {{options}}
