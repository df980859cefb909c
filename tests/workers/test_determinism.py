"""The seed decides all that is left to chance: the same scores in this process, again, and in two others."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from catalogue.methods import METHODS, methods_for
from workers.classifiers import load_classifier
from workers.explaining import explain
from workers.records import Explained, SourceText

ROOT = Path(__file__).resolve().parents[2]
CONTENTS = ["a great film , really great .", "an awful , boring , unwatchable film that does not end .", "film"]
PROGRAM = """
import json, sys
import torch
from tests.workers.test_determinism import all_scores
torch.set_num_threads(1)
torch.manual_seed(int(sys.argv[2]))
print(json.dumps(all_scores(sys.argv[1])))
"""
Scores = dict[str, list[float | None]]


def all_scores(folder: str) -> Scores:
    """By text and method, every method that serves a transformer."""
    texts = [SourceText(str(at), content) for at, content in enumerate(CONTENTS)]
    made = explain(load_classifier(folder), texts, {name: {} for name in methods_for("transformer")})
    return {f"{one.text_id} {one.method}": one.scores for one in made if isinstance(one, Explained)}


def elsewhere(folder: Path, seed: int) -> "subprocess.Popen[str]":
    """Another process, with another hash seed and another state of torch's own chance."""
    environment = os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"}
    command = [sys.executable, "-c", PROGRAM, str(folder), str(seed)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.long
def test_it_works(folders: Callable[[str], Path]) -> None:
    others = [elsewhere(folders("bert"), seed) for seed in (1, 2)]
    here = all_scores(str(folders("bert")))
    assert set(here) == {f"{at} {name}" for at in range(3) for name in methods_for("transformer")}
    assert all_scores(str(folders("bert"))) == here
    for other in others:
        said, _ = other.communicate(timeout=120)
        for key, scores in json.loads(said.splitlines()[-1]).items():
            assert scores == pytest.approx(here[key], abs=1e-6, rel=1e-5), key


def test_every_method_of_chance_takes_a_seed() -> None:
    by_chance = {name for name, method in METHODS.items() if any(one.name == "seed" for one in method.parameters)}
    drawn = {
        path.stem
        for path in (ROOT / "workers" / "saliency").glob("*.py")
        if "generator" in path.read_text(encoding="utf-8")
    }
    assert by_chance == drawn & METHODS.keys()
