"""What holds for tiny random models holds for a real one: the packaged MiniLM with a head of chance."""

from pathlib import Path

import pytest
import torch
import transformers as untyped

from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.demo_data import encoder_folder, read_reviews
from workers.classifiers.pretrained import silence
from workers.explaining import explain
from workers.records import Explained, SourceText
from workers.saliency.passes import forward, gradient_of


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> TextClassifier:
    folder: Path = tmp_path_factory.mktemp("minilm")
    with silence(), torch.random.fork_rng():
        torch.manual_seed(1)
        auto_class = untyped.AutoModelForSequenceClassification
        auto_class.from_pretrained(encoder_folder(), num_labels=2).save_pretrained(folder)
        untyped.AutoTokenizer.from_pretrained(encoder_folder()).save_pretrained(folder)
    return load_classifier(str(folder))


@pytest.fixture(scope="module")
def reviews() -> list[str]:
    _, held_out = read_reviews()
    return sorted((review.content for review in held_out[:40]), key=len)[::13]


def test_it_works(minilm: TextClassifier, reviews: list[str]) -> None:
    texts = [SourceText(str(at), content) for at, content in enumerate(reviews)]
    records = list(explain(minilm, texts, {"integrated_gradients": {}, "gradient": {}, "attention_all": {}}))
    assert len(records) == 3 * len(reviews)
    for record in records:
        assert isinstance(record, Explained)
        assert None not in record.scores and any(record.scores)
        if record.method == "integrated_gradients":
            assert record.completeness_error is not None and record.completeness_error < 0.03


def test_batch_and_padding_change_neither_logits_nor_gradients(minilm: TextClassifier, reviews: list[str]) -> None:
    encoded = [minilm.encode(str(at), content) for at, content in enumerate(reviews)]
    together, target = minilm.batch(encoded), torch.zeros(len(reviews), dtype=torch.long)
    assert min(together.lengths) < max(together.lengths) / 2
    gradients = gradient_of(minilm, together, target)
    for row, text in enumerate(encoded):
        alone = minilm.batch([text])
        assert torch.allclose(forward(minilm, together).logits[row], forward(minilm, alone).logits[0], atol=1e-5)
        own = gradient_of(minilm, alone, target[:1])[0]
        assert torch.allclose(gradients[row, : len(own)], own, atol=1e-5 * float(own.abs().max()) + 1e-6)


def test_a_long_text_is_cut(minilm: TextClassifier, reviews: list[str]) -> None:
    content = " ".join(reviews * 12)
    text = minilm.encode("1", content)
    assert len(text.input_ids) == minilm.most_pieces < len(text.words)
    assert text.seen == list(range(len(text.seen)))
