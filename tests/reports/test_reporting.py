import json
import time
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from analysis.study import JUDGMENT_COLUMNS, RATING, TOPK_GUESS, Study, study_of_judgments
from reports.reporting import as_json, build_report
from tests.reports.studies import METHODS, guessing_study, rating_study

FEW = 100


def codes(report: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in report["warnings"]]


def test_it_works() -> None:
    report = build_report(guessing_study(), replicates=FEW)
    assert [row["method"] for row in report["methods"]] == METHODS
    best = report["methods"][0]
    assert best["by_k"]["20"]["n"] == 20
    assert best["weighted_accuracy_ci"]["one_minus_mean"][0] < best["weighted_accuracy"]["one_minus_mean"]
    assert best["vs_random"]["difference"] > 0.2 and best["vs_random"]["p_adjusted"] < 0.05
    assert (best["n_stimuli"], best["n_judgments"]) == (60, 180)
    assert report["warnings"] == []


def test_ratings_work() -> None:
    report = build_report(rating_study(), replicates=FEW)
    best = report["methods"][0]
    assert best["method"] == "integrated_gradients"
    low, high = best["mean_opinion"]["ci"]
    assert low < best["mean_opinion"]["value"] < high
    assert sum(best["answers"].values()) == best["n_judgments"] == 60
    assert best["vs_random"]["test"] == "sign_flip_by_text"
    levels = {row["coefficient"]: row["level"] for row in report["agreement"]}
    assert levels == {
        "percent_agreement": "nominal", "krippendorff_alpha": "ordinal", "gwet_ac2": "ordinal",
        "icc_1_1": "interval", "icc_1_k": "interval",
    }  # fmt: skip
    assert "flips" not in report and "by_k" not in best


def test_one_seed_gives_the_same_bytes() -> None:
    first = as_json(build_report(guessing_study(), seed=3, replicates=FEW))
    assert first == as_json(build_report(guessing_study(), seed=3, replicates=FEW))
    assert first != as_json(build_report(guessing_study(), seed=4, replicates=FEW))


def test_the_order_of_judgments_changes_nothing() -> None:
    study = guessing_study()
    assert study.judgments is not None
    shuffled = study.judgments.sample(frac=1, random_state=1)
    again = study_of_judgments(TOPK_GUESS, shuffled, metrics=study.metrics, meta=study.meta)
    assert as_json(build_report(again, replicates=FEW)) == as_json(build_report(study, replicates=FEW))


def test_it_is_json_without_nan() -> None:
    for study in (guessing_study(), rating_study()):
        json.loads(as_json(build_report(study, replicates=FEW)), parse_constant=pytest.fail)


def test_people_are_correlated_with_metrics() -> None:
    rows = build_report(guessing_study(), replicates=FEW)["correlations"]
    found = {(row["metric"], row["over"]): row for row in rows if row["coefficient"] == "kendall_tau_b"}
    assert found["comprehensiveness", "methods"]["value"] == 1.0
    assert found["comprehensiveness", "methods"]["n"] == 4
    assert found["sufficiency", "explanations"]["value"] < 0
    assert found["sufficiency", "explanations"]["n"] == 80
    assert all(row["status"] == "ok" for row in rows)


def test_plausibility_metrics_are_correlated_like_all_others() -> None:
    study = guessing_study()
    assert study.metrics is not None
    renamed = study.metrics.replace({"metric": {"comprehensiveness": "auprc", "sufficiency": "token_f1"}})
    assert study.judgments is not None
    again = study_of_judgments(TOPK_GUESS, study.judgments, metrics=renamed)
    assert {row["metric"] for row in build_report(again, replicates=FEW)["correlations"]} == {"auprc", "token_f1"}


def test_alpha_and_per_cent_agreement_are_over_stimuli() -> None:
    agreement = build_report(guessing_study(), replicates=FEW)["agreement"]
    named = [row["coefficient"] for row in agreement]
    assert named == ["percent_agreement", "krippendorff_alpha", "gwet_ac1", "fleiss_kappa"]
    assert agreement[1]["n_units"] == 240 and agreement[1]["n_pairable"] == 720
    assert agreement[1]["ci"][0] < agreement[1]["value"] < agreement[1]["ci"][1]


