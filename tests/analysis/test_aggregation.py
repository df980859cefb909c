"""What holds for every aggregation, and what each finds on cases worked by hand and on known crowds."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.aggregation.dawid_skene import dawid_skene
from analysis.aggregation.dawid_skene_one_coin import dawid_skene_one_coin
from analysis.aggregation.estimating import maximise
from analysis.aggregation.glad import glad
from analysis.aggregation.labelling import aggregate
from analysis.aggregation.mace import mace
from analysis.aggregation.majority import majority
from analysis.aggregation.registry import AGGREGATIONS
from analysis.aggregation.votes import TooManyLabelsError, Votes, read_votes
from analysis.aggregation.wawa import wawa
from tests.analysis.published import published

NAMES = list(AGGREGATIONS)
MODELS = ["dawid_skene_one_coin", "dawid_skene", "glad", "mace"]
VOTES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=30)


def table(*rows: tuple[object, object, object]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["task", "worker", "label"])


def chosen(name: str, votes: Votes) -> list[object]:
    return list(votes.labels[AGGREGATIONS[name].aggregate(votes).chosen])


def crowd(
    right: np.ndarray, *, n_tasks: int, n_labels: int, seed: int, per_task: int = 0
) -> tuple[pd.DataFrame, np.ndarray]:
    """Votes of workers who are right by these chances, on every task or on `per_task` each; and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_labels, size=n_tasks)
    who = np.stack([rng.permutation(len(right))[: per_task or len(right)] for _ in range(n_tasks)])
    wrong = (truth[:, None] + rng.integers(1, n_labels, size=who.shape)) % n_labels
    label = np.where(rng.random(who.shape) < right[who], truth[:, None], wrong)
    task = np.repeat(np.arange(n_tasks), who.shape[1])
    return pd.DataFrame({"task": task, "worker": who.ravel(), "label": label.ravel()}), truth


def test_it_works() -> None:
    labels = aggregate(table(("b", "x", "no"), ("a", "x", "yes"), ("a", "y", "yes"), ("a", "z", "no")))
    assert list(labels.columns) == ["task", *NAMES]
    assert labels["task"].tolist() == ["a", "b"]
    assert labels["majority"].tolist() == ["yes", "no"]


def test_the_majority_is_counted_by_hand() -> None:
    votes = read_votes(table((1, "x", 0), (1, "y", 0), (1, "z", 1), (2, "x", 1), (2, "y", 1), (2, "z", 0)))
    found = majority(votes)
    assert found.posterior == pytest.approx(np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]]))
    assert found.competence == pytest.approx(np.array([1.0, 1.0, 0.0]))
    assert (found.iterations, found.converged, found.log_likelihood) == (0, True, None)


def test_skill_weighs_votes_by_hand() -> None:
    """Task 4 ties between u and x, who agreed with the majority once and twice elsewhere: x's vote weighs more."""
    rows = [(task, worker, 0) for task in (1, 2) for worker in ("x", "y")]
    votes = read_votes(table(*rows, (1, "u", 0), (2, "u", 1), (4, "u", 1), (4, "x", 2)))
    found = wawa(votes)
    assert found.competence == pytest.approx(np.array([1.5 / 3, 2.5 / 3, 1.0]))
    assert found.posterior[2] == pytest.approx(np.array([0, 3 / 8, 5 / 8]))


def test_one_step_of_dawid_and_skene_by_hand() -> None:
    """Three workers on two tasks, from shares of votes: x says 0 0, y 0 1, z 1 1."""
    votes = read_votes(table((1, "x", 0), (1, "y", 0), (1, "z", 1), (2, "x", 0), (2, "y", 1), (2, "z", 1)))
    priors: list[np.ndarray] = []

    def m_step(posterior: np.ndarray) -> np.ndarray:
        priors.append(posterior.mean(axis=0))
        return votes.by_worker(votes.own(posterior)) / votes.n_by_worker

    def e_step(right: np.ndarray) -> np.ndarray:
        return np.stack([votes.by_task(np.log(np.where(votes.label_of == k, r := right[votes.worker_of], 1 - r)))
                         for k in (0, 1)], axis=1)  # fmt: skip

    end = maximise(votes, votes.shares, m_step, e_step, iterations=1)
    assert priors[0] == pytest.approx([0.5, 0.5])
    assert end.parameters == pytest.approx(np.array([1 / 2, 2 / 3, 1 / 2]))
    assert end.posterior == pytest.approx(np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]]))
    assert end.log_likelihood == pytest.approx(2 * np.log(1 / 4))
    assert (end.iterations, end.converged) == (1, False)


