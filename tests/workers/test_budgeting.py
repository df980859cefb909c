from typing import Any

import pytest
import torch

from workers.classifiers import budgeting
from workers.classifiers.batching import TOKEN_BUDGET
from workers.classifiers.budgeting import MOST_TOKENS, find_budget, search
from workers.classifiers.classifier import Output, TextClassifier


def test_it_doubles_until_memory_is_short_and_keeps_half() -> None:
    tried: list[int] = []

    def fits(tokens: int) -> bool:
        tried.append(tokens)
        return tokens <= 10_000

    assert search(fits, start=1000) == 4000
    assert tried == [2000, 4000, 8000, 16_000]


def test_it_never_goes_below_where_it_starts() -> None:
    assert search(lambda tokens: False, start=1000) == 1000


def test_it_comes_to_an_end_on_a_device_that_holds_everything() -> None:
    assert search(lambda tokens: True) == MOST_TOKENS // 2


def test_a_stated_budget_is_kept_and_a_cpu_has_the_usual_one(classifier: TextClassifier) -> None:
    assert find_budget(classifier, 777) == 777
    assert find_budget(classifier) == TOKEN_BUDGET


def test_out_of_memory_means_that_it_does_not_fit(classifier: TextClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_memory(*_: Any, **__: Any) -> Output:
        raise torch.OutOfMemoryError

    assert budgeting._fits(classifier, 256)
    monkeypatch.setattr(type(classifier), "run", without_memory)
    assert not budgeting._fits(classifier, 256)
