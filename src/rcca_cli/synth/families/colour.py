"""Family `colour`: a box whose look follows three controls; inline change handlers."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, Slot, dead, raises, slot, visual
from rcca_cli.synth.steps import check, choose, field, slide, styled, text, tick

NAME = "colour"

# What the list says, and what the box turns.
COLOURS = {"Red": "rgb(255, 0, 0)", "Green": "rgb(0, 128, 0)", "Blue": "rgb(0, 0, 255)", "Orange": "rgb(255, 165, 0)"}

HTML = """\
<div id="$box">Preview</div>
«list»
«slider»
«round»
"""

CSS = """\
#$box { height: 80px; color: white; }
«start-colour»
«start-width»
"""

JS = """\
const $look = byId("$box").style;
«paint»
«widen»
«curve»
"""

NAMES = (
    {"box": "preview", "look": "look", "paint": "setColour", "widen": "setWidth", "curve": "setCorners"},
    {"box": "sample", "look": "style", "paint": "dye", "widen": "stretch", "curve": "bend"},
)


def make(rng: Random) -> Feature:
    """A box with its own first colour, width and corner size."""
    first, second, third = rng.sample(sorted(COLOURS), 3)
    width, radius = rng.choice((120, 160)), rng.choice((10, 20))
    params = {"first": first, "second": second, "third": third, "width": str(width), "radius": str(radius)}
    params |= {"widthpx": f"{width}px", "radiuspx": f"{radius}px"}
    params |= {name + "css": params[name].lower() for name in ("first", "second", "third")}
    return Feature(
        family=NAME,
        title=rng.choice(("Paint Lab", "Tile Designer", "Badge Maker")),
        group="Visualization",
        level="Mid",
        params=params | {"badwidth": f"{width // 2}px", "badradius": f"{radius // 2}px"},
        names=NAMES,
        items=items(first, second, third, width, radius),
        html=HTML,
        css=CSS,
        js=JS,
        slots=SLOTS,
    )


def items(first: str, second: str, third: str, width: int, radius: int) -> tuple[Item, ...]:
    """The four requirements; what the box looks like is read from its computed style."""
    preview = text("Preview")
    return (
        Item(
            "shows",
            "initial",
            "essential",
            (
                'A box with the word "Preview" is $firstcss and $width pixels wide at first.',
                'Start with a box that says "Preview", $firstcss and $width pixels wide.',
            ),
            check(
                [
                    {"property": "background-color", "value": COLOURS[first]},
                    {"property": "width", "value": f"{width}px"},
                ],
                styled(preview, "{property}", "{value}"),
            ),
        ),
        Item(
            "paints",
            "interaction",
            "essential",
            (
                'A "Colour" list with $first, $second and $third paints the box.',
                'Choosing $first, $second or $third in the "Colour" list gives the box that colour.',
            ),
            check(
                [{"option": name, "value": COLOURS[name]} for name in (second, third)],
                choose(field("Colour"), "{option}"),
                styled(preview, "background-color", "{value}"),
            ),
        ),
        Item(
            "widens",
            "interaction",
            "important",
            (
                'A "Width" slider from 50 to 300 sets how many pixels wide it is.',
                'The slider "Width", from 50 to 300, sets the width of the box in pixels.',
            ),
            check(
                [{"pixels": "90"}, {"pixels": "240"}],
                slide(field("Width"), "{pixels}"),
                styled(preview, "width", "{pixels}px"),
            ),
            ("shows",),  # white words on an unpainted box are not to be seen
        ),
        Item(
            "rounds",
            "interaction",
            "important",
            (
                'Ticking "Round" gives it corners of $radius pixels, and unticking square ones.',
                'While "Round" is ticked its corners have a radius of $radius pixels, else none.',
            ),
            check(
                [{"on": True, "radius": f"{radius}px"}, {"on": False, "radius": "0px"}],
                tick(field("Round")),
                tick(field("Round"), "{on}"),
                styled(preview, "border-top-left-radius", "{radius}"),
            ),
            ("shows",),
        ),
    )


def control(name: str, item: str, tag: str, action: str, right: str, *wrong: str) -> tuple[Slot, Slot]:
    """The slots of one control: its tag, `CALL` standing for the handler, and the function behind it."""
    code = f"function ${action}({'on' if name == 'round' else 'to'}) {{ $look.{{}}; }}".replace("{}", "BODY")
    return (
        slot(
            name,
            item,
            tag.replace("CALL", f"${action}"),
            OMITTED,
            dead(tag.replace("change=", "changed=").replace("input=", "inputs=").replace("CALL", f"${action}")),
            raises(tag.replace("CALL", f"${action}Now")),
        ),
        slot(action, item, code.replace("BODY", right), *(visual(code.replace("BODY", bad)) for bad in wrong)),
    )


OPTIONS = "<option>$first</option><option>$second</option><option>$third</option>"

SLOTS = (
    slot(
        "start-colour",
        "shows",
        "#$box { background: $firstcss; }",
        OMITTED,
        visual("#$box { background: $secondcss; }"),
        visual("#$box { border-color: $firstcss; }"),
    ),
    slot("start-width", "shows", "#$box { width: $widthpx; }", OMITTED, visual("#$box { width: $badwidth; }")),
    *control(
        "list",
        "paints",
        f'<label>Colour <select onchange="CALL(this.value)">{OPTIONS}</select></label>',
        "paint",
        "background = to",
        "color = to",
        'background = "$firstcss"',
    ),
    *control(
        "slider",
        "widens",
        '<label>Width <input type="range" min="50" max="300" oninput="CALL(this.value)"></label>',
        "widen",
        'width = to + "px"',
        'height = to + "px"',
        "width = to",
    ),
    *control(
        "round",
        "rounds",
        '<label><input type="checkbox" onchange="CALL(this.checked)"> Round</label>',
        "curve",
        'borderRadius = on ? "$radiuspx" : 0',
        'borderRadius = on ? "$badradius" : 0',
        'borderRadius = on ? 0 : "$radiuspx"',
    ),
)
