"""Guess the label from one method's k most salient words, shown in place (Lu et al. 2024, arXiv:2405.10767).

Words are ranked by score descending, ties by position, so that the words shown are nested in k. Punctuation is
neither ranked nor shown; words that the model never saw are hidden. A hidden word leaves no trace in the record but its
place and, only where the researcher asks for it, its length. The baseline `full_text` shows the text as it is.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.html import escape

from protocols.guessing import GuessForm, GuessSettings, arrange, choices_of, feedback, is_right, options
from protocols.masking import masked, masked_text
from protocols.protocol import Content, Presentation, Protocol, Source
from protocols.words import ranked, word_spans


def stimulus(source: Source) -> Content:
    settings = GuessSettings.complete(source.settings)
    head = {"question": source.question, "language": source.language, **choices_of(source, settings)}
    spans = word_spans(source)
    words = [source.content[start:end] for start, end, _ in spans]
    if source.baseline == "full_text":
        return head | {"text": source.content, "words": words}
    if source.k is None or source.k < 1:
        raise ValueError("topk_guess needs k, the number of words shown: at least 1.")
    return head | masked(words, set(ranked(spans)[: source.k]), settings["mask"])


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    whole = content.get("text")
    return {
        "whole": whole is not None,
        "body": masked_text(content) if whole is None else escape(whole),
        "options": options(content, presentation),
    }


def score(answer: Mapping[str, Any], content: Content, expected: str) -> float:
    """1 where the label was recognised. Cannot tell is not recognised: 0, as a wrong guess."""
    return float(is_right(answer, expected))


TOPK_GUESS = Protocol(
    name="topk_guess",
    label="Guess from the top words",
    summary="Workers see only a method's k most salient words, in place, and guess the label of the whole text.",
    needs_k=True,
    judges=True,
    level="nominal",
    version=2,
    default_question="Going by the words you can see: which of these fits the whole text?",
    default_instructions=(
        "You will see short texts in which most words are hidden. Each grey bar stands for one hidden word.\n\n"
        "Read the words that are left and say what you think the whole text is. There are no tricks, and nobody can "
        "be right every time: go with your best impression.\n\n"
        "If the words tell you nothing, say that you cannot tell. That is an honest answer too."
    ),
    baselines=("full_text",),
    settings=GuessSettings,
    template="protocols/topk_guess.html",
    stimulus=stimulus,
    arrange=arrange,
    context=context,
    form=GuessForm,
    score=score,
    feedback=feedback,
)
