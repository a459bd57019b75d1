"""Lines of an OpenAI batch, from its output or its file of errors, as rows of answers."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rcca_cli.jsonl import Line

CUT = ("length", "max_output_tokens", "incomplete")


def rows(line: Line) -> Iterator[dict[str, Any]]:
    """The answers in a line of a batch, several if it asked for several (`n`); any other line is as it was.

    `custom_id` names the task, or ends in its number (`request-137`). A request that failed is a row without an answer
    and with the reason. RecordError for a response that holds no answer.
    """
    given = line.record
    if "custom_id" not in given or not ("response" in given or "error" in given):
        yield given
        return
    named = {"id": task(str(given["custom_id"]))}
    response = given.get("response")
    body = response.get("body") if isinstance(response, Mapping) else None
    if problem := failure(given, body):
        yield named | {"rollout": None, "error": problem}
        return
    found = list(said(body)) if isinstance(body, Mapping) else []
    if not found:
        raise line.error("response.body: no answer in it (choices[0].message.content, or output[].content[].text)")
    model, usage = body.get("model"), body.get("usage")  # type: ignore[union-attr]
    for text, finish_reason in found:
        # The tokens are told of all answers together.
        facts = {"finish_reason": finish_reason, "model": model, "usage": usage if len(found) == 1 else None}
        yield named | {"text": text} | facts


def task(custom_id: str) -> str:
    """The task that an id of a request names.

    >>> task("miniapp:water/0"), task("request-137"), task("miniappbench:12")
    ('miniapp:water/0', '137', 'miniappbench:12')
    """
    number = re.fullmatch(r"[A-Za-z_]+[-_ ](\d+)", custom_id)
    return number[1] if number else custom_id


def failure(given: Mapping[str, Any], body: Any) -> str | None:
    """Why there is no answer, if the batch says so."""
    response = given.get("response")
    code = response.get("status_code") if isinstance(response, Mapping) else None
    told = given.get("error") or (body.get("error") if isinstance(body, Mapping) else None)
    if not told and not (isinstance(code, int) and code >= 400):
        return None
    words = told.get("message") or told.get("code") if isinstance(told, Mapping) else told
    return f"the batch has no answer: {words or f'status {code}'}"


def said(body: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """(text, finish reason) of each choice of a chat completion, or of a response with `output`."""
    choices, output = body.get("choices"), body.get("output")
    if isinstance(choices, list):
        for choice in choices:
            message = choice.get("message") if isinstance(choice, Mapping) else None
            if isinstance(message, Mapping):
                yield parts(message.get("content")) or "", finish(choice.get("finish_reason"))
    elif isinstance(output, list):
        texts = [
            parts(one.get("content")) for one in output if isinstance(one, Mapping) and one.get("type") == "message"
        ]
        yield "".join(filter(None, texts)), finish(body.get("status"))


def parts(content: Any) -> str | None:
    """A message's text, also where it comes in parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(one.get("text") or "") for one in content if isinstance(one, Mapping))
    return None


def finish(reason: Any) -> str | None:
    """ "length" for an answer that was cut off, "stop" for one that ended, else the server's own word."""
    if reason in CUT:
        return "length"
    return "stop" if reason == "completed" else reason if isinstance(reason, str) else None
