import numpy as np
import pytest

from rcca_cli.align import anchor, places, stage
from rcca_cli.align.case import Case
from rcca_cli.credit import calibration
from tests.align.example import ITEM, PAGE, case, evidence, lines, place, record, verdict


def best(placed):
    """The text of the heaviest unit."""
    index = int(placed.attribution.mass.argmax())
    unit = placed.attribution.units.units[index]
    return unit, placed.attribution.sources[index]


def test_mass_and_alpha_sum_to_one():
    for row in (verdict(False), verdict(True)):
        one = case(row)
        placed = places.passed(one) if row["passed"] else places.failed(one)
        assert np.isclose(placed.attribution.mass.sum(), 1)
        assert np.isclose(placed.place.alpha.sum(), 1)


def test_an_exception_is_where_it_was_thrown():
    one = case(verdict(False, failure="exception", evidence=[evidence("stack", "append(row)", "0")]))
    placed = places.failed(one)
    unit, sources = best(placed)
    assert one.answer.text[unit.start : unit.end] == "list.append(row);"
    assert "stack" in sources
    assert placed.place.confidence > 0.5


def test_a_name_that_only_nearly_matches_has_two_to_blame():
    page = PAGE.replace('id="plus"', 'id="plas"')
    row = evidence("stack", "addEventListener", "0 (anonymous): Cannot read properties of null", page)
    one = case(verdict(False, failure="exception", evidence=[row]), page)
    attribution = places.failed(one).attribution
    mass = dict(zip(attribution.units.starts, attribution.mass, strict=True))
    script = mass[place('document.getElementById("plus")', page)[0]]
    markup = mass[place('<button id="plas"', page)[0]]
    assert script > 0.2
    assert markup > 0.2
    assert np.isclose(attribution.mass.sum(), 1)


def test_a_variable_is_followed_to_its_look_up():
    page = PAGE.replace('id="list"', 'id="list1"')
    row = evidence("stack", "append(row)", "0 append: Cannot read properties of null (reading 'append')", page)
    attribution = places.failed(case(verdict(False, failure="exception", evidence=[row]), page)).attribution
    mass = dict(zip(attribution.units.starts, attribution.mass, strict=True))
    assert mass[place("const list =", page)[0]] > 0.2
    assert mass[place('<ul id="list1">', page)[0]] > 0.2


def blamed(page, thrown, detail):
    """The share of each unit, by its text."""
    one = case(verdict(False, failure="exception", evidence=[evidence("stack", thrown, detail, page)]), page)
    attribution = places.failed(one).attribution
    return {
        one.answer.text[slice(*span)]: share
        for span, share in zip(attribution.units.spans, attribution.mass, strict=True)
    }


NULL = "0 append: Cannot read properties of null (reading 'append')"


def test_a_name_that_is_there_just_so_has_one_to_blame():
    page = PAGE.replace('<ul id="list">', '<ul id="list1"></ul><ul id="list">')
    assert blamed(page, "append(row)", NULL)['<ul id="list1">'] < 0.1


def test_only_the_nearest_name_is_blamed():
    page = PAGE.replace('<ul id="list">', '<ul id="list1"></ul><p id="lis12"></p><p class="the-list">')
    shares = blamed(page, "append(row)", NULL)
    assert shares['<ul id="list1">'] > 0.2
    assert shares['<p id="lis12">'] < 0.05
    assert shares['<p class="the-list">'] < 0.05


def test_a_script_that_makes_the_element_is_blamed_like_markup():
    page = PAGE.replace('<ul id="list"></ul>', "").replace("function unused", 'box.id = "list1";\nfunction unused')
    assert blamed(page, "append(row)", NULL)['box.id = "list1";'] > 0.2


def test_the_halves_are_of_what_the_stack_holds():
    """Half of the thrown-at mass S on each side, and the quoted share on top: c_q = .6 (it agrees with the frame)."""
    page = PAGE.replace('id="list"', 'id="list1"')
    row = evidence("stack", "append(row)", NULL, page)
    plain = places.failed(case(verdict(False, failure="exception", evidence=[row]), page)).attribution
    quoted = verdict(False, failure="exception", evidence=[row], diagnosis="`row.textContent = field.value;`")
    mixed = places.failed(case(quoted, page)).attribution
    look_up, markup = (plain.units.starts.index(place(code, page)[0]) for code in ("const list =", '<ul id="list1">'))
    other = plain.units.starts.index(place("row.textContent", page)[0])
    assert plain.mass[markup] == pytest.approx(plain.mass[look_up], abs=0.03)  # both S/2, but for their own evidence
    for unit in (look_up, markup):
        assert mixed.mass[unit] == pytest.approx(plain.mass[unit] * (1 - calibration.QUOTE_AT_FRAME))
    assert mixed.mass[other] > calibration.QUOTE_AT_FRAME


def test_an_error_of_another_kind_has_one_to_blame():
    page = PAGE.replace('id="plus"', 'id="plas"')
    row = evidence("stack", "addEventListener", "0 (anonymous): x is not defined", page)
    attribution = places.failed(case(verdict(False, failure="exception", evidence=[row]), page)).attribution
    assert dict(zip(attribution.units.starts, attribution.mass, strict=True))[place('<button id="plas"', page)[0]] < 0.1


