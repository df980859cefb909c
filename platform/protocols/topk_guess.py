"""Guess the label from one method's k most salient words, shown in place (Lu et al. 2024, arXiv:2405.10767).

Words are ranked by score descending, ties by position, so that the words shown are nested in k. Punctuation is
neither ranked nor shown; words that the model never saw are hidden. Every hidden word is the same mark: the record
holds no trace of it but its place.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import escape
from django.utils.safestring import mark_safe

from protocols.protocol import CANNOT_TELL, Content, Option, Presentation, Protocol, Source
from protocols.words import ranked, word_spans


def stimulus(source: Source) -> Content:
    if source.k is None or source.k < 1:
        raise ValueError("topk_guess needs k, the number of words shown: at least 1.")
    spans = word_spans(source)
    shown = set(ranked(spans)[: source.k])
    return {
        "question": source.question,
        "language": source.language,
        "words": [source.content[start:end] if index in shown else None for index, (start, end, _) in enumerate(spans)],
        "choices": list(source.labels),
        "cannot_tell": source.cannot_tell,
    }


def options(content: Content) -> list[Option]:
    labels = [Option(label, label) for label in content["choices"]]
    return labels + ([Option(CANNOT_TELL, "Cannot tell", quiet=True)] if content["cannot_tell"] else [])


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    return {"body": _body(content["words"]), "options": options(content)}


def _body(words: list[str | None]) -> str:
    """Built here, not in the template: a long text has hundreds of marks. A screen reader hears runs as a number."""
    pieces, run = [], 0
    for word in [*words, ""]:
        if word is None:
            run += 1
            continue
        if run:
            pieces.append(_hidden(run))
        run = 0
        pieces.append(f'<span class="shown">{escape(word)}</span>' if word else "")
    return mark_safe(" ".join(pieces).strip())


def _hidden(count: int) -> str:
    pills = " ".join(['<span class="pill"></span>'] * count)
    words = "1 hidden word" if count == 1 else f"{count} hidden words"
    # With a direction of its own, or these English words would set that of a right-to-left text.
    return f'<span class="visually-hidden" dir="ltr" lang="en">{words}</span><span aria-hidden="true">{pills}</span>'


class GuessForm(forms.Form):
    answer = forms.ChoiceField(
        error_messages={"required": "Choose an answer first.", "invalid_choice": "Choose one of the answers below."}
    )

    def __init__(self, content: Content, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        answer = self.fields["answer"]
        assert isinstance(answer, forms.ChoiceField)
        answer.choices = [(option.value, option.label) for option in options(content)]


def score(answer: Mapping[str, Any], content: Content, expected: str) -> float:
    """1 where the label was recognised. Cannot tell is not recognised: 0, as a wrong guess."""
    return float(answer["answer"] == expected)


def feedback(answer: Mapping[str, Any], content: Content, expected: str) -> str:
    if answer["answer"] == expected:
        return f"That is right: the answer for the whole text is “{expected}”."
    if answer["answer"] == CANNOT_TELL:
        return f"A fair answer when the words do not give it away. The answer for the whole text is “{expected}”."
    return f"Not this time: the answer for the whole text is “{expected}”."


TOPK_GUESS = Protocol(
    name="topk_guess",
    label="Guess from the top words",
    summary="Workers see only a method's k most salient words, in place, and guess the label of the whole text.",
    needs_k=True,
    judges=True,
    level="nominal",
    version=1,
    default_question="Going by the words you can see: which of these fits the whole text?",
    default_instructions=(
        "You will see short texts in which most words are hidden. Each grey bar stands for one hidden word.\n\n"
        "Read the words that are left and say what you think the whole text is. There are no tricks, and nobody can "
        "be right every time: go with your best impression.\n\n"
        "If the words tell you nothing, say that you cannot tell. That is an honest answer too."
    ),
    template="protocols/topk_guess.html",
    stimulus=stimulus,
    context=context,
    form=GuessForm,
    score=score,
    feedback=feedback,
)
