import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.parallel import ordered_map


@settings(max_examples=25)
@given(st.lists(st.integers()), st.integers(1, 5))
def test_it_is_map_whatever_the_number_of_jobs(items, jobs):
    assert list(ordered_map(lambda item: item * 2, items, jobs)) == [item * 2 for item in items]


def test_a_result_leaves_before_the_next_item_arrives():
    first_result_seen = threading.Event()

    def items():
        yield 1
        assert first_result_seen.wait(20)
        yield 2

    results = ordered_map(lambda item: item, items(), jobs=3)
    assert next(results) == 1
    first_result_seen.set()
    assert list(results) == [2]


def test_no_more_than_twice_the_jobs_are_in_flight():
    taken = 0

    def items():
        nonlocal taken
        for number in range(100):
            taken += 1
            yield number

    gate = threading.Event()
    results = ordered_map(lambda item: gate.wait(20) and item, items(), jobs=2)
    gate.set()
    for seen, _ in enumerate(results, 1):
        assert taken - seen <= 4


def test_an_error_comes_in_its_turn():
    def items():
        yield 1
        yield 2
        raise ValueError("third")

    results = ordered_map(lambda item: item, items(), jobs=2)
    assert [next(results), next(results)] == [1, 2]
    with pytest.raises(ValueError, match="third"):
        next(results)


def test_an_error_in_the_function_comes_after_the_results_before_it():
    def fail_on_two(item):
        if item == 2:
            raise ValueError("two")
        return item

    results = ordered_map(fail_on_two, [1, 2, 3], jobs=3)
    assert next(results) == 1
    with pytest.raises(ValueError, match="two"):
        next(results)
