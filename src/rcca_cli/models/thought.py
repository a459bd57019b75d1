"""Where a model's reasoning ends and its answer begins: by tags of its own or of its template."""

from collections.abc import Sequence

# What opens and closes the reasoning at the head of an answer; some are control tokens, which are no text.
TAGS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    ("<|channel>thought", "<channel|>"),
)


def closing(prompt: str, text: str) -> str | None:
    """The tag that will end the reasoning; None if there is none: neither the prompt's end nor the text opens it."""
    for opening, close in TAGS:
        if prompt.rstrip().endswith(opening) or text.lstrip().startswith(opening):
            return close
    return None


def end(text: str, close: str) -> int:
    """Where the reasoning ends, its closing tag included; at the end of the text if it was cut off."""
    place = text.find(close)
    return len(text) if place < 0 else place + len(close)


def end_in_text(names: Sequence[str | None], offsets: Sequence[Sequence[int]], text: str, prompt: str) -> int:
    """Where the reasoning ends in `text`, whose tokens have these offsets and, if they are control tokens, names.

    >>> end_in_text(["[THINK]", None, "[/THINK]", None], [[0, 0], [0, 2], [2, 2], [2, 7]], "hm<html", "Make a timer")
    2
    """
    shown = [text[span[0] : span[1]] if name is None else name for name, span in zip(names, offsets, strict=True)]
    close = closing(prompt, "".join(shown))
    if close is None:
        return 0
    left = end("".join(shown), close)
    for piece, name, span in zip(shown, names, offsets, strict=True):
        if left <= len(piece):
            return span[1] if name is not None else span[0] + left
        left -= len(piece)
    return len(text)
