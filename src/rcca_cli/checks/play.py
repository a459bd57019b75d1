"""Play one case of a check on a page, and say in words how it went."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import Any, Literal

import orjson

from rcca_cli.checks.language import Case, Step
from rcca_cli.checks.page import Page, Seen, Touch
from rcca_cli.checks.targets import phrase

Over = Callable[[Sequence[int]], Awaitable[None]]
Kind = Literal["absent", "unable", "unmet", "visual", "unknown"]
_PROBLEMS = {
    "absent": "there is nothing that matches",
    "hidden": "it is hidden",
    "disabled": "it is disabled",
    "covered": "it is covered by {}",
    "unfit": "it cannot be used so",
    "option": "it has no such option",
}


@dataclass
class Outcome:
    """How a case went, filled in as it goes, so that it also tells where a page hung.

    `step` is the one in progress, in the end the one that failed; `did` is what was done so far, in words;
    `last_act` is the last step that did something to the page (waiting is not doing).
    `kind`: absent (a target does not exist), unable (an action could not be done), visual (a failed
    expectation about looks), unmet (any other failed expectation), unknown (not to be judged on this machine, for the
    reason in `problem`); None if nothing failed.
    """

    passed: bool = False
    kind: Kind | None = None
    step: int = 0
    problem: str | None = None
    did: list[str] = field(default_factory=list)
    last_act: int | None = None

    @property
    def diagnosis(self) -> str | None:
        """What was done, what was expected and what was found; None if the case passed."""
        if self.problem is None:
            return None
        return f"{', '.join(self.did)}: {self.problem}" if self.did else self.problem


def is_passive(case: Case) -> bool:
    """Whether the case only looks, so that it leaves the page as it was."""
    return not any(step.entry.acts for step in case.steps)


def is_still(case: Case) -> bool:
    """Whether no step needs the page to be drawn."""
    return not any(step.entry.frames for step in case.steps)


async def play(page: Page, case: Case, outcome: Outcome | None = None) -> Outcome:
    """Play the steps in order until one fails. Errors of the page's own (a hang, a crash) pass through.

    `outcome`, if given, is filled in while the case is played, and returned.
    """
    outcome = outcome or Outcome()
    await play_together(page, [(case, outcome)])
    return outcome


async def play_together(page: Page, cases: Sequence[tuple[Case, Outcome]], over: Over | None = None) -> None:
    """Play cases of which each does what the longest one does, or only the beginning of it, on one page at once.

    Looking changes nothing, so each sees what it would see alone. `over` is awaited with the places of the cases
    that have just come to their end, before anything more is done. Errors of the page's own pass through.
    """
    players = {place: _Player(case, outcome) for place, (case, outcome) in enumerate(cases)}
    while players:
        await _look(page, players.values())
        ended = [place for place, player in players.items() if player.is_over]
        for place in ended:
            players.pop(place).finish()
        if ended and over is not None:
            await over(ended)
        if players:
            await _act(page, list(players.values()))


def actions(case: Case) -> tuple[bytes, ...]:
    """What the case does to the page, without what it looks for: equal for cases that do the same."""
    return tuple(
        orjson.dumps([step.entry.name, step.arguments], option=orjson.OPT_SORT_KEYS)
        for step in case.steps
        if step.entry.acts
    )


class _Player:
    """Where one case stands."""

    def __init__(self, case: Case, outcome: Outcome) -> None:
        self.outcome = outcome
        self.memory: dict[str, Any] = {}
        self.left = list(enumerate(case.steps))

    @property
    def is_over(self) -> bool:
        return not self.left or self.outcome.kind is not None

    def finish(self) -> None:
        self.outcome.passed = self.outcome.kind is None

    def looking(self) -> list[tuple[int, Step]]:
        """The steps up to the next that does something."""
        return list(takewhile(lambda one: not one[1].entry.acts, self.left))


async def _act(page: Page, players: Sequence[_Player]) -> None:
    """Do once what all of them do next."""
    numbers = []
    for player in players:
        number, step = player.left.pop(0)
        numbers.append(number)
        player.outcome.step = number
        player.outcome.did.append(_said(step, None))  # should the page hang, this is what made it
    touch: Touch | None = await step.entry.run(page, **step.arguments)
    for player, number in zip(players, numbers, strict=True):
        player.outcome.did.pop()
        _acted(player.outcome, number, step, touch)


def _acted(outcome: Outcome, number: int, step: Step, touch: Touch | None) -> None:
    if touch is None or touch.problem is None:
        outcome.did.append(_said(step, touch))
        if step.entry.name not in ("wait", "dialog") and not (touch and touch.idle):
            outcome.last_act = number
        return
    if touch.problem == "fault":
        outcome.kind, outcome.problem = "unknown", _fault(touch.detail)
        return
    verb = _INFINITIVES.get(step.entry.name, step.entry.name)
    outcome.kind = "absent" if touch.problem == "absent" else "unable"
    aim = phrase(step.arguments["target"], touch.alternative)
    outcome.problem = f"could not {verb} {aim}: {_PROBLEMS[touch.problem].format(touch.detail)}"


_INFINITIVES = {"type": "type into", "select": "choose in", "check": "tick", "hover": "move the mouse over"}


def _said(step: Step, touch: Touch | None) -> str:
    arguments = dict(step.arguments)
    arguments["target"] = phrase(arguments.get("target"), touch.alternative if touch else None)
    said = step.entry.said.format(**{key: _short(value) for key, value in arguments.items()})
    if arguments.get("on") is False:
        said = "un" + said
    if arguments.get("count", 1) == 2:
        said = "double-" + said
    if arguments.get("hold"):
        said += f" for {arguments['hold']:g} ms"
    if arguments.get("submit"):
        said += " and pressed Enter"
    if step.entry.name == "drag":
        said += (
            f" onto {phrase(arguments['to'])}" if arguments["to"] else f" by {arguments['dx']:g}, {arguments['dy']:g}"
        )
    return said


def _short(value: Any) -> Any:
    return value[:80] if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else value


async def _look(page: Page, players: Iterable[_Player]) -> None:
    """Judge all that is looked for now by one look: nothing changes between. What fails is looked at again; it may
    come late."""
    looking = [(player, steps) for player in players if player.outcome.kind is None and (steps := player.looking())]
    queries = [step.entry.query(step.arguments) for _, steps in looking for _, step in steps if step.entry.query]
    for times in count():
        answers = iter(await page.look(queries) if queries else [])
        # Of each its own share of the answers, whether it needs them all or not.
        shares = [[next(answers) if step.entry.query else None for _, step in steps] for _, steps in looking]
        held = [
            _judge(steps, share, one.memory, one.outcome) for (one, steps), share in zip(looking, shares, strict=True)
        ]
        if all(held) or not (queries and await page.linger(times)):
            break
    for player, steps in looking:
        del player.left[: len(steps)]


def _judge(
    steps: Sequence[tuple[int, Step]], seen: Sequence[Seen | None], memory: dict[str, Any], outcome: Outcome
) -> bool:
    """Whether all steps hold by what was seen; if not, `outcome` says which one does not."""
    outcome.kind = outcome.problem = None
    for (number, step), one in zip(steps, seen, strict=True):
        outcome.step = number
        if one is not None and one.get("fault"):
            outcome.kind, outcome.problem = "unknown", _fault(one["fault"])
            return False
        outcome.problem = step.entry.run(one, step.arguments, memory)
        if outcome.problem is not None:
            outcome.kind = _kind(step, one, outcome.last_act is not None)
            if one is not None and one.get("unreadable"):
                outcome.kind, outcome.problem = "unknown", one["unreadable"]
            return False
    return True


def _fault(problem: Any) -> str:
    return f"the check is wrong: {problem}"


def _kind(step: Step, seen: Seen | None, acted: bool) -> Kind:
    """What a failed expectation is. After an action, what is missing or hidden is for the script to show."""
    found = seen is not None and seen["found"]
    if seen is not None and not found and not acted:
        return "absent"
    looks = step.entry.name in ("style", "painted") or (step.entry.name == "visible" and not acted)
    return "visual" if looks and found else "unmet"
