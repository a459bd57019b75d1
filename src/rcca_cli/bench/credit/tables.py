"""What `rcca bench credit` says on standard error."""

from typing import Any

from rcca_cli import console
from rcca_cli.bench.credit.evaluation import SUBSETS

Record = dict[str, Any]


def show(found: Record) -> None:
    """The tables of what there is."""
    if found.get("arms"):
        show_arms(found["arms"])
        show_comparisons(found["comparisons"])
        show_equal_cpu(found["arms"], found["comparisons"])
        show_subsets(found["arms"], found["comparisons"])
        show_agreement(found.get("agreement"))
    if found.get("tasks"):
        show_tasks(found["tasks"])
    if found.get("estimator"):
        show_estimator(found["estimator"])


def show_arms(arms: list[Record]) -> None:
    """What each arm came to."""
    keys = ("auc", "start", "final", "final_all_pass", "final_functional", "drift", "grad_norm")
    columns = ("arm", "seeds", "area", "start", "final", "whole", "works", "drift", "norm", "samples to half way")
    rows = []
    for arm in arms:
        half = arm["samples_to"]["0.5"]
        told = f"{'> ' if half['censored'] else ''}{half['samples']:.0f}"
        rows.append([arm["arm"], str(len(arm["seeds"])), *(number(arm[key]) for key in keys), told])
    console.table(columns, rows, "Share of the rubric that passes on held-out tasks, and pages that work")


def show_comparisons(comparisons: list[Record]) -> None:
    """Each two arms on the same seeds: differences of areas."""
    rows = []
    for one in comparisons:
        area = one["auc"]
        tests = [number(area["p_t"]), number(area["p_flip"])]
        works = f"{one['functional']['mean']:+.3f}"
        needed = "–" if one["seeds_needed"] is None else str(one["seeds_needed"])
        rows.append([f"{one['arm']} − {one['control']}", difference(area), *tests, works, needed])
    if rows:
        columns = ("arms", "area", "p, t", "p, signs", "works", "seeds for .04")
        console.table(columns, rows, "Differences on the same seeds, with their intervals")


def show_equal_cpu(arms: list[Record], comparisons: list[Record]) -> None:
    """What arms come to in the processor seconds of the cheapest run of each seed."""
    told = [(arm["arm"], arm["equal_cpu"]) for arm in arms if arm["equal_cpu"]]
    rows = [[name, f"{one['seconds']:.0f}", number(one["auc"]), number(one["passed"])] for name, one in told]
    pairs = [(f"{one['arm']} − {one['control']}", one["equal_cpu"]) for one in comparisons if one["equal_cpu"]]
    rows += [[name, "", difference(one["auc"]), difference(one["passed"])] for name, one in pairs]
    if rows:
        without = "evaluations" if told[0][1]["browser"] else "evaluations and the browser"
        console.table(("arms", "CPU s", "area", "final"), rows, f"At equal processor seconds, {without} not counted")


def show_subsets(arms: list[Record], comparisons: list[Record]) -> None:
    """The areas over parts of the held-out tasks."""
    told = [(arm["arm"], arm["subsets"]) for arm in arms if arm["subsets"]]
    rows = [[name, *(number(found[part]["auc"]) for part in SUBSETS)] for name, found in told]
    pairs = [(f"{one['arm']} − {one['control']}", one["subsets"]) for one in comparisons if one["subsets"]]
    rows += [[name, *(difference(one.get(part)) for part in SUBSETS)] for name, one in pairs]
    if rows:
        columns = ("arms", "pairs learned from", "unseen pairs", "families not fitted on")
        console.table(columns, rows, "Areas over parts of the held-out tasks")


def show_tasks(found: Record) -> None:
    """Whether the policy had been taught what it was evaluated on."""
    if found["taught"] is None:
        console.note("the policy does not say what tasks it was taught (taught in its config.json)")
        return
    told = ", ".join(f"{found['known'][name]} of {count} of {name}" for name, count in found["different"].items())
    console.note(f"of the different tasks the policy had been taught {told}")


def show_agreement(found: Record | None) -> None:
    """How far the oracle's verdicts can be taken for the judge's."""
    if found:
        least, apart = found["least"], found["apart"]
        console.note(
            f"the oracle says what the judge says of {number(least['passed'])} of passed and {number(least['failed'])} "
            f"of failed items at the least; arms differ by {number(apart['passed'])} and {number(apart['failed'])} "
            f"({'enough' if found['enough'] else 'not enough: at least .98 and at most .01 are asked for'})"
        )


def show_estimator(found: Record) -> None:
    """How each arm's gradient stands to that of the true pass rate."""
    rows = [
        [
            arm["arm"],
            f"{arm['cosine']:+.3f} ± {arm['cosine_error']:.3f}",
            *(number(arm[key]) for key in ("cosine_of_mean", "bias", "noise")),
        ]
        for arm in found["arms"]
    ]
    columns = ("arm", "cosine of a batch", "of the mean", "bias", "noise")
    answers, reliability = found["reference"]["answers"], found["reference"]["reliability"]
    console.table(columns, rows, f"Against the gradient of the pass rate, by {answers} answers")
    console.note(f"of the reference's squared length {number(reliability)} is the gradient, the rest its own noise")
    pairs = [
        [f"{one['arm']} − {one['control']}", f"{one['cosine']:+.3f} ± {one['cosine_error']:.3f}"]
        for one in found["differences"]
    ]
    if pairs:
        console.table(("arms", "cosine of a batch"), pairs, "Differences on the same batches, and standard errors")


def difference(found: Record | None) -> str:
    """A mean difference with its interval, if there is one."""
    if found is None:
        return "–"
    sure = "" if found["low"] is None else f" [{found['low']:+.3f}, {found['high']:+.3f}]"
    return f"{found['mean']:+.3f}{sure}"


def number(value: float | None) -> str:
    """A figure, or that there is none."""
    return "–" if value is None else f"{value:.3f}"
