"""The analysis that a report will make, as it can be written down before the first answer, and the code that makes it.

Nothing here is a choice of the moment: what a campaign registers are the numbers and tests that `reports` then uses.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from analysis.bootstrap import CONFIDENCE, REPLICATES
from analysis.study import MARKING, NO_EXPLANATION, PAIRWISE, RANDOM, RATING, REVEAL, SIMULATION, TOPK_GUESS

ALPHA = 0.05
SEED = 0
STOPPING = "until the planned number of judgments is in"
LIBRARIES = ("numpy", "pandas", "scipy")
MAIN_MEASURES = {
    TOPK_GUESS: "weighted_accuracy.one_minus_mean",
    REVEAL: "reveal_score",
    RATING: "mean_opinion",
    "word_importance": "mean_importance",
    PAIRWISE: "win_rate",
    **dict.fromkeys(SIMULATION, "simulation_accuracy"),
    MARKING: "marks",
}
# Of what says something about workers, not about methods, no two methods are compared.
UNCOMPARED = ("word_importance", MARKING)
Pair = tuple[str, str]


def analysis_plan(
    protocol: str,
    methods: Sequence[str],
    *,
    comparisons: Sequence[Pair] = (),
    metrics: Sequence[str] = (),
    judgments: int | None = None,
) -> dict[str, Any]:
    """What is measured, compared, tested and correlated. `methods` are all arms, `judgments` how many are planned.

    Without `comparisons` the main ones are those the report always makes: of every arm with Random, or with no
    explanation where there is no Random arm.
    """
    compared = list(comparisons) or usual_comparisons(protocol, methods)
    return {
        "main_measure": MAIN_MEASURES[protocol],
        "main_comparisons": [list(pair) for pair in compared],
        "test": _test(protocol) if compared else None,
        "correction": "holm" if compared else None,
        "alpha": ALPHA,
        "intervals": {
            "method": "bootstrap",
            "over": "texts_and_workers",
            "confidence": CONFIDENCE,
            "replicates": REPLICATES,
        },
        "seed": SEED,
        "correlate_with": sorted(metrics),
        "planned_judgments": judgments,
        "stopping_rule": STOPPING,
    }


def usual_comparisons(protocol: str, methods: Sequence[str]) -> list[Pair]:
    """Each arm with the one that says nothing of the text."""
    reference = next((arm for arm in (RANDOM, NO_EXPLANATION) if arm in methods), None)
    if reference is None or protocol in UNCOMPARED:
        return []
    return [(arm, reference) for arm in sorted(methods) if arm != reference and arm != "full_text"]


def _test(protocol: str) -> str:
    guess = "McNemar's exact test over pairs of text and k, and " if protocol == TOPK_GUESS else ""
    return f"{guess}permutation of the signs of whole texts, two-sided"


def code_versions() -> dict[str, str]:
    """Of the analysis: its own version, its sources' hash, and the libraries it stands on."""
    return {"peekaword": _version("peekaword"), "analysis": analysis_hash()} | {
        name: _version(name) for name in LIBRARIES
    }


@cache
def analysis_hash() -> str:
    """SHA-256 of the sources of `analysis`, file by file: a changed formula changes it, whatever the version says."""
    folder, digest = Path(__file__).parent, sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
