"""Other people's data: rows of prompts, answers and verdicts under whatever names, made records of ours."""

from rcca_cli.foreign.reader import Reader

__all__ = ["Reader"]
