"""Asks a judge model, and books what that costs."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli import seeds
from rcca_cli.bench.artifacts.journal import CALL, Journal
from rcca_cli.bench.artifacts.ledger import Ledger
from rcca_cli.chat import Answer, Remembering


class Desk:
    """Where requests go out: kept replies first, then the money, then the server. Threads may share it.

    Raises Spent if there is not enough left, and what the client raises.
    """

    def __init__(self, client: Remembering, ledger: Ledger, journal: Journal) -> None:
        self.client, self.ledger, self.journal = client, ledger, journal

    def ask(
        self, messages: Sequence[Mapping[str, Any]], tokens: int, most: int, index: int | str, turn: int, **body: Any
    ) -> Answer:
        """The answer to a request of about so many `tokens` whose reply has at most about `most`."""
        if self.client.knows(messages, turn, **body):
            self.ledger.remember()
            return self.client.complete(messages, turn, **body)
        reserved = self.ledger.reserve(tokens, most)
        began = time.monotonic()
        try:
            answer = self.client.complete(messages, turn, **body)
        except BaseException:
            self.ledger.release(reserved)
            raise
        used = answer.used or (tokens, min(most, -(-len(answer.text.encode("utf-8", "replace")) // 3)))
        self.ledger.settle(reserved, answer.used, used, time.monotonic() - began)
        name = seeds.digest([messages, turn, body], 16)
        self.journal.put(f"{CALL}{name}", "call", index, {"read": used[0], "written": used[1]})
        return answer
