"""Stage `judge`: what a real browser finds when it opens the answer's page and uses it (docs/judge.md)."""
