"""A judge model that says what a test wants it to: replies in the form of a chat server's, and records to judge."""

import json

from rcca_cli.judge.court import Court
from rcca_cli.judge.model import Asker, Asking
from tests.judge.records import answer, record
from tests.rollout.server import completion

COUNTER = """<output id="count">0</output>
<button id="up">Up</button>
<script>
let n = 0;
up.addEventListener("click", () => { n += 1; count.value = n; });
</script>"""
DEAD = COUNTER.replace("n += 1; ", "")
UP = {"target": {"role": "button", "name": "Up"}}
FAILED = {"passed": False, "reason": "It stays at 0."}


def asked(name="counts", requirement="Pressing Up makes the number one larger", kind="interaction"):
    """An item without a check."""
    return {
        "id": name,
        "requirement": requirement,
        "kind": kind,
        "importance": "essential",
        "parents": [],
        "check": None,
    }


def app(body=COUNTER, *items, name="t1/0"):
    """A record whose page is `body`."""
    return record(answer(body), *(items or (asked(),)), name=name)


def say(text, ends=True):
    """A reply of this text."""
    return 200, {}, completion(text, ends=ends)


def tool(name, **arguments):
    """A reply that calls a tool."""
    return tools((name, json.dumps(arguments)))


def tools(*calls):
    """A reply that calls tools, their arguments as text."""
    status, headers, body = say("")
    body["choices"][0]["finish_reason"] = "tool_calls"
    body["choices"][0]["message"]["tool_calls"] = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    return status, headers, body


def verdict(passed=True, item="counts", reason="It counted.", **more):
    """A reply that gives a verdict."""
    return tool("verdict", item=item, passed=passed, reason=reason, **more)


CLICK = tool("click", **UP)


def court(machine, server, **asking):
    """A court that asks the server, once a request."""
    return judging(machine, **{"model": "m", "base_url": server.url, "attempts": 1, "seconds": 20.0} | asking)


def judging(machine, **asking):
    """A court with a judge model."""
    asker = Asker(Asking(**asking), seed=0)
    return Court(machine, seed=0, replay_passes=0.0, reward="hierarchical", config="test", asker=asker)


def shown(request):
    """All that a request tells the model, as one text."""
    parts = []
    for message in request["messages"]:
        content = message.get("content") or ""
        parts += [content] if isinstance(content, str) else [one.get("text", "") for one in content]
    return "\n".join(parts)


def outside(request):
    """What of a request stands outside of the marks, and so speaks to the model: all but the app's own words."""
    text = "\n".join(str(message["content"]) for message in request["messages"][1:])
    mark = request["messages"][1]["content"][2:18]
    kept, inside = [], False
    for line in text.split("\n"):
        if line.startswith(f"<<{mark} ") and line.endswith(">>"):
            inside = not line.endswith(" end>>")
        elif not inside:
            kept.append(line)
    return "\n".join(kept)
