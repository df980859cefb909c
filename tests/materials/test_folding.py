"""Rows of counts become few, and their sums stay what they are, whoever writes meanwhile."""

import threading

import pytest
from django.db import connection

from accounts.models import Team
from materials.browsing import label_counts
from materials.folding import fold_counts
from materials.models import PredictionCount, Text, TextCount
from tests.materials.actors import films, judge, predict_right, sha256


@pytest.mark.django_db
def test_it_works(team: Team) -> None:
    dataset = films(team, {"pos": 3, "neg": 2})
    predict_right(dataset, judge(team, ["neg", "pos"]))
    for text in dataset.texts.all():
        text.delete()
    for name in map(str, range(4)):
        Text.objects.create(dataset=dataset, key=name, content=name, content_hash=sha256(name))
    before = label_counts(dataset)
    fold_counts()
    assert label_counts(dataset) == before == {"": 4}
    assert [row.n for row in TextCount.objects.filter(dataset=dataset)] == [4] and not PredictionCount.objects.exists()
    fold_counts()
    assert label_counts(dataset) == before


@pytest.mark.django_db(transaction=True)
def test_what_is_written_meanwhile_is_counted_once(team: Team) -> None:
    dataset = films(team, {"pos": 1})

    def write() -> None:
        try:
            for name in map(str, range(60)):
                Text.objects.create(dataset=dataset, key=name, content=name, content_hash=sha256(name), label="x")
        finally:
            connection.close()

    writers = threading.Thread(target=write), threading.Thread(target=_fold_often)
    for one in writers:
        one.start()
    fold_counts()
    for one in writers:
        one.join()
    assert label_counts(dataset) == {"pos": 1, "x": 60}
    fold_counts()
    assert label_counts(dataset) == {"pos": 1, "x": 60} and TextCount.objects.count() == 2


def _fold_often() -> None:
    try:
        for _ in range(30):
            fold_counts()
    finally:
        connection.close()
