"""Agreement, workers beside each other and divided stimuli in a report."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.study import JUDGMENT_COLUMNS, RATING, TOPK_GUESS, Study, study_of_judgments
from reports.drawing import to_svg
from reports.measuring import Settings
from reports.reporting import build_report
from reports.sections import agreement, disagreement, worker_agreement
from reports.sections.section import Matter
from tests.reports.studies import guessing_study, rating_study

FEW = 40
Row = tuple[Any, ...]


def study(protocol: str, answers: list[tuple[str, str, str]]) -> Study:
    """Of (text, worker, label), one method."""
    rows = [
        (text, "lime", 5 if protocol == TOPK_GUESS else pd.NA, worker, label, "yes", 1.0, 0, 4000)
        for text, worker, label in answers
    ]
    return study_of_judgments(protocol, pd.DataFrame(rows, columns=JUDGMENT_COLUMNS))


def described(one: Study) -> dict[str, Any]:
    matter = Matter(one, Settings(seed=0, replicates=FEW))
    found = {
        "agreement": agreement.describe_agreement(matter),
        "worker_agreement": worker_agreement.describe_workers(matter),
        "disagreement": disagreement.describe_disagreement(matter),
    }
    report = {key: value for key, value in found.items() if value}
    return report | {"warnings": agreement.find_warnings(matter, report)}


def matrix(protocol: str, workers: int, texts: int, labels: list[str], seed: int = 0) -> Study:
    """Everybody judges everything, and mostly says what is so."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(labels, size=texts)
    said = np.where(rng.random((workers, texts)) < 0.6, truth, rng.choice(labels, size=(workers, texts)))
    return study(protocol, [(f"t{t}", f"w{w}", str(said[w, t])) for t in range(texts) for w in range(workers)])


def test_it_works() -> None:
    report = build_report(guessing_study(), replicates=FEW)
    alpha = report["agreement"][1]
    assert list(alpha["intervals"]) == ["texts", "workers", "texts_and_workers"]
    assert alpha["intervals"]["texts"] == alpha["ci"] and alpha["over"] == "texts"
    for low, high in alpha["intervals"].values():
        assert low < alpha["value"] < high
    assert len(report["worker_agreement"]["workers"]) == 30 and report["disagreement"]["n"] == 240


def test_the_level_decides_what_is_told() -> None:
    nominal = {row["coefficient"] for row in described(guessing_study())["agreement"]}
    ordinal = {row["coefficient"] for row in described(rating_study())["agreement"]}
    assert nominal == {"percent_agreement", "krippendorff_alpha", "gwet_ac1", "fleiss_kappa"}
    assert ordinal == {"percent_agreement", "krippendorff_alpha", "gwet_ac2", "icc_1_1", "icc_1_k"}


def test_two_workers_have_cohens_kappa() -> None:
    rows = {row["coefficient"]: row for row in described(matrix(TOPK_GUESS, 2, 30, ["yes", "no"]))["agreement"]}
    assert rows["cohen_kappa"]["status"] == "ok" and "weights" not in rows["cohen_kappa"]


def test_crossed_ratings_have_all_forms_of_intraclass_correlation() -> None:
    rows = {row["coefficient"]: row for row in described(matrix(RATING, 4, 30, list("12345")))["agreement"]}
    assert {"icc_1_1", "icc_1_k", "icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k"} <= set(rows)
    assert rows["gwet_ac2"]["weights"] == "ordinal" and rows["icc_2_k"]["level"] == "interval"
    assert rows["icc_2_k"]["value"] > rows["icc_2_1"]["value"]


def test_skewed_answers_are_warned_of_with_gwets_coefficient_beside_alpha() -> None:
    answers = [(f"t{t}", f"w{w}", "no" if t == 7 * w else "yes") for t in range(60) for w in range(3)]
    report = described(study(TOPK_GUESS, answers))
    [warning] = [one for one in report["warnings"] if one["code"] == "skewed_answers"]
    ac1 = next(row["value"] for row in report["agreement"] if row["coefficient"] == "gwet_ac1")
    assert (
        f"Gwet's AC1 ({ac1:.3f})" in warning["message"] and '98 % of answers are the same ("yes")' in warning["message"]
    )
    assert report["agreement"][1]["most_frequent"]["skewed"]