@pytest.mark.parametrize("name", ["dawid_skene_one_coin", "dawid_skene", "mace"])
def test_em_never_goes_down(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, _ = crowd(np.array([0.9, 0.8, 0.6, 0.4, 0.3]), n_tasks=40, n_labels=3, seed=5)
    votes, heights = read_votes(frame), []
    for limit in range(1, 12):
        monkeypatch.setattr("analysis.aggregation.estimating.TOLERANCE", -1.0)
        monkeypatch.setattr(
            f"analysis.aggregation.{name}.maximise", lambda *a, n=limit, **b: maximise(*a, iterations=n, **b)
        )
        heights.append(AGGREGATIONS[name].aggregate(votes).log_likelihood)
    climbed = np.diff(np.array(heights, dtype=float))
    assert climbed.min() >= -1e-9 and climbed.sum() > 1


def test_one_coin_finds_each_workers_chance() -> None:
    right = np.array([0.95, 0.9, 0.8, 0.7, 0.6, 0.3])
    frame, truth = crowd(right, n_tasks=2000, n_labels=3, seed=1)
    found = dawid_skene_one_coin(read_votes(frame))
    # Four standard errors of a share of 2,000.
    assert found.competence == pytest.approx(right, abs=4 * 0.5 / np.sqrt(2000))
    assert (found.chosen == truth).mean() > 0.97


def test_dawid_and_skene_find_who_confuses_what() -> None:
    """A worker who calls every 2 a 0 is found out, and the label is read from it."""
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=1500)
    blind = np.where(truth == 2, 0, truth)
    careful = [np.where(rng.random(1500) < 0.8, truth, rng.integers(3, size=1500)) for _ in range(3)]
    said = np.stack([blind, blind, *careful], axis=1)
    frame = pd.DataFrame({"task": np.repeat(np.arange(1500), 5), "worker": np.tile(list("abxyz"), 1500),
                          "label": said.ravel()})  # fmt: skip
    found = dawid_skene(read_votes(frame))
    assert found.competence[:2] == pytest.approx([2 / 3, 2 / 3], abs=0.05)
    assert (found.chosen == truth).mean() > (majority(read_votes(frame)).chosen == truth).mean() + 0.05


def test_glad_puts_workers_in_order_and_doubts_who_is_always_wrong() -> None:
    right = np.array([0.97, 0.85, 0.7, 0.5, 0.15])
    frame, truth = crowd(right, n_tasks=600, n_labels=2, seed=3)
    found = glad(read_votes(frame))
    assert np.array_equal(np.argsort(-found.competence), np.arange(5))
    assert found.competence[4] < -0.3 and abs(found.competence[3]) < 0.3
    assert (found.chosen == truth).mean() > 0.95


def test_mace_finds_the_spammers() -> None:
    frame, truth = crowd(np.full(10, 0.9), n_tasks=400, n_labels=4, seed=4, per_task=5)
    frame.loc[frame["worker"] >= 6, "label"] = 2
    found = mace(read_votes(frame))
    assert found.competence[:6].min() > 0.75 and found.competence[6:].max() < 0.1
    assert (found.chosen == truth).mean() > (majority(read_votes(frame)).chosen == truth).mean() + 0.05


@pytest.mark.parametrize("name", MODELS)
def test_models_beat_the_majority_where_workers_differ(name: str) -> None:
    frame, truth = crowd(np.linspace(0.35, 0.95, 20), n_tasks=800, n_labels=3, seed=6, per_task=5)
    votes = read_votes(frame)
    gain = (AGGREGATIONS[name].aggregate(votes).chosen == truth).mean() - (majority(votes).chosen == truth).mean()
    assert gain > 0.02


# Shares of the 584 tasks of Zheng et al. 2017's face_* that crowd-kit 1.4.2 labels as the truth has it, run with
# MajorityVote(), Wawa(), OneCoinDawidSkene(n_iter=100), DawidSkene(n_iter=100), GLAD(n_iter=100), MACE().
CROWD_KIT = {
    "majority": 0.6336, "wawa": 0.6301, "dawid_skene_one_coin": 0.6113, "dawid_skene": 0.6404, "glad": 0.6301,
    "mace": 0.6353,
}  # fmt: skip
# 28 of the 584 tasks tie, and priors and stopping differ: six tasks.
FACE_TOLERANCE = 6 / 584