def test_code_that_never_ran_is_blamed_least():
    rows = [
        evidence("coverage", "const list = ", "load"),
        evidence("coverage", PAGE[PAGE.index("function append") : PAGE.index("function unused")], "window"),
        evidence("coverage", "function unused() { clear(); }", "never"),
    ]
    placed = places.failed(case(verdict(False, evidence=rows)))
    mass = {
        unit.start: share for unit, share in zip(placed.attribution.units.units, placed.attribution.mass, strict=True)
    }
    assert mass[place("clear();")[0]] < mass[place("list.append(row);")[0]] / 5


def test_a_quote_of_the_evaluator_holds_most():
    one = case(verdict(False, diagnosis="`row.textContent = field.value;` reads the wrong field"))
    unit, sources = best(places.failed(one))
    assert one.answer.text[unit.start : unit.end] == "row.textContent = field.value;"
    assert "quote" in sources


def test_no_evidence_at_all_is_worth_less_than_a_stack():
    item = ITEM | {"requirement": "Zzz."}
    thrown = case(verdict(False, failure="exception", evidence=[evidence("stack", "append(row)", "0")]))
    unknown = places.failed(case(verdict(False), item=item)).place.confidence
    assert 0 < unknown < places.failed(thrown).place.confidence < 1


def test_an_omission_in_a_short_answer_without_a_likeness_is_anchored():
    long = PAGE.replace("function unused() { clear(); }", "\n".join(f"let filler{i} = {i};" for i in range(200)))
    short = '<!doctype html>\n<html><body>\n<p>Nothing else here</p>\n<ul id="list"></ul></body></html>\n'
    full = long.replace('<ul id="list"></ul>', '<ul id="list"><li>Adding entries</li></ul>')
    passing = stage.answer(lines(record([verdict(True)], full, reward=1.0))[0], None)
    answer = stage.answer(lines(record([verdict(False, failure="absent")], short))[0], None)
    item = ITEM | {"requirement": "Adding entries."}
    placed = places.failed(Case(answer, item, answer.verdicts["adds"], [passing]))
    assert placed.place.absent
    if placed.place.alpha is not None:
        assert np.isclose(placed.place.alpha.sum(), calibration.ANCHOR)
        assert (placed.place.alpha > 0).sum() <= calibration.ANCHOR_TOKENS


def anchored(short, full, code):
    """The text of the tokens that the anchor takes in a short answer, for a feature that is `code` in the full one."""
    answer, sibling = (stage.answer(lines(record([], page))[0], None) for page in (short, full))
    mass = np.array([float(code in unit) for unit in sibling.codes])
    alpha = anchor.alpha(answer, sibling, mass)
    if alpha is None:
        return None
    assert alpha.sum() == pytest.approx(calibration.ANCHOR)
    assert np.count_nonzero(alpha) <= calibration.ANCHOR_TOKENS
    tokens = np.flatnonzero(alpha)
    return answer.text[answer.tokens.starts[tokens[0]] : answer.tokens.ends[tokens[-1]]]


def test_the_anchor_is_the_closing_of_what_holds_the_code_in_the_sibling():
    script = "<script>\nfunction go() {\n  a();\n}\n</script>"
    short = f"<html><body>\n<p>Other</p>\n<ul id='list'></ul>\n{script}</body></html>\n"
    full = f"<html><body>\n<ul id='list'><li>One</li></ul>\n{script}</body></html>\n".replace(
        "a();", "a();\n  extra();"
    )
    assert anchored(short, full, "<li>") == "</ul>"
    assert anchored(short, full, "extra();") == "}"


def test_there_is_no_anchor_where_the_container_is_not_there_just_once():
    full = "<html><body>\n<ul id='list'><li>One</li></ul></body></html>\n"
    assert anchored("<p>Nothing</p>\n", full, "<li>") is None
    twice = "<div><ul id='list'></ul><ul id='list'></ul></div>\n"
    assert anchored(twice, full, "<li>") is None


def test_gates_are_spread_half_on_their_place_half_everywhere():
    answer = stage.answer(lines(record([verdict(True)]))[0], None)
    count = answer.tokens.count
    assert np.allclose(places.gate(answer, None, None, False).alpha, 1 / count)
    assert np.allclose(places.gate(answer, 30, 40, True).alpha, 1 / count)
    alpha = places.gate(answer, *place("list.append"), False).alpha
    assert np.isclose(alpha.sum(), 1)
    token = answer.line.record["rollout"]["offsets"].index(list(place("createElement")))
    assert alpha[token] == 0.5 / count
    near = answer.line.record["rollout"]["offsets"].index(list(place("textContent")))
    assert alpha[near] > 5 / count  # the line before: a parser gives up behind the fault


def test_the_place_of_a_gate_in_one_long_line_stays_small():
    text = "x" * 10_000
    assert places.widened(text, 5000, 5001) == (4840, 5161)
    assert places.widened(text, 0, 0) == (0, 160)
    assert places.widened("", 0, 0) == (0, 0)
