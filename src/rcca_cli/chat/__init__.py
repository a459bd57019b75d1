"""The OpenAI-compatible client. The only importer of openai."""

from rcca_cli.chat.client import Answer, Client

__all__ = ["Answer", "Client"]
