"""What a page does inside, for evidence: errors with stacks, code that ran, listeners, style rules, makers of elements.

Asks the DevTools protocol, which slows the page down, so verdicts are never reached under it.
"""

import asyncio
from collections.abc import Awaitable, Container
from typing import Any, TypeVar

from rcca_cli.browser import scripts
from rcca_cli.browser.facts import CHAIN, Element, Failure, Frame, Listener, Ran, Rule, Script
from rcca_cli.browser.guard import forget, quietly
from rcca_cli.browser.serve import HOME
from rcca_cli.browser.trouble import NoEvidence, ProtocolError
from rcca_cli.browser.visit import WORLD, Visit
from rcca_cli.browser.wire import Session

T = TypeVar("T")
ASYNC_FRAMES = 8  # how many awaits and timers a stack reaches back


class Probe:
    """Watches the page of a visit, from its next load on."""

    session: Session  # of its own, so that the instruments are off when it ends

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.failures: list[Failure] = []
        self.stuck: tuple[Frame, ...] = ()  # where the page was when it was interrupted
        self.fresh = False  # whether the page is as it was loaded: nothing has been done to it
        self._scripts: dict[str, Script] = {}
        self._sheets: dict[str, Script] = {}
        self._pausing: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """Switch the instruments on."""
        session = self.session = await self.visit.bounded(self.visit.tab.another_session())
        session.on("Debugger.scriptParsed", self._on_script)
        session.on("Debugger.paused", self._on_paused)
        session.on("Runtime.exceptionThrown", self._on_failure)
        session.on("CSS.styleSheetAdded", self._on_sheet)
        self.visit.guard.interrupt = self._interrupt
        await asyncio.gather(*(self._send(method, arguments) for method, arguments in instruments()))

    async def stop(self) -> None:
        """Switch them off; the page stays as it is."""
        await quietly(self.session.detach())

    async def load(self) -> None:
        """Load the page anew and forget what was seen of the last one."""
        self.failures, self.stuck = [], ()
        self._scripts, self._sheets = {}, {}
        self.fresh = True
        await self.visit.load()

    async def _send(self, method: str, arguments: dict[str, Any] | None = None) -> Any:
        return await self._asked(self.visit.bounded(self.session.send(method, arguments)))

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression in our own world."""
        return await self._asked(self.visit.evaluate(expression))

    async def _asked(self, question: Awaitable[T]) -> T:
        """The answer; NoEvidence where the protocol has none: the page is going away, or is too deep for it."""
        try:
            return await question
        except ProtocolError as error:
            raise NoEvidence(error.message.splitlines()[0]) from None

    # Events ----------------------------------------------------------------------------------------------------------

    def _on_script(self, event: dict[str, Any]) -> None:
        if event["url"].partition("#")[0].partition("?")[0] == HOME:
            self._scripts[event["scriptId"]] = Script(event["startLine"], event["startColumn"])

    def _on_sheet(self, event: dict[str, Any]) -> None:
        header = event["header"]
        if header["isInline"]:
            self._sheets[header["styleSheetId"]] = Script(header["startLine"], header["startColumn"])

    def _on_failure(self, event: dict[str, Any]) -> None:
        details = event["exceptionDetails"]
        trace = details.get("stackTrace")
        frames = self._frames(trace)
        script = self._scripts.get(details.get("scriptId", ""))
        if not frames and script is not None:  # a syntax error, or what was thrown is no Error
            frames = (Frame("", script, details["lineNumber"], details["columnNumber"]),)
        words = details.get("exception", {}).get("description") or details["text"]
        self.failures.append(Failure(words.splitlines()[0] if words else "", frames))

    def _frames(self, trace: dict[str, Any] | None) -> tuple[Frame, ...]:
        """The frames in the page's own code, those of awaiting and scheduling calls last."""
        found = []
        while trace:
            for call in trace["callFrames"]:
                script = self._scripts.get(call["scriptId"])
                if script is not None:
                    found.append(Frame(call["functionName"], script, call["lineNumber"], call["columnNumber"]))
            trace = trace.get("parent")
        return tuple(found)

    def _on_paused(self, event: dict[str, Any]) -> None:
        if self._pausing is not None and not self._pausing.done():
            calls = [call | call["location"] for call in event["callFrames"]]
            self.stuck = self._frames({"callFrames": calls})
            self._pausing.set_result(None)
        else:  # a debugger statement
            forget(self.session.send("Debugger.resume"))

    async def _interrupt(self) -> None:
        """Stop the running script, noting where it was."""
        self.visit.spoiled = True
        self._pausing = asyncio.get_running_loop().create_future()
        send = self.session.send
        await quietly(send("Debugger.pause"))
        await quietly(self._pausing)
        await quietly(send("Debugger.resume", {"terminateOnResume": True}))

    # Questions -------------------------------------------------------------------------------------------------------

    async def coverage(self) -> list[Ran]:
        """The functions of the page that ran since the last time this was asked."""
        taken = await self._send("Profiler.takePreciseCoverage")
        found = []
        for one in taken["result"]:
            start = self._scripts.get(one["scriptId"])
            if start is None:
                continue
            for function in one["functions"]:
                ranges = tuple(
                    (block["startOffset"], block["endOffset"], block["count"]) for block in function["ranges"]
                )
                found.append(Ran(function["functionName"], start, ranges))
        return found

    async def element(self, written: Container[int], listens: bool = False, styled: bool = False) -> Element | None:
        """The element that was aimed at or seen last, as far as it is asked for: each answer has its price.

        `listens`: its listeners and those around it; `styled`: its style rules; and who made it, unless its place is
        one of those that are `written` in the page.
        """
        about = await self.evaluate("rcca.about()")
        if about is None:
            return None
        found = Element(about["place"], about["tag"])
        made = found.place not in written
        if listens or styled or made:
            handle = await self._handle("rcca.last()", await self.visit.world())
            tree = (await self._send("DOM.getDocument", {"depth": -1 if listens else 0, "pierce": True}))["root"]
            node = (await self._send("DOM.requestNode", {"objectId": handle}))["nodeId"]
            if made:
                traces = await self._send("DOM.getNodeStackTraces", {"nodeId": node})
                found.created = self._frames(traces.get("creation"))
            if styled:
                found.rules = await self._rules(node)
            if listens:
                found.listeners = await self._listeners(_chain(tree, node))
        return found

    async def _handle(self, expression: str, world: int | None = None) -> str:
        """The handle of an object: in the page's own world, or in the one given."""
        where = {} if world is None else {"contextId": world}
        reply = await self._send("Runtime.evaluate", {"expression": expression} | where)
        return str(reply["result"]["objectId"])

    async def _listeners(self, chain: dict[int, int]) -> tuple[Listener, ...]:
        """The page's listeners on the nodes of `chain` (backend id to depth) and on the window."""
        found = []
        everywhere = {"objectId": await self._handle("document"), "depth": -1, "pierce": True}
        asked = [everywhere] + ([{"objectId": await self._handle("window")}] if self.visit.has_window_listeners else [])
        for arguments in asked:
            for one in (await self._send("DOMDebugger.getEventListeners", arguments))["listeners"]:
                script = self._scripts.get(one["scriptId"])
                depth = chain.get(one["backendNodeId"]) if arguments is everywhere else CHAIN + 1
                if script is not None and depth is not None:
                    found.append(Listener(one["type"], depth, script, one["lineNumber"], one["columnNumber"]))
        return tuple(sorted(found, key=lambda one: (one.depth, one.line, one.column)))

    async def _rules(self, node: int) -> tuple[Rule, ...]:
        try:
            matched = await self._send("CSS.getMatchedStylesForNode", {"nodeId": node})
        except NoEvidence:
            return ()  # not an element that has styles
        return tuple(
            rule for one in matched.get("matchedCSSRules", ()) if (rule := self._rule(one["rule"])) is not None
        )

    def _rule(self, rule: dict[str, Any]) -> Rule | None:
        sheet = self._sheets.get(rule.get("styleSheetId", ""))
        style, selectors = rule["style"], rule["selectorList"]["selectors"]
        if sheet is None or "range" not in style or "range" not in selectors[0]:
            return None
        first, block = selectors[0]["range"], style["range"]
        declarations = tuple(
            (one["name"], one["value"], *_ends(one["range"])) for one in style["cssProperties"] if "range" in one
        )
        start, end = (first["startLine"], first["startColumn"]), (block["endLine"], block["endColumn"])
        return Rule(sheet, rule["selectorList"]["text"], start, end, declarations)


