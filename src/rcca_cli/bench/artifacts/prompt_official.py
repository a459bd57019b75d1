"""The request of the released harness in its layout, with words of our own: theirs are not ours to copy.

One user message: who the judge is, its role, how the page was photographed, the criteria as Python prints them, the
form of the reply, the task, the answer; then the pictures, unlabelled. Figures made with these words are comparable
with those made with theirs as far as a judge does not mind the wording; each result holds the digest of them.
"""

import base64
from collections.abc import Sequence
from string import Template
from typing import Any

from rcca_cli import seeds
from rcca_cli.bench.artifacts.budget import OFFICIAL, Counter
from rcca_cli.bench.artifacts.rows import Item

TEXT = Template("""\
You review code for a living, have done so for many years, and are known for being hard to please; you know front-end \
work and you have an eye for how it looks. Read the task under [question] and the work handed in under [answer], judge \
the work by every dimension listed below, and give a dimension its full marks only when nothing is left to wish for.

**Your role**
You sit on the committee that marks these works.
- What you do: read all of the code, look at all of the pictures, and mark each dimension by its own description.
- How you do it: exactly, without favour and without mercy for what is missing, broken or only pretended.
- What you call good looks: clear order, a palette that holds together, legible type, spacing with intent, and motion \
that serves its purpose.

Of the answer only the last piece of HTML or SVG was rendered, and the page was scrolled through so that the pictures \
show all of it.

**Scoring Criteria:**
$Checklist

**Form of your reply**
Reply with one JSON object that holds the dimensions above with their marks, and the total of them under the key shown:
```json
{
  "Overall Score": "35"
}
```
Reason: what you saw that decided the marks.

--------Problem starts--------
$Question
--------Problem ends--------

--------Answer starts--------
$Answer
--------Answer ends--------
""")
SYSTEM = (
    "You are an assistant that solves problems from first principles and from evidence. Go forward in sensible steps, "
    "say what you do so that people can follow, notice when a way leads nowhere and try another, and arrive at what "
    "is right."
)


def version() -> str:
    """The digest of what every judge is told."""
    return seeds.digest([TEXT.template, SYSTEM], 4)


def text(item: Item, answer: str, counter: Counter, most: int = OFFICIAL) -> str:
    """The text of the message; beyond `most` tokens its end is lost, as released."""
    whole = TEXT.safe_substitute(Checklist=str(item.checklist), Question=item.question, Answer=answer)
    return counter.head(whole, most)


def messages(words: str, pictures: Sequence[bytes], system: bool) -> list[dict[str, Any]]:
    """The conversation; `system`: with the paragraph that only the open referee is given."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": words}, *map(picture, pictures)]
    before = [{"role": "system", "content": SYSTEM}] if system else []
    return [*before, {"role": "user", "content": parts}]


def picture(png: bytes) -> dict[str, Any]:
    """A picture as a part of a message."""
    url = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}
