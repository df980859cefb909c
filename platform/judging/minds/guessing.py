"""Guessing the label of a text from the words that are shown."""

from collections.abc import Mapping

from lxml.html import HtmlElement

from judging.minds.reader import Values
from judging.minds.reading import offered, visible_words
from judging.simulating import Mind
from protocols import CANNOT_TELL

# Evidence in nats: under the first an honest worker rather says that it cannot tell; over the second it is sure.
DOUBT, SURE = 0.15, 1.2


def guess_label(mind: Mind, page: HtmlElement) -> Values:
    """The label that the words shown speak for."""
    return {"answer": chosen(page, weigh(mind, page))}


def uncover(mind: Mind, page: HtmlElement) -> Values:
    """More words until the evidence is enough, or there are no more."""
    evidence = weigh(mind, page)
    if page.cssselect("button[name=more]") and max(evidence.values()) < SURE:
        return {"more": "1"}
    return {"answer": chosen(page, evidence)}


def weigh(mind: Mind, page: HtmlElement) -> dict[str, float]:
    labels = [one for one in offered(page) if one != CANNOT_TELL]
    evidence = mind.evidence(visible_words(page), labels)
    return {label: value + mind.noise() for label, value in evidence.items()}


def chosen(page: HtmlElement, evidence: Mapping[str, float]) -> str:
    best = max(evidence, key=evidence.__getitem__)
    return CANNOT_TELL if CANNOT_TELL in offered(page) and evidence[best] < DOUBT else best
