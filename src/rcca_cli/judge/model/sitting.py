"""One freshly loaded page before a judge model, and the tools that work on it. Called from the judge's own thread."""

import base64
from contextlib import AsyncExitStack
from dataclasses import dataclass

from rcca_cli import checks
from rcca_cli.browser import AppTrouble, Machine, Screen, Visit, peek, shot, snapshot
from rcca_cli.checks.fields import FieldError
from rcca_cli.checks.targets import TargetError
from rcca_cli.judge.model import toolbox, view
from rcca_cli.judge.model.listing import Listing
from rcca_cli.judge.model.reply import Call

ERRORS = 5  # of the page, told after each action


@dataclass(frozen=True)
class Result:
    """What came of a tool: the app's words and ours about them, all of it data; and a picture (PNG, base64)."""

    text: str
    picture: str | None = None


class Sitting:
    """A context manager. Its methods raise AppTrouble for what the app did, BrowserLost for what we did.

    `acts` is how many actions a user could do so far; `failure` is the kind that the last look of things suggests
    for a requirement that fails: absent, dead or exception, else silent.
    """

    def __init__(self, machine: Machine, html: str, seed: int, listing: Listing) -> None:
        self._machine, self._html, self._seed, self._listing = machine, html, seed, listing
        self._stack = AsyncExitStack()
        self._visit: Visit | None = None
        self.acts = 0
        self.failure = "silent"

    def __enter__(self) -> "Sitting":
        try:
            self._machine.run(self._open)
        except BaseException:
            self._machine.run(self._stack.aclose)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._machine.run(self._stack.aclose)

    async def _open(self) -> None:
        self._visit = await self._stack.enter_async_context(self._machine.visit(self._html, self._seed))
        await self._visit.load()
        await self._visit.turn()

    @property
    def visit(self) -> Visit:
        """The page, while the sitting is open."""
        assert self._visit is not None
        return self._visit

    def begin(self) -> Result:
        """The source and the page, before anything is done."""
        return Result(f"{self._listing.lines()}\n\n{self._machine.run(self._seen)}")

    def do(self, call: Call) -> Result:
        """What comes of a tool; a call that cannot be is told so to the model."""
        if call.tool in toolbox.ACTIONS:
            return self._act(call)
        if call.tool == "snapshot":
            return Result(self._machine.run(self._seen))
        if call.tool == "source":
            first = call.arguments.get("first", 1)
            return Result(self._listing.lines(max(first, 1) if type(first) is int else 1))
        if call.tool == "evaluate":
            expression = str(call.arguments.get("expression") or "undefined")
            return Result(self._machine.run(lambda: peek(self.visit, expression)))
        if call.tool == "screenshot":
            return Result("the picture follows", base64.b64encode(self._machine.run(self._shot)).decode())
        return Result(f"error: there is no tool {call.tool}")

    def _act(self, call: Call) -> Result:
        entry = toolbox.ACTIONS[call.tool]
        try:
            arguments = entry.arguments(call.arguments)
        except (FieldError, TargetError) as error:
            return Result(f"error: {error}")
        case = checks.Case({}, (checks.Step(entry, arguments),))
        outcome = self._machine.run(lambda: self._play(case))
        if outcome.passed:
            self.acts += outcome.last_act is not None
            seen = self._machine.run(self._seen)  # errors show only when the page has come to rest
            self.failure = "exception" if self.visit.thrown else "silent"
            return Result(f"done: {', '.join(outcome.did)}\n\n{seen}")
        self.failure = "absent" if outcome.kind == "absent" else "dead"
        return Result(f"not done: {outcome.problem}")

    async def _play(self, case: checks.Case) -> checks.Outcome:
        outcome = checks.Outcome()
        try:
            return await checks.play(Screen(self.visit), case, outcome)
        except AppTrouble as trouble:
            raise type(trouble)(f"{', '.join(outcome.did)}: {trouble}") from None

    async def _seen(self) -> str:
        text = view.lines(await snapshot(self.visit, view.ELEMENTS))
        thrown = [f"error in the app: {view.quoted(one.message)}" for one in self.visit.thrown[-ERRORS:]]
        return "\n".join([text, *thrown])

    async def _shot(self) -> bytes:
        await self.visit.turn()
        return await shot(self.visit)
