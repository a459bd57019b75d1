"""Whether anything gets out of a page: one that tries sixteen ways, and a listener of our own that waits for it."""

import socket
from collections.abc import Iterator

from rcca_cli.bench.redteam import pack
from rcca_cli.bench.redteam.watch import Listener
from rcca_cli.browser import Machine, Settings
from rcca_cli.doctor.finding import Finding
from rcca_cli.judge.court import Court

PAGE = "all-ways"  # of the red team
KNOCK = "TCP control"
LEVELS = {
    "netns": "the browser has a network of its own with nothing in it",
    "flags": "the browser's own switches and a router that refuses everything",
}
NAMESPACES = (
    "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or docker run --security-opt seccomp=unconfined)"
)
LEAKS = "judge nothing here that you do not trust, and please report it"


def examine() -> Iterator[Finding]:
    """The best level of isolation here and whether it holds; then the same of the last resort, the flags."""
    level, best = tried(isolate=True)
    yield best
    if level != "flags":
        yield tried(isolate=False)[1]


def tried(isolate: bool) -> tuple[str, Finding]:
    """The level reached, and what became of sixteen ways out of the browser.

    The listener is tried first: one that is deaf proves nothing.
    """
    (page,) = [page for page in pack.hostile() if page.name == PAGE]
    with Listener() as listener:
        control(listener)
        with Machine(Settings(isolate=isolate)) as machine:
            Court(machine, 0, 0.0, "hierarchical", "doctor").judge(page.record(listener.host))
            level, sandbox = machine.isolation, machine.sandbox
        heard = listener.heard()
    return level, finding(level, sandbox, heard, is_best=isolate)


def control(listener: Listener) -> None:
    """Knock at the listener as a page would. RuntimeError if it does not hear that."""
    host, _, port = listener.host.partition(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(b"control\r\n")
        heard = listener.wait()
    if heard != KNOCK:
        raise RuntimeError(f"the listener heard {heard!r} instead of our own knock")


def finding(level: str, sandbox: bool, heard: list[str], is_best: bool) -> Finding:
    """The level that was reached, with what arrived; `is_best`: it is the one that pages will be judged at."""
    name = "isolation" if is_best else "fallback"
    words = f"{level}: {LEVELS[level]}; Chromium's sandbox is {'on' if sandbox else 'off'}"
    if heard:
        return Finding(name, "missing", f"{words}; of 16 ways out {len(heard)} worked: {heard[0]}", LEAKS)
    weak = is_best and level != "netns"
    return Finding(
        name, "warning" if weak else "ok", f"{words}; 16 ways out, none worked", NAMESPACES if weak else None
    )
