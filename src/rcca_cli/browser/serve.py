"""Answers a page's requests: the app is at its address, libraries at those of their CDNs, and nothing else exists."""

import base64
import contextlib
import mimetypes
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from rcca_cli.browser import cdn
from rcca_cli.browser.guard import Guard, forget
from rcca_cli.browser.mirror import Mirror, Moved
from rcca_cli.browser.trouble import ProtocolError
from rcca_cli.browser.wire import Session

ORIGIN = "https://app.test"  # secure, so that storage, crypto and the clipboard work
HOME = ORIGIN + "/"
LOADS = 12  # documents that one load may go through before it is a reload loop
REQUESTS = 300  # answered one by one
DOCUMENTS = {"urlPattern": "*", "resourceType": "Document"}
HEADERS = [{"name": "content-type", "value": "text/html; charset=utf-8"}]
KINDS = {".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html"}
OPEN = {"name": "access-control-allow-origin", "value": "*"}  # as the CDNs say; modules and integrity need it


Files = Callable[[str], str | None]  # the text of the app's other files, by a path without the first slash


class Server:
    """Serves one page to one session, and its `files` if it has any. `served` and `refused` count documents.

    `missing` is what the page asked of CDNs and did not get, over all its loads.
    """

    def __init__(
        self,
        html: str,
        guard: Guard,
        names_cdn: bool = False,
        mirror: Mirror | None = None,
        files: Files = lambda _: None,
    ) -> None:
        self.body = _body(html)
        self.files = files
        self.guard = guard
        self.mirror = mirror
        self.names_cdn = names_cdn
        self.missing: set[cdn.Missing] = set()
        self.served = self.refused = self.requests = 0

    async def start(self, session: Session, frame: str, offline: bool) -> None:
        """Answer the session's requests from now on; `frame` is the page's own one.

        Without a network it is enough to answer for the app, for what would replace it, and for the CDNs if the page
        names one; the rest fails by itself.
        """
        self.session = session
        self.frame = frame
        session.on("Fetch.requestPaused", self._answer)
        patterns = [{"urlPattern": HOME + "*"}, DOCUMENTS, *(cdn.PATTERNS if self.names_cdn else ())]
        if not offline:
            patterns = [{"urlPattern": "*"}]
        await session.send("Fetch.enable", {"patterns": patterns})

    def begin(self) -> None:
        """Count anew, for a new load."""
        self.served = self.refused = self.requests = 0

    async def _answer(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"].partition("#")[0].partition("?")[0]
        is_home = url == HOME
        own = self._file(url)
        # A frame that shows the app again would show it in itself again, and so on: it stays empty.
        is_frame = event["resourceType"] == "Document" and event["frameId"] != self.frame
        is_document = event["resourceType"] == "Document" and not is_frame
        self.requests += 1
        if self.requests == REQUESTS:  # from here on the network, which is not there, answers
            forget(self.session.send("Fetch.enable", {"patterns": [DOCUMENTS]}))
        if is_home and is_document and self.served >= LOADS:
            self.guard.restless = "reloads"
        fine = (is_home or own is not None) and not is_frame and not self.guard.restless
        self.served += fine and is_document
        request = {"requestId": event["requestId"]}
        library = None if is_home or event["resourceType"] == "Document" else self._library(event["request"]["url"])
        with contextlib.suppress(ProtocolError):
            if fine:
                page = own or {"responseCode": 200, "responseHeaders": HEADERS, "body": self.body}
                await self.session.send("Fetch.fulfillRequest", request | page)
            elif library:
                await self.session.send("Fetch.fulfillRequest", request | library)
            else:  # "Aborted" keeps the document that wanted to leave
                why = "Aborted" if is_document else "BlockedByClient"
                await self.session.send("Fetch.failRequest", request | {"errorReason": why})
        self.refused += is_document and not fine

    def _file(self, url: str) -> dict[str, Any] | None:
        """The answer to a request for one of the app's own files beside its page."""
        path = unquote(url.removeprefix(HOME))
        text = self.files(path) if url.startswith(HOME) and path else None
        if text is None:
            return None
        kind = KINDS.get("." + path.rpartition(".")[2]) or mimetypes.guess_type(path)[0] or "text/plain"
        headers = [{"name": "content-type", "value": f"{kind}; charset=utf-8"}]
        return {"responseCode": 200, "responseHeaders": headers, "body": _body(text)}

    def _library(self, url: str) -> dict[str, Any] | None:
        """The answer to a request for a file of a CDN, if the mirror has it; noted if not."""
        wanted = cdn.wanted(url) if self.names_cdn else None
        if wanted is None:
            return None
        found = self.mirror.find(wanted) if self.mirror else None
        if isinstance(found, Moved):
            return {"responseCode": 302, "responseHeaders": [{"name": "location", "value": found.url}, OPEN]}
        if found:
            headers = [{"name": "content-type", "value": found.type}, OPEN]
            return {"responseCode": 200, "responseHeaders": headers, "body": base64.b64encode(found.body).decode()}
        self.missing.add(cdn.Missing(wanted, (self.mirror and self.mirror.lack(wanted)) or "package"))
        return None


def _body(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode()
