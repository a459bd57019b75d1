"""The OpenAI-compatible client, and the memory of what it was told. The only importer of openai."""

from rcca_cli.chat.client import Answer, Client, Refused, ToolCall, Unanswered
from rcca_cli.chat.memory import Remembering

__all__ = ["Answer", "Client", "Refused", "Remembering", "ToolCall", "Unanswered"]