def test_workers_are_described() -> None:
    workers = build_report(guessing_study(), replicates=FEW)["workers"]
    assert sum(row["n_judgments"] for row in workers) == 720
    assert 4000 <= workers[0]["median_response_ms"] <= 4002


def test_no_judgments_make_an_empty_report() -> None:
    empty = study_of_judgments(TOPK_GUESS, pd.DataFrame(columns=JUDGMENT_COLUMNS))
    report = build_report(empty)
    assert report["methods"] == [] and codes(report) == ["no_judgments"]


def part(study: Study, query: str) -> Study:
    assert study.judgments is not None
    return study_of_judgments(study.protocol, study.judgments.query(query), metrics=study.metrics)


def test_without_a_random_arm_nothing_is_compared_with_chance() -> None:
    report = build_report(part(guessing_study(), "method != 'random'"), replicates=FEW)
    assert all("vs_random" not in row for row in report["methods"])
    assert codes(report) == ["no_random_arm"]


def test_a_method_without_a_k_has_no_mean() -> None:
    report = build_report(part(guessing_study(), "method != 'lime' or k != 20"), replicates=FEW)
    lime = report["methods"][-1]
    assert (lime["method"], lime["mean_accuracy"], lime["rank"]) == ("lime", None, None)
    assert lime["status"] == "not_judged_at_every_k"
    assert lime["by_k"]["20"] == {"accuracy": None, "n": 0, "ci": None, "status": "not_judged"}
    assert "unjudged_cells" in codes(report)


def test_one_judgment_is_enough_for_a_report() -> None:
    for study in (guessing_study(n_texts=1, votes=1), rating_study(n_texts=1, votes=1)):
        one = part(study, "method == 'lime'")
        assert one.judgments is not None
        report = build_report(study_of_judgments(one.protocol, one.judgments.head(1)), replicates=FEW)
        assert report["methods"][0]["rank"] == 1
        assert "agreement_undefined" in codes(report)
        json.loads(as_json(report), parse_constant=pytest.fail)


def test_one_k_has_no_flips() -> None:
    report = build_report(part(guessing_study(), "k == 5"), replicates=FEW)
    assert "flips" not in report and report["methods"][0]["flip_rate"] is None


def test_unanimous_ratings_leave_agreement_and_correlation_undefined() -> None:
    study = rating_study()
    assert study.judgments is not None
    same = study.judgments.assign(label="4", score=4.0)
    report = build_report(study_of_judgments(RATING, same, metrics=study.metrics), replicates=FEW)
    alpha = report["agreement"][1]
    assert (alpha["value"], alpha["ci"], alpha["status"]) == (None, None, "unanimous")
    assert {row["status"] for row in report["correlations"]} == {"constant_human_score"}
    assert report["friedman"]["status"] == "all_tied"
    assert "agreement_undefined" in codes(report) and "correlation_undefined" in codes(report)


def test_late_and_uneven_judgments_are_pointed_out() -> None:
    study = guessing_study()
    assert study.judgments is not None
    judgments = study.judgments.iloc[1:].assign(late=lambda rows: (rows.index == 5).astype(int))
    report = build_report(study_of_judgments(TOPK_GUESS, judgments), replicates=FEW)
    assert codes(report) == ["uneven_votes", "late_judgments"]


def test_methods_that_break_their_promise_are_named() -> None:
    study = replace(guessing_study(), meta={"incomplete_methods": {"deeplift": 0.41}})
    messages = [warning["message"] for warning in build_report(study, replicates=FEW)["warnings"]]
    assert messages[0].startswith("DeepLIFT: the median relative completeness error is 41 %,")


def test_the_hash_is_of_the_data() -> None:
    assert guessing_study(seed=1).data_hash == guessing_study(seed=1).data_hash
    assert guessing_study(seed=1).data_hash != guessing_study(seed=2).data_hash


def test_twenty_thousand_judgments_take_seconds() -> None:
    study = guessing_study(n_texts=330, votes=5)
    assert study.judgments is not None and len(study.judgments) > 19_000
    began = time.monotonic()
    build_report(study)
    assert time.monotonic() - began < 20
