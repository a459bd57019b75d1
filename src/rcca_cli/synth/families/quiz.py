"""Family `quiz`: one question, three answers, a hint; one listener for all the answers."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, dead, raises, silent, slot, visual
from rcca_cli.synth.steps import button, check, click, hidden, lacks, shows, text, visible

NAME = "quiz"

# Question, the right answer, two wrong ones, hint.
QUESTIONS = (
    ("Which planet is largest?", "Jupiter", "Mars", "Venus", "It has a red spot"),
    ("Which metal is liquid?", "Mercury", "Iron", "Copper", "It was in old thermometers"),
    ("Which bird cannot fly?", "Kiwi", "Swift", "Crane", "It lives in New Zealand"),
)

HTML = """\
«question»
<div id="$picks">
<button>$wrong1</button>
<button>$answer</button>
«third»
</div>
<p id="$verdict"></p>
<p>Tries: <b id="$out">0</b></p>
«hint-button»
«hint»
"""

JS = """\
let $tries = 0;
byId("$picks").addEventListener("click", event => {
  const $pick = event.target.textContent;
«right»
«wrong»
«count»
  byId("$out").textContent = $tries;
});
function $say(words) { byId("$verdict").textContent = words; }
«reveal»
"""

NAMES = (
    {"picks": "answers", "verdict": "verdict", "out": "tries", "tries": "tries", "pick": "pick"}
    | {"say": "say", "clue": "hint", "reveal": "showHint"},
    {"picks": "choices", "verdict": "reply", "out": "turns", "tries": "turns", "pick": "choice"}
    | {"say": "tell", "clue": "clue", "reveal": "help"},
)


def make(rng: Random) -> Feature:
    """A quiz of one question."""
    keys = ("question", "answer", "wrong1", "wrong2", "hint")
    params = dict(zip(keys, rng.choice(QUESTIONS), strict=True))
    return Feature(
        family=NAME,
        title=rng.choice(("Quick Quiz", "Pub Question", "One Riddle")),
        group="Games",
        level="Mid",
        params=params | {"good": rng.choice(("Correct!", "Well done!")), "bad": rng.choice(("Try again", "Not quite"))},
        names=NAMES,
        items=ITEMS,
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


ITEMS = (
    Item(
        "asks",
        "initial",
        "essential",
        (
            'Ask "$question" with the answer buttons "$wrong1", "$answer" and "$wrong2".',
            'The question is "$question"; the buttons under it are "$wrong1", "$answer" and "$wrong2".',
        ),
        check(
            [{"pick": "$wrong1"}, {"pick": "$answer"}, {"pick": "$wrong2"}],
            shows("$question"),
            visible(button("{pick}")),
        ),
    ),
    Item(
        "praises",
        "interaction",
        "essential",
        ('"$answer" is right and gets "$good".', 'Pressing "$answer" shows "$good".'),
        check(
            [{"n": 1}, {"n": 2}],
            lacks("$good"),
            click(button("$answer"), "{n}"),
            shows("$good"),
            lacks("$bad"),
        ),
    ),
    Item(
        "corrects",
        "interaction",
        "essential",
        ('Either of the others gets "$bad".', 'The other two show "$bad" instead.'),
        check(
            [{"pick": "$wrong1"}, {"pick": "$wrong2"}],
            lacks("$bad"),
            click(button("{pick}")),
            shows("$bad"),
            lacks("$good"),
        ),
        ("asks",),
    ),
    Item(
        "counts",
        "interaction",
        "important",
        (
            '"Tries: 0" goes up by one with each answer.',
            'Below, "Tries: 0" counts the answers given.',
        ),
        check([{"n": 1}, {"n": 3}], shows("Tries: 0"), click(button("$answer"), "{n}"), shows("Tries: {n}")),
    ),
    Item(
        "hints",
        "interaction",
        "optional",
        (
            'A "Hint" button brings up "$hint", which is hidden until then.',
            '"$hint" stays hidden until "Hint" is pressed.',
        ),
        check([{"n": 1}, {"n": 2}], hidden(text("$hint")), click(button("Hint"), "{n}"), visible(text("$hint"))),
    ),
)

SLOTS = (
    slot("question", "asks", "<p>$question</p>", OMITTED, visual("<p hidden>$question</p>")),
    slot("third", "asks", "<button>$wrong2</button>", OMITTED, silent("<button></button>")),
    slot(
        "hint-button",
        "hints",
        '<button onclick="$reveal()">Hint</button>',
        OMITTED,
        dead("<button>Hint</button>"),
        raises('<button onclick="$revealNow()">Hint</button>'),
    ),
    slot("hint", "hints", '<p id="$clue" hidden>$hint</p>', silent('<p id="$clue">$hint</p>')),
    slot(
        "right",
        "praises",
        '  if ($pick == "$answer") $say("$good");',
        OMITTED,
        silent('  if ($pick == "$answer!") $say("$good");'),
        silent('  if ($pick == "$answer") $say("$bad");'),
    ),
    slot(
        "wrong",
        "corrects",
        '  if ($pick != "$answer") $say("$bad");',
        OMITTED,
        silent('  if ($pick != "$answer") $say("$good");'),
        silent('  if ($pick != "$answer") $say("");'),
    ),
    slot("count", "counts", "  $tries += 1;", OMITTED, silent("  $tries += 2;"), silent("  $tries = 1;")),
    slot(
        "reveal",
        "hints",
        'function $reveal() { byId("$clue").hidden = false; }',
        visual('function $reveal() { byId("$clue").hidden = true; }'),
    ),
)