def test_faces_are_labelled_as_well_as_by_crowd_kit(capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.read_csv(published("zheng2017/face_answer.csv")).set_axis(["task", "worker", "label"], axis=1)
    truth = pd.read_csv(published("zheng2017/face_truth.csv")).set_index("question")["truth"]
    labels = aggregate(frame).set_index("task").reindex(truth.index)
    assert len(truth) == 584 and set(labels.columns) == set(CROWD_KIT)
    for name, theirs in CROWD_KIT.items():
        ours = float((labels[name] == truth).mean())
        with capsys.disabled():
            print(f"\nface_*: {name:22} {ours:.4f}, crowd-kit {theirs:.4f}", end="")
        assert ours == pytest.approx(theirs, abs=FACE_TOLERANCE)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(rows=VOTES, seed=st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(name: str, rows: list[tuple[int, int, int]], seed: int) -> None:
    frame = table(*rows)
    shuffled = frame.sample(frac=1, random_state=seed)
    first, second = (AGGREGATIONS[name].aggregate(read_votes(one)) for one in (frame, shuffled))
    assert np.array_equal(first.posterior, second.posterior)
    assert np.array_equal(first.competence, second.competence)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(rows=VOTES)
def test_names_change_nothing(name: str, rows: list[tuple[int, int, int]]) -> None:
    """Tasks and workers renamed so that their order turns round: the same labels under the new names."""
    frame = table(*rows)
    renamed = frame.assign(task=100 - frame["task"], worker=("w" + (9 - frame["worker"]).astype(str)))
    options = {"restarts": 0} if name == "mace" else {}
    first, second = (AGGREGATIONS[name].aggregate(read_votes(one), **options) for one in (frame, renamed))
    assert second.posterior[::-1] == pytest.approx(first.posterior, abs=1e-4)
    assert second.competence[::-1] == pytest.approx(first.competence, abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(rows=VOTES)
def test_what_comes_back_is_always_whole(name: str, rows: list[tuple[int, int, int]]) -> None:
    votes = read_votes(table(*rows))
    found = AGGREGATIONS[name].aggregate(votes)
    assert found.posterior.sum(axis=1) == pytest.approx(np.ones(len(votes.tasks)))
    assert (found.posterior >= 0).all() and np.isfinite(found.competence).all()
    assert found.competence.shape == (len(votes.workers),)
    assert found.converged and (name not in MODELS or np.isfinite(found.log_likelihood or np.nan))


@pytest.mark.parametrize("name", NAMES)
def test_tasks_that_all_agree_on_keep_their_label(name: str) -> None:
    votes = read_votes(table(*[(task, worker, task % 3) for task in range(6) for worker in "abc"]))
    assert chosen(name, votes) == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("name", NAMES)
def test_one_worker_is_believed(name: str) -> None:
    assert chosen(name, read_votes(table((1, "x", "b"), (2, "x", "a"), (3, "x", "b")))) == ["b", "a", "b"]


@pytest.mark.parametrize("name", NAMES)
def test_one_label_is_the_label(name: str) -> None:
    votes = read_votes(table((1, "x", 7), (2, "y", 7)))
    found = AGGREGATIONS[name].aggregate(votes)
    assert votes.labels[found.chosen].tolist() == [7, 7]
    assert found.posterior == pytest.approx(np.ones((2, 1)))


@pytest.mark.parametrize("name", NAMES)
def test_of_tied_labels_the_first_is_taken_and_the_tie_is_told(name: str) -> None:
    votes = read_votes(table((1, "x", 10), (1, "y", 9)))
    found = AGGREGATIONS[name].aggregate(votes)
    assert votes.labels[found.chosen].tolist() == [9]
    assert found.n_tied == 1


def test_gaps_are_left_out_and_tasks_without_a_vote_have_no_label() -> None:
    labels = aggregate(table((1, "x", "a"), (1, "y", None), (2, "x", None), (3, "y", "b")))
    assert labels["task"].tolist() == [1, 3, 2]
    assert labels["majority"].fillna("nothing").tolist() == ["a", "b", "nothing"]


@pytest.mark.parametrize(
    "labels", [[1, 0, 1], [1.5, 0.5, 1.5], ["1", "0", "1"], ["ja", "nein", "ja"], [True, False, True]]
)
def test_labels_come_back_as_they_were_given(labels: list[object]) -> None:
    frame = pd.DataFrame({"task": [1, 1, 1], "worker": list("xyz"), "label": labels})
    assert aggregate(frame)["majority"].tolist() == [labels[0]]


def test_numbers_go_before_words_where_labels_are_mixed() -> None:
    assert list(read_votes(table((1, "x", "b"), (1, "y", 10), (1, "z", 9))).labels) == [9, 10, "b"]


def test_votes_of_a_worker_on_a_task_count_each() -> None:
    assert majority(read_votes(table((1, "x", 0), (1, "x", 1), (1, "x", 1)))).posterior.tolist()[0] == pytest.approx(
        [1 / 3, 2 / 3]
    )


def test_one_seed_gives_one_result() -> None:
    frame, _ = crowd(np.linspace(0.3, 0.9, 8), n_tasks=60, n_labels=2, seed=8, per_task=4)
    assert aggregate(frame, seed=3).equals(aggregate(frame, seed=3))


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (table((1, "x", 0)).drop(columns="worker"), "worker missing"),
        (table((1, "x", None)), "no row has a label"),
        (table((1, None, 0)), "lacks its task or its worker"),
    ],
)
def test_it_says_what_votes_lack(frame: pd.DataFrame, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_votes(frame)


def test_models_that_would_not_fit_in_memory_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = table(*[(task, "x", task) for task in range(20)])
    monkeypatch.setattr("analysis.aggregation.votes.MOST_CELLS", 399)
    with pytest.raises(TooManyLabelsError, match="20 different labels"):
        read_votes(frame)
    monkeypatch.setattr("analysis.aggregation.votes.MOST_CELLS", 400)
    votes = read_votes(pd.concat([frame, table((0, "y", 0))]))
    with pytest.raises(TooManyLabelsError):
        dawid_skene(votes)
    assert "dawid_skene" not in aggregate(pd.concat([frame, table((0, "y", 0))])).columns


def test_a_module_and_a_line_make_an_aggregation() -> None:
    folder = Path(__file__).resolve().parents[2] / "platform" / "analysis" / "aggregation"
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert modules == {*NAMES, "votes", "estimating", "registry", "labelling"}
