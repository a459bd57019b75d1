"""Family `tabs`: one panel of three is open; a handler on each tab."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, absent, dead, raises, silent, slot, visual
from rcca_cli.synth.steps import button, check, click, hidden, styled, text, visible

NAME = "tabs"

BOOKS = (
    ("Epic Guide", ("Plot", "A long way home"), ("Cast", "A king and his crew"), ("Style", "Verse in six beats")),
    ("Empire Notes", ("Rise", "From village to city"), ("Peak", "Roads to every sea"), ("Fall", "The gates are open")),
    (
        "Opera Guide",
        ("Act one", "They meet at a ball"),
        ("Act two", "A letter is lost"),
        ("Act three", "All is forgiven"),
    ),
)

HTML = """\
<nav id="$bar">
<button>$tab1</button>
<button>$tab2</button>
<button>$tab3</button>
</nav>
<div id="$pages">
«first»
«second»
«third»
</div>
«next-button»
"""

CSS = """\
«bold-rule»
"""

JS = """\
const $tabs = [...byId("$bar").children], $panels = [...byId("$pages").children];
let $open = 0;
«wire»
function $turn(to) {
  $open = to % 3;
«panels»
«bold»
}
"""

NAMES = (
    {
        "bar": "tabs",
        "pages": "panels",
        "tabs": "tabs",
        "panels": "panels",
        "open": "current",
        "turn": "openTab",
        "on": "on",
    },
    {"bar": "menu", "pages": "book", "tabs": "heads", "panels": "pages", "open": "here", "turn": "show", "on": "now"},
)


def make(rng: Random) -> Feature:
    """Tabs about one of a few subjects."""
    title, *pairs = rng.choice(BOOKS)
    params = {f"tab{number}": tab for number, (tab, _) in enumerate(pairs, 1)}
    params |= {f"text{number}": words for number, (_, words) in enumerate(pairs, 1)}
    return Feature(
        family=NAME,
        title=title,
        group="Humanities",
        level="Mid",
        params=params,
        names=NAMES,
        items=ITEMS,
        html=HTML,
        css=CSS,
        js=JS,
        slots=SLOTS,
    )


def tab(name: str) -> list[dict[str, str]]:
    """The control that opens a panel, whichever role the page gives it."""
    return [{"role": "tab", "name": name}, button(name)]


TURNS = [
    {"tab": "$tab2", "shown": "$text2", "other": "$text1"},
    {"tab": "$tab3", "shown": "$text3", "other": "$text1"},
]

ITEMS = (
    Item(
        "opens-first",
        "initial",
        "essential",
        (
            'Make three tabs: "$tab1" with the text "$text1", "$tab2" with "$text2" and "$tab3" with "$text3";'
            " only the first text is shown at first.",
            'There are tabs "$tab1" ("$text1"), "$tab2" ("$text2") and "$tab3" ("$text3"). It opens on the first one,'
            " the other texts hidden.",
        ),
        check([{"other": "$text2"}, {"other": "$text3"}], visible(text("$text1")), hidden(text("{other}"))),
    ),
    Item(
        "switches",
        "interaction",
        "essential",
        (
            "Clicking a tab shows its text and hides the others.",
            "A click on a tab opens its text instead of the last one.",
        ),
        check(TURNS, click(tab("{tab}")), visible(text("{shown}")), hidden(text("{other}"))),
    ),
    Item(
        "marks",
        "interaction",
        "optional",
        ("The tab that was clicked turns bold.", "The clicked tab gets a bold name."),
        check(TURNS, click(tab("{tab}")), styled(tab("{tab}"), "font-weight", "700")),
        ("switches",),
    ),
    Item(
        "goes-on",
        "interaction",
        "important",
        (
            'A "Next tab" button opens the tab after the current one, and the first after the last.',
            '"Next tab" moves one tab on, from the last back to the first.',
        ),
        check(
            [{"other": "$text2"}, {"other": "$text3"}],
            click(button("Next tab")),
            visible(text("$text2")),
            click(button("Next tab")),
            visible(text("$text3")),
            click(button("Next tab")),
            visible(text("$text1")),
            hidden(text("{other}")),
        ),
        ("switches",),
    ),
)

SLOTS = (
    slot("bold-rule", "marks", ".$on { font-weight: bold; }", OMITTED, visual(".$on { font-style: italic; }")),
    slot("first", "opens-first", "<p>$text1</p>", silent("<p hidden>$text1</p>")),
    slot("second", "opens-first", "<p hidden>$text2</p>", absent("<p>$text2</p>")),
    slot("third", "opens-first", "<p hidden>$text3</p>", absent("<p>$text3</p>")),
    slot(
        "next-button",
        "goes-on",
        '<button onclick="$turn($open + 1)">Next tab</button>',
        OMITTED,
        dead("<button>Next tab</button>"),
        silent('<button onclick="$turn($open)">Next tab</button>'),
        raises('<button onclick="nextTab()">Next tab</button>'),
    ),
    slot(
        "wire",
        "switches",
        "$tabs.forEach((tab, i) => tab.onclick = () => $turn(i));",
        OMITTED,
        dead("$tabs.forEach((tab, i) => tab.onClick = () => $turn(i));"),
        raises("$tabs.forEach((tab, i) => tab.onclick = () => turnTo(i));"),
    ),
    slot(
        "panels",
        "switches",
        "  $panels.forEach((panel, i) => panel.hidden = i != $open);",
        OMITTED,
        silent("  $panels.forEach((panel, i) => panel.hidden = i == $open);"),
        silent("  $panels[$open].hidden = false;"),
    ),
    slot(
        "bold",
        "marks",
        '  $tabs.forEach((tab, i) => tab.classList.toggle("$on", i == $open));',
        OMITTED,
        silent('  $tabs.forEach((tab, i) => tab.classList.toggle("$on", i != $open));'),
    ),
)
