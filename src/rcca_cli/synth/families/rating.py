"""Family `rating`: stars made by the script, which light up; handlers set as properties."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, absent, dead, raises, silent, slot, visual
from rcca_cli.synth.steps import button, check, click, shows, styled, visible

NAME = "rating"

COLOURS = {"orange": "rgb(255, 165, 0)", "blue": "rgb(0, 0, 255)", "green": "rgb(0, 128, 0)"}

HTML = """\
<div id="$row"></div>
«said»
«clear-button»
"""

JS = """\
«loop»
  const star = document.createElement("button");
  star.textContent = "Star " + n;
«wire»
  byId("$row").append(star);
}
function $give(n) {
«tell»
«glow»
}
«clear»
"""

NAMES = (
    {"row": "stars", "said": "rating", "give": "rate", "clear": "clearRating"},
    {"row": "row", "said": "given", "give": "give", "clear": "forget"},
)


def make(rng: Random) -> Feature:
    """A row of stars with its own length and colour."""
    most, colour = rng.choice((4, 5, 6)), rng.choice(sorted(COLOURS))
    return Feature(
        family=NAME,
        title=rng.choice(("Film Rating", "Cake Jury", "Book Stars")),
        group="Lifestyle",
        level="Easy",
        params={"most": str(most), "badmost": str(most + 1), "colour": colour, "rgb": COLOURS[colour]},
        names=NAMES,
        items=items(most),
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


def items(most: int) -> tuple[Item, ...]:
    """The four requirements."""
    given = [{"n": 2}, {"n": most - 1}]
    return (
        Item(
            "invites",
            "initial",
            "essential",
            (
                'Show buttons "Star 1" to "Star $most" and the words "Not rated yet".',
                'There is a row of buttons from "Star 1" to "Star $most"; below it says "Not rated yet".',
            ),
            check([{"n": 1}, {"n": most}], visible(button("Star {n}")), shows("Not rated yet")),
        ),
        Item(
            "rates",
            "interaction",
            "essential",
            (
                'Clicking "Star 2" changes the words to "You gave 2 of $most", and so on.',
                'A click on "Star 2" says "You gave 2 of $most", and so for each star.',
            ),
            check(given, click(button("Star {n}")), shows("You gave {n} of $most")),
        ),
        Item(
            "glows",
            "interaction",
            "important",
            (
                "That star and those before it turn $colour.",
                "The text of all stars up to that one becomes $colour.",
            ),
            check(
                given,
                click(button("Star {n}")),
                styled(button("Star 1"), "color", "$rgb"),
                styled(button("Star {n}"), "color", "$rgb"),
                {"expect": "style", "target": button("Star $most"), "property": "color", "differs": "$rgb"},
            ),
            ("invites", "rates"),
        ),
        Item(
            "clears",
            "interaction",
            "important",
            ('"Clear rating" brings "Not rated yet" back.', 'A "Clear rating" button returns to "Not rated yet".'),
            check(
                given,
                click(button("Star {n}")),
                shows("You gave {n} of $most"),
                click(button("Clear rating")),
                shows("Not rated yet"),
            ),
            ("rates",),
        ),
    )


GLOW = '  [...byId("$row").children].forEach((star, i) => star.style.color = i < n ? "$colour" : "");'

SLOTS = (
    slot(
        "said",
        "invites",
        '<p id="$said">Not rated yet</p>',
        absent('<p id="$said"></p>'),
        silent('<p id="$said">Not yet</p>'),
    ),
    slot(
        "clear-button",
        "clears",
        '<button onclick="$clear()">Clear rating</button>',
        OMITTED,
        dead("<button>Clear rating</button>"),
        raises('<button onclick="$clearNow()">Clear rating</button>'),
    ),
    slot(
        "loop",
        "invites",
        "for (let n = 1; n <= $most; n++) {",
        silent("for (let n = 1; n < $most; n++) {"),
        silent("for (let n = 2; n <= $most; n++) {"),
    ),
    slot(
        "wire",
        "rates",
        "  star.onclick = () => $give(n);",
        OMITTED,
        dead("  star.onClick = () => $give(n);"),
        raises("  star.onclick = () => $giveNow(n);"),
    ),
    slot(
        "tell",
        "rates",
        '  byId("$said").textContent = "You gave " + n + " of $most";',
        OMITTED,
        silent('  byId("$said").textContent = "You gave " + n + " of $badmost";'),
        silent('  byId("$said").textContent = "You gave " + (n - 1) + " of $most";'),
    ),
    slot(
        "glow",
        "glows",
        GLOW,
        OMITTED,
        visual(GLOW.replace("i < n", "i == n")),
        visual(GLOW.replace("style.color", "style.fill")),
    ),
    slot(
        "clear",
        "clears",
        'function $clear() { byId("$said").textContent = "Not rated yet"; }',
        silent('function $clear() { byId("$said").textContent = "You gave 0 of $most"; }'),
        silent('function $clear() { byId("$said").title = "Not rated yet"; }'),
    ),
)
