"""Loading a classifier, and how it reads a text."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers

from tests.workers.tiny import save_tiny, wordpiece
from workers.classifiers import load_classifier, resolving
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.encoding import Encoded
from workers.classifiers.errors import ClassifierError

Folders = Callable[[str], Path]


def pieces(classifier: TextClassifier, text: Encoded, word: int) -> list[str]:
    tokens: list[str] = classifier.tokenizer.convert_ids_to_tokens(list(text.input_ids))
    return [tokens[piece] for piece in text.pieces_of[word]]


def test_it_works(any_classifier: TextClassifier) -> None:
    assert any_classifier.label_names == ("negative", "positive")
    assert any_classifier.problem_type == "single_label_classification"
    assert len(any_classifier.weights_hash) == 64
    logits = any_classifier.logits_of([any_classifier.encode("1", "a great film").input_ids])
    assert any_classifier.probabilities(logits).sum().item() == pytest.approx(1)


def test_it_loads_eager_attention_in_evaluation_mode(any_classifier: TextClassifier) -> None:
    assert any_classifier.model.config._attn_implementation == "eager"
    assert not any_classifier.model.training
    assert not any(weight.requires_grad for weight in any_classifier.model.parameters())
    assert next(any_classifier.model.parameters()).dtype == torch.float32


def test_it_is_silent(folders: Folders, capfd: pytest.CaptureFixture[str]) -> None:
    load_classifier(str(folders("bert")))
    assert capfd.readouterr() == ("", "")


def test_the_hash_follows_the_weights(folders: Folders, tmp_path: Path) -> None:
    first = load_classifier(str(folders("bert"))).weights_hash
    assert load_classifier(str(save_tiny(tmp_path / "same"))).weights_hash == first
    assert load_classifier(str(save_tiny(tmp_path / "other", seed=2))).weights_hash != first


@pytest.mark.parametrize(
    ("problem", "labels", "total"), [("multi_label_classification", 3, None), ("regression", 1, None)]
)
def test_the_problem_type_decides_what_a_probability_is(tmp_path: Path, problem: str, labels: int, total: None) -> None:
    classifier = load_classifier(str(save_tiny(tmp_path, labels=labels, problem_type=problem)))
    logits = torch.linspace(-2, 3, labels)[None]
    expected = logits if problem == "regression" else 1 / (1 + (-logits).exp())
    assert torch.allclose(classifier.probabilities(logits), expected)


def test_one_output_without_a_problem_type_is_regression(tmp_path: Path) -> None:
    assert load_classifier(str(save_tiny(tmp_path, labels=1))).problem_type == "regression"


def test_special_tokens_are_no_words(any_classifier: TextClassifier) -> None:
    text = any_classifier.encode("1", "great film")
    assert {0, len(text.input_ids) - 1}.isdisjoint(text.words_of)
    assert text.seen == [0, 1]


def test_every_piece_finds_its_word(any_classifier: TextClassifier) -> None:
    text = any_classifier.encode("1", "unwatchable tokens, don't re-use 3.14")
    words = [text.content[word.start : word.end] for word in text.words]
    assert words == ["unwatchable", "tokens", ",", "don't", "re-use", "3.14"]
    for index, word in enumerate(words):
        joined = "".join(pieces(any_classifier, text, index)).replace("##", "").replace("Ġ", "")
        assert joined == word


def test_emoji_and_accents_keep_their_offsets(any_classifier: TextClassifier) -> None:
    text = any_classifier.encode("1", "👍🏽 cafe\u0301 film")
    assert [word[:2] for word in text.words] == [(0, 2), (3, 8), (9, 13)]
    assert text.seen == [0, 1, 2]
    assert "".join(pieces(any_classifier, text, 2)).replace("##", "").replace("Ġ", "") == "film"


def test_words_beyond_the_maximum_were_not_seen(any_classifier: TextClassifier) -> None:
    text = any_classifier.encode("1", "great film " * 60)
    assert len(text.input_ids) == any_classifier.most_pieces
    scores = text.to_words([1.0] * len(text.input_ids))
    assert len(scores) == 120
    assert scores[0] is not None and scores[-1] is None
    any_classifier.logits_of([text.input_ids])


def test_roberta_loses_the_positions_up_to_its_padding_index(folders: Folders) -> None:
    assert load_classifier(str(folders("roberta"))).most_pieces == 38


def test_a_piece_over_several_words_is_shared_between_them() -> None:
    text = Encoded("1", "ab", ((0, 1, False), (1, 2, False)), (7, 8, 9), ((1, 0), (1, 1)))  # type: ignore[arg-type]
    assert text.to_words([5.0, 2.0, 5.0]) == [1.0, 1.0]
    assert text.without({0}) == (7, 8, 9)
    assert text.without({0, 1}) == (7, 9)


def test_removing_words_deletes_their_pieces_only(classifier: TextClassifier) -> None:
    whole, part = classifier.encode("1", "a great unwatchable film"), classifier.encode("2", "a film")
    assert whole.without({1, 2}) == part.input_ids


def test_equal_inputs_run_once_and_order_is_kept(classifier: TextClassifier) -> None:
    first, second = (classifier.encode("1", content).input_ids for content in ("a film", "a great film ."))
    logits = classifier.logits_of([first, second, first], budget=8)
    assert torch.equal(logits[0], logits[2])
    assert torch.allclose(logits[1], classifier.logits_of([second])[0], atol=1e-6)


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(ClassifierError, match=r"No such folder: \./nowhere\. Give a folder"):
        load_classifier("./nowhere")


def test_a_folder_takes_no_revision(folders: Folders) -> None:
    with pytest.raises(ClassifierError, match="folders have no revision"):
        load_classifier(str(folders("bert")), revision="main")


def edited(folder: Path, into: Path, **config: object) -> str:
    copy = shutil.copytree(folder, into / "copy")
    path = copy / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | config))
    return str(copy)


def test_a_model_without_its_tokenizer_is_refused(folders: Folders, tmp_path: Path) -> None:
    copy = Path(edited(folders("bert"), tmp_path))
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (copy / name).unlink()
    with pytest.raises(ClassifierError, match=r"has no tokenizer\.json: save the tokenizer beside the model"):
        load_classifier(str(copy))


def test_a_configuration_of_another_model_names_what_does_not_fit(folders: Folders, tmp_path: Path) -> None:
    labels = {"0": "a", "1": "b", "2": "c"}
    other = edited(folders("bert"), tmp_path, id2label=labels, label2id={v: int(k) for k, v in labels.items()})
    with pytest.raises(ClassifierError, match=r"classifier\.bias has the shape 2 in the weights, and 3 by config"):
        load_classifier(other)


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ("A", "no name of its own"),
        (" ", "no name of its own"),
        ("x" * 201, "longer than any label"),
        ("b\0", "cannot be stored"),
        ("b\ud83d", "cannot be stored"),
    ],
)
def test_labels_are_told_apart_by_their_names(folders: Folders, tmp_path: Path, second: str, says: str) -> None:
    with pytest.raises(ClassifierError, match=f"Output 1 .*{says}.*mend its id2label"):
        load_classifier(edited(folders("bert"), tmp_path, id2label={"0": "a", "1": second}))


def test_without_network_or_cache_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.errors import LocalEntryNotFoundError

    def unreachable(*args: object, **kwargs: object) -> str:
        raise LocalEntryNotFoundError("offline")

    monkeypatch.setattr(resolving, "snapshot_download", unreachable)
    with pytest.raises(ClassifierError, match="not in the local hub cache, and huggingface.co cannot be reached"):
        load_classifier("someone/model")


def test_pickled_weights_are_refused(folders: Folders, tmp_path: Path) -> None:
    shutil.copytree(folders("bert"), tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").rename(tmp_path / "model" / "pytorch_model.bin")
    with pytest.raises(ClassifierError, match=r"holds only pytorch_model\.bin.*save_pretrained"):
        load_classifier(str(tmp_path / "model"))


def test_a_folder_without_weights_or_config_is_refused(folders: Folders, tmp_path: Path) -> None:
    with pytest.raises(ClassifierError, match=r"has no config\.json"):
        load_classifier(str(tmp_path))
    shutil.copy(folders("bert") / "config.json", tmp_path)
    with pytest.raises(ClassifierError, match="holds no weights"):
        load_classifier(str(tmp_path))


@pytest.mark.parametrize(
    "content",
    ["{", "[]", '{"model_type": "no_such_model"}', '{"model_type": "t5", "classifier_dropout": null}'],
)
def test_a_broken_config_is_refused(folders: Folders, tmp_path: Path, content: str) -> None:
    shutil.copytree(folders("bert"), tmp_path / "model")
    (tmp_path / "model" / "config.json").write_text(content)
    with pytest.raises(ClassifierError, match=r"config\.json cannot be read"):
        load_classifier(str(tmp_path / "model"))


def test_a_broken_weights_file_is_refused(folders: Folders, tmp_path: Path) -> None:
    shutil.copytree(folders("bert"), tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").write_bytes(b"not tensors at all")
    with pytest.raises(ClassifierError, match="cannot be loaded"):
        load_classifier(str(tmp_path / "model"))


def test_an_encoder_without_a_head_is_refused(folders: Folders, tmp_path: Path) -> None:
    model = transformers.AutoModel.from_pretrained(folders("bert"))
    model.save_pretrained(tmp_path)
    wordpiece().save_pretrained(tmp_path)
    with pytest.raises(ClassifierError, match="BertModel, not a text classifier"):
        load_classifier(str(tmp_path))
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"architectures": None}))
    with pytest.raises(ClassifierError, match="not a trained text classifier"):
        load_classifier(str(tmp_path))


def test_a_slow_tokenizer_is_refused(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformers.PreTrainedTokenizerFast, "is_fast", False)
    with pytest.raises(ClassifierError, match="slow tokenizer"):
        load_classifier(str(folders("bert")))


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ClassifierError, match="No such kind of classifier: forest. Known: transformer"):
        load_classifier("x", kind="forest")


def test_a_piece_of_white_space_alone_belongs_to_no_word(folders: Folders) -> None:
    classifier = load_classifier(str(folders("roberta")))
    text = classifier.encode("1", "great   film")
    assert classifier.piece_names(text.input_ids) == ["<s>", "great", "Ġ", "Ġ", "Ġ", "film", "</s>"]
    assert text.pairs == ((1, 0), (5, 1)) and text.special == [0, 2, 3, 4, 6]
