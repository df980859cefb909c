"""Marking the words that justify a label."""

from collections.abc import Sequence
from typing import Any

from lxml.html import HtmlElement

from judging.minds.reader import Values
from judging.minds.reading import predicted
from judging.simulating import Mind, words_of
from protocols.rationale_marking import MARKED, NOTHING

# Support from which a word is worth marking, and how many words anybody marks.
TELLING, MOST_WORDS = 0.2, 6


def mark_telling(mind: Mind, page: HtmlElement) -> Values:
    """The words that speak for the label, the most telling of them; nothing where none does."""
    label = predicted(page)
    support = {number: mind.support(words_of(word), label) for number, word in _words(page)}
    telling = sorted((number for number in support if support[number] > TELLING), key=lambda one: -support[one])
    return _marked(page, telling[:MOST_WORDS])


def mark_anything(mind: Mind, page: HtmlElement) -> Values:
    numbers = [number for number, _ in _words(page)]
    return _marked(page, mind.rng.sample(numbers, min(len(numbers), mind.rng.randint(1, 3))))


def mark_others(mind: Mind, page: HtmlElement, honest: Values) -> Values:
    """As many words as an honest worker would mark, and none of the same."""
    left = [number for number, _ in _words(page) if number not in honest.get("words", [])]
    return _marked(page, mind.rng.sample(left, min(len(left), max(1, len(honest.get("words", []))))))


def _words(page: HtmlElement) -> list[tuple[str, str]]:
    labels = page.cssselect(".words label")
    return [(label.cssselect("input")[0].get("value"), label.text_content()) for label in labels]


def _marked(page: HtmlElement, numbers: Sequence[str]) -> Values:
    """`numbers` come most telling first. Which matters most is asked of two words or more."""
    if not numbers:
        return {"answer": NOTHING}
    picks: dict[str, Any] = {}
    if len(numbers) > 1:
        asked = [select.get("name") for select in page.cssselect(".picks select")]
        picks = {name: numbers[0] if name == "most" else numbers[-1] for name in asked}
    return {"answer": MARKED, "words": list(numbers), **picks}
