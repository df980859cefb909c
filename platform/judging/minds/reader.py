"""What a protocol's page is to the three kinds of simulated workers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lxml.html import HtmlElement

from judging.minds.reading import offered
from judging.simulating import Mind

# What a form sends beside what it holds already.
Values = dict[str, Any]


def any_button(mind: Mind, page: HtmlElement) -> Values:
    return {"answer": mind.rng.choice(offered(page))}


def another_button(mind: Mind, page: HtmlElement, honest: Values) -> Values:
    """One that an honest worker would not press. Who wants to see more does so, to seem honest."""
    if "answer" not in honest:
        return honest
    return {"answer": mind.rng.choice([one for one in offered(page) if one != honest["answer"]])}


@dataclass(frozen=True)
class Reader:
    """`honest` answers as it reads; `careless` does not read; `contrary` turns an honest answer into its opposite."""

    honest: Callable[[Mind, HtmlElement], Values]
    careless: Callable[[Mind, HtmlElement], Values] = any_button
    contrary: Callable[[Mind, HtmlElement, Values], Values] = another_button

    def answer(self, mind: Mind, page: HtmlElement) -> Values:
        if mind.kind == "careless":
            return self.careless(mind, page)
        honest = self.honest(mind, page)
        return honest if mind.kind == "honest" else self.contrary(mind, page, honest)
