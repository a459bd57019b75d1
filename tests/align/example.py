"""Judged records for the tests of `align`, written down rather than run."""

import re

import orjson

from rcca_cli.align import stage
from rcca_cli.align.case import Case
from rcca_cli.align.sources import SOURCES
from rcca_cli.jsonl import Line

ITEM = {
    "id": "adds",
    "requirement": 'Pressing "Add" puts the entry on the list.',
    "kind": "interaction",
    "importance": "essential",
    "parents": [],
    "check": None,
}
PAGE = """<!doctype html>
<html><head><style>
.entry { color: red; }
.done { text-decoration: line-through; }
</style></head><body>
<input id="field"><button id="plus" class="entry">Add</button>
<ul id="list"></ul>
<script>
const list = document.getElementById("list");
document.getElementById("plus").addEventListener("click", append);
function append() {
  const row = document.createElement("li");
  row.textContent = field.value;
  list.append(row);
}
function unused() { clear(); }
</script></body></html>
"""


def tokens(text):
    """One token a word, a sign or a stretch of space, and the end of the text."""
    return [[m.start(), m.end()] for m in re.finditer(r"\w+|\s+|[^\w\s]", text)] + [[len(text), len(text)]]


def place(code, page=PAGE, prose="Sure!\n```html\n"):
    """Where some code of the page is in the answer."""
    start = (prose + page).index(code)
    return start, start + len(code)


def evidence(kind, code, detail="", page=PAGE):
    start, end = place(code, page)
    return {"kind": kind, "start": start, "end": end, "detail": detail}


def verdict(passed, name="adds", failure="silent", **facts):
    row = {
        "rubric": name,
        "passed": passed,
        "severity": 1.0,
        "failure": None if passed else failure,
        "confidence": 1.0,
        "diagnosis": None,
        "evidence": [],
        "error": None,
    }
    return row | facts


def record(verdicts, page=PAGE, index=0, items=(ITEM,), reward=0.0, level="functional", gates=(), group="g"):
    """A judged answer that holds the page in a fence behind some prose."""
    text = f"Sure!\n```html\n{page}```\n"
    start = text.index(page)
    offsets = tokens(text)
    artifact = {
        "start": start,
        "end": start + len(page),
        "method": "fence",
        "blocks": 1,
        "truncated": False,
        "sha256": "0",
    }
    return {
        "schema": "rcca/1",
        "id": f"{group}/{index}",
        "group": group,
        "task": {"prompt": [{"role": "user", "content": "A list."}], "rubric": list(items), "config": None},
        "rollout": {
            "text": text,
            "prompt_ids": [1],
            "tokens": list(range(len(offsets))),
            "offsets": offsets,
            "logprobs": [0.0] * len(offsets),
            "logprobs_basis": "temperature",
            "finish_reason": "stop",
            "model": "tiny",
        },
        "judge": {
            "level": level,
            "reward": reward,
            "artifact": artifact,
            "gates": list(gates),
            "verdicts": list(verdicts),
        },
    }


def lines(*records):
    return [Line(orjson.loads(orjson.dumps(one)), "judged.jsonl", number) for number, one in enumerate(records, 1)]


def case(row, page=PAGE, item=ITEM, contrast=(), peers=()):
    """The case of one verdict, as the sources see it."""
    answer = stage.answer(lines(record([row], page))[0], None)
    return Case(answer, item, row, contrast, peers)


def marks(source, one):
    """What a source says: (marked text, feature, score), rounded."""
    text = one.answer.text
    return [(text[m.start : m.end], m.feature, round(m.score, 3)) for m in SOURCES[source](one)]
