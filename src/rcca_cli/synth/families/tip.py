"""Family `tip`: numbers worked out from a typed bill; an input listener and an inline handler."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, Slot, absent, dead, raises, silent, slot
from rcca_cli.synth.steps import button, check, click, compare, drawn, field, holds, number, shows, write

NAME = "tip"

HTML = """\
<label>Bill <input id="$bill" type="number"></label>
«tip»
«total»
«new-button»
"""

JS = """\
byId("$bill").addEventListener("input", $work);
function $work() {
  const $amount = Number(byId("$bill").value);
«tip-line»
«total-line»
}
function $fresh() {
«empty»
  $work();
}
"""

NAMES = (
    {"bill": "bill", "tip": "tip", "total": "total", "work": "addTip", "fresh": "newBill", "amount": "amount"},
    {"bill": "price", "tip": "extra", "total": "sum", "work": "update", "fresh": "fresh", "amount": "cost"},
)


def make(rng: Random) -> Feature:
    """A tip calculator with its own rate."""
    percent, wrong = rng.choice(((10, 12), (15, 10), (20, 25)))
    params = {"percent": percent, "bad": wrong, "share": percent / 100, "badshare": wrong / 100}
    params |= {"times": 1 + percent / 100, "badtimes": 1 + wrong / 100}
    return Feature(
        family=NAME,
        title=rng.choice(("Fair Tipper", "Table Maths", "Dinner Sums")),
        group="Tools",
        level="Mid",
        params={key: f"{value:.4g}" for key, value in params.items()},
        names=NAMES,
        items=items(percent),
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


BILL = {"bill": {"kind": "integer", "from": 20, "to": 400}}


def items(percent: int) -> tuple[Item, ...]:
    """The four requirements."""
    tip = f"bill * {percent} / 100"
    return (
        Item(
            "shows",
            "initial",
            "important",
            (
                'Under a "Bill" field it says "Tip: $0.00" and "Total: $0.00".',
                'There is a "Bill" field; below it stand "Tip: $0.00" and "Total: $0.00".',
            ),
            check([{"words": "Tip: $0.00"}, {"words": "Total: $0.00"}], shows("{words}")),
        ),
        Item(
            "tips",
            "interaction",
            "essential",
            (
                "Typing a bill updates the tip, which is $percent% of it.",
                "The tip is $percent% of the bill and changes while one types.",
                "As the bill is typed, the tip becomes $percent% of it.",
            ),
            drawn(BILL, write(field("Bill"), "{bill}"), number("tip", "Tip:"), compare("tip", "==", f"{{{tip}}}")),
        ),
        Item(
            "adds-up",
            "interaction",
            "essential",
            (
                "The total is the bill and the tip together.",
                "The total shows bill plus tip.",
                "Bill and tip add up to the total.",
            ),
            drawn(
                BILL, write(field("Bill"), "{bill}"), number("sum", "Total:"), compare("sum", "==", f"{{bill + {tip}}}")
            ),
        ),
        Item(
            "clears",
            "interaction",
            "important",
            (
                'A "New bill" button empties the field and shows zeros again.',
                '"New bill" empties the field and sets both amounts back to zero.',
            ),
            drawn(
                BILL,
                write(field("Bill"), "{bill}"),
                holds(field("Bill"), "{bill}"),
                click(button("New bill")),
                holds(field("Bill"), ""),
                shows("Tip: $0.00"),
            ),
        ),
    )


def amount(name: str, label: str, item: str, right: str, *wrong: str) -> tuple[Slot, Slot]:
    """The slots of one amount: where it stands at first, and the line that works it out."""
    line = f'  byId("${name}").textContent = "{label}: $" + ({{}}).toFixed(2);'
    return (
        slot(
            name,
            "shows",
            f'<p id="${name}">{label}: $0.00</p>',
            absent(f'<p id="${name}"></p>'),
            silent(f'<p id="${name}">{label}: $$bad.00</p>'),
            silent(f'<p id="${name}">{label}: 0</p>'),
        ),
        slot(
            f"{name}-line",
            item,
            line.format(right),
            OMITTED,
            *(silent(line.format(bad)) for bad in wrong),
        ),
    )


SLOTS = (
    *amount("tip", "Tip", "tips", "$amount * $share", "$amount * $badshare", "$amount * $percent"),
    *amount("total", "Total", "adds-up", "$amount * $times", "$amount * $badtimes", "$amount - $share"),
    slot(
        "new-button",
        "clears",
        '<button onclick="$fresh()">New bill</button>',
        OMITTED,
        dead("<button>New bill</button>"),
        raises('<button onclick="$freshNow()">New bill</button>'),
    ),
    slot("empty", "clears", '  byId("$bill").value = "";', OMITTED, silent('  byId("$bill").placeholder = "";')),
)
