"""A small aligned record for the report: an answer in prose and code, one requirement failed, one passed."""

from itertools import pairwise

TEXT = "Here 😀 it is:\n```html\n<button>Add</button>\n<script>add()</script>\n```\n"


def place(part):
    start = TEXT.index(part)
    return start, start + len(part)


def item(name, kind="interaction", parents=()):
    return {
        "id": name,
        "requirement": f"The page {name}",
        "kind": kind,
        "importance": "essential",
        "parents": list(parents),
        "check": None,
    }


def verdict(name, passed):
    start, end = place("<button>")
    return {
        "rubric": name,
        "passed": passed,
        "severity": 1.0,
        "failure": None if passed else "silent",
        "confidence": 1.0,
        "diagnosis": None if passed else "clicked the button “Add”: expected “1”, found “0”",
        "evidence": [] if passed else [{"kind": "element", "start": start, "end": end, "detail": "the target"}],
        "error": None,
    }


def record(sample=0, text=TEXT, group="t1"):
    """Aligned: one token a word, the tokens of `add()` blamed for `adds`."""
    start, end = place("add()")
    cuts = [0, *place("Here"), *place("<button>Add</button>"), start, end, len(TEXT)]
    offsets = [[a, b] for a, b in pairwise(cuts) if a < b] + [[len(TEXT), len(TEXT)]]
    advantages = [-1.5 if a >= start and b <= end else 0.25 for a, b in offsets]
    app = place("<button>Add</button>\n<script>add()</script>\n")
    span = {
        "rubric": "adds",
        "start": start,
        "end": end,
        "unit": "statement",
        "mass": 0.8,
        "sources": ["listener", "quote"],
        "advantage": -1.75,
        "confidence": 0.9,
    }
    return {
        "schema": "rcca/1",
        "id": f"{group}/{sample}",
        "group": group,
        "task": {
            "prompt": [{"role": "user", "content": "A page that adds."}],
            "class": "Tools",
            "level": "Easy",
            "rubric": [item("shows", "initial"), item("adds", parents=["shows"])],
        },
        "rollout": {
            "text": text,
            "prompt_ids": [1],
            "tokens": list(range(len(offsets))),
            "offsets": offsets,
            "logprobs": [-0.5] * len(offsets),
            "logprobs_basis": "temperature",
            "finish_reason": "stop",
            "model": "embedded",
        },
        "judge": {
            "level": "functional",
            "reward": 0.5,
            "artifact": {
                "start": app[0],
                "end": app[1],
                "method": "fence",
                "blocks": 1,
                "truncated": False,
                "sha256": "0" * 64,
            },
            "gates": [{"level": "format", "passed": True, "diagnosis": None, "start": None, "end": None}],
            "verdicts": [verdict("shows", True), verdict("adds", False)],
        },
        "align": {
            "advantage": 0.25,
            "advantages": advantages,
            "weights": [abs(value) for value in advantages],
            "spans": [span],
            "unmatched": 0,
            "mode": "rubric",
        },
    }
