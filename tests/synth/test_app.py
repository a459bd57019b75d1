"""What must hold for every family, every draw of its parameters and every bug."""

import json
import random
import re

import pytest

from rcca_cli import checks
from rcca_cli.checks import words
from rcca_cli.errors import RccaError
from rcca_cli.synth import app
from rcca_cli.synth.families import FAMILIES

DRAWS = 25


def drawn(name):
    """Apps of this family alone, with different parameters and both identifier schemes."""
    for draw in range(DRAWS):
        yield app.compose([FAMILIES[name].make(random.Random(draw))], random.Random(draw), [draw % 2])


@pytest.mark.parametrize("name", FAMILIES)
def test_every_item_has_at_least_two_bugs(name):
    for made in drawn(name):
        broken = [fault.rubric for fault in made.faults()]
        assert all(broken.count(item["id"]) >= 2 for item in made.task()["rubric"])


@pytest.mark.parametrize("name", FAMILIES)
def test_every_item_has_a_bug_of_omission(name):
    for made in drawn(name):
        left_out = {fault.rubric for fault in made.faults() if fault.failure == "absent"}
        assert left_out == {item["id"] for item in made.task()["rubric"]}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_bug_changes_the_page_within_its_span_and_nowhere_else(name):
    for made in drawn(name):
        right = made.render().text
        for fault in made.faults():
            broken = made.render([fault])
            (truth,) = broken.truth
            text = made.slots()[fault.slot].bugs[fault.index].text
            assert broken.text != right
            assert broken.text[truth["start"] : truth["end"]] == text
            assert right.startswith(broken.text[: truth["start"]])
            assert right.endswith(broken.text[truth["end"] :])


@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_is_left_to_fill_in(name):
    for made in drawn(name):
        texts = [made.render([fault]).text for fault in made.faults()]
        for text in [made.render().text, made.prompt, json.dumps(made.task()["rubric"]), *texts]:
            assert "«" not in text
            assert not re.search(r"\$[a-z]", text)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_rubric_has_both_kinds_and_checks_of_at_least_two_different_cases(name):
    for made in drawn(name):
        rubric = made.task()["rubric"]
        kinds = [item["kind"] for item in rubric]
        assert 4 <= len(rubric) <= 8
        assert kinds.count("initial") >= 1
        assert kinds.count("interaction") >= 2
        for item in rubric:
            cases = checks.parse(item["check"]).cases
            assert len({json.dumps(case.values) for case in cases}) >= 2


@pytest.mark.parametrize("name", FAMILIES)
def test_every_check_follows_the_language(name):
    for made in drawn(name):
        for item in made.task()["rubric"]:
            assert len(checks.parse(item["check"]).cases) >= 2


@pytest.mark.parametrize("name", FAMILIES)
def test_the_request_holds_every_label_that_a_check_looks_for(name):
    for made in drawn(name):
        for item in made.task()["rubric"]:
            steps = json.loads(item["check"])["steps"]
            cases = [case.values for case in checks.parse(item["check"]).cases]
            wanted = [filled(part, case) for part in target_words(steps) for case in cases]
            typed = {str(value) for case in cases for value in case.values()}
            for label in wanted:
                stem = re.sub(r"\d+", "", label)  # "Star 4" where the request says "Star 1" to "Star 5"
                assert stem in re.sub(r"\d+", "", made.prompt) or label in typed, label


def target_words(value):
    """Every name, label and text that a target of these steps is found by."""
    if isinstance(value, list):
        return [part for item in value for part in target_words(item)]
    if isinstance(value, dict):
        own = [value[key] for key in ("name", "label", "text") if key in value and "do" not in value]
        return own + [part for item in value.values() for part in target_words(item)]
    return []


def filled(part, case):
    for key, value in case.items():
        part = part.replace("{" + key + "}", str(value))
    return part


def test_identifiers_of_two_families_never_clash():
    owners = {}
    for name in FAMILIES:
        for style in (0, 1):
            made = app.compose([FAMILIES[name].make(random.Random(0))], random.Random(0), [style])
            text = made.render().text.replace("byId = id =>", "")
            names = set(re.findall(r'\bid="(\w+)"', text))
            for line in re.findall(r"^(?:let|const|function) (.*)", text, re.MULTILINE):
                names |= set(re.findall(r"(?:^|, )(\w+)(?= =|[,;(])", line))
            for identifier in names:
                assert owners.setdefault((style, identifier), name) == name, identifier


def test_the_same_seed_and_index_give_the_same_app():
    one, two = app.make(3, 7), app.make(3, 7)
    assert one == two
    assert one.imperfect(random.Random(1), 0.25) == two.imperfect(random.Random(1), 0.25)


def test_two_hundred_apps_have_two_hundred_ids():
    assert len({app.make(5, index).id for index in range(200)}) == 200


def test_a_pair_never_has_more_than_eight_items():
    apps = [app.make(9, index) for index in range(200)]
    assert max(len(made.task()["rubric"]) for made in apps) == 8
    assert {name for made in apps for name in made.families} == set(FAMILIES)


def test_only_the_families_asked_for_are_drawn():
    assert {app.make(1, index, ["tip", "quiz"]).families for index in range(40)} == {("tip",), ("quiz",)}


def test_an_unknown_family_is_named():
    with pytest.raises(RccaError, match="'todos'"):
        app.make(1, 0, ["todos"])


def test_an_imperfect_answer_breaks_an_item_at_most_once():
    for index in range(50):
        rendered = app.make(2, index).imperfect(random.Random(index), 0.25)
        broken = [fault["rubric"] for fault in rendered.truth]
        assert len(broken) == len(set(broken))


def test_the_share_of_omissions_among_bugs_is_the_one_asked_for():
    for share in (0.0, 0.25, 1.0):
        failures = [
            fault["failure"]
            for index in range(200)
            for fault in app.make(2, index).imperfect(random.Random(index), share).truth
        ]
        assert abs(failures.count("absent") / len(failures) - share) < 0.06


def test_no_label_of_a_family_can_be_mistaken_for_one_of_another():
    looked_for, seen = {}, {}
    for name in FAMILIES:
        looked_for[name], seen[name] = set(), set()
        for made in drawn(name):
            looked_for[name] |= {filled(*pair) for item in made.task()["rubric"] for pair in sought(item)}
            body = made.render().text.partition("<body>")[2].partition("<script>")[0]
            seen[name] |= {re.sub(r"<[^>]*>", " ", line) for line in body.splitlines()}
    for name, wanted in looked_for.items():
        for other in set(FAMILIES) - {name}:
            for part in wanted:
                assert not [line for line in seen[other] if words.holds(line, part)], (name, other, part)


def sought(item):
    check = json.loads(item["check"])
    parts = target_words(check["steps"]) + [
        step[key] for step in check["steps"] for key in ("contains", "lacks", "after") if key in step
    ]
    return [(part, case.values) for part in parts for case in checks.parse(item["check"]).cases]
