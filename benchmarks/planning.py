"""Whether planned power is the analysis' power, and whether each test of a report finds nothing where nothing is.

    python benchmarks/planning.py [--studies 400] [--processes 2] [--only power|null]

Simulated studies (`analysis.planning.simulating.rehearse`) go through the report's own functions, one by one. First,
for each protocol, the design that `plan` proposes for a power of 80 %: in how many studies the test finds the
difference. Then studies in which all methods are alike: in how many each test finds one at 0.05. Beside each share
stand two standard errors. All seeds are fixed.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from analysis.arrays import FloatArray  # noqa: E402
from analysis.correlation.relating import over_explanations  # noqa: E402
from analysis.modelling.design import Term, build_design  # noqa: E402
from analysis.modelling.registry import MODELS  # noqa: E402
from analysis.planning.assumptions import DEFAULTS  # noqa: E402
from analysis.planning.composing import Asked, make_plan  # noqa: E402
from analysis.planning.designing import BETWEEN, Design  # noqa: E402
from analysis.planning.simulating import rehearse  # noqa: E402
from analysis.ranking.comparing import friedman, mcnemar, mcnemar_by_text  # noqa: E402
from analysis.ranking.critical_difference import nemenyi  # noqa: E402
from analysis.ranking.signed_ranks import wilcoxon  # noqa: E402
from analysis.study import PAIRWISE, RATING, REVEAL, TOPK_GUESS, Study  # noqa: E402
from reports.measuring import Scores, Settings, differ, score_people  # noqa: E402

FORWARD = "forward_simulation"
ALPHA, REPLICATES = 0.05, 400
Found = dict[str, float]
Task = tuple[str, Design, int, bool]
# Where all methods are alike: forty texts, four methods, five judgments each.
NULL: dict[str, tuple[str, Design]] = {
    "guess, everybody meets all": (TOPK_GUESS, Design(40, 5, methods=4, steps=5)),
    "guess once, everybody meets all": (TOPK_GUESS, Design(40, 1, methods=4, steps=5)),
    "rate, everybody meets all": (RATING, Design(40, 5, methods=4)),
    "uncover, everybody meets all": (REVEAL, Design(40, 5, methods=4)),
    "foretell, everybody meets all": (FORWARD, Design(40, 5, methods=4)),
    "foretell, a method's own workers": (FORWARD, Design(40, 5, methods=4, allocation=BETWEEN)),
    "prefer, two methods": (PAIRWISE, Design(40, 5, pairs=True)),
}
POWERED = (TOPK_GUESS, RATING, REVEAL, PAIRWISE, FORWARD)
MODEL_OF = {RATING: "ordinal", REVEAL: "linear", FORWARD: "logistic", TOPK_GUESS: "logistic"}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=("power", "null"))
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    with Pool(options.processes) as pool:
        for part, check in (("power", check_power), ("null", check_null)):
            if options.only in (None, part):
                for line in check(options.studies, pool.map):
                    print(line, flush=True)
    print(f"{time.perf_counter() - started:.0f} s")


def check_power(studies: int, mapped: Callable[..., list[Found]]) -> Iterator[str]:
    yield "| protocol | design | test | planned power | of studies found | interval planned | interval found |"
    yield "|---|---|---|---|---|---|---|"
    for protocol in POWERED:
        plan = make_plan(Asked(DEFAULTS[protocol], budget=10_000_000))
        one = plan["design"]
        design = Design(one["texts"], one["judgments"], steps=one["ks"], pairs=protocol == PAIRWISE,
                        allocation=one["allocation"])  # fmt: skip
        found = mapped(_study, [(protocol, design, seed, False) for seed in range(studies)])
        shares = np.array([row[plan["test"]] <= ALPHA for row in found])
        width = np.mean([row["width"] for row in found]) / (2 if design.pairs else 1)
        yield (
            f"| {protocol} | {one['texts']} texts x {one['judgments']}, {one['workers']} workers, {one['allocation']} "
            f"| {plan['test']} | {_percent(one['power'])} | {_share(shares)} | {one['interval_width']:.3f} "
            f"| {width:.3f} |"
        )


def check_null(studies: int, mapped: Callable[..., list[Found]]) -> Iterator[str]:
    yield "| design | " + " | ".join(NULL_TESTS) + " |"
    yield "|---" * (1 + len(NULL_TESTS)) + "|"
    for name, (protocol, design) in NULL.items():
        found = mapped(_study, [(protocol, design, seed, True) for seed in range(studies)])
        cells = []
        for test in NULL_TESTS:
            p = np.array([row[test] for row in found if test in row and np.isfinite(row[test])])
            cells.append(_share(p <= ALPHA) if len(p) else "")
        yield f"| {name} | " + " | ".join(cells) + " |"


NULL_TESTS = (
    "sign_flip", "wilcoxon", "mcnemar", "mcnemar_by_text", "texts_and_workers", "friedman", "nemenyi", "mixed_model",
    "within_texts", "labels",
)  # fmt: skip


def _study(task: Task) -> Found:
    """p of every test of one study, where there is one, of the second method against the first."""
    protocol, design, seed, null = task
    study = rehearse(DEFAULTS[protocol], design, seed, null=null)
    scores = score_people(study)
    apart = differ(scores, Settings(seed, REPLICATES)).between(1, 0)
    low, high = apart.interval
    found = {
        "sign_flip": apart.p_by_text(seed),
        "wilcoxon": wilcoxon(apart.by_text).p,
        "texts_and_workers": apart.p_by_text_and_worker() or 1.0,
        "width": float(high - low),
    }
    return found | _of_verdicts(scores) | (_of_several(study, scores, seed) if null else {})


def _of_verdicts(scores: Scores) -> Found:
    if scores.grid is None:
        return {}
    one, other = scores.grid.verdicts[:, 1], scores.grid.verdicts[:, 0]
    only = ((one > other).sum(axis=1), (one < other).sum(axis=1), np.full(len(one), one.shape[1]))
    return {
        "mcnemar": mcnemar(one, other).p,
        "mcnemar_by_text": mcnemar_by_text(*(part.astype(float) for part in only)),
    }


def _of_several(study: Study, scores: Scores, seed: int) -> Found:
    by_text = scores.by_text if scores.grid is None else scores.grid.verdicts.sum(axis=-1)
    found: Found = {}
    if by_text.shape[1] > 2:
        found["friedman"] = friedman(by_text).p or 1.0
        ranked = nemenyi(by_text)
        found["nemenyi"] = 1.0 if ranked is None else float(ranked.p[np.triu_indices(by_text.shape[1], 1)].min())
        found |= _of_metrics(scores, seed)
    if study.protocol in MODEL_OF:
        found["mixed_model"] = _mixed(study)
    return found


def _of_metrics(scores: Scores, seed: int) -> Found:
    """A metric that knows nothing of people: it has texts and methods of its own. Kendall's tau."""
    rng = np.random.default_rng(seed)
    texts, methods = len(scores.texts), len(scores.methods)
    metric: FloatArray = rng.normal(size=(texts, 1)) + rng.normal(size=(1, methods)) + rng.normal(size=(texts, methods))
    _, within = over_explanations(scores.people, metric[..., None], ["higher"], replicates=199, seed=seed)
    return {"within_texts": float(within.p[0, 0]), "labels": float(within.p_labels[0, 0])}


def _mixed(study: Study) -> float:
    """p of the second method against the first, with random intercepts of texts, workers and maps."""
    assert study.judgments is not None
    judged = study.judgments
    rows = judged.assign(answer=judged["score"], map=judged["text"] + " " + judged["method"])
    terms = [Term("method", reference="m0"), *([Term("k", is_number=True)] if rows["k"].notna().any() else [])]
    fit = MODELS[MODEL_OF[study.protocol]].fit(build_design(rows, "answer", terms))
    own = [effect.p for effect in fit.effects if effect.column.level == "m1"]
    return own[0] if own else float("nan")


def _share(found: np.ndarray) -> str:
    share = float(found.mean())
    return f"{_percent(share)} ± {200 * np.sqrt(max(share * (1 - share), 0.01) / len(found)):.1f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


if __name__ == "__main__":
    main()
