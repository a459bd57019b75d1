"""Judging by a model, for rubric items without a check: it uses the app, and gives one verdict (docs/model.md)."""

from rcca_cli.judge.model.asker import Asker
from rcca_cli.judge.model.options import Asking, asking

__all__ = ["Asker", "Asking", "asking"]
