"""Foretelling the model: from what solved examples taught, or from what an edit changed."""

from lxml.html import HtmlElement

from judging.minds.guessing import chosen, weigh
from judging.minds.reader import Values
from judging.minds.reading import marks, offered, predicted
from judging.simulating import Mind, words_of

# How often a word of an example counts that is marked as strongly as can be; one that is not marked counts once.
MARKED = 8
# Nats for the output before the edit, and what is taken off again for each strongly marked word that is gone.
STAYS = 1.0


def study(mind: Mind, page: HtmlElement) -> None:
    """A solved example: the words of its text go with the model's output, marked ones the more."""
    words = words_of(page.cssselect(".text-body")[0].text_content())
    for one in marks(page):
        words += words_of(one.text) * round(MARKED * max(0.0, one.strength))
    mind.learnt.take_in([(words, predicted(page))])


def foretell(mind: Mind, page: HtmlElement) -> Values:
    return {"answer": chosen(page, weigh(mind, page))}


def foretell_edit(mind: Mind, page: HtmlElement) -> Values:
    """What the changed text says, drawn to the old output unless the words that led to it are gone."""
    before, labels = predicted(page), offered(page)
    words = words_of(_edited(page))
    evidence = mind.evidence(words, labels)
    gone = sum(one.strength for one in marks(page) if not set(words_of(one.text)) & set(words))
    evidence[before] = evidence.get(before, 0.0) + STAYS - gone
    return {"answer": max(labels, key=lambda label: evidence[label] + mind.noise())}


def _edited(page: HtmlElement) -> str:
    """As it reads now: without what was removed, and what only a screen reader is told.

    The elements themselves are kept, not their ids: lxml makes them anew once nobody holds them.
    """
    text = page.cssselect("section[aria-labelledby=edited] .text-body")[0]
    aside = {each for one in text.cssselect("del, .visually-hidden") for each in one.iter()}
    return "".join(_texts(text, aside))


def _texts(element: HtmlElement, aside: set[HtmlElement]) -> list[str]:
    """Pieces of text; what follows an element that is left aside belongs to its parent."""
    found = [] if element in aside else [element.text or ""]
    for child in element:
        found += _texts(child, aside)
        found.append("" if element in aside else child.tail or "")
    return found
