import gzip
import os
import random
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli import jsonl
from rcca_cli.errors import RccaError, RecordError
from rcca_cli.jsonl import Writer
from tests.rollout.tasks import collect

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5).filter(str.isascii), inner),
    max_leaves=12,
)


def lines(path, content):
    path.write_bytes(content)
    return [line.record for line in jsonl.read([str(path)])]


@given(st.dictionaries(st.text(max_size=8).filter(str.isascii), JSON))
def test_what_is_written_is_read_back(record):
    assert jsonl.decode(jsonl.encode(record), "x:1") == record
    assert jsonl.encode(record).count(b"\n") == 1


def test_only_the_newline_splits_records(tmp_path):
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
    assert lines(tmp_path / "a.jsonl", orjson.dumps({"text": text}) + b"\n") == [{"text": text}]


def test_a_byte_order_mark_carriage_returns_blank_lines_and_a_missing_last_newline_are_harmless(tmp_path):
    assert lines(tmp_path / "a.jsonl", b'\xef\xbb\xbf{"a":1}\r\n\r\n{"a":2}') == [{"a": 1}, {"a": 2}]


def test_files_are_read_in_order_and_unpacked(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"a":1}\n'))
    (tmp_path / "b.jsonl").write_bytes(b'{"a":2}\n')
    read = jsonl.read([str(tmp_path / "a.jsonl.gz"), str(tmp_path / "b.jsonl")])
    assert [(line.record["a"], line.number) for line in read] == [(1, 1), (2, 1)]


NOISE = random.Random(0)
RECORDS = [{"a": number, "noise": NOISE.randbytes(300).hex()} for number in range(2000)]
PLAIN = b"".join(map(jsonl.encode, RECORDS))


def zst(content):
    return zstandard.ZstdCompressor().compress(content)


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("zst", zst)])
def test_a_packed_file_is_read_through_all_its_parts(tmp_path, ending, pack):
    half = PLAIN.index(b"\n", len(PLAIN) // 2) + 1
    for content in (pack(PLAIN), pack(PLAIN[:half]) + pack(PLAIN[half:])):
        assert lines(tmp_path / f"a.jsonl.{ending}", content) == RECORDS
    assert lines(tmp_path / f"a.jsonl.{ending}", pack(b"")) == []


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("zst", zst)])
@pytest.mark.parametrize("cut", [1, 4, 50_000])
def test_a_torn_packed_file_gives_its_whole_records_and_then_an_error(tmp_path, ending, pack, cut):
    path = tmp_path / f"torn.jsonl.{ending}"
    path.write_bytes(pack(PLAIN)[:-cut])
    found = []
    with pytest.raises(RccaError, match=rf"^{path}: [Cc]ompressed file ended before the end"):
        collect((line.record for line in jsonl.read([str(path)])), found)
    assert len(found) > 1500
    assert found == RECORDS[: len(found)]


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("zst", zst)])
def test_a_broken_packed_file_is_one_line(tmp_path, ending, pack):
    broken = bytearray(pack(PLAIN))
    broken[len(broken) // 2 : len(broken) // 2 + 4096] = bytes(4096)
    for content in (bytes(broken), b"no packed file", pack(PLAIN) + b"tail"):
        with pytest.raises(RccaError, match=rf"^{tmp_path}/a\.jsonl\.{ending}:.*\S$"):
            lines(tmp_path / f"a.jsonl.{ending}", content)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'{"a":1}\n{"a":}\n', "bad.jsonl:2:6: not JSON: unexpected character"),
        (b'{"a":1}\n[1]\n', "bad.jsonl:2: expected a JSON object, not a list"),
        (b'{"a":1}\n{"a":"caf\xe9"}\n', "bad.jsonl:2:10: not JSON: the byte 0xe9 is no UTF-8 (packed or of"),
        (b'{"a":1}\n\x1f\x8b\x08', "bad.jsonl:2:2: not JSON: the byte 0x8b is no UTF-8"),
        (b'{"a":1}\n{"a":NaN}\n', "bad.jsonl:2:6: not JSON: unexpected character"),
        (b'{"a":1}\n{"a":1e400}\n', "bad.jsonl:2:"),
        (b'{"a":1}\n' + b'{"a":' * 5000 + b"\n", "bad.jsonl:2:"),
        (b'{"a":1}\n{"a":"\xff"}\n', "bad.jsonl:2:"),
        (b'{"a":1}\n' + b'{"a":' * 900 + b"1" + b"}" * 900, "bad.jsonl:2: nested more than 200 deep"),
        (b'{"a":1}\n{"a":' + b"[" * 200 + b"]" * 200 + b"}", "bad.jsonl:2: nested more than 200 deep"),
    ],
)
def test_a_bad_line_is_named_after_the_good_ones_before_it(tmp_path, raw, message):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(raw)
    read = jsonl.read([str(path)])
    assert next(read).record == {"a": 1}
    with pytest.raises(RecordError) as error:
        next(read)
    assert str(error.value).startswith(str(tmp_path) + "/" + message)


