"""The policy inside the package, as it is shipped."""

import pytest

from rcca_cli import models
from rcca_cli.models import llama, score
from rcca_cli.models.choice import Sampling
from rcca_cli.models.load import EMBEDDED
from rcca_cli.models.sample import sample
from tests.models.tiny import NASTY

REQUEST = [
    {
        "role": "user",
        "content": 'Please write one self-contained HTML page titled "Push-up Tracker". '
        'At first it reads "Reps: 4", with "Goal: 20" below. There is a button "+2" that counts up by 2. '
        'A "-2" button lowers it by 2. "Reset" starts again from 4.',
    }
]


@pytest.fixture(scope="module")
def policy():
    return models.load("embedded")


@pytest.fixture(scope="module")
def answers(policy):
    return next(sample(policy, [policy.prompt_ids(REQUEST)], [list(range(12))], Sampling()))


def test_it_is_small_enough_to_ship_and_says_what_it_is():
    assert sum(path.stat().st_size for path in EMBEDDED.iterdir()) <= 12_000_000
    assert "What it is not" in (EMBEDDED / "MODEL_CARD.md").read_text()


def test_it_writes_whole_pages_that_differ(policy, answers):
    texts = [policy.decode(answer.tokens).text for answer in answers]
    whole = [text for text in texts if text.startswith("```html\n<!DOCTYPE html>") and text.endswith("</html>\n```")]
    assert len(whole) >= 9
    assert sum('id="count"' in text and "+2" in text for text in texts) >= 6
    assert len(set(texts)) >= 6


def test_its_recorded_log_probabilities_are_those_of_transformers(policy, answers):
    assert llama.fits(policy.model)
    for answer in answers[:3]:
        again = score.logprobs(policy, policy.prompt_ids(REQUEST), answer.tokens)
        assert answer.logprobs == pytest.approx(again, abs=1e-5)


def test_any_text_can_be_written_in_its_tokens(policy):
    for text in NASTY:
        assert policy.decode(policy.tokenizer.encode(text)).text == text


def test_digits_stand_alone_and_no_token_crosses_a_line(policy):
    for token in range(4, len(policy.tokenizer)):
        text = policy.pieces.one(token).decode(errors="replace")
        assert "\n" not in text[:-1]
        assert len(text) == 1 or not any(character.isdigit() for character in text)
