"""People against metrics in the report: rows, sentences, tables, figure."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.study import PAIRWISE, RATING, Study, study_of_judgments
from reports import relating
from reports.measuring import Settings
from reports.reporting import build_report
from reports.sections import correlations, reliability, winners
from reports.sections.section import Matter
from tests.reports.studies import guessing_study, rating_study

FEW = 40
Row = dict[str, Any]


def rows_of(study: Study, replicates: int = FEW) -> list[Row]:
    return correlations.describe_correlations(Matter(study, Settings(0, replicates)))


def pick(rows: list[Row], metric: str, over: str, coefficient: str = "kendall_tau_b") -> Row:
    (found,) = [r for r in rows if (r["metric"], r["over"], r["coefficient"]) == (metric, over, coefficient)]
    return found


def renamed(study: Study, names: dict[str, str]) -> Study:
    assert study.metrics is not None
    return replace(study, metrics=study.metrics.replace({"metric": names}))


def pairs_study() -> Study:
    """Three methods, each against each other in twenty texts by four workers; the first wins most."""
    draw = np.random.default_rng(1)
    names = ["gradient", "lime", "random"]
    rows = []
    for text in range(20):
        for first, second in ((0, 1), (0, 2), (1, 2)):
            for worker in range(4):
                score = float(draw.random() < 0.8)
                answer = "first" if score else "second"
                rows.append(
                    (f"t{text:02}", names[first], pd.NA, f"w{worker}", answer, "", score, 0, 900, names[second])
                )
    columns = ["text", "method", "k", "worker", "label", "expected", "score", "late", "response_ms", "other"]
    values = [(f"t{t:02}", name, "auprc", draw.normal(-at, 0.5)) for t in range(20) for at, name in enumerate(names)]
    metrics = pd.DataFrame(values, columns=["text", "method", "metric", "value"])
    return study_of_judgments(PAIRWISE, pd.DataFrame(rows, columns=columns), metrics=metrics)


def test_it_works() -> None:
    rows = rows_of(rating_study())
    assert [(row["over"], row["coefficient"]) for row in rows[:4]] == [
        ("methods", "kendall_tau_b"), ("methods", "spearman"), ("methods", "pearson"),
        ("explanations", "kendall_tau_b"),
    ]  # fmt: skip
    over_methods = pick(rows, "comprehensiveness", "methods")
    assert (over_methods["value"], over_methods["n"], over_methods["status"]) == (1.0, 4, "ok")
    assert over_methods["p"] == pytest.approx(2 / 24) and "p_labels" not in over_methods
    inside = pick(rows, "comprehensiveness", "explanations_within_text")
    assert 0.5 < inside["value"] < 1 and inside["n"] <= 20
    assert inside["ci_over"] == "texts_and_workers" and inside["ci"][0] < inside["value"] < inside["ci"][1]


def test_a_metric_of_which_less_is_better_stands_as_it_is_and_turned() -> None:
    rows = rows_of(guessing_study())
    for over in ("methods", "explanations", "explanations_within_text"):
        row = pick(rows, "sufficiency", over)
        assert row["better"] == "lower" and row["value"] == -row["oriented"] < 0
        assert row["ci"] == [-end for end in reversed(row["oriented_ci"])]
    assert pick(rows, "comprehensiveness", "methods")["better"] == "higher"


def test_a_metric_that_is_best_at_zero_keeps_its_own_value() -> None:
    study = renamed(rating_study(), {"comprehensiveness": "model_randomisation"})
    assert study.metrics is not None
    # From 0.4 of the best to 0.1 of the worst: moved so that the best is nearest to zero, from below.
    moved = replace(study, metrics=study.metrics.assign(value=study.metrics["value"] - 0.5))
    row = pick(rows_of(moved), "model_randomisation", "methods")
    assert (row["better"], row["value"], row["oriented"]) == ("nearer_zero", 1.0, 1.0)
    above = replace(study, metrics=study.metrics.assign(value=0.5 - study.metrics["value"]))
    row = pick(rows_of(above), "model_randomisation", "methods")
    assert (row["value"], row["oriented"]) == (-1.0, 1.0)


def test_a_metric_from_elsewhere_is_taken_as_it_is() -> None:
    row = pick(rows_of(renamed(rating_study(), {"comprehensiveness": "of_their_own"})), "of_their_own", "methods")
    assert (row["better"], row["value"], row["oriented"]) == ("higher", 1.0, 1.0)


def test_p_values_are_corrected_for_the_number_of_metrics() -> None:
    rows = rows_of(guessing_study())
    for over in ("methods", "explanations"):
        own = [pick(rows, metric, over) for metric in ("comprehensiveness", "sufficiency")]
        least = min(row["p"] for row in own)
        assert min(row["p_adjusted"] for row in own) == pytest.approx(2 * least)
        assert all(row["p"] <= row["p_adjusted_bh"] <= row["p_adjusted"] for row in own)


def test_the_number_of_words_shown_is_held_fixed() -> None:
    rows = rows_of(guessing_study())
    row = pick(rows, "comprehensiveness", "explanations", "spearman")
    assert row["partial"]["given"] == ["k"] and row["partial"]["n"] == 240 and row["partial"]["status"] == "ok"
    assert "partial" not in pick(rows, "comprehensiveness", "explanations")


def test_the_length_of_texts_is_held_fixed_where_it_is_known() -> None:
    study = rating_study()
    words = [" ".join(["word"] * (number + 1)) + "." for number in range(20)]
    texts = pd.DataFrame({"text": [f"t{n}" for n in range(20)], "content": words, "language": "en"})
    row = pick(rows_of(replace(study, texts=texts)), "comprehensiveness", "explanations", "pearson")
    assert row["partial"]["given"] == ["text_length"]
    assert "partial" not in pick(rows_of(study), "comprehensiveness", "explanations", "pearson")


def test_without_peoples_noise_the_correlation_is_higher() -> None:
    rows = rows_of(rating_study(n_texts=40))
    row = pick(rows, "comprehensiveness", "explanations", "pearson")
    assert row["corrected"]["status"] == "ok" and row["corrected"]["value"] > row["oriented"]
    assert row["corrected"]["ci"][0] < row["corrected"]["value"] <= row["corrected"]["ci"][1]
    tied = pick(rows, "comprehensiveness", "explanations")
    assert tied["corrected"] == {"value": None, "ci": None, "status": "too_many_ties"}


def test_one_judgment_each_has_a_ceiling_over_methods_alone() -> None:
    matter = Matter(rating_study(votes=1), Settings(0, FEW))
    found = {row["over"]: row for row in reliability.describe_reliability(matter)}
    assert found["methods"]["status"] != "one_judgment_each" and found["methods"]["split"] == "workers"
    for over in ("explanations", "explanations_within_text"):
        assert (found[over]["ceiling"], found[over]["status"]) == (None, "one_judgment_each")


def test_where_only_verdicts_are_known_texts_are_resampled_and_there_is_no_ceiling() -> None:
    whole = guessing_study()
    study = replace(whole, judgments=None)
    row = pick(rows_of(study), "comprehensiveness", "explanations")
    assert row["ci_over"] == "texts" and row["ci"][0] < row["value"] < row["ci"][1]
    assert row["corrected"]["status"] == "only_majority_verdicts"
    assert {row["status"] for row in reliability.describe_reliability(Matter(study, Settings(0, FEW)))} == {
        "only_majority_verdicts"
    }


def test_judgments_of_pairs_count_for_both_sides() -> None:
    matter = Matter(pairs_study(), Settings(0, FEW))
    row = pick(correlations.describe_correlations(matter), "auprc", "explanations_within_text", "spearman")
    assert row["status"] == "ok" and row["value"] > 0.3
    over = {row["over"]: row for row in reliability.describe_reliability(matter)}
    assert over["explanations"]["status"] == "ok"


def test_whom_a_metric_would_have_picked() -> None:
    rows = winners.describe_winners(Matter(guessing_study(), Settings(0, FEW)))
    for row in rows:
        assert (row["best"], row["pick"], row["same"]) == ("integrated_gradients", "integrated_gradients", True)
        assert row["probability"] > 0.5 and (row["swapped"], row["pairs"], row["loss"]) == (0, 6, 0.0)
    assert sum(row["closest"] for row in rows) == pytest.approx(1)


def test_a_report_says_it_in_words() -> None:
    report = build_report(guessing_study(), replicates=FEW)
    methods, texts = correlations.say(report)
    assert methods.startswith(
        "Of 2 metrics comprehensiveness and sufficiency come closest to people's order of the methods"
    )
    assert "over 4 methods; people's own noise puts the ceiling at" in methods
    assert methods.endswith("so few methods tell no order from chance.")
    assert "come" in texts and "the mean over 20 texts; people's own noise" in texts
    assert winners.say(report) == ["Both metrics would have picked Integrated gradients, as people do."]


def test_a_metric_that_would_have_picked_another_says_what_that_costs() -> None:
    report = build_report(rating_study(), replicates=FEW)
    report["winners"][0] |= {"pick": "lime", "same": False, "loss": 0.5, "loss_ci": [0.2, 0.8]}
    assert winners.say(report) == [
        "Comprehensiveness would have picked LIME, which people score -0.50 points against Integrated gradients "
        "(95\N{NO-BREAK SPACE}% interval 0.20 to 0.80)."
    ]


def test_too_few_methods_are_said_once_for_all_metrics() -> None:
    study = guessing_study()
    assert study.judgments is not None
    two = study.judgments[study.judgments["method"].isin(["lime", "random"])]
    report = build_report(study_of_judgments(study.protocol, two, metrics=study.metrics), replicates=FEW)
    assert correlations.say(report) == [
        "Metrics cannot be set against people's order of the methods: there are too few methods."
    ]
    told = [one["message"] for one in report["warnings"] if one["code"] == "correlation_undefined"]
    assert told[0] == (
        "The correlation with comprehensiveness, sufficiency over methods is undefined: there are too few methods."
    )
    assert len(told) == 2


def test_a_study_without_metrics_has_none_of_it() -> None:
    whole = rating_study()
    assert whole.judgments is not None
    report = build_report(study_of_judgments(RATING, whole.judgments), replicates=FEW)
    assert not {"correlations", "reliability", "winners"} & report.keys()
    assert correlations.say(report) == [] and correlations.draw_figures(report) == []


def test_the_figure_has_a_row_a_metric_and_the_ceiling_as_a_band() -> None:
    report = build_report(rating_study(), replicates=FEW)
    (figure,) = correlations.draw_figures(report)
    panels = figure.wide["concat"]
    assert [panel["data"]["values"][0]["label"] for panel in panels] == ["Comprehensiveness", "Comprehensiveness"]
    assert panels[1]["layer"][0]["mark"]["type"] == "rect"
    assert figure.narrow["columns"] == 1 and figure.wide["columns"] == 2


def test_of_very_many_explanations_fewer_resamples_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relating, "MOST_DRAWN", 80 * 10)
    monkeypatch.setattr(relating, "FOR_SPREAD", 25)
    rows = rows_of(rating_study())
    assert pick(rows, "comprehensiveness", "methods")["resamples"] == FEW
    few = pick(rows, "comprehensiveness", "explanations", "pearson")
    assert few["resamples"] == 25 and few["corrected"]["ci"] is not None


def test_the_same_seed_gives_the_same_rows() -> None:
    assert rows_of(guessing_study()) == rows_of(guessing_study())
