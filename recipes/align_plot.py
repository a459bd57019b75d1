"""The plot of `rcca bench align --report FILE.json` as docs/images/align.svg: top 1 and mass by kind of failure.

python recipes/align_plot.py align.json docs/images/align.svg
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "rcca"  # the same figures give the same file
import matplotlib.pyplot as plt  # noqa: E402 - after the choice of how to draw
import numpy as np  # noqa: E402

TYPES = ("exception", "dead", "silent", "visual", "absent")
# Of Okabe and Ito's palette, which colour-blind people can tell apart.
BARS = {
    "uniform": ("chance", "#999999"),
    "fused": ("all evidence, no model", "#0072B2"),
    "quote70": ("with quotes that are right in 70 %", "#E69F00"),
    "siblings": ("beside other answers to the task", "#009E73"),
}
PANELS = {"top1": "heaviest unit holds the fault", "top5": "one of the five heaviest does", "mass": "mass on the fault"}


def draw(report: dict, path: str) -> None:
    """One panel a figure, one group of bars a kind of failure; whiskers are 95 % over mutants."""
    figure, axes = plt.subplots(1, len(PANELS), figsize=(13, 3.6), sharey=True, layout="constrained")
    for axis, (figure_name, title) in zip(axes, PANELS.items(), strict=True):
        for number, (variant, (label, colour)) in enumerate(BARS.items()):
            found = [report["variants"][variant][kind] for kind in TYPES]
            values = np.array([one[figure_name] or 0.0 for one in found])
            bounds = [one["ranges"][figure_name] for one in found]
            spread = np.array([[v - (b[0] or v), (b[1] or v) - v] for v, b in zip(values, bounds, strict=True)]).T
            places = np.arange(len(TYPES)) + (number - 1.5) * 0.2
            axis.bar(places, values, 0.19, label=label, color=colour)
            axis.errorbar(places, values, np.maximum(spread, 0), fmt="none", ecolor="#333333", elinewidth=0.8)
        axis.set_title(title, fontsize=10)
        axis.set_xticks(np.arange(len(TYPES)), [f"{kind}\n{report['summary'][kind]['n']}" for kind in TYPES])
        axis.set_ylim(0, 1.02)
        axis.spines[["top", "right"]].set_visible(False)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text()), sys.argv[2])
