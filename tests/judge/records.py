"""Records for the judge: a rubric and an answer whose page is given."""

import json

from rcca_cli.records import text_only


def item(name, *steps, cases=({}, {}), kind="interaction", importance="essential", parents=()):
    """A rubric item with its check."""
    check = json.dumps({"cases": list(cases), "steps": list(steps)})
    return {
        "id": name,
        "requirement": name,
        "kind": kind,
        "importance": importance,
        "parents": list(parents),
        "check": check,
    }


def record(text, *items, name="t1/0", finish_reason="stop"):
    """A record with this answer."""
    rollout = text_only(text, finish_reason)
    task = {"prompt": [{"role": "user", "content": "Make it."}], "rubric": list(items)}
    return {"schema": "rcca/1", "id": name, "group": name.partition("/")[0], "task": task, "rollout": rollout}


def answer(body, before="Here it is.\n"):
    """The text of an answer that holds a whole page."""
    return f"{before}```html\n<!DOCTYPE html>\n<html><body>\n{body}\n</body></html>\n```\n"


SHOWS = item("shows", {"expect": "visible", "target": {"role": "button", "name": "Add"}}, kind="initial")
ADDS = item(
    "adds",
    {"do": "type", "target": [{"label": "Task"}, {"role": "textbox"}], "text": "{task}"},
    {"do": "click", "target": {"role": "button", "name": "Add"}},
    {"expect": "count", "target": {"role": "listitem"}, "equals": 1},
    {"expect": "visible", "target": {"role": "listitem", "name": "{task}"}},
    cases=({"task": "Buy milk"}, {"task": "Call Zoë"}),
)
RED = item(
    "red", {"expect": "style", "target": {"role": "button"}, "property": "color", "equals": "red"}, kind="initial"
)

TODO = """<style>
button { color: red }
</style>
<label>Task <input id="task"></label>
<button id="add" onclick="add()">Add</button>
<ul id="list"></ul>
<script>
function add() {
  const item = document.createElement("li");
  item.textContent = task.value;
  list.append(item);
}
</script>"""
