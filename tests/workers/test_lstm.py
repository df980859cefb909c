"""The LSTM's folder, how it reads a text, and that padding changes nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from tests.workers.tiny_lstm import PIECES, save_tiny_lstm
from workers.classifiers import find_kind, load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.classifiers.lstm_network import as_read

CONTENTS = ["a great film , really great .", "film", "an awful , boring film that does not end and does not stop ."]
COUNT = len(PIECES)


@pytest.fixture
def lstm(tmp_path: Path) -> TextClassifier:
    return load_classifier(str(save_tiny_lstm(tmp_path / "lstm")))


def test_it_works(lstm: TextClassifier) -> None:
    assert lstm.kind == "lstm" and lstm.label_names == ("negative", "positive")
    assert lstm.problem_type == "single_label_classification" and lstm.most_pieces == 60
    assert len(lstm.weights_hash) == 64
    assert not lstm.model.training and not any(weight.requires_grad for weight in lstm.model.parameters())
    logits = lstm.logits_of([lstm.encode("1", content).input_ids for content in CONTENTS])
    assert logits.shape == (3, 2) and (logits[0] - logits[2]).abs().max() > 1e-3


def test_a_piece_is_a_word_in_lower_case(lstm: TextClassifier) -> None:
    text = lstm.encode("1", "GREAT film, it's cafe\u0301 👍🏽!")
    assert lstm.piece_names(text.input_ids) == ["great", "film", ",", "<unk>", "café", "👍🏽", "<unk>"]
    assert text.words_of == {at: [at] for at in range(7)} and text.special == []


def test_case_may_count(tmp_path: Path) -> None:
    cased = load_classifier(str(save_tiny_lstm(tmp_path, lower_case=False)))
    assert cased.piece_names(cased.encode("1", "Great great").input_ids) == ["<unk>", "great"]


def test_words_beyond_the_maximum_were_not_seen(lstm: TextClassifier) -> None:
    text = lstm.encode("1", "great film " * 60)
    assert len(text.input_ids) == 60
    assert text.to_words([1.0] * 60) == [1.0] * 60 + [None] * 60


def test_the_output_is_that_of_plain_pytorch(tmp_path: Path) -> None:
    folder = save_tiny_lstm(tmp_path, output_bias=True)
    ours, weights = load_classifier(str(folder)), load_file(folder / "model.safetensors")
    plain = nn.LSTM(5, 4, batch_first=True, bidirectional=True)
    plain.load_state_dict({key[5:]: weight for key, weight in weights.items() if key.startswith("lstm.")})
    for content in CONTENTS:
        ids = torch.tensor([ours.encode("1", content).input_ids])
        states, _ = plain(weights["embedding.weight"][ids])
        last = torch.cat([states[:, -1, :4], states[:, 0, 4:]], -1)
        expected = last @ weights["linear.weight"].T + weights["linear.bias"]
        assert torch.allclose(ours.logits(ids, torch.ones_like(ids)), expected, atol=1e-6)


@pytest.mark.parametrize("bidirectional", [True, False])
def test_batch_and_padding_change_nothing(tmp_path: Path, bidirectional: bool) -> None:
    lstm = load_classifier(str(save_tiny_lstm(tmp_path, bidirectional=bidirectional)))
    batch = lstm.batch([lstm.encode(str(at), content) for at, content in enumerate(CONTENTS)])
    embeddings = lstm.embed(batch.input_ids).requires_grad_()
    together = lstm.logits(batch.input_ids, batch.attention_mask, embeddings)
    (gradient,) = torch.autograd.grad(together[:, 0].sum(), embeddings)
    assert (gradient[batch.attention_mask == 0] == 0).all()
    for row, text in enumerate(batch.texts):
        ids = torch.tensor([text.input_ids])
        own = lstm.embed(ids).requires_grad_()
        alone = lstm.logits(ids, torch.ones_like(ids), own)
        assert torch.allclose(together[row], alone[0], atol=1e-6)
        (own_gradient,) = torch.autograd.grad(alone[:, 0].sum(), own)
        assert torch.allclose(gradient[row, : ids.shape[1]], own_gradient[0], atol=1e-6)


def test_embeddings_stand_in_for_those_of_the_ids(lstm: TextClassifier) -> None:
    ids, others = (torch.tensor([lstm.encode("1", content).input_ids]) for content in ("a film", "bad tests"))
    mask = torch.ones_like(ids)
    assert torch.equal(lstm.logits(ids, mask, lstm.embed(others)), lstm.logits(others, mask))


def test_each_direction_is_read_out_at_its_end(lstm: TextClassifier, tmp_path: Path) -> None:
    mask = torch.tensor([[1, 1, 1], [1, 0, 0]])
    assert lstm.readout(mask).tolist() == [[0.5, 0, 0.5], [1, 0, 0]]
    forwards = load_classifier(str(save_tiny_lstm(tmp_path / "one", bidirectional=False)))
    assert forwards.readout(mask).tolist() == [[0, 0, 1], [1, 0, 0]]


def test_reading_order_undoes_itself() -> None:
    values, lengths = torch.tensor([[1, 2, 3], [4, 5, 0]]), torch.tensor([3, 2])
    turned = as_read(values, lengths, True)
    assert turned.tolist() == [[3, 2, 1], [5, 4, 0]]
    assert torch.equal(as_read(turned, lengths, True), values)


def test_words_are_erased_by_removing_padding_or_zeroing(lstm: TextClassifier) -> None:
    text = lstm.encode("1", "a great film")
    assert lstm.erase(text, {1}, "remove") == lstm.encode("2", "a film").input_ids
    padded, zeroed, empty = lstm.logits_of([lstm.erase(text, {1}, "pad"), lstm.erase(text, {1}, "zero"), ()])
    assert torch.allclose(padded, zeroed)  # The embedding of padding is zero.
    assert torch.isfinite(empty).all()
    with pytest.raises(ClassifierError, match="has no mask token: leave words out by remove, pad or zero"):
        lstm.erase(text, {1}, "mask")


def test_bfloat16_is_close(tmp_path: Path, lstm: TextClassifier) -> None:
    half = load_classifier(str(tmp_path / "lstm"), dtype="bfloat16")
    ids = [lstm.encode("1", content).input_ids for content in CONTENTS]
    assert torch.allclose(half.logits_of(ids), lstm.logits_of(ids), atol=0.1)


def test_the_kind_is_read_from_the_folder(tmp_path: Path) -> None:
    assert find_kind(save_tiny_lstm(tmp_path)) == "lstm"


def test_the_hash_follows_the_weights(tmp_path: Path) -> None:
    hashes = [load_classifier(str(save_tiny_lstm(tmp_path / str(at), seed=at // 2))).weights_hash for at in range(3)]
    assert hashes[0] == hashes[1] != hashes[2]


def edited(folder: Path, **config: Any) -> str:
    path = folder / "config.json"
    kept = {key: value for key, value in (json.loads(path.read_text()) | config).items() if value != "drop"}
    path.write_text(json.dumps(kept))
    return str(folder)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"hidden_size": 0}, "hidden_size in .*config.json is 0: expected a whole number above 0"),
        ({"hidden_size": True}, "hidden_size in .* is True: expected a whole number above 0"),
        ({"hidden_size": 10**12}, "hidden_size in .* is 1000000000000: expected a whole number above 0, at most 16384"),
        ({"bidirectional": "yes"}, "bidirectional in .* is 'yes': expected true or false"),
        ({"problem_type": "ranking"}, "problem_type in .* is 'ranking': expected single_label_classification or"),
        ({"problem_type": []}, r"problem_type in .* is \[\]: expected"),
        ({"label_names": "ab"}, "label_names in .* is 'ab': expected a list"),
        ({"label_names": ["a", "A"]}, "Output 1 has no name of its own in .*config.json: mend its label_names"),
        ({"embedding_size": "drop"}, "has no embedding_size: add it; it is a whole number"),
        ({"layers": 2}, "has the unknown key 'layers'; it may hold label_names, embedding_size"),
        ({"kind": "forest"}, "is not that of an LSTM"),
        ({"hidden_size": 3}, "lstm.weight_ih_l0 has the shape 16 x 5 in the weights, and 12 x 5 by config.json and"),
        ({"output_bias": True}, "The weights lack linear.bias, which config.json and vocabulary.txt in .* ask for"),
        ({"bidirectional": False}, "hold lstm.bias_hh_l0_reverse, for which|linear.weight has the shape 2 x 8"),
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(tmp_path: Path, config: dict[str, Any], said: str) -> None:
    with pytest.raises(ClassifierError, match=said):
        load_classifier(edited(save_tiny_lstm(tmp_path), **config), kind="lstm")


@pytest.mark.parametrize("content", ["{", "[]", '"lstm"'])
def test_a_broken_configuration_is_refused(tmp_path: Path, content: str) -> None:
    (save_tiny_lstm(tmp_path) / "config.json").write_text(content)
    with pytest.raises(ClassifierError, match="config.json (cannot be read|is not that of an LSTM)"):
        load_classifier(str(tmp_path), kind="lstm")


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ([*PIECES, "film"], r"vocabulary.txt, line \d+ is 'film' again, as in line \d+: expected a piece of its own"),
        ([*PIECES, ""], f"vocabulary.txt, line {COUNT + 1} is empty"),
        (PIECES[1:], "vocabulary.txt has no line <pad>: it stands for padding"),
        (PIECES[:-1], f"has the shape {COUNT} x 5 in the weights, and {COUNT - 1} x 5 by config.json and vocabulary"),
    ],
)
def test_a_vocabulary_that_does_not_fit_is_refused(tmp_path: Path, pieces: list[str], said: str) -> None:
    (save_tiny_lstm(tmp_path) / "vocabulary.txt").write_text("\n".join(pieces) + "\n")
    with pytest.raises(ClassifierError, match=said):
        load_classifier(str(tmp_path))


def without_vocabulary(folder: Path) -> None:
    (folder / "vocabulary.txt").unlink()


def garbled_vocabulary(folder: Path) -> None:
    (folder / "vocabulary.txt").write_bytes(b"\xff\xfe\xff")


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "model.pt")


def damaged(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"not tensors at all")


def not_finite(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["lstm.weight_hh_l0"][0, 0] = float("nan")
    save_file(weights, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (without_vocabulary, "has no vocabulary.txt: one piece a line"),
        (garbled_vocabulary, "vocabulary.txt cannot be read"),
        (pickled, "holds only model.pt.*safetensors alone"),
        (damaged, "model.safetensors cannot be loaded"),
        (not_finite, "lstm.weight_hh_l0 in .* holds values that are not finite"),
    ],
)
def test_spoiled_files_are_refused(tmp_path: Path, spoil: Callable[[Path], None], said: str) -> None:
    spoil(save_tiny_lstm(tmp_path))
    with pytest.raises(ClassifierError, match=said):
        load_classifier(str(tmp_path))


def test_options_and_no_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ClassifierError, match="An LSTM takes no options, and words is one"):
        load_classifier(str(save_tiny_lstm(tmp_path)), options={"words": ["was"]})
    with pytest.raises(ClassifierError, match="No such folder"):
        load_classifier("./nowhere", kind="lstm")
