"""Foretell what the model says once a text is edited (Doshi-Velez & Kim 2017; Hase & Bansal 2020, ACL).

The worker sees the original with the model's output and, in the arms with a method, its map; then an edited text,
whose output is to be foretold. The record holds no trace of that output. The edited text can show what was added and
what was removed, word by word.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Literal

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from language.words import segment
from protocols.choosing import SettingsForm, one_of
from protocols.displays import ALL
from protocols.predicting import OutputForm, explained, explained_context, feedback, options, score
from protocols.protocol import Content, Presentation, Protocol, Source

Kind = Literal["same", "added", "removed"]
Piece = tuple[Kind, str]


class CounterfactualSettings(SettingsForm):
    changes = one_of("What was changed in the edited text", {"marked": "is marked", "unmarked": "is not marked"})


def stimulus(source: Source) -> Content:
    if source.edited is None:
        raise ValueError("counterfactual_simulation needs an edited text beside the original.")
    return {
        "question": source.question,
        **explained(source),
        "choices": list(source.labels),
        "edited": source.edited.content,
        "changes": _changes(source) if source.settings.get("changes") != "unmarked" else None,
    }


def _changes(source: Source) -> list[list[str]]:
    assert source.edited is not None
    return [list(piece) for piece in changes(source.content, source.edited.content, source.language)]


def changes(original: str, edited: str, language: str = "") -> Iterator[Piece]:
    """The edited text in pieces, with what was removed in its place; white space alone is no change."""
    before, after = _tokens(original, language), _tokens(edited, language)
    matcher = SequenceMatcher(None, [word for word, _ in before], [word for word, _ in after], autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        removed, added = _joined(before[start:end]), _joined(after[first:last])
        if kind == "equal":
            yield "same", added
            continue
        if removed:
            yield "removed", removed
        if added:
            yield "added", added


def _tokens(content: str, language: str) -> list[tuple[str, str]]:
    """Each word with the white space after it; before the first word stands an empty one."""
    words = segment(content, language)
    edges = [word.start for word in words] + [len(content)]
    lead = [("", content[: edges[0]])] if edges[0] else []
    return lead + [
        (content[word.start : word.end], content[word.end : after])
        for word, after in zip(words, edges[1:], strict=True)
    ]


def _joined(tokens: list[tuple[str, str]]) -> str:
    return "".join(word + gap for word, gap in tokens)


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    changed = content["changes"]
    edited = mark_safe("".join(map(_shown, changed))) if changed is not None else escape(content["edited"])
    return {"edited": edited, "options": options(content), **explained_context(content)}


def _shown(piece: list[str]) -> SafeString:
    """A screen reader hears where a change begins and ends; the white space after it stays outside."""
    kind, text = piece
    if kind == "same":
        return escape(text)
    tag, begin, end = ("ins", _("added:"), _("end of the addition"))
    if kind == "removed":
        tag, begin, end = ("del", _("removed:"), _("end of the removal"))
    inner = text.rstrip()
    return format_html(
        "<{tag}>{begin}{inner}{end}</{tag}>{gap}",
        tag=mark_safe(tag),
        begin=_aside(f"{begin} "),
        inner=inner,
        end=_aside(f" ({end}) "),
        gap=text[len(inner) :],
    )


def _aside(words: str) -> SafeString:
    """With a language and direction of its own, or it would set those of the text."""
    return format_html('<bdi class="visually-hidden" lang="{}">{}</bdi>', get_language() or "en", words)


COUNTERFACTUAL_SIMULATION = Protocol(
    name="counterfactual_simulation",
    label="Foretell the model after an edit",
    summary=(
        "Workers see a text with the model's output, explained by one method or not at all, and foretell what the "
        "model says of an edited text."
    ),
    level="nominal",
    version=1,
    default_question="What will the program say of the changed text?",
    default_instructions=(
        "A computer program reads texts and gives each one of a few answers.\n\n"
        "You will see a text and what the program says of it. Where words are marked, these are said to have mattered "
        "to the program. Below it stands the same text after somebody changed it.\n\n"
        "Say what the program will answer for the changed text. Its answer may stay the same or be another. The "
        "program is wrong at times: what counts is what the program says, not what you would say yourself."
    ),
    template="protocols/counterfactual_simulation.html",
    stimulus=stimulus,
    context=context,
    form=OutputForm,
    score=score,
    feedback=feedback,
    maps=1,
    edits=True,
    baselines=("no_explanation",),
    displays=ALL,
    settings=CounterfactualSettings,
)
