"""What triggers of the database count: true after every statement, and gone with what it is about."""

import pytest
from django.db import transaction

from accounts.models import Team
from materials.browsing import label_counts, languages_of, text_counts
from materials.models import Classifier, Dataset, Explanation, MapCount, Prediction, PredictionCount, Text, TextCount

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(team: Team) -> Dataset:
    made: Dataset = Dataset.objects.create(team=team, name="Counted", slug="counted")
    for number, (label, language) in enumerate((("bad", "en"), ("good", "en"), ("good", ""))):
        Text.objects.create(
            dataset=made, key=str(number), content=f"Film {number}", content_hash=str(number), label=label,
            language=language,
        )  # fmt: skip
    return made


def test_texts_are_counted_by_label_and_language(dataset: Dataset) -> None:
    assert label_counts(dataset) == {"bad": 1, "good": 2} and languages_of(dataset) == ["", "en"]
    dataset.texts.filter(label="bad").update(label="good", rationale=[[0, 4]])
    assert label_counts(dataset) == {"good": 3} and dataset.label_names() == ["good"]
    dataset.texts.filter(language="").delete()
    assert text_counts(Dataset.objects.all()) == {dataset.pk: 2} and languages_of(dataset) == ["en"]


def test_what_is_rolled_back_counts_nothing(dataset: Dataset) -> None:
    with transaction.atomic():
        dataset.texts.all().delete()
        transaction.set_rollback(True)
    assert dataset.n_texts() == 3


def test_predictions_and_maps_are_counted_and_go_with_what_they_are_of(team: Team, dataset: Dataset) -> None:
    classifier = Classifier.objects.create(team=team, name="c", slug="counted-c")
    texts = list(dataset.texts.order_by("pk"))
    Prediction.objects.bulk_create(
        Prediction(text=text, classifier=classifier, label="good", probabilities=[1.0]) for text in texts
    )
    Prediction.objects.filter(text=texts[0]).update(label="bad")
    Explanation.objects.create(
        text=texts[0], classifier=classifier, method="m", target=0, starts=[0], ends=[4], scores=[1.0], seconds=0.1
    )
    counts = PredictionCount.objects.order_by("gold", "label").values_list("gold", "label", "n")
    assert sum(n for gold, label, n in counts if (gold, label) == ("bad", "good")) == 0
    assert sum(n for gold, label, n in counts if (gold, label) == ("bad", "bad")) == 1
    assert dataset.map_counts.get().n == 1
    classifier.delete()
    assert not PredictionCount.objects.exists() and not MapCount.objects.exists()
    dataset.delete()
    assert not TextCount.objects.exists()
