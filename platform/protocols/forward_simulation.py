"""Learn from solved examples how the model answers, then foretell its answers (Hase & Bansal 2020, ACL).

In the learning phase each example shows a text, the model's output and, in the arms with a method, its map. In the
test there is the text alone: whatever an explanation taught, the worker has to carry over. What is right is the model's
output, not the truth.
"""

from typing import Any

from django import forms

from protocols.choosing import SettingsForm
from protocols.displays import ALL
from protocols.predicting import (
    OutputForm,
    explained,
    explained_context,
    feedback,
    options,
    plain_context,
    score,
)
from protocols.protocol import Content, Presentation, Protocol, Source


class ForwardSettings(SettingsForm):
    ask_first = forms.BooleanField(
        label="Workers first guess each example",
        help_text="Only then are the model's output and the explanation shown.",
        required=False,
        initial=False,
    )


def stimulus(source: Source) -> Content:
    return {
        "question": source.question,
        "language": source.language,
        "text": source.content,
        "choices": list(source.labels),
    }


def example(source: Source) -> Content:
    return stimulus(source) | explained(source) | {"ask_first": bool(source.settings.get("ask_first"))}


def steps(content: Content) -> int:
    """Of an example that is asked first, its solution is the next step."""
    return int(content.get("ask_first", False))


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    solved = "predicted" in content and step >= steps(content)
    shown = explained_context(content) if solved else plain_context(content)
    return {"solved": solved, "options": options(content), **shown}


FORWARD_SIMULATION = Protocol(
    name="forward_simulation",
    label="Foretell the model",
    summary=(
        "Workers learn from solved examples, explained by one method or not at all, and then foretell what the model "
        "says of new texts."
    ),
    level="nominal",
    version=1,
    default_question="What will the program say of this text?",
    default_instructions=(
        "A computer program reads texts and gives each one of a few answers. You are going to find out how it "
        "answers.\n\n"
        "First you will see solved examples: a text and what the program says of it. Where words are marked, these "
        "are said to have mattered to the program. Look for what leads it to its answers.\n\n"
        "Then you will see new texts and say what the program will answer. The program is wrong at times. What counts "
        "is what the program says, not what you would say yourself."
    ),
    template="protocols/forward_simulation.html",
    stimulus=stimulus,
    example=example,
    context=context,
    form=OutputForm,
    score=score,
    feedback=feedback,
    steps=steps,
    maps=1,
    between=True,
    learning=True,
    baselines=("no_explanation",),
    displays=ALL,
    settings=ForwardSettings,
)
