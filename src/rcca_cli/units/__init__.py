"""The map between the characters of an answer and its tokens, and the matching of words and quotes to its code."""

from rcca_cli.units.tokens import Tokens

__all__ = ["Tokens"]
