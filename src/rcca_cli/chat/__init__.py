"""The OpenAI-compatible client, and the memory of what it was told. The only importer of openai."""

from rcca_cli.chat.client import Client, Refused, Unanswered
from rcca_cli.chat.memory import Remembering
from rcca_cli.chat.reply import Answer, ToolCall
from rcca_cli.chat.tokens import usage

__all__ = ["Answer", "Client", "Refused", "Remembering", "ToolCall", "Unanswered", "usage"]
