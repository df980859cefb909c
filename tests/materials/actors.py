"""Datasets and classifiers as the tests of several apps need them, without files or models."""

import hashlib

from accounts.models import Team
from materials.models import Classifier, Dataset, Prediction, Text


def films(team: Team, labels: dict[str, int], words: int = 30, name: str = "Films") -> Dataset:
    """So many texts a label, each of so many words."""
    dataset = Dataset.objects.create(team=team, name=name, slug=name.lower(), language="en")
    Text.objects.bulk_create(
        Text(dataset=dataset, key=key, content=content, content_hash=sha256(content), label=label)
        for label, count in labels.items()
        for key, content in ((f"{label}{n}", f"{label} {n} " + "word " * (words - 2)) for n in range(count))
    )
    return dataset


def judge(team: Team, labels: list[str], name: str = "Critic") -> Classifier:
    return Classifier.objects.create(
        team=team,
        name=name,
        slug=name.lower(),
        source="org/critic",
        state=Classifier.State.READY,
        label_names=labels,
        problem_type="single_label_classification",
        weights_hash="0" * 64,
    )


def predict_right(dataset: Dataset, classifier: Classifier, wrong: int = 0) -> None:
    """Predictions that name the gold label, but for the first `wrong` texts."""
    names = classifier.label_names
    for number, text in enumerate(dataset.texts.all()):
        index = names.index(text.label)
        index = (index + 1) % len(names) if number < wrong else index
        probabilities = [0.9 if at == index else 0.1 for at in range(len(names))]
        Prediction.objects.create(text=text, classifier=classifier, label=names[index], probabilities=probabilities)


def sha256(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
