from pathlib import Path

import pandas as pd
import pytest

from analysis.agreement.coefficients import krippendorff_alpha
from analysis.agreement.counting import count_ratings
from analysis.presets.reading import ChoiceError, InputError
from analysis.presets.schuff2022 import read_schuff2022
from analysis.study import COVARIATES, WORD_IMPORTANCE, Study
from tests.analysis.published import published

HEADER = (
    "saliency,display_index,word_length,human_importance_rating,capitalization,sentence_id,worker_id,completion_time_ms"
)
ROWS = ["0.8,0,4,7,other,s1,w1,5000", "0.5,1,3,5,first_upper,s2,w1,4000", "0.25,0,5,2,other,s1,w2,3500"]


def write(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "responses.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def judgments(study: Study) -> pd.DataFrame:
    assert study.judgments is not None
    return study.judgments


def test_it_works(tmp_path: Path) -> None:
    study = read_schuff2022(write(tmp_path, *ROWS))
    assert (study.protocol, study.level, study.methods) == (WORD_IMPORTANCE, "ordinal", [])
    assert judgments(study)[["text", "worker", "label", "score", "response_ms"]].to_numpy().tolist() == [
        ["s1", "w1", "7", 7.0, 5000], ["s1", "w2", "2", 2.0, 3500], ["s2", "w1", "5", 5.0, 4000],
    ]  # fmt: skip
    assert study.covariates == ("saliency", "word_length", "capitals", "order")
    assert judgments(study)["saliency"].tolist() == [0.8, 0.25, 0.5]
    assert judgments(study)["capitals"].tolist() == ["other", "other", "first_upper"]
    assert study.notices == ()


def test_the_released_file_is_read_whole() -> None:
    study = read_schuff2022(published("schuff2022/responses_en.csv"))
    rows = judgments(study)
    assert (len(rows), rows["text"].nunique(), rows["worker"].nunique()) == (7500, 150, 50)
    assert set(study.covariates) <= set(COVARIATES)
    assert rows[list(study.covariates)].notna().all().all()
    assert [code for code, _ in study.notices] == ["different_words"]
    counted = count_ratings(rows["text"], rows["worker"], rows["label"], numeric=True)
    found = krippendorff_alpha(counted, "ordinal", replicates=100, seed=0)
    assert found.ci is not None
    assert found.value is not None
    assert found.ci[0] < found.value < found.ci[1]
    assert (found.n_units, found.n_raters) == (150, 50)


def test_german_ratings_have_semicolons_decimal_commas_and_no_polarity(tmp_path: Path) -> None:
    header = HEADER.replace(",", ";")
    german = [row.replace(",", ";").replace(".", ",") for row in ROWS]
    assert read_schuff2022(write(tmp_path, *german, header=header)).data_hash == (
        read_schuff2022(write(tmp_path, *ROWS)).data_hash
    )


def test_nothing_but_rating_sentence_and_worker_is_needed(tmp_path: Path) -> None:
    study = read_schuff2022(write(tmp_path, "s1,w1,3", header="sentence_id,worker_id,human_importance_rating"))
    assert (len(judgments(study)), study.covariates) == (1, ())


@pytest.mark.parametrize("column", ["condition", "visualization", "Display condition"])
def test_a_column_of_conditions_says_how_saliency_was_shown(tmp_path: Path, column: str) -> None:
    conditions = ["heatmap", "bars", "corrected"]
    rows = [f"{row},{condition}" for row in ROWS for condition in conditions]
    study = read_schuff2022(write(tmp_path, *rows, header=f"{HEADER},{column}"))
    assert len(judgments(study)) == 9
    assert sorted(judgments(study)["display"].unique()) == sorted(conditions)
    assert study.notices == ()


def test_the_only_unknown_column_of_few_words_is_taken_for_it_and_told(tmp_path: Path) -> None:
    rows = [f"{row},{name},{n}" for n, (row, name) in enumerate(zip(ROWS, ["a", "b", "c"], strict=True))]
    study = read_schuff2022(write(tmp_path, *rows, header=f"{HEADER},shown_as,serial"))
    assert sorted(judgments(study)["display"]) == ["a", "b", "c"]
    assert [code for code, _ in study.notices] == ["display_guessed", "unused_columns"]
    assert study.notices[1][1] == "Columns left aside: serial."


def test_a_display_column_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, *(f"{row},1" for row in ROWS), header=f"{HEADER},arm")
    assert judgments(read_schuff2022(path, display="arm"))["display"].tolist() == ["1", "1", "1"]
    with pytest.raises(ChoiceError, match="has no column 'way'; there are saliency, "):
        read_schuff2022(path, display="way")


def test_a_rating_that_is_missing_is_a_gap(tmp_path: Path) -> None:
    study = read_schuff2022(write(tmp_path, *ROWS, "0.1,3,4,NA,other,s3,w1,100"))
    assert len(judgments(study)) == 3
    assert study.notices == (("missing_labels", "1 row has no label and is left out (line 5)."),)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("0.8,0,4,8,other,s1,w3,1", "line 5, column human_importance_rating: expected a rating from 1 to 7, found '8'"),
        ("0.8,0,4,3.5,other,s1,w3,1", "line 5, column human_importance_rating: expected a rating from 1 to 7"),
        ("0.8,0,4,high,other,s1,w3,1", "line 5, column human_importance_rating: expected a rating from 1 to 7"),
        ("red,0,4,3,other,s1,w3,1", "line 5, column saliency: expected a number, found 'red'"),
        ("0.8,0,4,3,other,,w3,1", "line 5, column sentence_id: expected a name"),
        ("0.8,0,4,3,other,s1,w3", "line 5: expected 8 fields"),
    ],
)
def test_it_says_what_is_wrong_and_where(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_schuff2022(write(tmp_path, *ROWS, row))


def test_another_file_is_refused_with_the_columns_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lacks the column.s. human_importance_rating, sentence_id"):
        read_schuff2022(write(tmp_path, "1,2", header="worker_id,b"))
