"""Judging marks: by numbers, or the better of two."""

import math

from lxml.html import HtmlElement

from judging.minds.reader import Values
from judging.minds.reading import agreement, offered, predicted, scales, strength
from judging.simulating import Mind
from protocols.pairwise import TIE

# Two maps that agree with the mind to within this are alike to it.
ALIKE = 0.05
# Of the way from one end of a scale to the other: how much longer words are taken for more important, a doubling of
# their length. People do so (Schuff et al. 2022).
LENGTH, USUAL_LENGTH = 0.08, 5


def rate_marks(mind: Mind, page: HtmlElement) -> Values:
    """High where the marked words speak for the prediction in the mind's own lexicon."""
    share = agreement(mind, page, predicted(page))
    return {scale.key: scale.at(share + mind.noise() / 2) for scale in scales(page)}


def rate_anyhow(mind: Mind, page: HtmlElement) -> Values:
    return {scale.key: str(mind.rng.randint(scale.low, scale.high)) for scale in scales(page)}


def rate_contrarily(mind: Mind, page: HtmlElement, honest: Values) -> Values:
    return {scale.key: str(scale.low + scale.high - int(honest[scale.key])) for scale in scales(page)}


def prefer_marks(mind: Mind, page: HtmlElement) -> Values:
    """The side whose marks agree more with the mind's own lexicon."""
    label, buttons = predicted(page), offered(page)
    left, right = (agreement(mind, panel, label) + mind.noise() / 4 for panel in page.cssselect(".pair section"))
    if TIE in buttons and abs(left - right) < ALIKE:
        return {"answer": TIE}
    return {"answer": buttons[0] if left > right else buttons[1]}


def rate_word(mind: Mind, page: HtmlElement) -> Values:
    """As strongly as the framed word is marked, and a little by its length."""
    [scale] = scales(page)
    framed = page.cssselect(".boxed")
    if not framed:
        return {scale.key: str(scale.low)}
    marked = abs(strength(framed[0].getparent().get("class", "")))
    length = LENGTH * math.log2(max(1, len(framed[0].text_content())) / USUAL_LENGTH)
    return {scale.key: scale.at(2 * marked - 1 + length + mind.noise() / 3)}
