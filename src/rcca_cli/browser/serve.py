"""Answers a page's requests: the app is at its address, and nothing else exists."""

import base64
import contextlib
from typing import Any

from rcca_cli.browser.guard import Guard, forget
from rcca_cli.browser.trouble import ProtocolError
from rcca_cli.browser.wire import Session

ORIGIN = "https://app.test"  # secure, so that storage, crypto and the clipboard work
HOME = ORIGIN + "/"
LOADS = 12  # documents that one load may go through before it is a reload loop
REQUESTS = 300  # answered one by one
DOCUMENTS = {"urlPattern": "*", "resourceType": "Document"}
HEADERS = [{"name": "content-type", "value": "text/html; charset=utf-8"}]


class Server:
    """Serves one page to one session. `served` and `refused` count documents."""

    def __init__(self, html: str, guard: Guard) -> None:
        self.body = base64.b64encode(html.encode("utf-8", "replace")).decode()
        self.guard = guard
        self.served = self.refused = self.requests = 0

    async def start(self, session: Session, frame: str, offline: bool) -> None:
        """Answer the session's requests from now on; `frame` is the page's own one.

        Without a network it is enough to answer for the app and for what would replace it; the rest fails by itself.
        """
        self.session = session
        self.frame = frame
        session.on("Fetch.requestPaused", self._answer)
        patterns = [{"urlPattern": HOME + "*"}, DOCUMENTS] if offline else [{"urlPattern": "*"}]
        await session.send("Fetch.enable", {"patterns": patterns})

    def begin(self) -> None:
        """Count anew, for a new load."""
        self.served = self.refused = self.requests = 0

    async def _answer(self, event: dict[str, Any]) -> None:
        is_home = event["request"]["url"].partition("#")[0].partition("?")[0] == HOME
        # A frame that shows the app again would show it in itself again, and so on: it stays empty.
        is_frame = event["resourceType"] == "Document" and event["frameId"] != self.frame
        is_document = event["resourceType"] == "Document" and not is_frame
        self.requests += 1
        if self.requests == REQUESTS:  # from here on the network, which is not there, answers
            forget(self.session.send("Fetch.enable", {"patterns": [DOCUMENTS]}))
        if is_home and is_document and self.served >= LOADS:
            self.guard.restless = "reloads"
        fine = is_home and not is_frame and not self.guard.restless
        self.served += fine and is_document
        request = {"requestId": event["requestId"]}
        with contextlib.suppress(ProtocolError):
            if fine:
                page = {"responseCode": 200, "responseHeaders": HEADERS, "body": self.body}
                await self.session.send("Fetch.fulfillRequest", request | page)
            else:  # "Aborted" keeps the document that wanted to leave
                why = "Aborted" if is_document else "BlockedByClient"
                await self.session.send("Fetch.failRequest", request | {"errorReason": why})
        self.refused += is_document and not fine
