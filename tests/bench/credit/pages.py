"""A page of a few lines, each a token, judged by hand: what the arms of `bench credit` are tried on."""

from rcca_cli.align.stage import answer
from rcca_cli.bench.credit.oracle import Found, Outcome, Reading
from rcca_cli.bench.credit.placing import Judged
from rcca_cli.jsonl import Line
from rcca_cli.judge import verdicts

LINES = ('<p id="a">one</p>\n', '<b id="b">two</b>\n', "<script>\n", "let x = 1;\n", "let yy = 22;\n", "</script>\n")
SLOTS = {"a": ("a/text", "a/state"), "b": ("b/text",)}
PLACES = {"a/text": LINES[0], "a/state": LINES[3], "b/text": LINES[1]}
RUBRIC = [
    {"id": name, "requirement": name, "kind": "initial", "importance": "essential", "parents": [], "check": None}
    for name in SLOTS
]


def page(number=0, wrong=(), left_out=(), level="functional", reward=None, finish="stop"):
    """Answer `number` to the task, with these slots wrong or left out; the judge and the oracle are of one mind."""
    kept = [line for line in LINES if line not in {PLACES[slot] for slot in left_out}]
    text = "".join(kept)
    starts = [sum(map(len, kept[:index])) for index in range(len(kept) + 1)]
    offsets = [[start, end] for start, end in zip(starts, [*starts[1:], starts[-1]], strict=True)]
    found = {name: [stands(name, slot, text, wrong, left_out) for slot in slots] for name, slots in SLOTS.items()}
    held = {name: all(one.right for one in own) for name, own in found.items()}
    runs = level == "functional"
    rows = [
        verdicts.verdict(name, held[name], failure=None if held[name] else "silent")
        if runs
        else verdicts.not_reached(name, level)
        for name in SLOTS
    ]
    failed = verdicts.LEVELS.index(level)
    gates = [
        verdicts.gate(gate, True if place < failed else False if place == failed else None)
        for place, gate in enumerate(verdicts.LEVELS[:3])
    ]
    value = {
        "level": level,
        "reward": reward if reward is not None else (sum(held.values()) / 2 if runs else -0.5),
        "artifact": {"start": 0, "end": len(text), "method": "whole", "blocks": 1, "truncated": False, "sha256": ""},
        "gates": gates,
        "verdicts": rows,
    }
    rollout = {
        "text": text,
        "prompt_ids": [2, 3],
        "tokens": list(range(4, 4 + len(offsets))),
        "offsets": offsets,
        "logprobs": [-0.5] * len(offsets),
        "logprobs_basis": "temperature",
        "finish_reason": finish,
        "model": "tiny",
    }
    task = {"prompt": [{"role": "user", "content": "A page."}], "rubric": RUBRIC}
    task |= {"class": "Tools", "level": "Easy", "source": "hand", "config": None}
    record = {"schema": "rcca/1", "id": f"g/{number}", "group": "g", "task": task, "rollout": rollout, "judge": value}
    causes = {name: tuple(one for one in own if one.right is held[name]) for name, own in found.items()}
    outcomes = {name: Outcome(held[name] and runs, 1.0, None if held[name] else "silent") for name in SLOTS}
    everything = tuple(one for own in found.values() for one in own)
    made = answer(Line(record, "hand", 1), None)
    return Judged(
        made, Reading(level, outcomes, everything if runs else (), causes if runs else dict.fromkeys(SLOTS, ()))
    )


def stands(item, slot, text, wrong, left_out):
    if slot in left_out:
        before = LINES[: LINES.index(PLACES[slot])]
        start = sum(len(line) for line in before if line in text)
        return Found(slot, item, False, "absent", start, start)
    start = text.index(PLACES[slot])
    right = slot not in wrong
    return Found(slot, item, right, None if right else "silent", start, start + len(PLACES[slot].rstrip("\n")))
