"""Family `stopwatch`: seconds that run, stop and go back to zero; handlers set as properties."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, Slot, absent, dead, raises, silent, slot
from rcca_cli.synth.steps import button, check, click, compare, number, shows, wait

NAME = "stopwatch"

HTML = """\
«clock»
«start-button»
«stop-button»
«zero-button»
"""

JS = """\
let $seconds = 0, $timer;
function $show() { byId("$out").textContent = $seconds; }
function $tick() {
«tick»
  $show();
}
function $start() {
  clearInterval($timer);
«start»
}
«stop»
«zero»
"""

NAMES = (
    {"seconds": "seconds", "timer": "timer", "show": "showTime", "out": "clock", "tick": "tick"}
    | {"start": "startClock", "stop": "stopClock", "zero": "zeroClock"},
    {"seconds": "time", "timer": "beat", "show": "draw", "out": "face", "tick": "step"}
    | {"start": "run", "stop": "halt", "zero": "wipe"},
)

WORDS = (("Start", "Pause"), ("Go", "Halt"), ("Begin", "Stop"))


def make(rng: Random) -> Feature:
    """A stopwatch with its own words."""
    start, stop = rng.choice(WORDS)
    label = rng.choice(("Time", "Elapsed"))
    return Feature(
        family=NAME,
        title=rng.choice(("Stopwatch", "Tea Watch", "Race Clock")),
        group="Tools",
        level="Hard",
        params={"go": start, "halt": stop, "label": label},
        names=NAMES,
        items=ITEMS,
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


RUNS = [{"ms": 3400, "seconds": 3}, {"ms": 6400, "seconds": 6}]

ITEMS = (
    Item(
        "waits",
        "initial",
        "important",
        (
            'It reads "$label: 0 s" until it is started.',
            'At first it shows "$label: 0 s" and stands still.',
            'The clock shows "$label: 0 s" to begin with, and does not run yet.',
        ),
        check([{"ms": 100}, {"ms": 3000}], wait("{ms}"), shows("$label: 0 s")),
    ),
    Item(
        "runs",
        "interaction",
        "essential",
        ('"$go" makes it count the seconds.', 'Pressing "$go" counts up by one every second.'),
        check(RUNS, click(button("$go")), wait("{ms}"), number("now", "$label:"), compare("now", "==", "{seconds}")),
    ),
    Item(
        "stops",
        "interaction",
        "essential",
        ('"$halt" stops it where it is.', 'Pressing "$halt" holds the number it has reached.'),
        check(
            RUNS,
            click(button("$go")),
            wait("{ms}"),
            click(button("$halt")),
            number("held", "$label:"),
            compare("held", ">", 0),
            wait(4000),
            number("later", "$label:"),
            compare("later", "==", "held"),
        ),
        ("runs",),
    ),
    Item(
        "zeroes",
        "interaction",
        "important",
        ('"Zero" goes back to "$label: 0 s".', 'Pressing "Zero" puts "$label: 0 s" back.'),
        check(
            RUNS,
            click(button("$go")),
            wait("{ms}"),
            number("now", "$label:"),
            compare("now", ">", 0),
            click(button("Zero")),
            shows("$label: 0 s"),
        ),
        ("runs",),
    ),
)


def press(action: str, label: str, item: str) -> Slot:
    """The slot of one button."""
    tag = f'<button onclick="${action}()">{label}</button>'
    return slot(
        f"{action}-button",
        item,
        tag,
        OMITTED,
        dead(f"<button>{label}</button>"),
        raises(tag.replace("()", "Now()")),
    )


CLOCK = '<p>$label: <b id="$out">0</b> s</p>'

SLOTS = (
    slot(
        "clock",
        "waits",
        CLOCK,
        absent(CLOCK.replace(">0<", "><")),
        silent(CLOCK.replace(">0<", ">1<")),
    ),
    press("start", "$go", "runs"),
    press("stop", "$halt", "stops"),
    press("zero", "Zero", "zeroes"),
    slot("tick", "runs", "  $seconds += 1;", OMITTED, silent("  $seconds += 2;"), silent("  $seconds -= 1;")),
    slot(
        "start",
        "runs",
        "  $timer = setInterval($tick, 1000);",
        OMITTED,
        silent("  $timer = setInterval($tick, 100);"),
        silent("  $timer = setTimeout($tick, 1000);"),
    ),
    slot(
        "stop",
        "stops",
        "function $stop() { clearInterval($timer); }",
        silent("function $stop() { clearInterval(); }"),
        raises("function $stop() { $timer.stop(); }"),
    ),
    slot(
        "zero",
        "zeroes",
        "function $zero() { $seconds = 0; $show(); }",
        silent("function $zero() { $seconds = 1; $show(); }"),
        silent("function $zero() { $seconds = 0; }"),
    ),
)