def test_what_is_nested_as_deep_as_may_be_is_written_again():
    raw = b'{"a":' + b'[{"b":' * 99 + b'["\\ud800"]' + b"}]" * 99 + b"}\n"
    assert jsonl.encode(jsonl.decode(raw, "x:1")) == raw


def test_a_lone_surrogate_survives():
    raw = b'{"text":"\\ud800"}'
    assert jsonl.decode(raw, "x:1") == {"text": "\ud800"}
    assert jsonl.encode({"text": "\ud800"}) == raw + b"\n"


def test_of_a_key_given_twice_the_last_counts_and_one_is_written(tmp_path):
    (found,) = lines(tmp_path / "a.jsonl", b'{"a":1,"b":[{"c":2,"c":3}],"a":4}\n')
    assert jsonl.encode(found) == b'{"a":4,"b":[{"c":3}]}\n'


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_refused_by_its_place(number):
    with pytest.raises(ValueError, match=r"judge\.scores\[1\]"):
        jsonl.encode({"judge": {"scores": [1.0, number]}})


def test_a_missing_file_is_one_line():
    with pytest.raises(RccaError, match=r"^nowhere.jsonl: No such file or directory$"):
        next(jsonl.read(["nowhere.jsonl"]))


def test_the_output_file_is_absent_until_it_is_whole(tmp_path):
    path = tmp_path / "out.jsonl"
    writer = jsonl.Writer(str(path))
    writer.write({"a": 1})
    assert not path.exists()
    assert (tmp_path / "out.jsonl.partial").read_bytes() == b'{"a":1}\n'
    writer.finish()
    assert path.read_bytes() == b'{"a":1}\n'
    assert not (tmp_path / "out.jsonl.partial").exists()


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = Writer(str(pipe))
    writer.write({"a": 1})
    writer.finish()
    assert os.read(reader, 100) == b'{"a":1}\n'
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_a_link_to_the_file_that_is_written(tmp_path):
    (tmp_path / "far").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "far" / "out.jsonl")
    writer = Writer(str(link))
    writer.write({"a": 1})
    writer.finish()
    assert link.is_symlink()
    assert (tmp_path / "far" / "out.jsonl").read_bytes() == b'{"a":1}\n'


@pytest.mark.parametrize("size", [10, 20_000])  # more than a buffer holds leaves the rest in it
def test_a_full_disk_is_one_line_and_what_was_written_stays(tmp_path, size):
    path = tmp_path / "out.jsonl"
    code = (
        "import resource, sys; from rcca_cli import filter; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));"
        f"filter.write_all(filter.Plan('judge', 'c', output={str(path)!r}), [{{'id': 'x' * {size}}}] * 1000)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr.splitlines()[-1] == f"rcca_cli.errors.RccaError: {path}: File too large"
    assert not path.exists()
    assert Path(f"{path}.partial").stat().st_size == 4096


@pytest.mark.parametrize(("count", "left"), [(0, []), (1, ["out.partial"])])
def test_work_that_stops_leaves_what_is_written_and_no_empty_file(tmp_path, count, left):
    writer = Writer(str(tmp_path / "out"))
    for _ in range(count):
        writer.write({})
    writer.abandon()
    assert [path.name for path in tmp_path.iterdir()] == left
