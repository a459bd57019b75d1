"""The plots of `rcca bench credit --report FILE.json`, as SVG in a folder: those for which the report has the figures.

python recipes/credit_plot.py credit.json docs/images [ARM,ARM...]

With arms, curves and differences are of these alone; six can be told apart without colour.
"""

import json
import sys
from importlib import resources
from itertools import cycle
from pathlib import Path
from typing import NoReturn

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "rcca"  # the same figures give the same file
import matplotlib.pyplot as plt  # noqa: E402 - after the choice of how to draw
import numpy as np  # noqa: E402

# Of Okabe and Ito's palette, which colour-blind people can tell apart; dashes and marks are for those who print.
STYLES = [
    {"color": colour, "linestyle": dashes, "marker": mark, "markersize": 4.5}
    for colour, dashes, mark in [
        ("#0072B2", "-", "o"),
        ("#D55E00", "--", "s"),
        ("#009E73", "-.", "^"),
        ("#555555", ":", "D"),
        ("#CC79A7", "-", "v"),
        ("#E69F00", "--", "x"),
    ]
]
DOSES = {"oracle": 1.0, "wrong-30": 0.7, "wrong-60": 0.4, "wrong-100": 0.0}  # share of items at their true places
CONTROLS = ("uniform-gates", "broadcast")
MANY = 15  # differences in one plot
FAILURES = ("exception", "dead", "silent", "visual", "absent")


def curves(report: dict) -> plt.Figure:
    """Held-out pass and pages that work over the answers learned from: means over seeds, and their spread (1 SD)."""
    figure, axes = plt.subplots(2, 1, figsize=(7, 5.6), sharex=True, height_ratios=(3, 1.3), layout="constrained")
    told = {"passed": "requirements that hold", "functional": "pages that work"}
    for axis, (name, title) in zip(axes, told.items(), strict=True):
        for arm, style in zip(report["arms"], cycle(STYLES)):
            runs = [run["curves"][name] for run in report["runs"] if run["arm"] == arm["arm"]]
            samples, values = np.array(runs[0])[:, 0], np.array([[value for _, value in run] for run in runs])
            mean, spread = values.mean(0), values.std(0, ddof=1) if len(runs) > 1 else 0 * values[0]
            axis.plot(samples, mean, **style, label=label(arm["arm"], len(runs)))
            axis.fill_between(samples, mean - spread, mean + spread, color=style["color"], alpha=0.12, linewidth=0)
        axis.set_ylabel(title)
        axis.spines[["top", "right"]].set_visible(False)
    beside(figure, axes[0])
    axes[1].set_ylim(min(0.7, axes[1].get_ylim()[0]), 1.0)
    axes[1].set_xlabel("answers learned from")
    return figure


def beside(figure: plt.Figure, axis: plt.Axes) -> None:
    """The legend, where no curve is."""
    figure.legend(*axis.get_legend_handles_labels(), frameon=False, loc="outside upper center", ncols=3)


def label(arm: str, seeds: int) -> str:
    """An arm in a legend."""
    return f"{arm} ({seeds} {'seed' if seeds == 1 else 'seeds'})"


def over_cpu(report: dict) -> plt.Figure:
    """Held-out pass over processor seconds: a mean over seeds, as far as the cheapest run of the arm goes."""
    figure, axis = plt.subplots(figsize=(7, 3.8), layout="constrained")
    for arm, style in zip(report["arms"], cycle(STYLES)):
        curves = [np.array(run["over_cpu"]) for run in report["runs"] if run["arm"] == arm["arm"] and run["over_cpu"]]
        if curves:
            points = np.unique(np.concatenate([curve[:, 0] for curve in curves]))
            seconds = points[points <= min(curve[-1, 0] for curve in curves)]
            mean = np.mean([np.interp(seconds, *curve.T) for curve in curves], axis=0)
            axis.plot(seconds, mean, **style, markevery=len(curves), label=label(arm["arm"], len(curves)))
    beside(figure, axis)
    told = all(arm["equal_cpu"]["browser"] for arm in report["arms"] if arm["equal_cpu"])
    counted = (
        "sampling, judging, credit and updates" if told else "sampling, credit and updates; the browser's left out"
    )
    axis.set_xlabel(f"processor seconds of {counted}")
    axis.set_ylabel("requirements that hold")
    axis.spines[["top", "right"]].set_visible(False)
    return figure


