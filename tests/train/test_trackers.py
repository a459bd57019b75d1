"""Trackers: what they are told, read back from what they wrote, and that none of them can stop a run."""

import doctest
import json
import os
import struct
import subprocess
import sys

import pytest

from rcca_cli.errors import RccaError
from rcca_cli.train import stage, trackers
from rcca_cli.train.options import Options
from tests.train import helpers

RECORDS = [{"step": step, "loss": 0.5 / step, "reward_mean": None, "rows": 8, "config": "ab"} for step in (1, 2, 3)]


def place(folder):
    return trackers.Place(folder / "reports", "ckpt", {"kl": 0.0})


def told(names, folder, records=RECORDS):
    return list(trackers.told(iter(records), names, place(folder)))


def events(folder):
    """name -> [(step, value)] of all event files there, as TensorBoard reads them."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(folder)).Reload()
    return {
        name: [(event.step, pytest.approx(event.value)) for event in accumulator.Scalars(name)]
        for name in accumulator.Tags()["scalars"]
    }


def test_the_records_pass_as_they_are(tmp_path):
    assert told(["jsonl"], tmp_path) == told([], tmp_path) == told(["tensorboard"], tmp_path) == RECORDS


def test_tensorboard_has_every_number_at_its_step_and_nothing_for_null(tmp_path):
    told(["tensorboard"], tmp_path)
    assert events(tmp_path / "reports" / "tensorboard") == {
        "loss": [(1, 0.5), (2, 0.25), (3, 0.5 / 3)],
        "rows": [(1, 8.0), (2, 8.0), (3, 8.0)],
    }


def test_a_call_that_goes_on_adds_and_one_that_is_resumed_replaces(tmp_path):
    told(["tensorboard"], tmp_path, RECORDS[:2])
    told(["tensorboard"], tmp_path, RECORDS[2:])  # --from
    assert [step for step, _ in events(tmp_path / "reports" / "tensorboard")["loss"]] == [1, 2, 3]
    told(["tensorboard"], tmp_path, [record | {"loss": 9.0} for record in RECORDS[1:]])  # --resume tells them again
    assert events(tmp_path / "reports" / "tensorboard")["loss"] == [(1, 0.5), (2, 9.0), (3, 9.0)]


def test_a_tracker_that_fails_costs_a_warning_and_no_record(tmp_path, capsys):
    (tmp_path / "reports").write_text("a file, where a folder has to go")
    assert told(["tensorboard", "jsonl"], tmp_path) == RECORDS
    said = capsys.readouterr().err
    assert said.startswith("--report-to tensorboard: ")
    assert said.endswith("(the run goes on without it)\n")
    assert said.count("\n") == 1


def test_a_tracker_that_is_not_there_is_refused_before_the_first_step():
    with pytest.raises(RccaError, match="--report-to: 'mlflow' is not one of jsonl, tensorboard, trackio, wandb"):
        trackers.check(["jsonl", "mlflow"])
    code = "import sys; sys.modules['wandb'] = None; from rcca_cli.cli import main; main()"
    command = [sys.executable, "-c", code, "train", "--report-to", "wandb", "nowhere.jsonl"]
    ended = subprocess.run(command, capture_output=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == b"rcca train: --report-to wandb: it is missing (pip install wandb)\n"


def test_numbers_are_what_can_be_drawn():
    assert doctest.testmod(trackers).failed == 0


def test_train_tells_tensorboard_what_it_writes(tmp_path):
    name = helpers.saved_policy(tmp_path / "model")
    options = Options(out=str(tmp_path / "ckpt"), groups_per_step=1)
    where = trackers.Place.beside(f"{options.out}-reports", options.out, options)
    steps = stage.run(helpers.lines(helpers.random_records(2, 2, name=name)), options)
    records = list(trackers.told(steps, ["jsonl", "tensorboard"], where))
    found = events(tmp_path / "ckpt-reports" / "tensorboard")
    assert found["loss"] == [(record["step"], record["loss"]) for record in records]
    assert set(found) == set(trackers.numbers(records[0]))
    assert where.name == "ckpt"
    assert where.config["groups_per_step"] == 1


def histories(path):
    """The rows that were logged to a run's `.wandb` file: a log in blocks of 32 kB, of which this needs but one."""
    from wandb.proto import wandb_internal_pb2

    data, place = path.read_bytes(), 7
    assert len(data) < 32768
    while place < len(data):
        _, length, kind = struct.unpack_from("<IHB", data, place)
        assert kind == 1  # a whole record
        entry = wandb_internal_pb2.Record.FromString(data[place + 7 : place + 7 + length])
        place += 7 + length
        if entry.HasField("history"):
            yield entry.history.item


def test_wandb_stays_offline_and_holds_the_numbers(tmp_path):
    """In a process of its own: wandb's service may write on until that ends."""
    pytest.importorskip("wandb", reason="wandb is not installed: its tracker is NOT tested")
    code = f"""
from pathlib import Path
from rcca_cli.train import stage, trackers
from rcca_cli.train.options import Options
list(trackers.told({RECORDS!r}, ["wandb"], trackers.Place(Path("reports"), "ckpt")))
"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WANDB")}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    (file,) = tmp_path.glob("reports/wandb/offline-run-*/*.wandb")
    rows = [{(*item.nested_key, item.key)[0]: item.value_json for item in entry} for entry in histories(file)]
    found = [(int(row["_step"]), float(row["loss"]), float(row["rows"])) for row in rows]
    assert found == [(1, 0.5, 8.0), (2, 0.25, 8.0), (3, pytest.approx(0.5 / 3), 8.0)]


def test_trackio_keeps_the_numbers_on_this_machine(tmp_path):
    """In a process of its own: trackio reads TRACKIO_DIR when it is imported. No name is looked up in it."""
    pytest.importorskip("trackio", reason="trackio is not installed: its tracker is NOT tested")
    code = f"""
import json, os, socket
from pathlib import Path
os.environ["TRACKIO_DIR"] = {str(tmp_path / "trackio")!r}
asked = []
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: (asked.append(host), real(host, *rest, **more))[1]
from rcca_cli.train import stage, trackers
from rcca_cli.train.options import Options
list(trackers.told({RECORDS!r}, ["trackio"], trackers.Place(Path("reports"), "ckpt")))
from trackio.sqlite_storage import SQLiteStorage
logs = SQLiteStorage.get_logs("rcca", "ckpt")
outside = [host for host in asked if host not in ("127.0.0.1", "localhost", "0.0.0.0")]
print("found", json.dumps([[[log["step"], log["loss"], log["rows"]] for log in logs], outside]))
"""
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True)
    line = next(line for line in ended.stdout.splitlines() if line.startswith(b"found "))
    found, outside = json.loads(line.removeprefix(b"found "))
    assert found == [[1, 0.5, 8.0], [2, 0.25, 8.0], [3, pytest.approx(0.5 / 3), 8.0]]
    assert outside == []
