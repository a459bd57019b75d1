"""A real HTTP server that answers like vLLM, from a list of replies, each a value or a function of the request."""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Server:
    """Replies are `(status, headers, body)`, used in turn, the last one again and again; `asked` are the requests."""

    replies: list[Any]
    asked: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, request: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        with self.lock:
            self.asked.append(request)
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(request) if callable(reply) else reply


@contextlib.contextmanager
def serving(*replies: Any) -> Iterator[Server]:
    server = Server(list(replies))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, headers, body = server.reply(request | {"key": self.headers.get("authorization")})
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {
                "content-type": "application/json",
                "content-length": str(len(data)),
                **headers,
            }.items():
                self.send_header(name, value)
            with contextlib.suppress(ConnectionError):  # whoever asked may have given up
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Not on our standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_port}/v1"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def completion(text: str, pieces: list[bytes] | None = None, ends: bool = True) -> dict[str, Any]:
    """A chat completion as vLLM writes it with logprobs and return_token_ids; as an API does, without `pieces`."""
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop" if ends else "length",
        "logprobs": None,
    }
    reply = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    if pieces is None:
        return reply
    choice["token_ids"] = list(range(100, 100 + len(pieces)))
    choice["logprobs"] = {
        "content": [
            {"token": piece.decode(errors="replace"), "bytes": list(piece), "logprob": -0.25, "top_logprobs": []}
            for piece in pieces
        ]
    }
    return reply | {"prompt_token_ids": [1, 2, 3]}
