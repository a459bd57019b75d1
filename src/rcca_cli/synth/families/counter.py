"""Family `counter`: a number with buttons beside it; inline handlers."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, Slot, absent, dead, raises, silent, slot
from rcca_cli.synth.steps import button, check, click, compare, number, shows

NAME = "counter"

TITLES = {"Laps": "Lap Counter", "Pages": "Reading Log", "Cups": "Water Diary", "Reps": "Push-up Tracker"}

HTML = """\
«count»
«goal»
«add-button»
«take-button»
«reset-button»
"""

COUNT = '<p>$label: <b id="$out">$start</b></p>'

JS = """\
let $n = $start;
function $show() { byId("$out").textContent = $n; }
«add»
«take»
«reset»
"""

NAMES = (
    {"n": "count", "show": "showCount", "out": "count", "add": "countUp", "take": "countDown", "reset": "resetCount"},
    {"n": "total", "show": "paint", "out": "number", "add": "more", "take": "fewer", "reset": "again"},
)


def make(rng: Random) -> Feature:
    """A counter with its own label, start, goal and steps."""
    label = rng.choice(list(TITLES))
    start, goal = rng.choice((4, 6, 8)), rng.choice((20, 30, 40))
    step, down = rng.choice((2, 3, 5)), rng.choice((1, 2))
    params = {"label": label, "start": start, "goal": goal, "step": step, "down": down}
    params |= {"badstart": start + 1, "badgoal": goal + 10, "badstep": step - 1, "baddown": down + 1}
    return Feature(
        family=NAME,
        title=TITLES[label],
        group="Lifestyle",
        level="Easy",
        params={key: str(value) for key, value in params.items()},
        names=NAMES,
        items=items(start, step, down),
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


def items(start: int, step: int, down: int) -> tuple[Item, ...]:
    """The four requirements."""
    counting = [{"n": 1}, {"n": 4}]
    return (
        Item(
            "shows",
            "initial",
            "essential",
            (
                'At first it reads "$label: $start", with "Goal: $goal" below.',
                'Show "$label: $start" on top and "Goal: $goal" underneath.',
                'It starts at "$label: $start" and also says "Goal: $goal".',
            ),
            check([{"words": "$label: $start"}, {"words": "Goal: $goal"}], shows("{words}")),
        ),
        Item(
            "adds",
            "interaction",
            "essential",
            (
                'A "+$step" button raises the number by $step.',
                'Pressing "+$step" adds $step to it.',
                'There is a button "+$step" that counts up by $step.',
            ),
            check(
                [case | {"more": case["n"] * step} for case in counting],
                click(button("+$step")),
                number("before", "$label:"),
                click(button("+$step"), "{n}"),
                number("after", "$label:"),
                compare("after", "==", "before", "{more}"),
            ),
        ),
        Item(
            "takes",
            "interaction",
            "important",
            (
                'A "-$down" button lowers it by $down.',
                'Pressing "-$down" takes $down away.',
                'Another button, "-$down", counts down by $down.',
            ),
            check(
                [case | {"less": -case["n"] * down} for case in counting],
                click(button("-$down")),
                number("before", "$label:"),
                click(button("-$down"), "{n}"),
                number("after", "$label:"),
                compare("after", "==", "before", "{less}"),
            ),
        ),
        Item(
            "resets",
            "interaction",
            "important",
            (
                'A "Reset" button puts it back to $start.',
                'Pressing "Reset" returns to $start.',
                '"Reset" starts again from $start.',
            ),
            check(
                [{"n": n, "start": start} for n in (1, 3)],
                click(button("+$step"), "{n}"),
                number("before", "$label:"),
                compare("before", "!=", "{start}"),
                click(button("Reset")),
                shows("$label: $start"),
            ),
            ("adds",),
        ),
    )


def handler(action: str, label: str, item: str, step: str, *wrong: str) -> tuple[Slot, Slot]:
    """The slots of one button: its tag, and the function behind it with a wrong step or no redraw."""
    return (
        slot(
            f"{action}-button",
            item,
            f'<button onclick="${action}()">{label}</button>',
            OMITTED,
            dead(f"<button>{label}</button>"),
            raises(f'<button onclick="${action}Now()">{label}</button>'),
        ),
        slot(
            action,
            item,
            f"function ${action}() {{ {step}; $show(); }}",
            *(silent(f"function ${action}() {{ {bad}; $show(); }}") for bad in wrong),
            silent(f"function ${action}() {{ {step}; }}"),
        ),
    )


SLOTS = (
    slot("count", "shows", COUNT, silent(COUNT.replace("$start", "$badstart")), absent(COUNT.replace("$start", ""))),
    slot("goal", "shows", "<p>Goal: $goal</p>", OMITTED, silent("<p>Goal: $badgoal</p>")),
    *handler("add", "+$step", "adds", "$n += $step", "$n += $badstep", "$n = $step"),
    *handler("take", "-$down", "takes", "$n -= $down", "$n -= $baddown", "$n += $down"),
    *handler("reset", "Reset", "resets", "$n = $start", "$n = 0"),
)
