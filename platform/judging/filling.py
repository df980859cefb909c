"""How simulated workers fill in what is asked besides the items: by its real pages, as a browser would."""

import random
from collections.abc import Mapping

from lxml.html import HtmlElement

from campaigns.models import Campaign
from judging.questioning import DECLINED

# The right choice by question: what a person knows who has read the instructions, or reads the check.
Facts = Mapping[str, str]


def facts_of(campaign: Campaign) -> dict[str, str]:
    asked = [*campaign.comprehension, *campaign.checks]
    return {one["question"]: one["choices"][one["right"]] for one in asked}


def fill_questions(form: HtmlElement, facts: Facts, attentive: bool, rng: random.Random) -> dict[str, str]:
    """An attentive worker knows the facts; beyond them everybody picks any choice, and leaves the rest unsaid."""
    filled = {name: "on" for name in form.fields if name.startswith("d")}
    for group in form.cssselect("fieldset"):
        question = group.cssselect("legend")[0].text_content().strip()
        radios = group.cssselect("input[type=radio]")
        labels = {radio.getparent().text_content().strip(): radio.get("value") for radio in radios}
        offered = [value for value in labels.values() if value != DECLINED]
        known = labels.get(facts.get(question, "")) if attentive else None
        filled[radios[0].get("name")] = known or rng.choice(offered)
    return filled


def choose_check(page: HtmlElement, facts: Facts, attentive: bool, rng: random.Random) -> str:
    """The value of a button of an attention check."""
    question = page.cssselect("#question")[0].text_content().strip()
    buttons = page.cssselect("button[name=answer]")
    wanted = facts.get(question) if attentive else None
    # The key's number stands before the label.
    known = [one.get("value") for one in buttons if wanted and one.cssselect("[dir=auto]")[0].text_content() == wanted]
    return str(known[0] if known else rng.choice(buttons).get("value"))
