"""Rows as the data set has them, and replies of a judge model."""

import json

from rcca_cli.bench.artifacts import rows
from rcca_cli.jsonl import Line
from tests.bench.artifacts.shapes import block, html
from tests.rollout.server import completion

TITLES = [
    *(f"Is part {number} of the counter there?" for number in range(4)),
    "Is the code robust?",
    "Are there innovative features that are eye-catching?",
    "Are there any redundant features?",
    "Does the code have engineering quality?",
    "Does the interface vision meet professional design standards?",
    "Is the dynamic interaction smooth and seamless?",
]
CHECKLIST = [
    {"id": number, "title": title, "description": "It's judged; deduct 5.", "maxScore": 10}
    for number, title in enumerate(TITLES)
]
QUESTION = "You are a code expert. Make a counter with a button named Increase that adds one to the total shown."
COUNTER = html(
    '<h1>Counter</h1><p>Total shown: <output id="n">0</output></p><button id="up">Increase</button>'
    "<script>up.onclick = () => { n.value = Number(n.value) + 1; };</script>",
    "<title>Counter with a button</title>",
)


def row(index=1, answer=None, **more):
    """A row with the answer to be scored."""
    return {
        "index": index,
        "question": QUESTION,
        "checklist": CHECKLIST,
        "class": "Utility Tools-Counters/Clocks",
        "difficulty": "easy",
        "answer": block("html", COUNTER) if answer is None else answer,
    } | more


def item(*arguments, **more):
    """The same as an item."""
    return rows.item(Line(row(*arguments, **more), "rows.jsonl", 1))


def marked(score=7, overall=70, **change):
    """The text of a reply: the same mark for each criterion; `change` replaces keys of the object."""
    items = [{"id": number, "evidence": "Seen.", "score": score} for number in range(10)]
    return json.dumps({"items": items, "overall": overall} | change)


def say(text, ends=True, used=(1000, 100)):
    """A reply of the server."""
    usage = {"prompt_tokens": used[0], "completion_tokens": used[1], "total_tokens": sum(used)} if used else None
    return 200, {}, completion(text, ends=ends) | {"usage": usage}
