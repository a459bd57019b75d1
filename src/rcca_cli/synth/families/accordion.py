"""Family `accordion`: answers that open and close under their questions; one delegated listener."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, dead, raises, silent, slot
from rcca_cli.synth.steps import button, check, click, hidden, text, visible

NAME = "accordion"

TOPICS = (
    ("Museum Help", ("When are you open?", "From nine to five"), ("Where is it?", "Next to the old bridge")),
    ("Library Help", ("How long may I borrow?", "For three weeks"), ("Is it free?", "Yes, for everyone")),
    ("Theatre Help", ("How long is the play?", "Two hours"), ("Can I eat inside?", "Only in the break")),
)

HTML = """\
<div id="$all">
<button>$ask1</button>
«first»
«second-ask»
«second»
</div>
"""

JS = """\
const $texts = document.querySelectorAll("#$all p");
«wire»
function $flip(asked) {
  if (!asked.matches("button")) return;
  const $answer = asked.nextElementSibling, $shut = $answer.hidden;
«single»
«opens»
«closes»
}
"""

NAMES = (
    {"all": "faq", "flip": "toggle", "texts": "texts", "answer": "answer", "shut": "closed"},
    {"all": "info", "flip": "flip", "texts": "replies", "answer": "reply", "shut": "shut"},
)


def make(rng: Random) -> Feature:
    """Two questions about one place."""
    title, *pairs = rng.choice(TOPICS)
    params = {f"ask{number}": ask for number, (ask, _) in enumerate(pairs, 1)}
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
        js=JS,
        slots=SLOTS,
    )


PAIRS = [
    {"ask": "$ask1", "text": "$text1", "other": "$ask2", "rest": "$text2"},
    {"ask": "$ask2", "text": "$text2", "other": "$ask1", "rest": "$text1"},
]

ITEMS = (
    Item(
        "starts-shut",
        "initial",
        "essential",
        (
            'Two questions, "$ask1" ("$text1") and "$ask2" ("$text2"), are buttons; both answers are hidden at first.',
            'Make buttons of the questions "$ask1" and "$ask2"; the answers "$text1" and "$text2" start hidden.',
        ),
        check(PAIRS, visible(button("{ask}")), hidden(text("{text}"))),
    ),
    Item(
        "opens",
        "interaction",
        "essential",
        ("Clicking a question shows its answer below.", "A click on a question opens its answer."),
        check(PAIRS, click(button("{ask}")), visible(text("{text}"))),
        ("starts-shut",),
    ),
    Item(
        "closes",
        "interaction",
        "important",
        ("A second click hides it again.", "Clicking the same question again closes it."),
        check(
            PAIRS,
            click(button("{ask}")),
            visible(text("{text}")),
            click(button("{ask}")),
            hidden(text("{text}")),
        ),
        ("opens",),
    ),
    Item(
        "keeps-one",
        "interaction",
        "important",
        ("Opening one closes the other.", "Only one answer is open at a time."),
        check(
            PAIRS,
            click(button("{other}")),
            visible(text("{rest}")),
            click(button("{ask}")),
            visible(text("{text}")),
            hidden(text("{rest}")),
        ),
        ("opens",),
    ),
)

SLOTS = (
    slot("first", "starts-shut", "<p hidden>$text1</p>", silent("<p>$text1</p>")),
    slot("second-ask", "starts-shut", "<button>$ask2</button>", OMITTED),
    slot("second", "starts-shut", "<p hidden>$text2</p>", silent("<p>$text2</p>")),
    slot(
        "wire",
        "opens",
        'byId("$all").addEventListener("click", event => $flip(event.target));',
        OMITTED,
        dead('byId("$all").addEventListener("clicks", event => $flip(event.target));'),
        raises('byId("$all").addEventListener("click", event => $flip(target));'),
    ),
    slot(
        "single",
        "keeps-one",
        "  for (const other of $texts) if (other != $answer) other.hidden = true;",
        OMITTED,
        silent("  for (const other of $texts) if (other == $answer) other.hidden = true;"),
        silent("  for (const other of $texts) if (other != $answer) other.hide = true;"),
    ),
    slot(
        "opens",
        "opens",
        "  if ($shut) $answer.hidden = false;",
        OMITTED,
        silent("  if ($shut) $answer.hidden = true;"),
        raises("  if ($shut) $answer.open();"),
    ),
    slot(
        "closes",
        "closes",
        "  if (!$shut) $answer.hidden = true;",
        OMITTED,
        silent("  if (!$shut) $answer.hidden = false;"),
        raises("  if (!$shut) $answer.close();"),
    ),
)
