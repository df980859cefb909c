import pandas as pd
import pytest

from analysis.study import JUDGMENT_COLUMNS, TOPK_GUESS, study_of_judgments
from reports.palette import metric_in_sentence
from reports.presenting import explain_methods, summarise
from reports.reporting import build_report
from tests.reports.studies import guessing_study, rating_study


def test_it_works() -> None:
    sentences = summarise(build_report(guessing_study(), replicates=50))
    assert sentences[0].startswith("Integrated gradients has the highest weighted accuracy, ")
    assert sentences[0].endswith("over 20 texts.")
    assert sentences[1] == (
        "All 3 methods score higher than Random (test by text, p < 0.05, adjusted by Holm over the 3 comparisons with "
        "Random)."
    )
    starts = (
        "Of the 6 pairs of methods, ",
        "Krippendorff's alpha (nominal) is 0.",
        "Of 2 metrics comprehensiveness and sufficiency come closest to people's order of the methods",
        "Both metrics would have picked Integrated gradients, as people do.",
    )
    found = [next(at for at, said in enumerate(sentences) if said.startswith(start)) for start in starts]
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("metric", "said"),
    [("comprehensiveness", "comprehensiveness"), ("auprc", "AUPRC"), ("iou_f1", "IoU F1"), ("token_f1", "token F1")],
)
def test_metrics_keep_the_capitals_of_their_acronyms(metric: str, said: str) -> None:
    assert metric_in_sentence(metric) == said


def test_a_finding_from_unfinished_data_says_so() -> None:
    report = build_report(guessing_study(), replicates=50)
    report["warnings"] = [{"code": "unjudged_cells", "message": ""}]
    assert summarise(report)[0].startswith("So far Integrated gradients has")


def test_ratings_speak_of_opinion() -> None:
    assert "has the highest mean opinion" in summarise(build_report(rating_study(), replicates=50))[0]


@pytest.mark.parametrize(
    ("p_values", "said"),
    [
        ([0.9, 0.9, 0.9], "None of the 3 methods scores higher than Random"),
        ([0.9, 0.01, 0.9], "1 of the 3 methods (Gradient) scores higher than Random"),
        ([0.01, 0.01, 0.9], "2 of the 3 methods (Integrated gradients, Gradient) score higher than Random"),
        ([0.01, 0.01, 0.01], "All 3 methods score higher than Random"),
        ([0.01], "Integrated gradients scores higher than Random"),
        ([0.9], "Integrated gradients does not score higher than Random"),
    ],
)
def test_it_says_which_methods_beat_random(p_values: list[float], said: str) -> None:
    report = build_report(guessing_study(), replicates=50)
    report["methods"] = report["methods"][: len(p_values)]
    for row, p in zip(report["methods"], p_values, strict=True):
        row["vs_random"] |= {"difference": 0.2, "p_clustered_adjusted": p}
    assert summarise(report)[1].startswith(said)


def test_a_larger_family_of_tests_is_told_where_it_tells_fewer_apart() -> None:
    report = build_report(guessing_study(), replicates=50)
    for row in report["methods"]:
        if "vs_random" in row:
            row["vs_random"] |= {"difference": 0.2, "p_clustered_adjusted": 0.04}
    for row in report["differences"]:
        row["tests"]["sign_flip"]["p_holm"] = 0.06 if row["other"] == "random" else 0.04
    pairs = next(said for said in summarise(report) if said.startswith("Of the 6 pairs of methods, 3 differ"))
    assert "Holm over all 6 pairs). Adjusted for so many, " in pairs and "cannot be told apart from Random" in pairs
    for row in report["differences"]:
        row["tests"]["sign_flip"]["p_holm"] = 0.04
    assert "Adjusted for so many" not in " ".join(summarise(report))


def test_an_empty_report_says_so() -> None:
    report = build_report(study_of_judgments(TOPK_GUESS, pd.DataFrame(columns=JUDGMENT_COLUMNS)))
    assert summarise(report) == ["There is nothing to rank yet."]
    assert explain_methods(report)


def test_notes_name_the_choices() -> None:
    notes = " ".join(explain_methods(build_report(guessing_study(), seed=7, replicates=50)))
    for words in ("seed 7", "w ~ 1 - mean", "McNemar", "Holm", "Kendall's tau-b", "chi squared"):
        assert words in notes


def test_notes_are_only_of_what_there_is() -> None:
    notes = " ".join(explain_methods(build_report(rating_study(), replicates=50)))
    assert "McNemar" not in notes and "flip is" not in notes
