"""Family `form`: what is typed is checked before it is accepted; an inline submit handler."""

from random import Random

from rcca_cli.synth.feature import OMITTED, Feature, Item, absent, dead, raises, silent, slot
from rcca_cli.synth.steps import Step, button, check, click, drawn, field, lacks, shows, visible, write

NAME = "form"

HTML = """\
<p><label>Name <input id="$who"></label></p>
«mail-field»
«button»
<p id="$note"></p>
"""

JS = """\
function $send() {
  const $name = byId("$who").value, $address = byId("$mail").value;
«thank»
«need-at»
«need-name»
  byId("$note").textContent = $answer;
}
"""

NAMES = (
    {"who": "who", "mail": "mail", "note": "note", "send": "signUp"}
    | {"name": "person", "address": "email", "answer": "answer"},
    {"who": "nick", "mail": "post", "note": "status", "send": "check"}
    | {"name": "user", "address": "address", "answer": "message"},
)


def make(rng: Random) -> Feature:
    """A form with its own button and messages."""
    params = {
        "button": rng.choice(("Sign up", "Join")),
        "thanks": rng.choice(("Thanks", "Welcome")),
        "needname": rng.choice(("Name is missing", "Please fill in the name")),
        "needat": rng.choice(("Email needs an @", "That is no email")),
    }
    return Feature(
        family=NAME,
        title=rng.choice(("Club Sign-up", "Newsletter", "Guest List")),
        group="Tools",
        level="Hard",
        params=params,
        names=NAMES,
        items=ITEMS,
        html=HTML,
        js=JS,
        slots=SLOTS,
    )


PERSON = {"name": {"kind": "name"}, "account": {"kind": "word"}}


def submit(name: str = "{name}", email: str = "{account}@example.org") -> tuple[Step, ...]:
    """Fill in the form and press its button."""
    return write(field("Name"), name), write(field("Email"), email), click(button("$button"))


ITEMS = (
    Item(
        "has-fields",
        "initial",
        "essential",
        (
            'There is a "Name" field, an "Email" field and a "$button" button.',
            'It asks for "Name" and "Email" and has a button "$button".',
        ),
        check(
            [{"label": "Name"}, {"label": "Email"}],
            visible(field("{label}")),
            visible(button("$button")),
        ),
    ),
    Item(
        "accepts",
        "interaction",
        "essential",
        (
            'Pressing it says "$thanks, Ada!" with the name that was typed.',
            'It then answers "$thanks, Ada!", or whatever the name is.',
        ),
        drawn(PERSON, *submit(), shows("$thanks, {name}!")),
        ("has-fields",),
    ),
    Item(
        "needs-name",
        "interaction",
        "important",
        ('Without a name it says "$needname" instead.', 'If the name is empty, say "$needname" instead.'),
        drawn({"account": PERSON["account"]}, *submit(name=""), shows("$needname"), lacks("$thanks")),
        ("accepts",),
    ),
    Item(
        "needs-at",
        "interaction",
        "important",
        ('An email without @ gives "$needat".', 'If there is no @ in the email, it says "$needat".'),
        drawn(PERSON, *submit(email="{account}.example.org"), shows("$needat"), lacks("$thanks")),
        ("accepts",),
    ),
)

SLOTS = (
    slot(
        "mail-field",
        "has-fields",
        '<p><label>Email <input id="$mail"></label></p>',
        OMITTED,
        silent('<p>Email <input id="$mail"></p>'),
        silent('<p><label>Mail <input id="$mail"></label></p>'),
    ),
    slot(
        "button",
        "accepts",
        '<button onclick="$send()">$button</button>',
        dead("<button>$button</button>"),
        raises('<button onclick="$sendNow()">$button</button>'),
    ),
    slot(
        "thank",
        "accepts",
        '  let $answer = "$thanks, " + $name + "!";',
        silent('  let $answer = "$thanks!";'),
        silent('  let $answer = "$thanks, " + $address + "!";'),
        absent("  let $answer;"),
    ),
    slot(
        "need-at",
        "needs-at",
        '  if (!$address.includes("@")) $answer = "$needat";',
        OMITTED,
        silent('  if ($address == "") $answer = "$needat";'),
        silent('  if (!$address.includes(".")) $answer = "$needat";'),
    ),
    slot(
        "need-name",
        "needs-name",
        '  if ($name == "") $answer = "$needname";',
        OMITTED,
        silent('  if ($name == " ") $answer = "$needname";'),
        silent('  if ($name == null) $answer = "$needname";'),
    ),
)
