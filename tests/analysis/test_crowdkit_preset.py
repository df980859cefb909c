import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.agreement.coefficients import krippendorff_alpha
from analysis.agreement.counting import count_ratings
from analysis.presets.crowdkit import read_crowdkit
from analysis.presets.reading import ChoiceError, InputError
from analysis.study import LABELS, Study
from tests.analysis.published import published

# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section D: four observers, twelve units.
CANONICAL = """item,A,B,C,D
1,1,1,,1
2,2,2,3,2
3,3,3,3,3
4,3,3,3,3
5,2,2,2,2
6,1,2,3,4
7,4,4,4,4
8,1,1,2,1
9,2,2,2,2
10,,5,5,5
11,,,1,1
12,,,3,
"""


def write(folder: Path, content: str | bytes, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def triples(study: Study) -> list[list[str]]:
    assert study.judgments is not None
    return study.judgments[["text", "worker", "label"]].to_numpy().tolist()


def codes(study: Study) -> list[str]:
    return [code for code, _ in study.notices]


def alpha(study: Study) -> float | None:
    assert study.judgments is not None
    rows = study.judgments
    counted = count_ratings(rows["text"], rows["worker"], rows["label"], numeric=study.level != "nominal")
    return krippendorff_alpha(counted, study.level, replicates=10, seed=0).value


def test_it_works(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, "task,worker,label\nt1,w1,cat\nt1,w2,dog\nt2,w1,cat\n"))
    assert triples(study) == [["t1", "w1", "cat"], ["t1", "w2", "dog"], ["t2", "w1", "cat"]]
    assert (study.protocol, study.level, study.methods, study.notices) == (LABELS, "nominal", [], ())
    assert study.judgments is not None
    assert study.judgments["score"].isna().all()


@pytest.mark.parametrize("header", ["question,worker,answer", "Task ID,WorkerId,Response", "itemId,rater,rating"])
def test_usual_names_of_the_columns_are_understood_and_told(tmp_path: Path, header: str) -> None:
    study = read_crowdkit(write(tmp_path, f"{header}\n344,A1,0\n344,A2,1\n"))
    assert triples(study) == [["344", "A1", "0"], ["344", "A2", "1"]]
    assert codes(study) == ["columns_read"]


def test_columns_may_stand_in_any_order_among_others(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, "label\tnote\ttask\tworker\r\ncat\tx\tt1\tw1\r\n"))
    assert triples(study) == [["t1", "w1", "cat"]]
    assert study.notices == (("unused_columns", "Columns left aside: note."),)


def test_released_answers_are_read_with_their_truth() -> None:
    study = read_crowdkit(published("zheng2017/face_answer.csv"), truth=published("zheng2017/face_truth.csv"))
    assert study.judgments is not None
    assert (len(study.judgments), study.judgments["text"].nunique(), study.judgments["worker"].nunique()) == (
        5242,
        584,
        27,
    )
    assert study.judgments["score"].notna().all()


def test_a_truth_beside_the_labels_scores_them(tmp_path: Path) -> None:
    labels = write(tmp_path, "task,worker,label\nt1,w1,cat\nt1,w2,dog\nt2,w1,cat\n")
    study = read_crowdkit(labels, truth=write(tmp_path, "question,truth\nt1,dog\nt9,cat\n", "truth.csv"))
    assert study.judgments is not None
    assert study.judgments["score"].tolist()[:2] == [0.0, 1.0]
    assert np.isnan(study.judgments["score"].iloc[2])
    assert ("tasks_without_truth", "1 of 2 tasks have no truth.") in study.notices


def test_a_truth_may_be_a_column(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, "task,worker,label,gold\nt1,w1,cat,cat\n"))
    assert study.judgments is not None
    assert study.judgments["score"].tolist() == [1.0]


def test_two_truths_of_a_task_are_refused(tmp_path: Path) -> None:
    labels = write(tmp_path, "task,worker,label\nt1,w1,cat\n")
    truth = write(tmp_path, "task,truth\nt1,dog\nt1,cat\n", "truth.csv")
    with pytest.raises(InputError, match="truth.csv, column truth: two truths for the task 't1' .lines 2, 3."):
        read_crowdkit(labels, truth=truth)


def test_a_truth_of_other_tasks_is_refused(tmp_path: Path) -> None:
    labels = write(tmp_path, "task,worker,label\nt1,w1,cat\n")
    with pytest.raises(ChoiceError, match="names no task that the labels are of"):
        read_crowdkit(labels, truth=write(tmp_path, "task,truth\nx,dog\n", "truth.csv"))


@pytest.mark.parametrize("gap", ["", "NA", "NaN", "-", ".", "*", "N/A"])
def test_a_matrix_with_gaps_is_melted(tmp_path: Path, gap: str) -> None:
    study = read_crowdkit(write(tmp_path, f"item,w1,w2\nt1,a,{gap}\nt2,{gap},b\nt3,a,b\n"))
    assert triples(study) == [["t1", "w1", "a"], ["t2", "w2", "b"], ["t3", "w1", "a"], ["t3", "w2", "b"]]
    assert study.notices == (("matrix", "Read as a matrix: a row an item, a column a worker; 2 cells are gaps."),)


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_canonical_matrix_has_its_published_alpha(tmp_path: Path, level: str, value: float) -> None:
    assert alpha(read_crowdkit(write(tmp_path, CANONICAL), level=level)) == pytest.approx(value, abs=0.0005)


