"""Servers that break off, drip or never end: each costs one request, in its time, and nothing else."""

import contextlib
import gc
import itertools
import json
import socket
import sys
import threading
import warnings

import pytest

from rcca_cli.chat import Client, Unanswered
from rcca_cli.chat.server import asked_pause
from tests.rollout.server import completion

WHOLE = json.dumps(completion("hello")).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
SIZED = HEAD + b"content-length: %d\r\n\r\n" % len(WHOLE)


@contextlib.contextmanager
def answering(pieces):
    """The address of a server that reads a request and sends these pieces, as long as somebody takes them."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(target=talk, args=(connection,), daemon=True).start()

        def talk(connection):
            with contextlib.suppress(OSError), connection:
                connection.recv(1 << 16)
                for piece in pieces():
                    connection.sendall(piece)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


def dripping(head):
    """The head at once, then a byte of the body every tenth of a second, for ever."""
    yield head + b"\r\n"
    while not threading.Event().wait(0.1):
        yield b" "


ODD = {
    "it drips": lambda: dripping(HEAD),
    "it drips an error": lambda: dripping(HEAD.replace(b"200 OK", b"500 Internal Server Error")),
    "it never ends": lambda: itertools.chain([HEAD + b"\r\n"], itertools.repeat(b" " * (1 << 20))),
    "it breaks off in the body": lambda: [SIZED + WHOLE[:40]],
    "it breaks off in the head": lambda: [HEAD[:20]],
    "it says nothing": lambda: [],
    "it sends no HTTP": lambda: [b"\0" * 100],
    "it sends a page": lambda: [HEAD + b"content-length: 6\r\n\r\n<html>"],
    "it redirects to itself": lambda: [
        b"HTTP/1.1 307 x\r\nlocation: /v1/chat/completions\r\ncontent-length: 0\r\n\r\n"
    ],
}


@pytest.mark.parametrize("pieces", ODD.values(), ids=ODD)
def test_an_odd_server_costs_one_request_in_its_time(pieces, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with answering(pieces) as url, pytest.raises(Unanswered):
        Client(url, "m", timeout=1.0, attempts=1).complete([{"role": "user", "content": "hi"}])


def test_a_reply_in_pieces_is_a_reply(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with answering(lambda: [SIZED, *(WHOLE[at : at + 50] for at in range(0, len(WHOLE), 50))]) as url:
        assert Client(url, "m", timeout=30.0).complete([{"role": "user", "content": "hi"}]).text == "hello"


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("0", 0.0),
        ("2.5", 2.5),
        ("86400", 86400.0),  # the client waits a minute at most
        ("-5", None),
        ("nan", None),
        ("", None),
        ("soon", None),
        ("Wed, 21 Oct 2026 07:27:00 GMT", None),  # over
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30.0),
        ("Wed, 21 Oct 2026 07:28:00 +99999999999999999999", None),
        ("Wed, 21 Oct 99999 07:28:00 GMT", None),
    ],
)
def test_what_a_server_asks_to_be_left_alone_is_a_time_to_come(told, seconds):
    assert asked_pause({"retry-after": told, "date": "Wed, 21 Oct 2026 07:28:00 GMT"}) == seconds


def test_a_client_that_is_done_with_leaves_no_connection_open(monkeypatch):
    left = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: left.append(str(found.exc_value)))
    with answering(lambda: [SIZED, WHOLE]) as url, warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        assert Client(url, "m").complete([{"role": "user", "content": "hi"}]).text == "hello"
        gc.collect()
    assert left == []
