"""Play one case of a check on a page, and say in words how it went."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from rcca_cli.checks.language import Case, Step
from rcca_cli.checks.page import Page, Query, Seen, Touch
from rcca_cli.checks.targets import phrase

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


async def play(page: Page, case: Case, outcome: Outcome | None = None) -> Outcome:
    """Play the steps in order until one fails. Errors of the page's own (a hang, a crash) pass through.

    `outcome`, if given, is filled in while the case is played, and returned.
    """
    outcome = outcome or Outcome()
    memory: dict[str, Any] = {}
    steps = list(enumerate(case.steps))
    while steps and outcome.kind is None:
        if steps[0][1].entry.acts:
            number, step = steps.pop(0)
            await _act(page, number, step, outcome)
        else:
            last = next((at for at, (_, step) in enumerate(steps) if step.entry.acts), len(steps))
            looking, steps = steps[:last], steps[last:]
            await _look(page, looking, memory, outcome)
    outcome.passed = outcome.kind is None
    return outcome


async def _act(page: Page, number: int, step: Step, outcome: Outcome) -> None:
    arguments = step.arguments
    outcome.step = number
    outcome.did.append(_said(step, None))  # should the page hang, this is what made it
    touch: Touch | None = await step.entry.run(page, **arguments)
    outcome.did.pop()
    if touch is None or touch.problem is None:
        outcome.did.append(_said(step, touch))
        if step.entry.name not in ("wait", "dialog") and not (touch and touch.idle):
            outcome.last_act = number
        return
    verb = _INFINITIVES.get(step.entry.name, step.entry.name)
    outcome.kind = "absent" if touch.problem == "absent" else "unable"
    aim = phrase(arguments["target"], touch.alternative)
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
    if arguments.get("submit"):
        said += " and pressed Enter"
    if step.entry.name == "drag":
        said += (
            f" onto {phrase(arguments['to'])}" if arguments["to"] else f" by {arguments['dx']:g}, {arguments['dy']:g}"
        )
    return said


def _short(value: Any) -> Any:
    return value[:80] if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else value


async def _look(page: Page, steps: Sequence[tuple[int, Step]], memory: dict[str, Any], outcome: Outcome) -> None:
    """Judge several steps by one look: nothing changes between. What fails is looked at again; it may come late."""
    queries: list[Query] = [step.entry.query(step.arguments) for _, step in steps if step.entry.query]
    for times in count():
        answers = iter(await page.look(queries) if queries else [])
        if _judge(steps, answers, memory, outcome) or not (queries and await page.linger(times)):
            return


def _judge(
    steps: Sequence[tuple[int, Step]], answers: Iterator[Seen], memory: dict[str, Any], outcome: Outcome
) -> bool:
    """Whether all steps hold by what was seen; if not, `outcome` says which one does not."""
    outcome.kind = outcome.problem = None
    for number, step in steps:
        outcome.step = number
        seen = next(answers) if step.entry.query else None
        outcome.problem = step.entry.run(seen, step.arguments, memory)
        if outcome.problem is not None:
            outcome.kind = _kind(step, seen, outcome.last_act is not None)
            if seen is not None and seen.get("unreadable"):
                outcome.kind, outcome.problem = "unknown", seen["unreadable"]
            return False
    return True


def _kind(step: Step, seen: Seen | None, acted: bool) -> Kind:
    """What a failed expectation is. After an action, what is missing or hidden is for the script to show."""
    found = seen is not None and seen["found"]
    if seen is not None and not found and not acted:
        return "absent"
    looks = step.entry.name in ("style", "painted") or (step.entry.name == "visible" and not acted)
    return "visual" if looks and found else "unmet"
