"""Tasks, references and bugs in real Chromium."""

import pytest

from rcca_cli.synth.families import FAMILIES


@pytest.mark.slow
def test_two_apps_come_out_as_they_are_known_to(rcca):
    ended = rcca("synth", "--verify", "-n", "2", "--families", "form,todo")
    assert ended.code == 0, ended.stderr
    bugs = len(ended.records) - 4
    summary = f"2 apps, 2 of 2 references pass, {bugs} of {bugs} bugs caught exactly, 2 of 2 empty pages pass nothing"
    assert ended.stderr.splitlines()[-1] == f"verified: {summary}"
    assert sum(len(record["truth"]) for record in ended.records) == bugs
    assert all(record["judge"]["verdicts"] for record in ended.records)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_comes_out_as_it_is_known_to(rcca, name):
    ended = rcca("synth", "--verify", "-n", "1", "--seed", "3", "--families", name)
    assert ended.code == 0, ended.stderr
