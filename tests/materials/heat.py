"""Heat maps as the tests of the text page and its figures need them."""

from collections.abc import Sequence
from typing import Any

from language.words import segment
from materials.models import Classifier, Explanation, Text
from materials.picturing import HeatMap, Picture, chances

REVIEW = "A great film, with a dull ending."
SCORES = (0.1, 0.9, 0.5, 0.0, 0.2, 0.1, -0.6, None, 0.0)


def heat_map(content: str = REVIEW, scores: Sequence[float | None] = SCORES, **changes: Any) -> HeatMap:
    words = segment(content)
    given: dict[str, Any] = {
        "key": "1",
        "label": "LIME",
        "settings": {},
        "signed": True,
        "target": "positive",
        "content": content,
        "starts": [word.start for word in words],
        "ends": [word.end for word in words],
        "scores": scores,
    }
    return HeatMap(**given | changes)


def even(content: str, **changes: Any) -> HeatMap:
    """All words score 1, but the last, which was not seen."""
    count = len(segment(content))
    return heat_map(content, [1.0] * (count - 1) + [None], **changes)


def picture(*maps: HeatMap, language: str = "en") -> Picture:
    known = chances(["negative", "positive"], [0.2, 0.8], "positive", "Positive")
    return Picture("t1", maps[0].content if maps else REVIEW, language, "Positive", "positive", known, maps)


def explained(text: Text, classifier: Classifier, method: str, scores: Sequence[float | None], **given: Any) -> str:
    words = segment(text.content)
    row = Explanation.objects.create(
        text=text,
        classifier=classifier,
        method=method,
        starts=[word.start for word in words],
        ends=[word.end for word in words],
        scores=list(scores),
        **{"target": 1, "seconds": 0.5} | given,
    )
    return str(row.pk)
