"""From texts to records: order, failures, and what a record says."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from catalogue.methods import METHODS as CATALOGUE
from catalogue.methods import methods_for
from workers import explaining
from workers.classifiers.batching import Batch, group_by_length
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.classifiers.transformer import TransformerClassifier
from workers.explaining import explain, predict
from workers.records import Explained, Failed, Predicted, SourceText, ToScore
from workers.saliency import METHODS
from workers.scoring import score

CONTENTS = ["a great film", "an awful , boring , unwatchable film that does not end .", "café 👍🏽", "film"]
TEXTS = [SourceText(str(at), content) for at, content in enumerate(CONTENTS)]


def explained(classifier: TextClassifier, texts: list[SourceText], *methods: str) -> list[Explained]:
    records = list(explain(classifier, texts, {name: {} for name in methods}))
    assert all(isinstance(record, Explained) for record in records)
    return [record for record in records if isinstance(record, Explained)]


def test_it_works(any_classifier: TextClassifier) -> None:
    methods = methods_for("transformer")
    records = explained(any_classifier, TEXTS, *methods)
    assert [(record.text_id, record.method) for record in records] == [
        (text.text_id, name) for text in TEXTS for name in methods
    ]
    for record in records:
        assert len(record.words) == len(record.offsets) == len(record.scores)
        assert record.target == record.predicted
        assert sum(record.probabilities) == pytest.approx(1)
        assert record.seconds > 0
        assert set(record.versions) == {
            "peekaword",
            "torch",
            "transformers",
            "captum",
            "dtype",
            "device",
            "language",
            "words",
        }
        assert (record.completeness_error is not None) == CATALOGUE[record.method].complete


def test_words_are_cut_out_of_the_text(classifier: TextClassifier) -> None:
    (record,) = explained(classifier, [TEXTS[2]], "gradient")
    assert record.words == ["café", "👍🏽"]
    assert record.offsets == [(0, 4), (5, 7)]


def test_repeated_words_keep_their_own_scores(classifier: TextClassifier) -> None:
    (record,) = explained(classifier, [SourceText("1", "great film , great people")], "gradient")
    assert record.words.count("great") == 2
    assert record.scores[0] != record.scores[3]


def test_words_that_were_cut_off_have_no_score(classifier: TextClassifier) -> None:
    for record in explained(classifier, [SourceText("1", "great film " * 60)], *methods_for("transformer")):
        assert len(record.scores) == 120
        assert record.scores[0] is not None and record.scores[-1] is None


def test_a_given_target_is_explained(classifier: TextClassifier) -> None:
    (own,) = explained(classifier, TEXTS[:1], "input_x_gradient")
    (other,) = explained(classifier, [SourceText("0", CONTENTS[0], target=1 - own.target)], "input_x_gradient")
    assert other.target != other.predicted == own.predicted
    assert other.scores != own.scores


def test_one_bad_text_fails_alone(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = METHODS["gradient"]

    def breaks_on_two(classifier: Any, batch: Batch, target: Tensor, **params: Any) -> Tensor:
        if any(text.text_id == "2" for text in batch.texts):
            raise RuntimeError("no memory")
        return usual(classifier, batch, target, **params)

    monkeypatch.setitem(METHODS, "gradient", breaks_on_two)
    monkeypatch.setattr("workers.classifiers.batching.LEAST_FILL", 0.0)
    records = list(explain(classifier, TEXTS, {"gradient": {}}))
    assert records[2] == Failed("2", "RuntimeError: no memory", "gradient")
    assert [record.text_id for record in records if isinstance(record, Explained)] == ["0", "1", "3"]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_scores_that_are_no_numbers_are_refused(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch, bad: float
) -> None:
    def spoilt(classifier: Any, batch: Batch, target: Tensor) -> Tensor:
        return torch.full(batch.input_ids.shape, bad)

    monkeypatch.setitem(METHODS, "input_x_gradient", spoilt)
    first, second = explain(classifier, TEXTS[:1], {"input_x_gradient": {}, "random": {}})
    assert first == Failed("0", "A score is not a finite number (NaN or infinite).", "input_x_gradient")
    assert isinstance(second, Explained)


@pytest.mark.parametrize(
    ("made", "told"),
    [(torch.ones(7), "a tensor of 7:"), (torch.ones(1, 9), "a tensor of 1 x 9:"), ([[1.0]], "a list:")],
)
def test_scores_of_another_shape_are_refused_and_the_other_methods_go_on(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch, made: object, told: str
) -> None:
    monkeypatch.setitem(METHODS, "input_x_gradient", lambda classifier, batch, target: made)
    first, second = explain(classifier, TEXTS[:1], {"input_x_gradient": {}, "random": {}})
    assert isinstance(first, Failed) and first.method == "input_x_gradient"
    assert f"The method gave {told} expected" in first.reason
    assert isinstance(second, Explained)


@pytest.mark.parametrize("content", ["", "  \n", "\u200b\u0301"[:0]])
def test_a_text_without_words_fails_with_a_reason(classifier: TextClassifier, content: str) -> None:
    (record,) = predict(classifier, [SourceText("9", content)])
    assert record == Failed("9", "The classifier sees no word in this text.")


def test_predictions_come_in_order_across_windows(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "WINDOW", 3)
    records = list(predict(classifier, TEXTS))
    assert [record.text_id for record in records] == ["0", "1", "2", "3"]
    for record, text in zip(records, TEXTS, strict=True):
        assert isinstance(record, Predicted)
        logits = classifier.logits_of([classifier.encode("", text.content).input_ids])
        assert record.predicted == logits.argmax().item()
        assert record.probabilities == pytest.approx(logits.softmax(-1)[0].tolist(), abs=1e-6)


def test_texts_are_read_as_a_stream(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "WINDOW", 2)
    taken: list[str] = []

    def stream() -> Any:
        for text in TEXTS:
            taken.append(text.text_id)
            yield text

    next(iter(predict(classifier, stream())))
    assert taken == ["0", "1"]


@pytest.mark.parametrize(
    ("methods", "message"),
    [({"magic": {}}, "No such method: magic"), ({"gradient": {"x": 1}}, "gradient has no parameter 'x'")],
)
def test_unknown_methods_and_parameters_are_named(
    classifier: TextClassifier, methods: dict[str, dict[str, Any]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        explain(classifier, TEXTS, methods)


def test_one_forward_and_one_backward_serve_a_family(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = {"forward": 0, "backward": 0}
    count_calls(monkeypatch, passes)
    explained(classifier, TEXTS[:1], "attention_all", "attention_last", "gradient", "input_x_gradient")
    assert passes == {"forward": 1, "backward": 1}


def count_calls(monkeypatch: pytest.MonkeyPatch, passes: dict[str, int]) -> None:
    def counting(key: str, usual: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            passes[key] += 1
            return usual(*args, **kwargs)

        return counted

    monkeypatch.setattr(TransformerClassifier, "run", counting("forward", TransformerClassifier.run))
    monkeypatch.setattr(torch.autograd, "grad", counting("backward", torch.autograd.grad))


def test_groups_keep_to_the_budget_and_to_like_lengths() -> None:
    lengths = [5, 100, 98, 6, 50, 5]
    groups = list(group_by_length(lengths, 200))
    assert groups == [[1, 2], [4], [3, 0, 5]]
    assert list(group_by_length([300], 200)) == [[0]]


def test_metrics_of_records(classifier: TextClassifier) -> None:
    records = explained(classifier, TEXTS, "gradient", "random")
    rows = [ToScore(f"{r.text_id}:{r.method}", TEXTS[int(r.text_id)], r.scores, r.target) for r in records]
    scored = list(score(classifier, rows, {"comprehensiveness": {}, "sufficiency": {}}))
    assert len(scored) == 16
    values = {(one.key, one.metric): one for one in scored}
    assert all(-1 <= one.value <= 1 for one in scored if one.value is not None)
    assert values["3:random", "sufficiency"].status == "fewer than two words"
    assert values["3:random", "sufficiency"].value is None
    with pytest.raises(ValueError, match="No such metric: magic"):
        list(score(classifier, rows, {"magic": {}}))


def test_without_memory_for_a_batch_its_halves_are_computed(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, tried = METHODS["gradient"], list[int]()

    def greedy(classifier: TextClassifier, batch: Batch, target: Tensor, **params: Any) -> Tensor:
        tried.append(len(batch))
        if len(batch) > 1:
            raise torch.OutOfMemoryError
        return usual(classifier, batch, target, **params)

    expected = explained(classifier, [SourceText(str(at), "a great film") for at in range(4)], "gradient")
    monkeypatch.setitem(METHODS, "gradient", greedy)
    records = explained(classifier, [SourceText(str(at), "a great film") for at in range(4)], "gradient")
    assert tried == [4, 2, 1, 1, 2, 1, 1]
    for record, other in zip(records, expected, strict=True):
        assert record.scores == pytest.approx(other.scores, abs=1e-6)


def test_a_text_that_fits_no_memory_fails_alone_and_the_chunk_goes_on(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = METHODS["gradient"]

    def greedy(classifier: TextClassifier, batch: Batch, target: Tensor, **params: Any) -> Tensor:
        if any(text.text_id == "1" for text in batch.texts):
            raise torch.OutOfMemoryError
        return usual(classifier, batch, target, **params)

    monkeypatch.setitem(METHODS, "gradient", greedy)
    records = list(explain(classifier, TEXTS, {"gradient": {}}))
    assert [type(record) for record in records] == [Explained, Failed, Explained, Explained]
    assert isinstance(records[1], Failed) and "not enough memory" in records[1].reason


def test_a_method_that_refuses_the_classifier_fails_alone(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: Any, **__: Any) -> Tensor:
        raise ClassifierError("no rule for this model")

    monkeypatch.setitem(METHODS, "gradient", refuses)
    records = list(explain(classifier, TEXTS[:2], {"gradient": {}, "random": {}}))
    assert [(type(record), record.method) for record in records] == 2 * [(Failed, "gradient"), (Explained, "random")]
    assert isinstance(records[0], Failed) and records[0].reason == "no rule for this model"


def test_a_text_that_one_method_cannot_do_has_all_other_maps(
    classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = METHODS["gradient"]

    def picky(classifier: TextClassifier, batch: Batch, target: Tensor, **params: Any) -> Tensor:
        if any(text.text_id == "1" for text in batch.texts):
            raise ValueError("too long for me")
        return usual(classifier, batch, target, **params)

    monkeypatch.setitem(METHODS, "gradient", picky)
    records = list(explain(classifier, TEXTS, {"gradient": {}, "random": {}}))
    failed = [(record.text_id, record.method, record.reason) for record in records if isinstance(record, Failed)]
    assert failed == [("1", "gradient", "ValueError: too long for me")]
    assert len(records) == 2 * len(TEXTS)


def test_whoever_waits_hears_of_each_method_as_it_works(classifier: TextClassifier) -> None:
    heard: list[tuple[str, int]] = []
    list(explain(classifier, TEXTS[:1], {"gradient": {}, "random": {}}, watch=lambda *step: heard.append(step)))
    assert heard == [("gradient", 0), ("gradient", 1), ("random", 0), ("random", 1)]
