"""Judged records without a judge, for what counts them."""

from rcca_cli import records
from rcca_cli.bench.miniapp import load

RECORDS = {record["group"].partition(":")[2]: record for record in load.tasks()}
GATES = ("format", "source", "runtime")


def verdict(name, passed, failure=None):
    return {
        "rubric": name,
        "passed": passed,
        "severity": 1.0,
        "failure": failure if passed is False else None,
        "confidence": 1.0,
        "diagnosis": None,
        "evidence": [],
        "error": "the browser was lost" if passed is None else None,
    }


def judged(task, failed=(), unknown=(), level="functional", failure="silent", sample=0, reward=0.5):
    """A record of `task` in which these items failed, these are not known and the others pass."""
    record = RECORDS[task]
    verdicts = [
        verdict(item["id"], None if item["id"] in unknown else item["id"] not in failed, failure)
        for item in record["task"]["rubric"]
    ]
    gates = [{"level": gate, "passed": gate != level, "diagnosis": None, "start": None, "end": None} for gate in GATES]
    judge = {"level": level, "reward": reward, "artifact": None, "gates": gates, "verdicts": verdicts}
    return record | {"id": f"{record['group']}/{sample}", "rollout": records.text_only(""), "judge": judge}
