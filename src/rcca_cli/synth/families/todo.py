"""Family `todo`: a list that grows; one listener of its own and one delegated to the list."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, dead, raises, silent, slot, visual
from rcca_cli.synth.steps import button, check, click, drawn, field, holds, shows, styled, text, visible, write

NAME = "todo"

LISTS = (
    ("Chores", "Buy milk", "Call Ana"),
    ("Weekend Plan", "Fix the bike", "Water plants"),
    ("Packing List", "Pack socks", "Charge phone"),
)

HTML = """\
<label>$field <input id="$box" placeholder="Type here"></label>
«add-button»
<ul id="$list">
«first»
«second»
</ul>
"""

CSS = """\
«done-rule»
"""

JS = """\
const $box = byId("$box"), $list = byId("$list");
«add-wire»
«done-wire»
function $add() {
  const item = document.createElement("li");
«fill»
  $list.append(item);
«empty»
}
"""

NAMES = (
    {"box": "newTask", "list": "tasks", "add": "addTask", "done": "done", "plus": "addButton"},
    {"box": "entry", "list": "todos", "add": "appendItem", "done": "checked", "plus": "plus"},
)


def make(rng: Random) -> Feature:
    """A list with its own two first entries and field label."""
    title, first, second = rng.choice(LISTS)
    params = {"first": first, "second": second, "field": rng.choice(("New task", "New entry"))}
    return Feature(
        family=NAME,
        title=title,
        group="Tools",
        level="Mid",
        params=params | {"wrong": "Untitled"},
        names=NAMES,
        items=ITEMS,
        html=HTML,
        css=CSS,
        js=JS,
        slots=SLOTS,
    )


ENTRY = {"entry": {"kind": "words"}}

ITEMS = (
    Item(
        "lists",
        "initial",
        "essential",
        (
            'The list starts with "$first" and "$second".',
            'At first the list holds "$first" and "$second".',
            '"$first" and "$second" are already on the list.',
        ),
        check([{"entry": "$first"}, {"entry": "$second"}], visible(text("{entry}"))),
    ),
    Item(
        "adds",
        "interaction",
        "essential",
        (
            'Typing in the "$field" field and pressing "Add" puts it on the list.',
            'There is a "$field" field, and an "Add" button that appends what was typed to the list.',
            '"Add" appends the text of the "$field" field.',
        ),
        drawn(ENTRY, write(field("$field"), "{entry}"), click(button("Add")), visible(text("{entry}"))),
    ),
    Item(
        "empties",
        "interaction",
        "important",
        (
            "After that the field is empty again.",
            "Adding also empties the field.",
            "The field is cleared for the next one.",
        ),
        drawn(
            ENTRY,
            write(field("$field"), "{entry}"),
            click(button("Add")),
            shows("{entry}"),
            holds(field("$field"), ""),
        ),
        ("adds",),
    ),
    Item(
        "strikes",
        "interaction",
        "important",
        (
            "Clicking an entry strikes it through.",
            "A click on an entry crosses it out with a line through the text.",
            "Entries get a line through them when clicked.",
        ),
        check(
            [{"entry": "$first"}, {"entry": "$second"}],
            click(text("{entry}")),
            styled(text("{entry}"), "text-decoration-line", "line-through"),
        ),
        ("lists",),
    ),
)

SLOTS = (
    slot(
        "done-rule",
        "strikes",
        ".$done { text-decoration: line-through; }",
        OMITTED,
        visual(".$done { text-decoration: underline; }"),
    ),
    slot("add-button", "adds", '<button id="$plus">Add</button>', OMITTED),
    slot("first", "lists", "<li>$first</li>", OMITTED, silent("<li>$wrong</li>")),
    slot("second", "lists", "<li>$second</li>", OMITTED, silent("<li>$wrong</li>")),
    slot(
        "add-wire",
        "adds",
        'byId("$plus")?.addEventListener("click", $add);',
        OMITTED,
        dead('byId("$plus")?.addEventListener("clicked", $add);'),
    ),
    slot(
        "done-wire",
        "strikes",
        '$list.addEventListener("click", event => event.target.classList.toggle("$done"));',
        dead('$list.addEventListener("onclick", event => event.target.classList.toggle("$done"));'),
        raises('$list.addEventListener("click", event => event.target.toggle("$done"));'),
    ),
    slot(
        "fill",
        "adds",
        "  item.textContent = $box.value;",
        silent("  item.textContent = $box.placeholder;"),
        raises("  item.textContent = value;"),
    ),
    slot("empty", "empties", '  $box.value = "";', OMITTED, silent('  $box.placeholder = "";')),
)
