"""How long a report takes, by the number of judgments: numbers, drawings and files. Above building.LARGE a worker
process makes it.

    python benchmarks/reports.py [--judgments 5000,20000,50000]
"""

import argparse
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from analysis.study import JUDGMENT_COLUMNS, METRIC_COLUMNS, TOPK_GUESS, Study, study_of_judgments  # noqa: E402
from reports.filing import make_files, pack  # noqa: E402
from reports.presenting import draw_figures  # noqa: E402
from reports.reporting import build_report  # noqa: E402

METHODS = ["integrated_gradients", "gradient", "input_x_gradient", "lime", "attention_all", "random"]
KS = [5, 10, 20, 30]
VOTES = 5


def made_up(judgments: int, seed: int = 0) -> Study:
    """Texts under all methods and ks, five votes each; as many workers as give forty judgments each."""
    rng = np.random.default_rng(seed)
    texts = max(1, judgments // (len(METHODS) * len(KS) * VOTES))
    cells = [(f"t{text}", at, k) for text in range(texts) for at in range(len(METHODS)) for k in KS]
    workers = max(VOTES, len(cells) * VOTES // 40)
    rows = []
    for number, (text, at, k) in enumerate(cells):
        for vote in range(VOTES):
            right = rng.random() < 0.85 - 0.08 * at + 0.004 * k
            worker = f"w{(number * VOTES + vote * 7919) % workers}"
            label = "pos" if right else "neg"
            rows.append((text, METHODS[at], k, worker, label, "pos", float(right), 0, 4000 + vote))
    metrics = [
        (f"t{text}", method, metric, rng.normal())
        for text in range(texts) for method in METHODS for metric in ("comprehensiveness", "sufficiency")
    ]  # fmt: skip
    frames = pd.DataFrame(rows, columns=JUDGMENT_COLUMNS), pd.DataFrame(metrics, columns=METRIC_COLUMNS)
    return study_of_judgments(TOPK_GUESS, frames[0], metrics=frames[1], meta={"source": "made-up"})


def measure(judgments: int) -> list[str]:
    study, moments = made_up(judgments), [time.perf_counter()]
    report = build_report(study)
    moments.append(time.perf_counter())
    figures = draw_figures(report)
    moments.append(time.perf_counter())
    size = sum(len(file.content) for file in make_files(pack(report, figures, study)))
    moments.append(time.perf_counter())
    seconds = [later - earlier for earlier, later in zip(moments, moments[1:], strict=False)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        f"{report['meta']['n_judgments']:,}",
        *(f"{one:.1f}" for one in seconds),
        f"{size / 1e6:.1f}",
        f"{memory:.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--judgments", default="5000,20000,50000", help="by commas (default %(default)s)")
    print(
        "| judgments | numbers, s | drawings, s | files, s | files, MB | peak memory, MB |\n|---|---|---|---|---|---|"
    )
    for judgments in parser.parse_args().judgments.split(","):
        print("| " + " | ".join(measure(int(judgments))) + " |", flush=True)


if __name__ == "__main__":
    main()
