"""Family `converter`: two fields that follow each other; handlers set as properties."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, Slot, dead, raises, silent, slot
from rcca_cli.synth.steps import button, check, click, field, holds, write

NAME = "converter"

# Title, left and right unit, how many right ones make a left one, a left amount with a name.
UNITS = (
    ("Road Converter", "Kilometres", "Miles", 0.62, ("Marathon", 42)),
    ("Weight Converter", "Kilos", "Pounds", 2.2, ("Suitcase", 23)),
    ("Length Converter", "Inches", "Centimetres", 2.54, ("Foot", 12)),
)

HTML = """\
<label>$left <input id="$one"«left-start»></label>
<label>$right <input id="$two"«right-start»></label>
«preset-button»
"""

JS = """\
const $one = byId("$one"), $two = byId("$two");
«forth-wire»
«back-wire»
«forth»
«back»
function $preset() {
«fill»
  $forth();
}
"""

NAMES = (
    {"one": "from", "two": "to", "forth": "convert", "back": "convertBack", "preset": "fillIn"},
    {"one": "first", "two": "second", "forth": "forth", "back": "back", "preset": "example"},
)


def make(rng: Random) -> Feature:
    """A converter between one pair of units."""
    title, left, right, factor, (preset, amount) = rng.choice(UNITS)
    params = {"left": left, "right": right, "factor": factor, "nickname": preset, "amount": amount}
    params |= {"first": f"{factor:.2f}", "badfactor": f"{factor + 0.3:.4g}", "badamount": amount + 1}
    return Feature(
        family=NAME,
        title=title,
        group="Science",
        level="Mid",
        params={key: str(value) for key, value in params.items()},
        names=NAMES,
        items=items(factor, amount),
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


def items(factor: float, amount: int) -> tuple[Item, ...]:
    """The four requirements. All values are texts, because a field holds a text."""
    forth = [{"left": str(value), "right": f"{value * factor:.2f}"} for value in (10, 25)]
    back = [{"right": str(value), "left": f"{value / factor:.2f}"} for value in (5, 30)]
    return (
        Item(
            "starts",
            "initial",
            "essential",
            (
                'There are two fields: "$left" holds 1 at first, and "$right" holds $first.',
                'Its fields are "$left", which starts as 1, and "$right", which starts as $first.',
            ),
            check(
                [{"label": "$left", "value": "1"}, {"label": "$right", "value": "$first"}],
                holds(field("{label}"), "{value}"),
            ),
        ),
        Item(
            "converts",
            "interaction",
            "essential",
            (
                'Typing in "$left" puts that times $factor into "$right", with two decimals.',
                '"$right" becomes $factor times what is typed in "$left", to two decimals.',
            ),
            check(forth, write(field("$left"), "{left}"), holds(field("$right"), "{right}")),
        ),
        Item(
            "converts-back",
            "interaction",
            "essential",
            (
                'Typing in "$right" does the reverse.',
                'It works backwards too when "$right" is typed in, also with two decimals.',
            ),
            check(back, write(field("$right"), "{right}"), holds(field("$left"), "{left}")),
        ),
        Item(
            "fills-in",
            "interaction",
            "optional",
            (
                'A "$nickname" button sets "$left" to $amount and converts it.',
                'Pressing "$nickname" converts $amount $left.',
            ),
            check(
                [{"label": "$left", "value": str(amount)}, {"label": "$right", "value": f"{amount * factor:.2f}"}],
                click(button("$nickname")),
                holds(field("{label}"), "{value}"),
            ),
            ("converts",),
        ),
    )


def way(name: str, item: str, source: str, target: str, right: str, *wrong: str) -> tuple[Slot, Slot]:
    """The slots of one direction: its wiring, and the function with a wrong formula."""
    wire = f"${source}.oninput = ${name};"
    code = f"function ${name}() {{ ${target}.value = (${source}.value FORMULA).toFixed(2); }}"
    return (
        slot(f"{name}-wire", item, wire, OMITTED, dead(wire.replace("oninput", "onInput"))),
        slot(
            name,
            item,
            code.replace("FORMULA", right),
            *(silent(code.replace("FORMULA", formula)) for formula in wrong),
            raises(code.replace("toFixed(2)", "fixed(2)").replace("FORMULA", right)),
        ),
    )


SLOTS = (
    slot("left-start", "starts", ' value="1"', OMITTED, silent(' value="0"')),
    slot("right-start", "starts", ' value="$first"', OMITTED, silent(' placeholder="$first"')),
    slot(
        "preset-button",
        "fills-in",
        '<button onclick="$preset()">$nickname</button>',
        OMITTED,
        dead("<button>$nickname</button>"),
        raises('<button onclick="$presetNow()">$nickname</button>'),
    ),
    *way("forth", "converts", "one", "two", "* $factor", "* $badfactor", "/ $factor"),
    *way("back", "converts-back", "two", "one", "/ $factor", "/ $badfactor", "* $factor"),
    slot("fill", "fills-in", "  $one.value = $amount;", OMITTED, silent("  $one.value = $badamount;")),
)
