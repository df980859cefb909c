"""Mixed models and confounds in the report: what is fitted for which study, and how it is told."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.study import JUDGMENT_COLUMNS, PAIRWISE, REVEAL, WORD_IMPORTANCE, Study, study_of_judgments
from reports.files.checking import make as make_check
from reports.files.kind import Parcel
from reports.measuring import Settings
from reports.modelling import describe_fit, of_confounds, of_methods
from reports.presenting import make_figures, make_tables
from reports.reporting import build_report
from reports.sections.confounds import explain, say, warn
from reports.sections.models import SECTION as MODELS_SECTION
from reports.sections.section import Matter, Report
from tests.reports.studies import guessing_study, rating_study

FEW = {"replicates": 50}


def importance_study(n: int = 600, seed: int = 0, **columns: np.ndarray) -> Study:
    """Ratings from 1 to 7 that rise with saliency and with the length of the word, and with nothing else."""
    rng = np.random.default_rng(seed)
    saliency, length = rng.uniform(-1, 1, n), rng.integers(1, 12, n)
    worker, text = rng.integers(20, size=n), rng.integers(30, size=n)
    latent = 4 * np.abs(saliency) + 0.2 * length + rng.normal(size=20)[worker] + rng.logistic(size=n)
    rating = np.digitize(latent, [1, 2, 3, 4, 5, 6]) + 1
    rows = [
        (f"t{t}", "lime", pd.NA, f"w{w}", str(r), "", float(r), 0, 4000)
        for t, w, r in zip(text, worker, rating, strict=True)
    ]
    judgments = pd.DataFrame(rows, columns=JUDGMENT_COLUMNS).assign(
        saliency=saliency, word_length=length, order=rng.permutation(n) % 30 + 1,
        saliency_before=np.where(np.arange(n) % 5, rng.uniform(size=n), np.nan),
        capitals=rng.choice(["other", "first_upper"], n), **columns,
    )  # fmt: skip
    names = ("saliency", "saliency_before", "word_length", "capitals", "order")
    return study_of_judgments(WORD_IMPORTANCE, judgments, meta={"source": "made-up"}, covariates=(*names, *columns))


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(importance_study(), **FEW)


def test_it_works(report: Report) -> None:
    found = report["confounds"]
    assert (found["model"], found["status"], found["n"], found["n_workers"], found["n_texts"]) == (
        "ordinal", "ok", 600, 20, 30,
    )  # fmt: skip
    effects = {row["term"]: row for row in found["effects"]}
    assert effects["word_length"]["ci"][0] > 0 and effects["saliency"]["ci"][0] > 0
    low, high = effects["order"]["ci"]
    assert low < 0 < high
    assert effects["word_length"]["odds_ratio"] == pytest.approx(np.exp(effects["word_length"]["estimate"]))
    assert effects["word_length"]["estimate"] == pytest.approx(0.2 * effects["word_length"]["per"], abs=0.3)


def test_ratings_follow_saliency_by_its_size(report: Report) -> None:
    pooled, within_workers = report["confounds"]["following"]
    assert (pooled["n"], pooled["resampled"], within_workers["n"]) == (600, "texts_and_workers", 20)
    assert pooled["ci"][0] < pooled["value"] < pooled["ci"][1] and pooled["value"] > 0.4
    assert within_workers["value"] > pooled["value"]


def test_each_display_has_a_correlation_of_its_own() -> None:
    study = importance_study()
    assert study.judgments is not None
    shown = np.where(study.judgments["worker"].str[-1].isin(list("02468")), "bars", "colour")
    two = replace(study, judgments=study.judgments.assign(display=shown))
    found = build_report(two, **FEW)["confounds"]
    assert [row.get("display") for row in found["following"]] == [None, None, "bars", "colour"]
    assert sum(row["n"] for row in found["following"][2:]) == 600
    bars = next(row for row in found["effects"] if row["term"] == "display")
    assert (bars["level"], bars["reference"]) == ("bars", "colour")


def test_it_says_what_moves_ratings(report: Report) -> None:
    rho, moving = say(report)
    assert rho.startswith("Ratings follow the saliency shown: Spearman's rho is 0.")
    assert moving == (
        "Confounds that move ratings with all else equal (p < 0.05, Holm over all terms of the model): word length."
    )


def test_notes_tell_the_method_its_limits_and_the_call_of_r(report: Report) -> None:
    notes = " ".join(explain(report))
    assert "Laplace" in notes and "clmm(factor(rating) ~ scale(saliency)" in notes and "check/confounds.csv" in notes


def test_tables_and_chart_name_terms_as_people_do(report: Report) -> None:
    tables = {table.name: table for table in make_tables(report)}
    names = [row["name"] for row in tables["confounds"].rows]
    assert names == ["Saliency shown", "Saliency of the word before", "Word length", "Capitals: first upper",
                     "Display order"]  # fmt: skip
    assert tables["confounds"].rows[3]["against"] == "against other"
    assert tables["confounds"].rows[2]["against"].startswith("per 3.") and tables["confounds"].rows[2][
        "against"
    ].endswith("characters")
    figure = next(one for one in make_figures(report) if one.name == "confounds")
    assert [row["label"] for row in figure.wide["data"]["values"]] == names


def test_a_word_without_a_neighbour_is_not_left_out(report: Report) -> None:
    assert report["confounds"]["n_incomplete"] == 0


def test_confounds_of_a_mapping_file_keep_their_names() -> None:
    study = importance_study(tiredness=np.random.default_rng(5).normal(size=600))
    asked = of_confounds(study)
    assert asked is not None and [term.name for term in asked.terms][-1] == "tiredness"
    assert "scale(tiredness)" in describe_fit(asked)["formula"]


def test_rare_levels_stand_together() -> None:
    kinds = np.array(["noun"] * 400 + ["verb"] * 150 + ["x"] * 30 + ["y"] * 20)
    asked = of_confounds(importance_study(dependency=kinds))
    assert asked is not None
    assert asked.frame["dependency"].value_counts().to_dict() == {"noun": 400, "verb": 150, "rare": 50}


def test_without_covariates_there_is_nothing_to_say() -> None:
    assert of_confounds(rating_study()) is None and "confounds" not in build_report(rating_study(), **FEW)


def test_equal_ratings_are_told_as_undefined() -> None:
    study = importance_study()
    assert study.judgments is not None
    same = replace(study, judgments=study.judgments.assign(score=4.0))
    found = build_report(same, **FEW)
    assert (found["confounds"]["status"], found["confounds"]["effects"]) == ("constant_answers", [])
    assert found["confounds"]["following"][0]["status"] == "constant_human_score"
    assert "model_undefined" in [row["code"] for row in found["warnings"]]
    assert say(found)[0] == "Spearman's rho of ratings and saliency is undefined: people's scores are all the same."


def test_few_workers_are_warned_of() -> None:
    study = importance_study()
    assert study.judgments is not None
    few = replace(
        study, judgments=study.judgments.assign(worker=study.judgments["worker"].str[-1].map({"1": "a"}).fillna("b"))
    )
    found = build_report(few, **FEW)
    assert [row["code"] for row in warn(Matter(few, Settings(0, 50)), found)] == ["few_groups"]
    assert "only 2 workers" in warn(Matter(few, Settings(0, 50)), found)[0]["message"]


def test_guesses_are_modelled_by_method_and_number_of_words() -> None:
    found = build_report(guessing_study(), **FEW)["models"]
    assert (found["model"], found["status"], found["answer"]) == ("logistic", "ok", "right")
    assert (
        found["formula"]
        == "glmer(right ~ method + k + (1 | worker) + (1 | text) + (1 | map), data = d, family = binomial)"
    )
    best = next(row for row in found["effects"] if row["level"] == "integrated_gradients")
    assert best["reference"] == "random" and best["ci"][0] > 0 and best["p_adjusted"] >= best["p"]
    assert [(row["term"], row["df"]) for row in found["terms"]] == [("method", 3), ("k", 2)]


def test_ratings_are_modelled_as_ordered() -> None:
    built = build_report(rating_study(), **FEW)
    assert (built["models"]["model"], built["models"]["status"]) == ("ordinal", "ok")
    assert MODELS_SECTION.findings(built)[0].startswith(
        "A second look by another test, a mixed model with workers and texts as random effects: 3 of 3 methods differ"
    )


def test_the_model_says_whether_it_agrees_with_the_finding() -> None:
    built = build_report(guessing_study(), **FEW)
    effects = [row for row in built["models"]["effects"] if row["term"] == "method"]
    for row in effects:
        row |= {"p_adjusted": 0.01, "estimate": 1.0}
    for row in built["methods"]:
        if "vs_random" in row:
            row["vs_random"] |= {"difference": 0.2, "p_clustered_adjusted": 0.01}
    assert MODELS_SECTION.findings(built)[0].endswith(" It agrees with the finding.")
    effects[0]["p_adjusted"] = 0.5
    assert MODELS_SECTION.findings(built)[0].endswith("The test by text is the finding.")
    for row in built["methods"]:
        row.pop("vs_random", None)
    assert "finding" not in MODELS_SECTION.findings(built)[0]


def test_ratings_of_a_slider_are_modelled_as_numbers() -> None:
    study = rating_study()
    assert study.judgments is not None
    scores = study.judgments["score"] * 10 + np.random.default_rng(0).integers(10, size=len(study.judgments))
    asked = of_methods(replace(study, judgments=study.judgments.assign(score=scores)))
    assert asked is not None and asked.model == "linear"
    found = describe_fit(asked)
    assert found["formula"] == "lmer(rating ~ method + (1 | worker) + (1 | text) + (1 | map), data = d)"
    assert "odds_ratio" not in found["effects"][0] and found["sd"]["residual"] > 1


def test_revealing_is_modelled_as_numbers_and_pairs_by_bradley_and_terry() -> None:
    study = rating_study()
    asked = of_methods(replace(study, protocol=REVEAL))
    assert asked is not None and (asked.model, asked.answer) == ("linear", "score")
    assert of_methods(replace(study, protocol=PAIRWISE)) is None


def test_one_method_has_no_model() -> None:
    study = rating_study()
    assert study.judgments is not None
    assert of_methods(replace(study, judgments=study.judgments.assign(method="lime"))) is None


def test_the_rows_and_the_script_for_r_are_written(report: Report) -> None:
    parcel = Parcel(report, "", "", [], [], [], [], importance_study())
    files = {file.name: file.content.decode() for file in make_check(parcel)}
    assert list(files) == ["check/confounds.csv", "check/models.R"]
    rows = pd.read_csv(io.StringIO(files["check/confounds.csv"]))
    assert len(rows) == 600 and {"worker", "text", "rating", "saliency", "capitals"} <= set(rows)
    script = files["check/models.R"]
    assert 'd$capitals <- relevel(factor(d$capitals), ref = "other")' in script
    assert "library(ordinal)" in script and f"print(summary({report['confounds']['formula']}))" in script


def test_without_the_study_there_are_no_rows_to_write(report: Report) -> None:
    assert list(make_check(Parcel(report, "", "", [], [], [], []))) == []
