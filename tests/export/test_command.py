"""`rcca export` as a filter, by real processes and pipes."""

import io
import subprocess
import sys

import orjson
import pytest

from tests.conftest import start
from tests.train.helpers import record


@pytest.fixture(scope="module")
def aligned(tmp_path_factory):
    """A file of three groups with two rollouts each, one of which could not be scored."""
    path = tmp_path_factory.mktemp("aligned") / "aligned.jsonl"
    records = [record(f"g{group}", index, [1.0, -1.0], old=[-1.0, -2.0]) for group in range(3) for index in range(2)]
    records[3]["align"] |= {"advantage": None, "advantages": None, "weights": None}
    path.write_bytes(b"".join(orjson.dumps(value) + b"\n" for value in records))
    return path


def test_a_pipe_and_a_file_give_the_same_bytes_and_what_was_left_out_is_said(rcca, aligned, tmp_path):
    piped = rcca("export", "--to", "trl", stdin=aligned.read_bytes())
    written = rcca("export", "--to", "trl", str(aligned), "-o", str(tmp_path / "new" / "out.jsonl"))
    assert (piped.code, written.code) == (0, 0)
    assert piped.stdout == (tmp_path / "new" / "out.jsonl").read_bytes()
    assert [len(row["ids"]) for row in piped.records] == [2, 1, 2]
    assert piped.stderr == (
        "rcca export: 5 rollouts of tiny (tokenizer not known)\n"
        "1 of 6 rollouts left out: not scored (align.advantages is null)\n"
    )


def test_a_parquet_file_goes_through_a_pipe(rcca, aligned):
    import pyarrow.parquet

    ended = rcca("export", "--to", "verl", str(aligned))
    assert ended.code == 0, ended.stderr
    assert pyarrow.parquet.read_table(io.BytesIO(ended.stdout)).num_rows == 5


def test_a_bad_line_is_named_and_leaves_no_file(rcca, aligned, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(aligned.read_bytes() + b"{oops\n")
    ended = rcca("export", "--to", "verifiers", str(bad), "-o", str(tmp_path / "out"))
    assert ended.code == 2
    assert f"rcca export: {bad}:7:2: not JSON: " in ended.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"bad.jsonl"}


def test_a_record_without_credit_is_sent_to_align(rcca, tmp_path):
    judged = {key: value for key, value in record("g", 0, [1.0]).items() if key != "align"}
    ended = rcca("export", "--to", "trl", stdin=[judged])
    assert (ended.code, ended.stderr) == (2, "rcca export: <stdin>:1: missing 'align' (run `rcca align` first)\n")


def test_weights_of_mode_rubric_end_with_2(rcca):
    ended = rcca("export", "--to", "trl", "--credit", "weights", stdin=[record("g", 0, [1.0], mode="rubric")])
    assert ended.code == 2
    assert "<stdin>:1: align.weights: mode rubric" in ended.stderr
    assert "(use --credit advantages)" in ended.stderr


def test_a_reader_that_leaves_ends_the_export_quietly(tmp_path):
    long = [record(f"h{group}", 0, [1.0] * 50, old=[-1.0] * 50) for group in range(500)]
    (tmp_path / "long").write_bytes(b"".join(orjson.dumps(value) + b"\n" for value in long))
    with start("export", "--to", "tinker", str(tmp_path / "long")) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == b""


def test_a_library_that_is_missing_is_named_with_its_cure(rcca, aligned, tmp_path):
    """Without pyarrow: a process in which it cannot be found."""
    code = "import sys; sys.modules['pyarrow'] = None; from rcca_cli.cli import main; main()"
    command = [sys.executable, "-c", code, "export", "--to", "verl", str(aligned), "-o", str(tmp_path / "out")]
    ended = subprocess.run(command, capture_output=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == b"rcca export: --to verl: pyarrow is missing (pip install pyarrow)\n"
    assert not list(tmp_path.iterdir())


def test_a_step_leaves_while_the_input_is_still_open(aligned):
    lines = aligned.read_bytes().splitlines(keepends=True)
    with start("export", "--to", "trl") as process:
        for line in lines[:3]:
            process.stdin.write(line)
        process.stdin.flush()
        assert orjson.loads(process.stdout.readline())["ids"] == ["g0/0", "g0/1"]
        process.communicate()
    assert process.returncode == 0
