"""One vote on one item: a conversation in which a model uses the app until it gives its verdict."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rcca_cli import seeds
from rcca_cli.browser import AppTrouble, Machine
from rcca_cli.chat import Answer, Refused, Remembering, ToolCall, Unanswered
from rcca_cli.judge import verdicts
from rcca_cli.judge.model import data, opinion, prompt, toolbox
from rcca_cli.judge.model.listing import Listing
from rcca_cli.judge.model.options import Asking
from rcca_cli.judge.model.reply import ECHO, Call, Unreadable, read
from rcca_cli.judge.model.sitting import Result, Sitting

ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.S)  # of a letter in JSON


@dataclass(frozen=True)
class Matter:
    """What is to be judged: an item of a record, and the page; `start` is the page's place in the answer."""

    record: str
    item: Mapping[str, Any]
    request: str
    listing: Listing
    start: int
    seed: int  # of the run
    page_seed: int


class Inquiry:
    """One vote. `row` is all there is to call."""

    def __init__(self, client: Remembering, asking: Asking, matter: Matter, vote: int) -> None:
        self.client, self.asking, self.matter, self.vote = client, asking, matter, vote
        # Made of the page itself, so that no page can hold it; of nothing else that changes, so that runs are the same.
        names = (matter.seed, matter.record, matter.item["id"], matter.listing.html)
        self.mark = data.mark("data", *names)
        self.canary = data.mark("canary", *names)
        self.messages: list[dict[str, Any]] = []

    def row(self, machine: Machine) -> dict[str, Any]:
        """The verdict's row; null with the reason where the server or the model gave none. BrowserLost if it was."""
        item = self.matter.item["id"]
        try:
            with Sitting(machine, self.matter.listing.html, self.matter.page_seed, self.matter.listing) as sitting:
                return self._heard(sitting)
        except AppTrouble as trouble:  # the app's own doing, as in every check
            return verdicts.verdict(item, False, failure="exception", diagnosis=str(trouble))
        except (Unanswered, Refused) as error:
            return verdicts.unknown(item, f"the judge model gave no answer: {error}")
        except _Nothing as error:
            return verdicts.unknown(item, str(error))

    def _heard(self, sitting: Sitting) -> dict[str, Any]:
        self._open(sitting)
        for left in range(self.asking.turns, 0, -1):
            call = self._call()
            if isinstance(call, opinion.Opinion):
                return self._judged(call, sitting)
            self._tell(call, sitting.do(call), hurry=left == 2)
        raise _Nothing(f"the judge model came to no verdict in {self.asking.turns} turns")

    def _judged(self, said: opinion.Opinion, sitting: Sitting) -> dict[str, Any]:
        """The row, unless the verdict cannot be had this way: nobody sees what a page does without using it."""
        item = self.matter.item
        if said.passed and item["kind"] == "interaction" and not sitting.acts:
            return verdicts.unknown(item["id"], "the judge model passed it without having used the app")
        return opinion.row(said, item["id"], sitting.failure, self.matter.listing, self.matter.start)

    # The conversation ------------------------------------------------------------------------------------------------

    def _open(self, sitting: Sitting) -> None:
        rules = prompt.system(
            self.matter.item,
            self.matter.request,
            self.mark,
            self.canary,
            self.asking.turns,
            self.asking.tools,
            self.asking.vision,
        )
        shown = data.wrapped(self.mark, "source, page", sitting.begin().text)
        self.messages = [{"role": "system", "content": rules}, {"role": "user", "content": shown}]

    def _call(self) -> Call | opinion.Opinion:
        """What the model wants next. A reply that cannot be read is asked for once more; _Nothing after that."""
        for again in (True, False):
            answer = self._ask()
            self._refuse_leak(answer)
            try:
                call = read(answer)
                if call.tool == toolbox.VERDICT:
                    return opinion.read(call.arguments, self.matter.item["id"])
            except Unreadable as problem:
                if not again:
                    begins = f" (it begins “{' '.join(answer.text.split())[:80]}”)" if answer.text else ""
                    raise _Nothing(f"the judge model's reply could not be read: {problem}{begins}") from None
                self._repair(answer, str(problem))
                continue
            self._echo(answer)
            return call
        raise AssertionError("unreachable: the second reply is read or given up")

    def _ask(self) -> Answer:
        body: dict[str, Any] = {
            "temperature": self.asking.temperature,
            "max_tokens": self.asking.max_tokens,
            "seed": seeds.derive(self.matter.seed, "vote", self.matter.record, self.vote) & 0x7FFFFFFF,
        }
        if self.asking.tools:
            body["tools"] = toolbox.specs(self.asking.vision)
        return self.client.complete(self.messages, turn=self.vote, **body)

    def _refuse_leak(self, answer: Answer) -> None:
        """_Nothing if the reply holds the canary, however it is spaced: then it is somebody else's words it follows."""
        said = "".join([answer.text, *(f"{one.name}{one.arguments}" for one in answer.calls)])
        said = ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "", said)
        if self.canary in "".join(filter(str.isalnum, said)).lower():
            raise _Nothing("the judge model gave away its canary: it follows what the page says")

    def _echo(self, answer: Answer) -> None:
        """The model's own turn, as the next request has it."""
        calls = {"tool_calls": [_told(one) for one in answer.calls]} if answer.calls else {}
        self.messages.append({"role": "assistant", "content": answer.text} | calls)

    def _tell(self, call: Call, result: Result, hurry: bool) -> None:
        """What came of the tool. Nothing of it but our own last sentence is outside of the marks."""
        shown = data.wrapped(self.mark, f"what came of {toolbox.known(call.tool)}", result.text)
        words = f"{shown}\n{prompt.LAST}" if hurry else shown
        if self.messages[-1].get("tool_calls"):
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": words})
        else:
            self.messages.append({"role": "user", "content": words})
        if result.picture is not None:
            picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{result.picture}"}}
            note = {"type": "text", "text": f"<<{self.mark} picture>> (data as well) <<{self.mark} end>>"}
            self.messages.append({"role": "user", "content": [note, picture]})

    def _repair(self, answer: Answer, problem: str) -> None:
        said = answer.text or " ".join(f"{one.name}({one.arguments})" for one in answer.calls) or "(nothing)"
        self.messages.append({"role": "assistant", "content": said[:ECHO]})
        self.messages.append({"role": "user", "content": prompt.filled(prompt.UNREADABLE, {"problem": problem})})


class _Nothing(Exception):
    """No verdict can be had from this conversation; the message is the reason in the record."""


def _told(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
