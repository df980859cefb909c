"""Weights of a plain PyTorch LSTM, under its own names and in other orders of gates."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from django.core.management import call_command
from safetensors.torch import save_file
from torch import Tensor, nn

from workers.classifiers import load_classifier
from workers.classifiers.errors import ClassifierError
from workers.classifiers.importing_lstm import Origin, import_lstm

PIECES = ["PAD", "UNK", "a", "great", "film"]
LABELS = ["bad", "good"]


def plain(bidirectional: bool = True) -> tuple[nn.Embedding, nn.LSTM, nn.Linear]:
    torch.manual_seed(4)
    return (
        nn.Embedding(len(PIECES), 3),
        nn.LSTM(3, 4, batch_first=True, bidirectional=bidirectional),
        nn.Linear(8 if bidirectional else 4, 2),
    )


def state_of(embedding: nn.Embedding, lstm: nn.LSTM, linear: nn.Linear) -> dict[str, Tensor]:
    parts = {"embedding.": embedding, "": lstm, "linear.": linear}
    return {
        prefix + name: weight.clone() for prefix, part in parts.items() for name, weight in part.state_dict().items()
    }


def saved(folder: Path, state: dict[str, Tensor], pieces: list[str]) -> tuple[Path, Path]:
    save_file(state, folder / "weights.safetensors")
    (folder / "words.txt").write_text("\n".join(pieces) + "\n")
    return folder / "weights.safetensors", folder / "words.txt"


def logits_of(folder: Path) -> Tensor:
    classifier = load_classifier(str(folder))
    return classifier.logits_of([classifier.encode("1", "A great film").input_ids])[0]


ORIGIN = Origin(pad="PAD", unk="UNK")


@pytest.mark.parametrize("bidirectional", [True, False])
def test_it_works(tmp_path: Path, bidirectional: bool) -> None:
    embedding, lstm, linear = plain(bidirectional)
    files = saved(tmp_path, state_of(embedding, lstm, linear), PIECES)
    config = import_lstm(*files, LABELS, tmp_path / "made", ORIGIN)
    assert config.bidirectional == bidirectional and config.output_bias
    states, _ = lstm(embedding(torch.tensor([[2, 3, 4]])))
    ends = [states[0, -1, :4], states[0, 0, 4:]] if bidirectional else [states[0, -1]]
    assert torch.allclose(logits_of(tmp_path / "made"), linear(torch.cat(ends)), atol=1e-6)


def test_other_orders_of_gates_are_turned(tmp_path: Path) -> None:
    state = state_of(*plain())
    expected = import_lstm(*saved(tmp_path, state, PIECES), LABELS, tmp_path / "own", ORIGIN)
    turned = {}
    for name, weight in state.items():
        i, f, g, o = weight.chunk(4) if "_l0" in name else [weight] * 4
        turned[name] = torch.cat([i, g, f, o]) if "_l0" in name else weight
    files = saved(tmp_path, turned, PIECES)
    assert import_lstm(*files, LABELS, tmp_path / "turned", Origin("igfo", "PAD", "UNK")) == expected
    assert torch.equal(logits_of(tmp_path / "turned"), logits_of(tmp_path / "own"))
    import_lstm(*files, LABELS, tmp_path / "wrong", ORIGIN)
    assert not torch.allclose(logits_of(tmp_path / "wrong"), logits_of(tmp_path / "own"), atol=1e-3)


def test_one_bias_or_none_is_enough(tmp_path: Path) -> None:
    state = {name: weight for name, weight in state_of(*plain()).items() if not name.startswith("bias_hh")}
    import_lstm(*saved(tmp_path, state, PIECES), LABELS, tmp_path / "made", ORIGIN)
    network = load_classifier(str(tmp_path / "made")).model
    assert (network.lstm.bias_hh_l0 == 0).all() and (network.lstm.bias_ih_l0 != 0).any()


def test_padding_and_the_unknown_word_are_added_where_they_lack(tmp_path: Path) -> None:
    import_lstm(*saved(tmp_path, state_of(*plain()), PIECES), LABELS, tmp_path / "made")
    classifier = load_classifier(str(tmp_path / "made"))
    assert classifier.tokenizer.pieces == (*PIECES, "<pad>", "<unk>") and classifier.pad_id == 5
    assert (classifier.embed(torch.tensor([[5, 6]])) == 0).all()
    assert classifier.encode("1", "Great plot").input_ids == (3, 6)


@pytest.mark.parametrize("held", [PIECES, {piece: at for at, piece in enumerate(PIECES)}])
def test_a_vocabulary_may_be_json(tmp_path: Path, held: Any) -> None:
    weights, _ = saved(tmp_path, state_of(*plain()), PIECES)
    (tmp_path / "words.json").write_text(json.dumps(held))
    import_lstm(weights, tmp_path / "words.json", LABELS, tmp_path / "made", ORIGIN)
    assert load_classifier(str(tmp_path / "made")).tokenizer.pieces == ("<pad>", "<unk>", "a", "great", "film")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weight_ih_l1": torch.zeros(1)}, "holds weight_ih_l1, which has no place .*one nn.LSTM layer"),
        ({"linear.weight": None}, "lacks linear.weight: expected embedding.weight"),
        ({"weight_hh_l0": None}, "lacks weight_hh_l0"),
        ({"embedding.weight": torch.zeros(15)}, "embedding.weight in .* has 1 dimensions, not two"),
        ({"embedding.weight": torch.zeros(9, 3)}, "words.txt has 5 pieces, and embedding.weight 9 rows"),
        ({"embedding.weight": torch.zeros(5, 2)}, "lstm.weight_ih_l0 has the shape 16 x 3 .* and 16 x 2 by"),
        ({"linear.bias": torch.zeros(3)}, "linear.bias has the shape 3 in the weights, and 2 by the other weights"),
        ({"linear.bias": torch.tensor([1.0, float("nan")])}, "linear.bias in .* holds values that are not finite"),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    state = {name: weight for name, weight in (state_of(*plain()) | change).items() if weight is not None}
    with pytest.raises(ClassifierError, match=said):
        import_lstm(*saved(tmp_path, state, PIECES), LABELS, tmp_path / "made", ORIGIN)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("content", ["{", '{"a": 1}', '"words"', "[1, 2]"])
def test_a_vocabulary_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    weights, _ = saved(tmp_path, state_of(*plain()), PIECES)
    (tmp_path / "words.json").write_text(content)
    with pytest.raises(ClassifierError, match=r"words\.json.*(cannot be read|are not 0 to 0|holds no vocabulary)"):
        import_lstm(weights, tmp_path / "words.json", LABELS, tmp_path / "made")


def test_an_order_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ClassifierError, match="'iffo' is no order of the gates"):
        import_lstm(*saved(tmp_path, state_of(*plain()), PIECES), LABELS, tmp_path / "made", Origin("iffo"))


def test_the_command_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights, words = saved(tmp_path, state_of(*plain()), PIECES)
    rest = {"vocabulary": words, "labels": "bad, good", "out": tmp_path / "made"}
    call_command("import_lstm", str(weights), **rest)
    assert "made: 3 dimensions, 4 cells, two directions." in capsys.readouterr().out
    assert load_classifier(str(tmp_path / "made")).label_names == ("bad", "good")
    with pytest.raises(SystemExit) as end:
        call_command("import_lstm", str(weights), **rest)
    assert end.value.code == 2 and "is there already" in capsys.readouterr().err


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights, words = saved(tmp_path, state_of(*plain()), PIECES)
    with pytest.raises(SystemExit) as end:
        call_command("import_lstm", str(weights), vocabulary=words, labels="bad,bad", out=tmp_path / "made")
    assert end.value.code == 1
    assert "Output 1 has no name of its own in the names given: name each output once." in capsys.readouterr().err
