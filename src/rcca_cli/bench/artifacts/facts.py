"""What is measured of a page: what its source says by itself, and all of it in words for judge and reader."""

import re
from collections.abc import Sequence
from typing import Any

from rcca_cli import source
from rcca_cli.bench.artifacts.evidence import Act, Evidence
from rcca_cli.bench.artifacts.pages import Page

MANY = 5  # errors, and other lists, that are told one by one
EXTERNAL = re.compile(r"""(?:src|href)\s*=\s*["']?(https?://[^"'\s>]+)|@import\s+(?:url\()?["']?(https?://[^"')\s]+)""")
# What has no business in a work that is to be marked: it is told to the judge and to the reader.
SPEAKS = re.compile(
    r"overall[_ ]?score|总体打分|ignore (?:all |any )?(?:previous|prior|above) instructions"
    r"|(?:full|maximum|perfect) (?:marks|scores?)\b|give (?:this|it|me) (?:a )?(?:10|100)\b"
    r"|(?:note|message|instructions?) (?:to|for) (?:the )?(?:judge|grader|evaluator|reviewer)",
    re.I,
)
MOTION = re.compile(r"@keyframes\s|\btransition(?:-[a-z]+)?\s*:|\.animate\(")


def static(page: Page) -> dict[str, Any]:
    """What the source says without a browser."""
    html = page.html or ""
    code = "\n".join([html, *page.files.values()])
    outside = list(dict.fromkeys(one or two for one, two in EXTERNAL.findall(code)))
    found = source.check(html)
    return {
        "characters": len(code),
        "files": sorted(page.files),
        "problems": [problem.message for problem in found[:MANY]],
        "parts": source.count_parts(html),
        "broken_parts": len({problem.block for problem in found}),
        "outside": outside[:MANY],
        "canvases": len(re.findall(r"<canvas|createElement\(['\"]canvas", code)),
        "motion": len(MOTION.findall(code)),
        "speaks": len(SPEAKS.findall(code)),
        "blank": False,
    }


def acts_in_words(acts: Sequence[Act]) -> list[str]:
    """Each act in a line."""
    says = {
        "changed": "the page changed",
        "held": "the field took it; nothing else changed",
        "nothing": "no visible effect",
        "untold": "the page moves by itself, so no effect can be told apart",
        "outside": "it leads out of the page",
        "undone": "it could not be done",
    }
    return [
        f"{act.what}: {says[act.outcome]}"
        + (f" ({act.detail})" if act.detail else "")
        + "".join(f"; it threw {error}" for error in act.errors)
        for act in acts
    ]


def in_words(evidence: Evidence) -> list[str]:
    """The facts, a line each. Words of the page are among them."""
    facts = evidence.facts
    lines = [f"extraction: {evidence.status}" + (f" ({evidence.why})" if evidence.why else "")]
    if evidence.failure:
        lines.append(f"the page could not be seen as it should: {evidence.failure}")
    if "characters" not in facts:
        return lines
    if "shown" in facts and facts["height"] > facts["shown"]:
        lines.append(f"the page is {facts['height']} pixels high; the pictures show the first {facts['shown']}")
    if evidence.shots > len(evidence.frames):
        lines.append(f"{evidence.shots} pictures were taken; {len(evidence.frames)} differ and are shown")
    if facts["speaks"]:
        lines.append(
            f"the answer holds words like a verdict, or like an order to its judge, in {facts['speaks']} places"
        )
    lines += [f"does not parse: {problem}" for problem in facts["problems"]]
    if facts["outside"]:
        lines.append(f"refers to files elsewhere, which it did not get: {', '.join(facts['outside'])}")
    if facts["motion"]:
        lines.append(f"declares motion by style or script in {facts['motion']} places")
    if "error_count" in facts:
        lines.append(f"uncaught errors while it loaded and ran by itself: {facts['error_count']}")
        lines += [f"error: {error}" for error in facts["errors"]]
        lines.append(f"it {'moves' if facts['moves'] else 'does not move'} by itself in its first 2 seconds")
    if "controls" in facts:
        lines.append(f"controls found: {facts['controls']}; actions tried: {facts['used']}, one after the other")
        lines.append(f"of these {facts['changed']} changed the page, {facts['nothing']} had no visible effect")
    lines += [f"action: {words}" for words in acts_in_words(evidence.acts)]
    if facts.get("ended"):
        lines.append(f"that was all, because {facts['ended']}")
    if "keys" in facts:
        effects = {"changed": "changes the page", "nothing": "has no visible effect", "stuck": "stops it for good"}
        effect = effects[facts["keys"]]
        lines.append(f"it listens to keys; pressing arrows, space, letters and Enter {effect}")
    return lines