def cosines(report: dict) -> plt.Figure:
    """How near each arm's gradient of one batch is to that of the pass rate, and of its mean; 95 % of the first.

    The second is put together from unbiased estimates, so that it can be beyond 1 where batches are few.
    """
    found = sorted(report["estimator"]["arms"], key=lambda arm: arm["cosine"])
    figure, axis = plt.subplots(figsize=(7, 1.1 + 0.3 * len(found)), layout="constrained")
    places = range(len(found))
    means = [arm["cosine"] for arm in found]
    errors = [1.96 * arm["cosine_error"] for arm in found]
    axis.errorbar(
        means, places, xerr=errors, fmt="o", color="#0072B2", ecolor="#333333", label="of one batch, with 95 %"
    )
    whole = [(arm["cosine_of_mean"], place) for place, arm in enumerate(found) if arm["cosine_of_mean"] is not None]
    axis.plot(
        *zip(*whole, strict=True),
        "D",
        color="#D55E00",
        fillstyle="none",
        label="of the mean of batches (beyond 1: its noise)",
    )
    axis.axvline(1, color="#999999", linewidth=0.8, linestyle=":")
    axis.axvline(0, color="#999999", linewidth=0.8)
    axis.set_yticks(places, [arm["arm"] for arm in found])
    axis.set_xlabel("cosine to the gradient of the pass rate")
    axis.set_ylim(-0.6, len(found) - 0.4)
    beside(figure, axis)
    axis.spines[["top", "right", "left"]].set_visible(False)
    return figure


def differences(report: dict) -> plt.Figure:
    """The paired difference of areas of each two arms, with its interval; of many, against the controls alone."""
    found = [one for one in report["comparisons"] if one["auc"]["low"] is not None]
    if len(found) > MANY:
        found = [one for one in found if one["control"] in CONTROLS] or found
    figure, axis = plt.subplots(figsize=(7, 0.9 + 0.32 * len(found)), layout="constrained")
    for place, one in enumerate(reversed(found)):
        area = one["auc"]
        axis.plot([area["low"], area["high"]], [place, place], color="#333333", linewidth=1.2)
        axis.plot(area["mean"], place, "o", color="#0072B2")
    axis.axvline(0, color="#999999", linewidth=0.8)
    axis.set_yticks(range(len(found)), [f"{one['arm']} − {one['control']}" for one in reversed(found)])
    axis.set_ylim(-0.6, len(found) - 0.4)
    axis.set_xlabel("difference of areas under the held-out curve, same seeds")
    axis.spines[["top", "right", "left"]].set_visible(False)
    return figure


def doses(report: dict) -> plt.Figure:
    """The area, with the spread of seeds (1 SD), over the share of items whose credit is at its true place.

    Where `align` stands, is marked.
    """
    areas = {arm["arm"]: arm["auc"] for arm in report["arms"]}
    points = sorted((share, areas[name]) for name, share in DOSES.items())
    figure, axis = plt.subplots(figsize=(7, 3.6), layout="constrained")
    seeds = {name: [run["auc"] for run in report["runs"] if run["arm"] == name] for name in DOSES}
    spread = [np.std(seeds[name], ddof=1) if len(seeds[name]) > 1 else 0.0 for name in sorted(DOSES, key=DOSES.get)]
    axis.errorbar(*zip(*points, strict=True), yerr=spread, fmt="o-", color="#0072B2", ecolor="#333333", capsize=3)
    for (name, value), dashes in zip(areas.items(), cycle([":", "--", "-."])):
        if name in CONTROLS:
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


def only(report: dict, arms: list[str]) -> dict:
    """The report with what it has of these arms, in this order."""
    rows = {arm["arm"]: arm for arm in report["arms"]}
    pairs = [one for one in report["comparisons"] if {one["arm"], one["control"]} <= set(arms)]
    return report | {"arms": [rows[name] for name in arms if name in rows], "comparisons": pairs}


def draw(report: dict, folder: Path, arms: list[str]) -> None:
    """All plots that the report has something for."""
    shown = only(report, arms) if arms else report
    names = {arm["arm"] for arm in report["arms"]}
    sure = any(one["auc"]["low"] is not None for one in shown["comparisons"])
    plots = {
        "curves": (curves, shown, shown["arms"]),
        "cpu": (over_cpu, shown, any(run.get("over_cpu") for run in report["runs"])),
        "differences": (differences, shown, sure),
        "doses": (doses, report, names >= DOSES.keys()),
        "cosines": (cosines, report, report.get("estimator")),
    }
    for name, (plot, figures, there) in plots.items():
        if there:
            plot(figures).savefig(folder / f"credit-{name}.svg", metadata={"Date": None})


def main(words: list[str]) -> None:
    """What the command line says; exit code 2, after one line, for what cannot be drawn."""
    if len(words) < 2:
        refuse("a report and a folder are needed: credit_plot.py FILE.json FOLDER [ARM,ARM...]")
    file, folder, arms = words[0], Path(words[1]), [name for word in words[2:] for name in word.split(",")]
    try:
        report = json.loads(Path(file).read_text(encoding="utf-8"))
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        refuse(f"{file}: not JSON: {error} (make it anew: rcca bench credit --report {file})")
    if not isinstance(report, dict) or not report.keys() >= {"arms", "comparisons", "runs"}:
        refuse(f"{file}: no report of rcca bench credit")
    there = [arm["arm"] for arm in report["arms"]]
    for name in arms:
        if name not in there:
            refuse(f"{name}: no such arm in {file} (there are {', '.join(there) or 'none'})")
    draw(report, folder, arms)


def refuse(why: str) -> NoReturn:
    """End with why on one line."""
    sys.stderr.write(f"credit_plot: {why}\n")
    sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