def test_even_answers_are_not_warned_of() -> None:
    assert described(guessing_study())["warnings"] == []


def test_one_reason_is_told_once() -> None:
    report = described(study(TOPK_GUESS, [(f"t{t}", f"w{w}", "yes") for t in range(5) for w in range(3)]))
    assert [one["message"] for one in report["warnings"]] == [
        "Krippendorff's alpha is undefined: everybody gave the same answer."
    ]


def test_a_second_judgment_of_a_stimulus_by_its_worker_does_not_count_for_agreement() -> None:
    answers = [(f"t{t}", f"w{w}", "yes" if t % 2 else "no") for t in range(6) for w in range(3)]
    once, twice = described(study(TOPK_GUESS, answers)), described(study(TOPK_GUESS, [*answers, ("t1", "w1", "no")]))
    assert twice["agreement"][0]["n_pairable"] == once["agreement"][0]["n_pairable"] == 18
    assert [one["code"] for one in twice["warnings"]] == ["repeated_judgments"]


def test_few_workers_are_drawn_each_with_each_and_many_are_not() -> None:
    few = described(matrix(TOPK_GUESS, 5, 20, ["yes", "no"]))
    [figure] = worker_agreement.make_figures(few)
    assert len(few["worker_agreement"]["pairs"]) == 10
    assert all(row["n"] == 20 for row in few["worker_agreement"]["pairs"])
    assert "w4" in to_svg("pairs", figure.wide) and "<svg" in to_svg("pairs", figure.narrow)
    many = described(guessing_study())
    assert many["worker_agreement"]["pairs"] == [] and worker_agreement.make_figures(many) == []


def test_the_table_of_workers_says_on_how_many_stimuli_it_rests() -> None:
    each, pairs = worker_agreement.make_tables(described(matrix(TOPK_GUESS, 3, 20, ["yes", "no"])))
    assert [row["n"] for row in each.rows] == [20, 20, 20] and len(pairs.rows) == 3


def test_one_worker_is_beside_nobody() -> None:
    report = described(study(TOPK_GUESS, [("t1", "w1", "yes"), ("t2", "w1", "no")]))
    assert "worker_agreement" not in report and "disagreement" not in report


def test_the_stimuli_that_differ_most_come_first_with_what_they_were() -> None:
    answers = [
        ("t0", "w1", "1"),
        ("t0", "w2", "5"),
        ("t1", "w1", "3"),
        ("t1", "w2", "3"),
        ("t2", "w1", "2"),
        ("t2", "w2", "3"),
    ]
    found = described(study(RATING, answers))["disagreement"]
    assert [row["text"] for row in found["stimuli"]] == ["t0", "t2"] and found["unanimous"] == 1
    assert found["stimuli"][0]["relative"] > 1 > found["stimuli"][1]["relative"] and found["beyond_chance"] == 1
    assert found["stimuli"][0]["method"] == "lime" and "k" not in found["stimuli"][0]


def test_tables_name_the_weights_and_what_is_resampled() -> None:
    table, resampled = agreement.make_tables(described(rating_study()))
    assert "Gwet's AC2, ordinal weights" in [row["name"] for row in table.rows]
    assert [row["over"] for row in resampled.rows] == ["texts", "workers", "texts_and_workers"]


@pytest.mark.parametrize("one", [guessing_study(n_texts=4), rating_study(n_texts=4)])
def test_notes_tell_of_what_is_there(one: Study) -> None:
    report = described(one)
    notes = " ".join(agreement.explain(report) + worker_agreement.explain(report) + disagreement.explain(report))
    assert "resamples texts" in notes and "Gwet" in notes and "more than chance would give" in notes
    assert ("Intraclass" in notes) == (one.protocol == RATING)
