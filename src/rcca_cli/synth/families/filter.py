"""Family `filter`: a list that a search narrows down; an input listener."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, dead, raises, silent, slot, visual
from rcca_cli.synth.steps import check, field, hidden, shows, text, visible, write

NAME = "filter"

# Four words each; the queries below are found inside words, never at their start.
SETS = (
    ("Fruit Finder", ("Apple", "Mango", "Peach", "Grape"), ("ang", "Mango", "ape", "Grape")),
    ("Bird Book", ("Robin", "Heron", "Eagle", "Finch"), ("obi", "Robin", "inc", "Finch")),
    ("Herb Shelf", ("Basil", "Thyme", "Cumin", "Sumac"), ("asi", "Basil", "hym", "Thyme")),
)

HTML = """\
«box»
<ul id="$list">
<li>$one</li>
<li>$two</li>
«three»
«four»
</ul>
«count»
"""

JS = """\
const $rows = [...byId("$list").children];
«wire»
function $sift() {
  const words = byId("$query").value«lower»;
«narrow»
«tell»
}
"""

NAMES = (
    {"query": "search", "list": "list", "rows": "rows", "sift": "filterList", "left": "shown"},
    {"query": "query", "list": "all", "rows": "lines", "sift": "sift", "left": "found"},
)


def make(rng: Random) -> Feature:
    """A list of one kind of thing, with its own label."""
    title, words, queries = rng.choice(SETS)
    params = dict(zip(("one", "two", "three", "four"), words, strict=True))
    params |= dict(zip(("query1", "found1", "query2", "found2"), queries, strict=True))
    params |= {"field": rng.choice(("Search", "Find"))}
    others = [next(word for word in words if word != found) for found in queries[1::2]]
    return Feature(
        family=NAME,
        title=title,
        group="Lifestyle",
        level="Mid",
        params=params | {"other1": others[0], "other2": others[1]},
        names=NAMES,
        items=items(queries[0], queries[2]),
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


def items(first: str, second: str) -> tuple[Item, ...]:
    """The four requirements."""
    cases = [
        {"query": first, "found": "$found1", "other": "$other1"},
        {"query": second, "found": "$found2", "other": "$other2"},
    ]
    shouted = [case | {"query": case["query"].upper()} for case in cases]
    found = (write(field("$field"), "{query}"), visible(text("{found}")))
    return (
        Item(
            "lists",
            "initial",
            "essential",
            (
                'List "$one", "$two", "$three" and "$four", with "4 shown" under them.',
                'It has a list of "$one", "$two", "$three" and "$four", and below it says "4 shown".',
            ),
            check(
                [{"word": word, "n": 4} for word in ("$one", "$three", "$four")],
                visible(text("{word}")),
                shows("{n} shown"),
            ),
        ),
        Item(
            "narrows",
            "interaction",
            "essential",
            (
                'Typing in "$field" leaves only the entries that contain the text.',
                'A "$field" field hides the entries without the typed text.',
            ),
            check(cases, *found, hidden(text("{other}"))),
            ("lists",),
        ),
        Item(
            "ignores-case",
            "interaction",
            "important",
            ("Capital letters make no difference.", "Upper and lower case count as the same."),
            check(shouted, *found, hidden(text("{other}"))),
            ("narrows",),
        ),
        Item(
            "counts",
            "interaction",
            "important",
            ("The number shown changes with it.", "The number of those shown follows."),
            check(
                [case | {"left": 1} for case in cases],
                *found,
                shows("{left} shown"),
            ),
            ("narrows",),
        ),
    )


SLOTS = (
    slot("box", "narrows", '<label>$field <input id="$query"></label>', OMITTED),
    slot("three", "lists", "<li>$three</li>", OMITTED, silent("<li>More</li>")),
    slot("four", "lists", "<li>$four</li>", OMITTED, visual("<li hidden>$four</li>")),
    slot("count", "lists", '<p><b id="$left">4</b> shown</p>', silent('<p><b id="$left">0</b> shown</p>')),
    slot(
        "wire",
        "narrows",
        'byId("$query")?.addEventListener("input", $sift);',
        OMITTED,
        dead('byId("$query")?.addEventListener("inputs", $sift);'),
        raises('byId("$query")?.addEventListener("input", () => $sift.run());'),
    ),
    slot("lower", "ignores-case", ".toLowerCase()", OMITTED, silent(".trim()")),
    slot(
        "narrow",
        "narrows",
        "  $rows.forEach(row => row.hidden = !row.textContent.toLowerCase().includes(words));",
        OMITTED,
        silent("  $rows.forEach(row => row.hidden = row.textContent.toLowerCase().includes(words));"),
        silent("  $rows.forEach(row => row.hidden = !row.textContent.toLowerCase().startsWith(words));"),
    ),
    slot(
        "tell",
        "counts",
        '  byId("$left").textContent = $rows.filter(row => !row.hidden).length;',
        OMITTED,
        silent('  byId("$left").textContent = $rows.filter(row => row.hidden).length;'),
        silent('  byId("$left").textContent = $rows.length;'),
    ),
)
