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

# The README's picture of a report
picture:
    rcca synth -n 3 | rcca rollout -g 8 | rcca judge | rcca align --sequence-share 0.3 | \
        rcca report --screenshots --title "Three tasks, eight answers each" -o build/picture.html
    python recipes/picture.py build/picture.html tfed60eaa823b/0 accordion-closes docs/images/report.png

# Make the embedded policy again
policy *options:
    python recipes/policy.py {{options}}
