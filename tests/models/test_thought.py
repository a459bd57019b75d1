import doctest

import pytest

from rcca_cli.models import thought
from tests.models import tiny


def thought_end(prompt, text):
    """Of a text whose tokens are split by a tokenizer in which `<think>` is one token of text."""
    policy = tiny.policy()
    ids = policy.tokenizer.encode(text, add_special_tokens=False)
    decoded = policy.decode(ids)
    assert decoded.text == text
    return policy.thought_end(policy.tokenizer.encode(prompt, add_special_tokens=False), ids, decoded)


@pytest.mark.parametrize(
    ("prompt", "text", "reasoning"),
    [
        ("A timer", "<p>hi</p>", ""),
        ("A timer", "<think>so</think>\n<p>hi</p>", "<think>so</think>"),
        ("A timer", "\n<think>\n</think><p>", "\n<think>\n</think>"),
        ("A timer", "<think>never 日本 ends", "<think>never 日本 ends"),
        ("A timer<think>\n", "so</think><p>", "so</think>"),
        ("A timer<think>", "<!DOCTYPE html></html>", "<!DOCTYPE html></html>"),
        ("A timer<think>\n\n</think>\n\n", "<p>a</think>", ""),
        ("A timer", "<p>about <think> and </think></p>", ""),
    ],
)
def test_reasoning_ends_behind_its_tag_or_with_the_text(prompt, text, reasoning):
    assert thought_end(prompt, text) == len(reasoning)


def test_tags_that_are_control_tokens_are_seen():
    assert doctest.testmod(thought).failed == 0
    names = ["<|channel|>", None, "<|message|>", None, "<|channel|>", None, "<|message|>", None]
    text = "analysishmfinal<p>"
    offsets = [[0, 0], [0, 8], [8, 8], [8, 10], [10, 10], [10, 15], [15, 15], [15, 18]]
    assert thought.end_in_text(names, offsets, text, "") == 15
