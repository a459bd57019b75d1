"""Family `counter`: a number with buttons beside it; inline handlers."""

from random import Random

from rcca_cli.synth.feature import Bug, Feature, Item, Slot
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
            ("shows",),
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
            ("shows",),
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


def handler(action: str, label: str, step: str, wrong: tuple[str, ...], item: str) -> tuple[Slot, Slot]:
    """The slots of one button: its tag, and the function behind it with a wrong step or no redraw."""
    tag = f'<button onclick="${action}()">{label}</button>'
    tags = (
        Bug("", "absent"),
        Bug(f"<button>{label}</button>", "dead"),
        Bug(f'<button onclick="${action}Now()">{label}</button>', "exception"),
    )
    code = tuple(Bug(f"function ${action}() {{ {bad}; $show(); }}", "silent") for bad in wrong)
    code += (Bug(f"function ${action}() {{ {step}; }}", "silent"),)
    return (
        Slot(f"{action}-button", item, tag, tags),
        Slot(action, item, f"function ${action}() {{ {step}; $show(); }}", code),
    )


SLOTS = (
    Slot(
        "count",
        "shows",
        '<p>$label: <b id="$out">$start</b></p>',
        (Bug('<p>$label: <b id="$out">$badstart</b></p>', "silent"), Bug('<p>$label: <b id="$out"></b></p>', "silent")),
    ),
    Slot("goal", "shows", "<p>Goal: $goal</p>", (Bug("", "absent"), Bug("<p>Goal: $badgoal</p>", "silent"))),
    *handler("add", "+$step", "$n += $step", ("$n += $badstep", "$n = $step"), "adds"),
    *handler("take", "-$down", "$n -= $down", ("$n -= $baddown", "$n += $down"), "takes"),
    *handler("reset", "Reset", "$n = $start", ("$n = 0",), "resets"),
)
