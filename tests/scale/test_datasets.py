"""Records as lines of a dataset, which needs no Ray."""

from rcca_cli.errors import ItemsFailed
from rcca_cli.scale.datasets import given, taken
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
