"""A method from outside explains like ours, on real commands."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = '''
import torch


def piece_length(classifier, batch, target, power: float = 1.0):
    """How long a word is."""
    names = [classifier.piece_names(text.input_ids) for text in batch.texts]
    return batch.pad([[len(name) ** power for name in row] for row in names])


def broken(classifier, batch, target):
    return torch.nonsense(batch)
'''
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "ours.py").write_text(SOURCE)

    def command(named: str, *arguments: str) -> Done:
        here = os.environ | {"SALIENCY_METHODS": named, "PYTHONPATH": str(tmp_path)}
        line = [sys.executable, str(ROOT / "manage.py"), *arguments]
        return subprocess.run(line, env=here, capture_output=True, text=True, timeout=120)

    return command


def explain(run: Run, method: str, folder: Path, tmp_path: Path, *more: str) -> tuple[Done, Path]:
    texts, out = tmp_path / "texts.csv", tmp_path / "out.parquet"
    texts.write_text("text\na great film\n")
    chosen = ["--classifier", str(folder), "--methods", method, "--out", str(out), *more]
    return run(f"ours:{method}", "explain", str(texts), *chosen), out


@pytest.mark.long
def test_it_works(run: Run, folders: Callable[[str], Path], tmp_path: Path) -> None:
    done, out = explain(run, "piece_length", folders("bert"), tmp_path, "--params", '{"piece_length": {"power": 2}}')
    assert done.returncode == 0, done.stderr
    (row,) = pyarrow.parquet.read_table(out).to_pylist()
    assert row["words"] == ["a", "great", "film"] and row["scores"] == [1, 25, 16]
    assert row["special_pieces"] == ["[CLS]", "[SEP]"] and row["special_scores"] == [25, 25]


def test_it_is_listed(run: Run) -> None:
    done = run("ours:piece_length", "explain", "--list")
    assert "piece_length: How long a word is. (ours:piece_length)" in done.stdout and "power = 1.0" in done.stdout


def test_a_method_that_is_not_there_stops_the_start_with_one_line(run: Run) -> None:
    done = run("ours:missing", "explain", "--list")
    assert done.returncode == 1
    assert done.stderr == "Configuration: SALIENCY_METHODS: ours:missing: there is no function missing in ours.\n"


@pytest.mark.long
def test_a_method_that_breaks_fails_its_texts_alone(run: Run, folders: Callable[[str], Path], tmp_path: Path) -> None:
    done, _ = explain(run, "broken", folders("bert"), tmp_path)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "AttributeError: module 'torch' has no attribute 'nonsense'" in done.stderr
