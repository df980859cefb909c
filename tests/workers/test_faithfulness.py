"""What holds for every metric: reasons, shared inputs, classifiers of other kinds."""

import inspect
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from catalogue.metrics import METHOD, MODEL, RATIONALE
from catalogue.metrics import METRICS as CATALOGUE
from tests.workers.worded import SCORES, TEXT, Scores, Worded, values
from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.faithfulness import METRICS
from workers.faithfulness.erasing import Value, rank

ERASING = [name for name in METRICS if CATALOGUE[name].needs == MODEL]


def test_catalogue_and_functions_are_equal() -> None:
    assert list(METRICS) == [name for name, metric in CATALOGUE.items() if metric.needs != RATIONALE]
    for name, metric in METRICS.items():
        given = list(inspect.signature(metric).parameters.values())[5 if CATALOGUE[name].needs == METHOD else 4 :]
        assert [(one.name, one.default) for one in given] == [
            (parameter.name, parameter.default) for parameter in CATALOGUE[name].parameters
        ]


def test_ties_go_to_the_word_that_stands_first(classifier: TextClassifier) -> None:
    assert rank(classifier.encode("1", TEXT), [0.5, 1.0, -2.0, 0.5]) == [1, 0, 3, 2]


def test_explanations_of_one_text_share_their_inputs(classifier: TextClassifier, worded: Worded) -> None:
    rows: list[Scores] = [SCORES, [0.2, 0.8, 0.1, 0.5], [0.9, 0.1, 0.0, 0.5]]
    first, second, third = values(classifier, "comprehensiveness", rows)
    assert first == second != third
    assert len(worded.asked) == len(set(worded.asked)) == 5


def test_no_input_runs_twice_for_all_metrics_together(classifier: TextClassifier, worded: Worded) -> None:
    batch, target = classifier.batch([classifier.encode("1", TEXT)]), torch.tensor([0])
    for name in ERASING:
        METRICS[name](classifier, batch, [SCORES], target)
    # At most every choice of four words.
    assert len(worded.asked) == len(set(worded.asked)) <= 16


@pytest.mark.parametrize("metric", ERASING)
@pytest.mark.parametrize(
    ("content", "scores", "reason"),
    [
        ("film", [1.0], "fewer than two words"),
        (TEXT, [0.5, 0.1], "not one score a word"),
        (TEXT, [0.5, 0.5, 0.5, 0.5], "all words score the same"),
        (TEXT, [0.5, None, 0.1, 0.2], "a word without a score"),
        (TEXT, [0.5, math.nan, 0.1, 0.2], "a word without a score"),
    ],
)
def test_what_cannot_be_ranked_has_no_value(
    classifier: TextClassifier, metric: str, content: str, scores: Scores, reason: str
) -> None:
    assert values(classifier, metric, [scores], content) == [Value(None, reason)]


@pytest.mark.parametrize("metric", ERASING)
def test_an_undefined_row_leaves_its_neighbours_alone(classifier: TextClassifier, worded: Worded, metric: str) -> None:
    first, second = values(classifier, metric, [[1.0, 1.0, 1.0, 1.0], SCORES])
    (alone,) = values(classifier, metric, [SCORES])
    assert first.value is None and second == alone and alone.value is not None


@pytest.mark.parametrize("metric", ERASING)
@pytest.mark.parametrize("kind", ["lstm", "roberta"])
def test_every_metric_serves_every_kind(folders: Callable[[str], Path], kind: str, metric: str) -> None:
    found = load_classifier(str(folders(kind)))
    text = found.encode("1", TEXT)
    label = int(found.logits_of([text.input_ids]).argmax())
    (value,) = values(found, metric, [SCORES], label=label)
    assert value.status == "" or value.status.startswith("no ")
