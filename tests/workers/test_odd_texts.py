"""Texts and classifiers at the edge: one word, nothing that matters, and outputs that are no numbers."""

import math

import pytest
import torch

from catalogue.methods import METHODS as CATALOGUE
from catalogue.methods import methods_for
from workers.classifiers.classifier import TextClassifier
from workers.explaining import NOT_FINITE, explain
from workers.records import Explained, Failed, SourceText

NAMES = methods_for("transformer")


def made(classifier: TextClassifier, name: str, *contents: str) -> list[Explained | Failed]:
    texts = [SourceText(str(at), content) for at, content in enumerate(contents)]
    return list(explain(classifier, texts, {name: {}}))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", ["film", "!", "👍🏽"])
def test_one_word_has_one_score(classifier: TextClassifier, name: str, content: str) -> None:
    (record,) = made(classifier, name, content)
    assert isinstance(record, Explained)
    (score,) = record.scores
    assert score is not None and math.isfinite(score)


@pytest.mark.parametrize("name", NAMES)
def test_where_nothing_matters_scores_are_finite_and_say_so(classifier: TextClassifier, name: str) -> None:
    torch.nn.init.zeros_(classifier.model.classifier.weight)
    (record,) = made(classifier, name, "a great film , really great .")
    assert isinstance(record, Explained)
    scores = [score for score in record.scores if score is not None]
    assert all(math.isfinite(score) for score in scores)
    if CATALOGUE[name].family in ("gradient", "perturbation"):
        assert scores == pytest.approx([0.0] * len(scores), abs=1e-9)
        assert record.completeness_error is None


@pytest.mark.parametrize("name", NAMES)
def test_outputs_that_are_no_numbers_cost_no_other_text(classifier: TextClassifier, name: str) -> None:
    fine, bad = "a great film", "a boring film"
    (alone,) = made(classifier, name, fine)
    with torch.no_grad():
        classifier.embedding.weight[classifier.encode("1", "boring").input_ids[1]] = math.nan  # type: ignore[operator]
    first, second = made(classifier, name, bad, fine)
    assert first == Failed("0", NOT_FINITE)
    assert isinstance(second, Explained) and isinstance(alone, Explained)
    assert second.scores == pytest.approx(alone.scores, abs=1e-5)
