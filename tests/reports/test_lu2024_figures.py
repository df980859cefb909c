"""Every figure of the published table, recomputed from the published verdicts."""

from functools import cache
from typing import Any

import pytest

from analysis.presets.lu2024 import read_lu2024
from reports.reporting import build_report
from tests.analysis.published import published

# Per cent: accuracy at k = 5, 10, 20, 30, 40; mean; weighted by 1 - mean and by 1 / mean; texts with a flip.
PUBLISHED = {
    "Integrated_Gradient": ([74, 81, 87, 80, 87], "81.8", "81.16", "81.38", 28),
    "Vanilla_Gradient": ([75, 81, 73, 80, 85], "78.8", "78.53", "78.63", 31),
    "All_Attention": ([66, 74, 81, 87, 84], "78.4", "77.22", "77.63", 18),
    "Last_Attention": ([53, 60, 73, 72, 78], "67.2", "65.69", "66.22", 27),
    "DeepLIFT": ([52, 37, 60, 52, 67], "53.6", "52.45", "52.89", 50),
    "InputXGrad": ([46, 46, 60, 56, 52], "52.0", "51.30", "51.54", 54),
    "Random": ([25, 42, 41, 55, 54], "43.4", "41.85", "42.39", 42),
    "LIME": ([30, 28, 47, 48, 44], "39.4", "38.10", "38.56", 54),
}
# Pairs only the method got right, pairs only Random got right, p as printed (None where none is).
AGAINST_RANDOM = {
    "Integrated_Gradient": (221, 29, "9.2e-38"),
    "Vanilla_Gradient": (210, 33, None),
    "All_Attention": (205, 30, None),
    "Last_Attention": (170, 51, None),
    "DeepLIFT": (145, 94, "1.2e-03"),
    "InputXGrad": (144, 101, "7.2e-03"),
    "LIME": (95, 115, "1.9e-01"),
}


@cache
def report() -> dict[str, Any]:
    return build_report(read_lu2024(published("lu2024/IMDB.csv")), replicates=200)


def method(source_name: str) -> dict[str, Any]:
    return next(row for row in report()["methods"] if row["source_name"] == source_name)


@pytest.mark.parametrize("name", PUBLISHED)
def test_accuracy_by_k(name: str) -> None:
    by_k = method(name)["by_k"]
    assert [round(by_k[k]["accuracy"] * 100, 9) for k in ("5", "10", "20", "30", "40")] == PUBLISHED[name][0]
    assert {cell["n"] for cell in by_k.values()} == {100}


@pytest.mark.parametrize("name", PUBLISHED)
def test_means_and_flips(name: str) -> None:
    _, mean, one_minus_mean, inverse_mean, flips = PUBLISHED[name]
    row = method(name)
    assert f"{row['mean_accuracy'] * 100:.1f}" == mean
    assert f"{row['weighted_accuracy']['one_minus_mean'] * 100:.2f}" == one_minus_mean
    assert f"{row['weighted_accuracy']['inverse_mean'] * 100:.2f}" == inverse_mean
    assert f"{row['weighted_accuracy']['uniform'] * 100:.1f}" == mean
    assert round(row["flip_rate"] * 100, 9) == flips


def test_the_order_of_the_table_is_the_ranking() -> None:
    assert [row["source_name"] for row in report()["methods"]] == list(PUBLISHED)
    assert [row["rank"] for row in report()["methods"]] == list(range(1, 9))


def test_flips_over_all_methods() -> None:
    assert report()["flips"] == {
        "steps": 3200, "flipped_steps": 350, "sequences": 800, "flipped_sequences": 304,
    }  # fmt: skip


def test_friedman() -> None:
    found = report()["friedman"]
    assert f"{found['chi2']:.2f}" == "221.38"
    assert f"{found['p']:.1e}" == "3.4e-44"


@pytest.mark.parametrize("name", AGAINST_RANDOM)
def test_mcnemar_against_random(name: str) -> None:
    method_only, random_only, p = AGAINST_RANDOM[name]
    found = method(name)["vs_random"]
    assert (found["method_only"], found["random_only"]) == (method_only, random_only)
    assert p is None or f"{found['p']:.1e}" == p


def test_a_test_by_text_stands_beside_mcnemar() -> None:
    # Pooled pairs of one text are no independent evidence: the test by text is the more cautious one.
    for name in AGAINST_RANDOM:
        found = method(name)["vs_random"]
        assert found["p"] < found["p_clustered"] <= found["p_clustered_adjusted"] <= 1


def test_random_is_not_compared_with_itself() -> None:
    assert "vs_random" not in method("Random")


def test_votes_are_not_invented() -> None:
    assert "agreement" not in report() and "workers" not in report()
    assert method("LIME")["n_judgments"] is None
    assert method("LIME")["n_stimuli"] == 500
    assert [warning["code"] for warning in report()["warnings"]] == ["only_majority_verdicts"]
