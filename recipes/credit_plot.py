"""The plots of `rcca bench credit --report FILE.json`, as SVG in a folder: those for which the report has the arms.

python recipes/credit_plot.py credit.json docs/images
"""

import json
import sys
from importlib import resources
from itertools import cycle
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "rcca"  # the same figures give the same file
import matplotlib.pyplot as plt  # noqa: E402 - after the choice of how to draw
import numpy as np  # noqa: E402

# Of Okabe and Ito's palette, which colour-blind people can tell apart; the dashes are for those who print.
STYLES = [("#0072B2", "-"), ("#D55E00", "--"), ("#009E73", "-."), ("#999999", ":"), ("#CC79A7", "-"), ("#E69F00", "--")]
DOSES = {"oracle": 1.0, "wrong-30": 0.7, "wrong-60": 0.4, "wrong-100": 0.0}  # share of items at their true places
FAILURES = ("exception", "dead", "silent", "visual", "absent")


def curves(report: dict) -> plt.Figure:
    """Held-out pass and pages that work over the answers learned from: means over seeds, and their spread (1 SD)."""
    figure, axes = plt.subplots(2, 1, figsize=(7, 5.6), sharex=True, height_ratios=(3, 1.3), layout="constrained")
    told = {"passed": "requirements that hold", "functional": "pages that work"}
    for axis, (name, title) in zip(axes, told.items(), strict=True):
        for arm, (colour, dashes) in zip(report["arms"], cycle(STYLES)):
            runs = [run["curves"][name] for run in report["runs"] if run["arm"] == arm["arm"]]
            samples, values = np.array(runs[0])[:, 0], np.array([[value for _, value in run] for run in runs])
            mean, spread = values.mean(0), values.std(0, ddof=1) if len(runs) > 1 else 0 * values[0]
            axis.plot(samples, mean, color=colour, linestyle=dashes, label=f"{arm['arm']} ({len(runs)} seeds)")
            axis.fill_between(samples, mean - spread, mean + spread, color=colour, alpha=0.12, linewidth=0)
        axis.set_ylabel(title)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False, loc="lower right")
    axes[1].set_ylim(min(0.7, axes[1].get_ylim()[0]), 1.0)
    axes[1].set_xlabel("answers learned from")
    return figure


def differences(report: dict) -> plt.Figure:
    """The paired difference of areas of each two arms, with its interval."""
    found = [one for one in report["comparisons"] if one["auc"]["low"] is not None]
    figure, axis = plt.subplots(figsize=(7, 0.9 + 0.32 * len(found)), layout="constrained")
    for place, one in enumerate(reversed(found)):
        area = one["auc"]
        axis.plot([area["low"], area["high"]], [place, place], color="#333333", linewidth=1.2)
        axis.plot(area["mean"], place, "o", color="#0072B2")
    axis.axvline(0, color="#999999", linewidth=0.8)
    axis.set_yticks(range(len(found)), [f"{one['arm']} − {one['control']}" for one in reversed(found)])
    axis.set_xlabel("difference of areas under the held-out curve, same seeds")
    axis.spines[["top", "right", "left"]].set_visible(False)
    return figure


def doses(report: dict) -> plt.Figure:
    """The area over the share of failed items whose credit is at its true place; where `align` stands, is marked."""
    areas = {arm["arm"]: arm["auc"] for arm in report["arms"]}
    points = sorted((share, areas[name]) for name, share in DOSES.items())
    figure, axis = plt.subplots(figsize=(7, 3.6), layout="constrained")
    axis.plot(*zip(*points, strict=True), "o-", color="#0072B2")
    for (name, value), dashes in zip(areas.items(), cycle([":", "--", "-."])):
        if name in ("uniform-gates", "broadcast"):
            axis.axhline(value, color="#999999", linestyle=dashes, linewidth=1)
            axis.annotate(name, (0.005, value), va="bottom", color="#555555")
    axis.axvline(accuracy(), color="#D55E00", linestyle="--", linewidth=1)
    axis.annotate("align", (accuracy(), points[0][1]), xytext=(4, 0), textcoords="offset points", color="#D55E00")
    axis.set_xlabel("share of items whose credit is at its true place")
    axis.set_ylabel("area under the held-out curve")
    axis.spines[["top", "right"]].set_visible(False)
    return figure


def accuracy() -> float:
    """How often most of a failed item's credit is at its true place, as `rcca bench align` measured it."""
    table = json.loads((resources.files("rcca_cli") / "bench/credit/confusion.json").read_text(encoding="utf-8"))
    right = {kind: sum(row["share"] for row in table["kinds"][kind] if row["place"] == "right") for kind in FAILURES}
    return sum(right[kind] * table["n"][kind] for kind in FAILURES) / sum(table["n"][kind] for kind in FAILURES)


def draw(report: dict, folder: Path) -> None:
    """All plots that the report has something for."""
    names = {arm["arm"] for arm in report["arms"]}
    plots = {
        "credit-curves": curves if report["runs"] else None,
        "credit-differences": differences if any(one["auc"]["low"] for one in report["comparisons"]) else None,
        "credit-doses": doses if names >= DOSES.keys() else None,
    }
    for name, plot in plots.items():
        if plot:
            plot(report).savefig(folder / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))
