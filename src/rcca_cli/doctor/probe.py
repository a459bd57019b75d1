"""A page that works and the record that asks for it: what the doctor has judged."""

import json
from typing import Any

from rcca_cli import records

PROBE: dict[str, Any] = {
    "schema": "rcca/1",
    "id": "doctor/0",
    "group": "doctor",
    "task": {
        "prompt": [{"role": "user", "content": "A button Add that counts."}],
        "rubric": [
            {
                "id": "counts",
                "requirement": "Each press of Add adds one",
                "kind": "interaction",
                "importance": "essential",
                "parents": [],
                "check": json.dumps(
                    {
                        "cases": [{"presses": 1}, {"presses": 3}],
                        "steps": [
                            {"do": "click", "target": {"role": "button", "name": "Add"}, "count": "{presses}"},
                            {"expect": "text", "contains": "Count: {presses}"},
                        ],
                    }
                ),
            }
        ],
    },
    "rollout": records.text_only(
        "```html\n<!DOCTYPE html>\n<html><head><title>Counter</title></head><body>\n"
        '<button onclick="n.textContent++">Add</button> <p>Count: <b id="n">0</b></p>\n</body></html>\n```\n',
        finish_reason="stop",
    ),
}
