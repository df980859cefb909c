"""Rate how important one indicated word was to the model (Schuff et al. 2022, doi:10.1145/3531146.3533127).

A rating says how a map is *read*, not how good it is: in that study people's ratings followed the length of a word and
what stood around it besides its saliency. So the record holds all of that with every word asked about, for a model of
the ratings. Saliency is the word's weight (score over the largest), and ranks go by its size, without the sign.
"""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop

from protocols.choosing import SettingsForm, one_of
from protocols.displays import ALL, Drawn, draw, painted
from protocols.protocol import Answer, Content, Presentation, Protocol, Source
from protocols.scales import ScaleField, bounds, end_field, scale_options, spoken

POINTS = 7
AT_RANDOM, BY_RANK = "random", "ranks"
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f\u061f\u0964\n]")


class ImportanceSettings(SettingsForm):
    chosen = one_of(
        "The word that is asked about",
        {
            AT_RANDOM: "One of the text's words, the same in all conditions",
            BY_RANK: "One of the ranks of the map, the same rank in all conditions",
        },
        "By rank, strong and weak words are asked about equally often, but methods are asked about different words.",
    )
    low = end_field("Low end", gettext_noop("Not important at all"))
    high = end_field("High end", gettext_noop("Very important"))


def stimulus(source: Source) -> Content:
    drawn = draw(source)
    if drawn is None:
        raise ValueError("word_importance needs the map of a method.")
    settings = ImportanceSettings.complete(source.settings)
    words = [Drawn(*word) for word in drawn["words"]]
    place = choose(words, settings["chosen"], random.Random(source.seed))
    return {
        "question": source.question,
        "language": source.language,
        "text": source.content,
        "predicted": source.predicted,
        "map": drawn,
        "word": place,
        "facts": {} if place is None else facts(source.content, words, place),
        "points": POINTS,
        "low": settings["low"],
        "high": settings["high"],
    }


def by_weight(words: Sequence[Drawn]) -> list[int]:
    """Places of the words that have a weight, strongest first, ties by position."""
    weighed = [(-abs(word.weight), place) for place, word in enumerate(words) if word.weight is not None]
    return [place for _, place in sorted(weighed)]


def choose(words: Sequence[Drawn], how: str, draws: random.Random) -> int | None:
    """The place of the word to ask about; None where the model saw no word.

    Drawn by what all conditions of a text share. At random: the first of a shuffled text that has a weight, so that a
    word missing from one map changes nothing for the others.
    """
    if how == BY_RANK:
        order = by_weight(words)
        return order[int(draws.random() * len(order))] if order else None
    places = draws.sample(range(len(words)), len(words))
    return next((place for place in places if words[place].weight is not None), None)


def facts(content: str, words: Sequence[Drawn], place: int) -> dict[str, Any]:
    """What may move a rating besides saliency. Positions and ranks count from 1; None where there is no neighbour."""
    word, order = content[words[place].start : words[place].end], by_weight(words)
    first, last = _sentence(content, words, place)
    return {
        "word_length": len(word),
        "position": place + 1,
        "text_length": len(words),
        "sentence_position": place - first + 1,
        "sentence_length": last - first + 1,
        "capitals": _capitals(word),
        "saliency": words[place].weight,
        "rank": order.index(place) + 1,
        "ranked": len(order),
        "saliency_before": words[place - 1].weight if place else None,
        "saliency_after": words[place + 1].weight if place + 1 < len(words) else None,
    }


def _sentence(content: str, words: Sequence[Drawn], place: int) -> tuple[int, int]:
    """Places of the first and the last word of the sentence, by the stops and line breaks between words."""
    first = last = place
    while first and not _SENTENCE_END.search(content[words[first - 1].end : words[first].start]):
        first -= 1
    while last + 1 < len(words) and not _SENTENCE_END.search(content[words[last].end : words[last + 1].start]):
        last += 1
    return first, last


def _capitals(word: str) -> str:
    """As in the released data: all_upper, first_upper or other."""
    if word.isupper() and len(word) > 1:
        return "all_upper"
    return "first_upper" if word[:1].isupper() else "other"


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    place = content["word"]
    start, end = content["map"]["words"][place][:2] if place is not None else (0, 0)
    return {
        "map": painted(content, boxed=place),
        "word": content["text"][start:end],
        "options": scale_options(content),
        "low": spoken(content["low"]),
        "high": spoken(content["high"]),
    }


class ImportanceForm(forms.Form):
    def __init__(self, content: Content, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.fields["answer"] = ScaleField(content)


def score(answer: Answer, content: Content, expected: str) -> float:
    """The rating itself, 1 to 7: how important the word seemed. Higher is not better, only more."""
    return float(answer["answer"])


def feedback(answer: Answer, content: Content, expected: str) -> str:
    given = gettext("You gave %(answer)d of %(most)d.") % {"answer": answer["answer"], "most": bounds(content).high}
    return f"{given} {gettext('There is no right or wrong here: your own impression is what counts.')}"


WORD_IMPORTANCE = Protocol(
    name="word_importance",
    label="Rate one word's importance",
    summary="Workers see a text marked by one method and rate how important one framed word was to the model.",
    level="ordinal",
    version=1,
    default_question="How important was the framed word to the program?",
    default_instructions=(
        "A computer program read each text and made a prediction about it. The marked words are said to be those "
        "that led it there: the stronger a word is marked, the more it is said to have mattered.\n\n"
        "In each text one word stands in a frame. Say from 1 (not important at all) to 7 (very important) how "
        "important you think this word was to the program.\n\n"
        "You judge what the program did, not how important the word is to you."
    ),
    displays=ALL,
    settings=ImportanceSettings,
    wording=("question", "low", "high"),
    template="protocols/word_importance.html",
    stimulus=stimulus,
    context=context,
    form=ImportanceForm,
    score=score,
    feedback=feedback,
)
