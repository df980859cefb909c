"""A tiny encoder learns two words and is saved as an ordinary folder."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as untyped

from tests.workers.tiny import config_for, wordpiece
from workers.classifiers import finetuning, load_classifier
from workers.classifiers.finetuning import finetune

transformers: Any = untyped
TEXTS = [f"{word} film {'really ' * (at % 3)}" for at in range(300) for word in ("great", "awful")]
LABELS = [label for _ in range(300) for label in (1, 0)]


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    tokenizer = wordpiece()
    torch.manual_seed(3)
    model = transformers.BertModel(
        config_for(
            "bert",
            2,
            len(tokenizer),
            initializer_range=0.1,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )
    model.save_pretrained(tmp_path / "encoder")
    tokenizer.save_pretrained(tmp_path / "encoder")
    return tmp_path / "encoder"


def test_it_works(encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finetuning, "LEARNING_RATE", 2e-3)
    monkeypatch.setattr(finetuning, "BATCH", 4)
    seen: list[tuple[int, int]] = []
    accuracy = finetune(
        encoder,
        TEXTS,
        LABELS,
        ("bad", "good"),
        tmp_path / "var" / "made",
        progress=lambda done, total: seen.append((done, total)),
    )
    classifier = load_classifier(str(tmp_path / "var" / "made"))
    assert classifier.label_names == ("bad", "good")
    assert classifier.problem_type == "single_label_classification"
    assert accuracy > 0.9
    assert seen[-1] == (540, 540)
    best = classifier.logits_of([classifier.encode("1", "great film").input_ids]).argmax().item()
    assert best == 1


def test_nothing_half_done_is_left(encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(finetuning, "load", broken)
    with pytest.raises(KeyboardInterrupt):
        finetune(encoder, TEXTS[:20], LABELS[:20], ("bad", "good"), tmp_path / "made" / "it")
    assert list((tmp_path / "made").iterdir()) == []


def test_threads_are_given_back(encoder: Path, tmp_path: Path) -> None:
    torch.set_num_threads(1)
    finetune(encoder, TEXTS[:20], LABELS[:20], ("bad", "good"), tmp_path / "made")
    assert torch.get_num_threads() == 1


def test_embeddings_are_frozen(encoder: Path, tmp_path: Path) -> None:
    finetune(encoder, TEXTS[:40], LABELS[:40], ("bad", "good"), tmp_path / "made")
    made = load_classifier(str(tmp_path / "made")).model.get_input_embeddings().weight
    found = transformers.AutoModel.from_pretrained(encoder).get_input_embeddings().weight
    assert torch.equal(made, found)


@pytest.mark.parametrize(
    ("can", "reckons"), [({"avx2": True}, False), ({"avx512_bf16": True}, True), ({"amx_bf16": True}, True)]
)
def test_bfloat16_is_for_processors_that_multiply_it(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can: dict[str, bool], reckons: bool
) -> None:
    seen = list[torch.dtype]()

    def watch(module: torch.nn.Module, inputs: object, output: object) -> None:
        if isinstance(module, torch.nn.Linear) and module.training and isinstance(output, torch.Tensor):
            seen.append(output.dtype)

    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: can)
    handle = torch.nn.modules.module.register_module_forward_hook(watch)
    try:
        finetune(encoder, TEXTS[:20], LABELS[:20], ["neg", "pos"], tmp_path / "critic")
    finally:
        handle.remove()
    assert set(seen) == {torch.bfloat16 if reckons else torch.float32}
