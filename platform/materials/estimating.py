"""How long explaining will take, before it starts: by the speed of each method so far, else by its passes."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from catalogue.choosing import complete
from catalogue.costs import SHARED, passes, repeats
from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from materials.models import Classifier, Explanation, Text

# Enough of the latest explanations to know a method's speed, and of the texts to know their lengths.
LOOKED_AT = 200
CHARACTERS_PER_PIECE = 4
CHARACTERS_PER_WORD = 6
SPECIAL_PIECES = 2

Asked = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Computing:
    """`seconds` of one worker process; several share them."""

    seconds: float

    def __str__(self) -> str:
        minutes = self.seconds / 60
        if minutes < 1:
            return "less than a minute"
        return f"about {minutes / 60:.1f} h" if minutes >= 90 else f"about {round(minutes)} min"

    @property
    def price(self) -> Decimal:
        """In the currency of pay; zero where an hour costs nothing."""
        return round(Decimal(str(settings.COMPUTE_PRICE_PER_HOUR * self.seconds / 3600)), 2)


def estimate_computing(
    texts: QuerySet[Text], count: int, classifier: Classifier, methods: Asked, metrics: Asked
) -> Computing | None:
    """Of explaining and scoring `count` texts like these anew; None while nothing is known of its speed.

    Methods that are not in the catalogue are not computed, and cost nothing.
    """
    lengths = _lengths(texts)
    rates = _rates(classifier, methods)
    usual = classifier.seconds_per_piece or max(rates.values(), default=None)
    if not lengths or not count or usual is None:
        return None
    asked = complete("method", METHODS, {name: params for name, params in methods.items() if name in METHODS})
    scored = complete("metric", METRICS, metrics)
    words = _words(fmean(lengths))
    made = sum(rates.get(name, usual) * passes(name, params, words) for name, params in asked.items())
    units = made * (1 + sum(repeats(name, params) for name, params in scored.items()))
    units += usual * sum(
        passes(name, params, words) * (1 if name in SHARED else len(methods)) for name, params in scored.items()
    )
    return Computing(units * _pieces(fmean(lengths)) * count)


def usual_words(texts: QuerySet[Text]) -> float:
    """How many words the texts have on average, about."""
    return _words(fmean(_lengths(texts) or [0]))


def _lengths(texts: QuerySet[Text]) -> list[int]:
    return [len(content) for content in texts.order_by("content_hash").values_list("content", flat=True)[:LOOKED_AT]]


def _rates(classifier: Classifier, methods: Asked) -> dict[str, float]:
    """Seconds by pass and piece of each method by which this classifier was explained before."""
    rates = {}
    for name in methods:
        latest = Explanation.objects.filter(classifier=classifier, method=name).order_by("-pk")
        rows = list(latest.values_list("seconds", "params", "text__content")[:LOOKED_AT])
        work = sum(passes(name, params, _words(len(content))) * _pieces(len(content)) for _, params, content in rows)
        if work:
            rates[name] = sum(seconds for seconds, _, _ in rows) / work
    return rates


def _pieces(characters: float) -> float:
    return SPECIAL_PIECES + characters / CHARACTERS_PER_PIECE


def _words(characters: float) -> float:
    return max(1.0, characters / CHARACTERS_PER_WORD)