@pytest.mark.parametrize("head", ["rater", ""])
def test_a_matrix_with_a_row_a_worker_is_turned(tmp_path: Path, head: str) -> None:
    rows = [line.split(",") for line in CANONICAL.splitlines()]
    turned = [list(column) for column in zip(*rows, strict=True)]
    named = [[head, *(f"unit {n}" for n in turned[0][1:])], *([f"rater {row[0]}", *row[1:]] for row in turned[1:])]
    path = write(tmp_path, "\n".join(",".join(row) for row in named))
    assert alpha(read_crowdkit(path, level="nominal")) == pytest.approx(0.743, abs=0.0005)


def test_rows_of_a_matrix_without_names_go_by_number(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, "A,B,C\n1,1,2\n2,2,2\n1,2,.\n"))
    assert triples(study)[:3] == [["1", "A", "1"], ["1", "B", "1"], ["1", "C", "2"]]
    assert "rows named by their number" in study.notices[0][1]


def test_a_minus_is_a_label_where_a_plus_is_one(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, "item,w1,w2\nt1,+,-\n"))
    assert triples(study) == [["t1", "w1", "+"], ["t1", "w2", "-"]]


def test_rows_without_a_label_are_left_out_and_told(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, "task,worker,label\nt1,w1,cat\nt1,w2,\nt2,w1,NA\n"))
    assert triples(study) == [["t1", "w1", "cat"]]
    assert study.notices == (("missing_labels", "2 rows have no label and are left out (lines 3, 4)."),)


def test_of_a_second_answer_the_first_in_the_file_counts(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, "task,worker,label\nt1,w1,cat\nt1,w2,dog\nt1,w1,dog\n"))
    assert triples(study) == [["t1", "w1", "cat"], ["t1", "w2", "dog"]]
    told = (
        "1 judgment is by a worker who had judged the same before, and left out (line 4): the first in the file counts."
    )
    assert study.notices == (("repeated_judgments", told),)


def test_numbers_are_the_same_answer_however_written(tmp_path: Path) -> None:
    study = read_crowdkit(write(tmp_path, 'task,worker,label\nt,a,5\nt,b,5.0\nt,c,"5,0"\n'), level="interval")
    assert [label for _, _, label in triples(study)] == ["5", "5", "5"]


@pytest.mark.parametrize(
    ("content", "level", "message"),
    [
        (
            "task,worker,label\nt1,w1,cat\n",
            "ordinal",
            "line 2, column label: expected a number, as labels of level ordinal",
        ),
        ("task,worker,label\nt1,w1,-1\n", "ratio", "line 2, column label: expected no negative number"),
        ("task,worker,label\n,w1,cat\n", "nominal", "line 2, column task: expected a name, found nothing"),
        ("task,worker,label\nt1,NA,cat\n", "nominal", "line 2, column worker: expected a name, found nothing"),
        ("task,worker,label\nt1,w1,\n", "nominal", "column label: no row has a label"),
        ("task,worker,guess\nt1,w1,cat\n", "nominal", "line 1: expected the columns task, worker and label"),
        ("one,two\nt1,w1\n", "nominal", "line 1: expected the columns task, worker and label"),
        ("item,w1,w2\nt1,.,NA\n", "nominal", "every cell is a gap"),
        (",w1,w2\nt,a,b\n,a,b\n", "nominal", "line 3, column : expected a name"),
    ],
)
def test_it_says_what_is_wrong_and_where(tmp_path: Path, content: str, level: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_crowdkit(write(tmp_path, content), level=level)


def test_an_unknown_level_is_a_wrong_choice(tmp_path: Path) -> None:
    with pytest.raises(ChoiceError, match="there are nominal, ordinal, interval, ratio"):
        read_crowdkit(write(tmp_path, "task,worker,label\nt,w,1\n"), level="cardinal")


LABEL_ROWS = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 4)), st.sampled_from(["a", "b", "c"]), min_size=1, max_size=20
)


@given(LABEL_ROWS)
@settings(max_examples=25, deadline=None)
def test_the_same_labels_are_the_same_study_however_written(
    tmp_path_factory: pytest.TempPathFactory, labels: dict[tuple[int, int], str]
) -> None:
    folder = tmp_path_factory.mktemp("labels")
    rows = [(f"t{task}", f"w{worker}", label) for (task, worker), label in labels.items()]
    long = "task,worker,label\n" + "".join(",".join(row) + "\n" for row in rows)
    workers = sorted({worker for _, worker, _ in rows})
    by_task: dict[str, dict[str, str]] = {}
    for task, worker, label in rows:
        by_task.setdefault(task, {})[worker] = label
    # Two columns of workers at least: otherwise it is no matrix.
    columns = workers if len(workers) > 1 else [*workers, "nobody"]
    wide = "item;" + ";".join(columns) + "\r\n"
    wide += "".join(";".join([task, *(own.get(w, "NA") for w in columns)]) + "\r\n" for task, own in by_task.items())
    studies = [
        read_crowdkit(write(folder, long, "long.csv")),
        read_crowdkit(write(folder, "\ufeff" + wide, "wide.csv")),
        read_crowdkit(write(folder, gzip.compress(long.replace(",", "\t").encode()), "long.tsv.gz")),
    ]
    assert len({study.data_hash for study in studies}) == 1