def _ends(place: dict[str, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    return (place["startLine"], place["startColumn"]), (place["endLine"], place["endColumn"])


def _chain(root: dict[str, Any], wanted: int) -> dict[int, int]:
    """For the node `wanted` and those around it, by backend id, how far out they are."""
    path: list[int] = []

    def walk(node: dict[str, Any]) -> bool:
        if node["nodeId"] == wanted:
            path.append(node["backendNodeId"])
            return True
        inner = [*node.get("children", ()), *node.get("shadowRoots", ())]
        if any(map(walk, inner)):
            path.append(node["backendNodeId"])
            return True
        return False

    walk(root)
    return {backend: depth for depth, backend in enumerate(path) if depth <= CHAIN}


def instruments() -> tuple[tuple[str, dict[str, Any]], ...]:
    """The commands that switch all instruments on."""
    return (
        ("Page.enable", {}),  # without it, the script would not run
        ("Page.addScriptToEvaluateOnNewDocument", {"source": scripts.skeleton(), "worldName": WORLD}),
        ("Runtime.enable", {}),
        ("Debugger.enable", {}),
        ("Debugger.setAsyncCallStackDepth", {"maxDepth": ASYNC_FRAMES}),
        ("Profiler.enable", {}),
        ("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True}),
        ("DOM.enable", {}),
        ("CSS.enable", {}),
        ("DOM.setNodeStackTracesEnabled", {"enable": True}),
    )
