"""Reports of protocols whose answers are neither guesses at some k nor ratings."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.presets.peekaword import study_of_export
from analysis.study import JUDGMENT_COLUMNS, Study, study_of_judgments
from reports.presenting import draw_figures, explain_methods, make_tables, summarise
from reports.reporting import as_json, build_report
from reports.wording import open_report

FEW = 50


def study(protocol: str, rows: Sequence[tuple[str, str, str, str, float | None]], other: str = "") -> Study:
    """Rows of text, method, worker, label and score."""
    made = [(text, method, pd.NA, worker, label, "", score, 0, 900) for text, method, worker, label, score in rows]
    frame = pd.DataFrame(made, columns=JUDGMENT_COLUMNS)
    return study_of_judgments(protocol, frame.assign(other=other) if other else frame)


def pairs() -> Study:
    """In 8 texts of 10 LIME is preferred to Gradient, in one it is a tie."""
    scores = [1.0] * 8 + [0.5, 0.0]
    return study("pairwise", [(f"t{at}", "lime", "w1", str(s), s) for at, s in enumerate(scores)], other="gradient")


def test_it_works() -> None:
    report = build_report(pairs(), replicates=FEW)
    rates = {row["method"]: row["win_rate"]["value"] for row in report["methods"]}
    assert rates == {"lime": pytest.approx(0.85), "gradient": pytest.approx(0.15)}
    assert [row["rank"] for row in report["methods"]] == [1, 2]
    assert report["meta"]["n_judgments"] == 10 and report["meta"]["ranked_by"] == "win_rate"
    assert summarise(report)[0].startswith("LIME has the highest win rate, 85.00 %")


def test_what_one_side_wins_the_other_loses() -> None:
    judgments = pairs().judgments
    assert judgments is not None
    by_text = judgments.groupby("text")["score"].sum()
    assert np.allclose(by_text, 1.0) and len(judgments) == 20


def test_agreement_is_over_answers_and_not_over_sides() -> None:
    rows = [(f"t{at}", "lime", worker, "first", 1.0) for at in range(4) for worker in ("w1", "w2")]
    rows += [("t9", "lime", "w1", "first", 1.0), ("t9", "lime", "w2", "second", 0.0)]
    report = build_report(study("pairwise", rows, other="gradient"), replicates=FEW)
    agreed = report["agreement"][0]
    assert (agreed["coefficient"], agreed["n_units"], agreed["value"]) == ("percent_agreement", 5, pytest.approx(0.8))
    assert {row["n_judgments"] for row in report["workers"]} == {5}


def test_a_gain_over_no_explanation_is_told() -> None:
    rows = [(f"t{at}", "lime", f"a{at}", "good", 1.0) for at in range(12)]
    rows += [(f"t{at}", "no_explanation", f"b{at}", "bad", 0.0) for at in range(12)]
    report = build_report(study("forward_simulation", rows), replicates=FEW)
    best = report["methods"][0]
    assert best["method"] == "lime" and best["vs_no_explanation"]["difference"] == 1.0
    assert "LIME scores higher than no explanation" in " ".join(summarise(report))
    assert "against_no_explanation" in [table.name for table in make_tables(report)]


def test_marks_score_no_method_and_are_reported_all_the_same() -> None:
    rows = [(f"t{at}", "full_text", worker, "0110", None) for at in range(3) for worker in ("w1", "w2")]
    report = build_report(study("rationale_marking", rows), replicates=FEW)
    assert report["methods"] == [] and report["meta"]["n_judgments"] == 6
    assert as_json(report) and draw_figures(report) == {} and explain_methods(report) and open_report(report)


def test_guesses_from_the_full_text_bound_the_methods_and_join_no_k() -> None:
    made: list[tuple[Any, ...]] = [(f"t{at}", "full_text", pd.NA, "w1", "good", "good", 1.0, 0, 900) for at in range(4)]
    made += [(f"t{at}", "lime", 5, "w2", "bad", "good", 0.0, 0, 900) for at in range(4)]
    report = build_report(
        study_of_judgments("topk_guess", pd.DataFrame(made, columns=JUDGMENT_COLUMNS)), replicates=FEW
    )
    assert [row["method"] for row in report["methods"]] == ["lime"]
    assert report["baselines"] == [
        {"method": "full_text", "accuracy": 1.0, "n": 4, "ci": pytest.approx([0.51, 1.0], abs=0.01)}
    ]


def test_words_rated_important_rank_no_method() -> None:
    rows = [
        (f"t{at}", method, f"w{at}", str(r), float(r))
        for at in range(6)
        for method, r in (("lime", 6), ("gradient", 2))
    ]
    report = build_report(study("word_importance", rows), replicates=FEW)
    assert {row["method"]: row["mean_importance"]["value"] for row in report["methods"]} == {
        "lime": 6.0,
        "gradient": 2.0,
    }
    assert all(row["rank"] is None and row["rank_ci"] is None for row in report["methods"])
    assert summarise(report)[0] == "Mean rated importance is between 2.00 (Gradient) and 6.00 (LIME)."
    assert "scores" in draw_figures(report)


def test_both_explanations_of_a_pair_have_metrics() -> None:
    pair = {"campaign": "c", "protocol": "pairwise", "k": pd.NA, "worker": "w1", "answer": "first", "expected": ""}
    rows = [
        {**pair, "text_id": f"t{at}", "method": "lime", "other": "random", "score": 1.0, "counted": 1, "late": 0,
         "metric_tau_loo": 0.5 + at / 10, "other_metric_tau_loo": at / 10}
        for at in range(3)
    ]  # fmt: skip
    metrics = study_of_export(pd.DataFrame(rows)).metrics
    assert metrics is not None
    values = {(row.text, row.method): row.value for row in metrics.itertuples()}
    assert values == {
        (f"t{at}", m): pytest.approx(v + at / 10) for at in range(3) for m, v in (("lime", 0.5), ("random", 0.0))
    }
