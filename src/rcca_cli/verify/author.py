"""A model as an author: of checks for a task's items, and of an app that meets them and one that does not.

It is told of the task alone, never of an app that somebody else wrote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from rcca_cli import checks
from rcca_cli.chat import Answer, Remembering
from rcca_cli.checks import describe
from rcca_cli.judge.model import prompt
from rcca_cli.judge.model.data import visible
from rcca_cli.judge.model.reply import THOUGHT, Unreadable, read_object

CHECKS, APP = 8192, 16384  # tokens of a reply
Item = Mapping[str, Any]
SYSTEM = """\
You write executable checks for requirements of small web apps. A check must pass on every app that meets the \
requirement, however its author built it, and fail on every app that does not.

$language

Good checks
- Say it as the request said it. If it names a button "Add", look for a button "Add"; if not, give alternatives.
- Expect what the user wanted, not how it is built.
- Choose cases that a plausible mistake treats differently, with data that no app begins with.
- Check this requirement alone. Where the start is not known, read it first and compare with what was read.

Reply with exactly one JSON object and nothing else, no fence and no words around it: its keys are the ids of the \
requirements, its values their checks, or null for one that cannot be checked this way."""
ASK = "The request was:\n$request\n\nThe requirements:\n$items"
AGAIN = "This cannot be used: $problems. Reply again with one JSON object that holds these requirements' checks alone."
WRITE = (
    "Write this app as one complete HTML document, with its CSS and JavaScript in it.\n\n$request\n\nIt must meet:\n"
)
SPOIL = (
    "Now write the same app again, complete, looking as alike as can be, but so that it meets none of these "
    "requirements: each is attempted and has a mistake that a user meets.\n"
)


@dataclass
class Written:
    """Checks that follow the language, by item, and for each other item why it has none."""

    checks: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


class Author:
    """Asks one model. Each method raises Unanswered or Refused if the server gives no answer."""

    def __init__(self, client: Remembering, seed: int) -> None:
        self.client = client
        self.seed = seed

    def checks(self, request: str, items: Sequence[Item]) -> Written:
        """Checks for the items. What does not follow the language is asked for once more, with what is wrong."""
        system = prompt.filled(SYSTEM, {"language": describe.language(checks.STEPS, checks.EXPECTATIONS)})
        told = prompt.filled(ASK, {"request": request, "items": _listed(items)})
        messages: list[dict[str, Any]] = [{"role": "system", "content": system}, {"role": "user", "content": told}]
        written = Written(problems={item["id"]: "the model wrote none" for item in items})
        for again in (True, False):
            answer = self._ask(messages, CHECKS)
            wrong = _read(answer, written)
            if not wrong or not again:
                break
            messages.append({"role": "assistant", "content": answer.text})
            messages.append({"role": "user", "content": prompt.filled(AGAIN, {"problems": "; ".join(wrong)})})
        return written

    def apps(self, request: str, items: Sequence[Item]) -> tuple[str, str]:
        """Two answers: an app that should meet all of the items, and one that should meet none."""
        wish = prompt.filled(WRITE, {"request": request}) + _listed(items)
        messages = [{"role": "user", "content": wish}]
        reference = self._ask(messages, APP).text
        messages += [{"role": "assistant", "content": reference}, {"role": "user", "content": SPOIL + _listed(items)}]
        return reference, self._ask(messages, APP).text

    def _ask(self, messages: Sequence[Mapping[str, Any]], most: int) -> Answer:
        return self.client.complete(messages, temperature=0.0, max_tokens=most, seed=self.seed & 0x7FFFFFFF)


def _listed(items: Sequence[Item]) -> str:
    return visible("\n".join(f"- {item['id']}: {prompt.wording(item)}" for item in items))


def _read(answer: Answer, written: Written) -> list[str]:
    """Sort the checks of a reply into `written`; what is wrong with it, in words for the model, is returned."""
    try:
        if answer.finish_reason == "length":
            raise Unreadable("it was cut off at the token limit")
        given = read_object(THOUGHT.sub("", answer.text, count=1), "the reply")
    except Unreadable as problem:
        written.problems = dict.fromkeys(written.problems, f"the model's reply could not be read: {problem}")
        return [str(problem)]
    wrong = []
    for name, value in given.items():
        if name not in written.problems:
            continue  # no item that was asked for, or one that has its check
        if value is None:
            written.problems[name] = "the model says that it cannot be checked"
            continue
        try:
            text = value if isinstance(value, str) else orjson.dumps(value).decode()
            checks.parse(text)
        except (checks.CheckError, orjson.JSONEncodeError) as problem:
            written.problems[name] = str(problem)
            wrong.append(f"{name}: {problem}")
            continue
        written.checks[name] = text
        del written.problems[name]
    return wrong
