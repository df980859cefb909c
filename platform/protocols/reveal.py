"""Guess the label as soon as the words suffice: they appear in place, most salient first, until the worker commits.

After Peekaboom (von Ahn, Liu & Blum 2006, doi:10.1145/1124772.1124782), where one person uncovers parts of a picture
until another names what it shows; here a method's ranking uncovers a text. Each step is asked of the server, so that
the page holds no word that was not asked for. Words that the model never saw never appear.
"""

import math
from typing import Any

from django import forms
from django.utils.translation import ngettext

from protocols import guessing
from protocols.guessing import GuessForm, GuessSettings, arrange, choices_of, is_right, options
from protocols.masking import masked, masked_text
from protocols.protocol import Answer, Content, Presentation, Protocol, Source
from protocols.words import ranked, word_spans


class RevealSettings(GuessSettings):
    first = forms.IntegerField(label="Words shown at the start", initial=1, min_value=1, max_value=100)
    each = forms.IntegerField(
        label="Words added at a time",
        initial=1,
        min_value=1,
        max_value=100,
        help_text="More than one spares workers many steps in long texts, and tells less exactly how many they needed.",
    )


def stimulus(source: Source) -> Content:
    settings = RevealSettings.complete(source.settings)
    spans = word_spans(source)
    return {
        "question": source.question,
        "language": source.language,
        **choices_of(source, settings),
        "words": [source.content[start:end] for start, end, _ in spans],
        "order": ranked(spans),
        "mask": settings["mask"],
        "first": settings["first"],
        "each": settings["each"],
    }


def steps(content: Content) -> int:
    order, first, each = len(content["order"]), int(content["first"]), int(content["each"])
    return max(0, math.ceil((order - first) / each))


def shown_at(content: Content, step: int) -> list[int]:
    """Places of the words that are to be seen, in the order they came."""
    order: list[int] = content["order"]
    return order[: content["first"] + step * content["each"]]


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    shown = shown_at(content, step)
    before = shown_at(content, step - 1) if step else []
    return {
        "body": masked_text(masked(content["words"], set(shown), content["mask"])),
        "options": options(content, presentation),
        "newest": [content["words"][place] for place in shown[len(before) :]] if step else [],
        "seen": len(shown),
        "more": step < steps(content),
        "each": content["each"],
    }


def words_needed(answer: Answer, content: Content) -> int:
    """How many words the worker had seen: `step` in the answer is as the server counted."""
    return len(shown_at(content, answer.get("step", 0)))


def words_in_all(content: Content) -> int:
    """How many there were to be seen."""
    return len(content["order"])


def counted(answer: Answer, content: Content) -> dict[str, int]:
    return {"words_needed": words_needed(answer, content), "words_in_all": words_in_all(content)}


def score(answer: Answer, content: Content, expected: str) -> float:
    """1 - ln(words needed) / ln(1 + words in all) where the guess is right, 0 where it is not; from 0 to 1.

    Logarithmic, because the second word says more than the fiftieth: every doubling of what was needed costs the same,
    as it is a step of the same size in the ks of Lu et al. (2024). Relative to the text, so that long texts do not
    weigh more than short ones. A right guess counts even with all words seen, and one from the first word counts 1. A
    wrong one, or none, counts nothing however early: guessing at once would pay otherwise. How many words were needed,
    how many there were, and whether the guess was right are all in the answer and the record.
    """
    if not is_right(answer, expected):
        return 0.0
    return 1 - math.log(max(1, words_needed(answer, content))) / math.log(1 + max(1, words_in_all(content)))


def feedback(answer: Answer, content: Content, expected: str) -> str:
    count = words_needed(answer, content)
    seen = ngettext("You had seen %(count)d word.", "You had seen %(count)d words.", count) % {"count": count}
    return f"{guessing.feedback(answer, content, expected)} {seen}"


REVEAL = Protocol(
    name="reveal",
    label="Uncover word by word",
    summary="Words appear one by one, a method's most salient first, until the worker guesses the label of the text.",
    judges=True,
    level="nominal",
    version=1,
    default_question="What is this text, going by as few words as you need?",
    default_instructions=(
        "You will see short texts in which most words are hidden. Each grey bar stands for hidden words.\n\n"
        "Whenever you like, you can have one more word shown. As soon as you think you know what the whole text is, "
        "choose your answer: the fewer words you needed, the better, but a right answer matters most.\n\n"
        "If the words tell you nothing even at the end, say that you cannot tell. That is an honest answer too."
    ),
    settings=RevealSettings,
    template="protocols/reveal.html",
    stimulus=stimulus,
    arrange=arrange,
    steps=steps,
    context=context,
    form=GuessForm,
    score=score,
    feedback=feedback,
    counted=counted,
    script="js/answering.js",
)
