"""Records as lines of a dataset, which needs no Ray."""

import pytest

from rcca_cli.errors import ItemsFailed, RecordError
from rcca_cli.scale.datasets import given, lines_of, taken
from rcca_cli.scale.stages import in_order


def test_what_a_line_of_jsonl_can_hold_a_dataset_can():
    records = [{"id": "a", "text": "half a character \ud800"}, {"id": "b", "number": 2**70}]
    assert [line.record for line in taken(given(records))] == records


def test_items_that_are_not_known_stand_in_their_records():
    def judged():
        yield {"id": "a", "judge": None}
        raise ItemsFailed("1 of 1")

    assert given(judged()) == {"line": ['{"id":"a","judge":null}']}


def test_a_group_is_brought_into_the_order_of_its_answers():
    records = [{"id": f"t/{n}", "text": "half a character \ud800"} for n in (10, 2, 0)]
    assert [line.record["id"] for line in in_order(given(records))] == ["t/0", "t/2", "t/10"]


def test_only_a_line_feed_ends_a_line():
    odd = "a\u2028b\x85c\x0cd\r"
    file = {"path": "x.jsonl", "bytes": f"\ufeff{odd}\n\n {odd}\n \n{odd}".encode()}
    assert [row["line"] for row in lines_of(file)] == [odd, f" {odd}", odd]
    with pytest.raises(RecordError, match=r"x\.jsonl:2:3: not JSON: the byte 0xff is no UTF-8"):
        lines_of(file | {"bytes": b"{}\n{}\xff\n"})
