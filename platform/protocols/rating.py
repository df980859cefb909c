"""Rate how well one method's highlights explain the model's prediction, by one question or several.

How words are marked is said in `displays`. In the arm without an explanation nothing is marked, and the page says so.
The first question is the campaign's own, and its answer the judgment's; the others follow under keys of their own.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from protocols.choosing import SettingsForm
from protocols.displays import ALL, COLOUR, Drawn, Painted, draw, painted
from protocols.protocol import Answer, Content, Presentation, Protocol, Source
from protocols.scales import (
    LONGEST_END,
    SLIDER,
    WITHOUT_MIDDLE,
    ScaleField,
    bounds,
    end_field,
    middle_field,
    points_of,
    scale_field,
    scale_options,
    spoken,
)

LONGEST_QUESTION, MOST_OWN = 300, 6


class Asked(NamedTuple):
    """A question beside the first, as it is worded and as its scale ends."""

    label: str
    wording: str
    low: str
    high: str


OFFERED = {
    "plausible": Asked(
        "Plausible",
        gettext_noop("How convincing are the marked words as reasons for this prediction?"),
        gettext_noop("Not at all"),
        gettext_noop("Very"),
    ),
    "useful": Asked(
        "Useful",
        gettext_noop("How much do the marked words help you to see why the program made this prediction?"),
        gettext_noop("Not at all"),
        gettext_noop("Very much"),
    ),
    "sufficient": Asked(
        "Sufficient",
        gettext_noop("If you could read the marked words alone: would they be enough for this prediction?"),
        gettext_noop("Not at all"),
        gettext_noop("Fully"),
    ),
}


class OwnField(forms.CharField):
    """Questions by lines, each "question" or "question | low end | high end"; kept as [question, low, high]."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(" | ".join(filter(None, one)) for one in value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != data)

    def clean(self, value: Any) -> list[list[str]]:
        lines = [(number, line) for number, line in enumerate(str(value or "").splitlines(), 1) if line.strip()]
        if len(lines) > MOST_OWN:
            raise forms.ValidationError(
                f"At most {MOST_OWN} questions of your own: workers answer all, for every text."
            )
        return [self._line(number, line) for number, line in lines]

    def _line(self, number: int, line: str) -> list[str]:
        parts = [part.strip() for part in line.split("|")]
        if len(parts) not in (1, 3) or not all(parts):
            raise forms.ValidationError(
                f"Line {number}: expected a question, or a question and both ends of its scale, such as "
                "“How fluent are the marks? | Not at all | Very”."
            )
        if len(parts[0]) > LONGEST_QUESTION or max(map(len, parts[1:]), default=0) > LONGEST_END:
            raise forms.ValidationError(
                f"Line {number}: a question has at most {LONGEST_QUESTION} characters, an end at most {LONGEST_END}."
            )
        return parts if len(parts) == 3 else [parts[0], "", ""]


class RatingSettings(SettingsForm):
    scale = scale_field()
    middle = middle_field()
    low = end_field("Low end", gettext_noop("Not at all"))
    high = end_field("High end", gettext_noop("Very well"))
    beside = forms.MultipleChoiceField(
        label="Ask also, beside the campaign's question",
        choices=[(name, f"{one.label}: “{one.wording}”") for name, one in OFFERED.items()],
        initial=[],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="The judgment's score is the answer to the campaign's question; the others are exported beside it.",
    )
    own = OwnField(
        label="Questions of your own",
        initial=[],
        required=False,
        help_text="One a line; ends of its scale, where they differ, after bars: Question | Low end | High end.",
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("scale") == SLIDER and data.get("middle") == WITHOUT_MIDDLE:
            self.add_error("middle", "A slider always has a middle: take points, or keep the middle.")
        if data.get("low") and data.get("low") == data.get("high"):
            self.add_error("high", "Both ends of the scale read the same.")
        return data


def stimulus(source: Source) -> Content:
    settings = RatingSettings.complete(source.settings)
    return {
        "question": source.question,
        "language": source.language,
        "text": source.content,
        "predicted": source.predicted,
        "map": draw(source),
        "points": points_of(settings),
        "low": settings["low"],
        "high": settings["high"],
        "more": list(_beside(settings)),
    }


def _beside(settings: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for name in settings["beside"]:
        one = OFFERED[name]
        yield {"key": name, "wording": one.wording, "low": one.low, "high": one.high}
    for number, (wording, low, high) in enumerate(settings["own"], start=1):
        ends = {"low": low or settings["low"], "high": high or settings["high"]}
        yield {"key": f"own_{number}", "wording": wording, **ends}


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    more, slider = content.get("more", []), not content.get("points", True)
    low, high = bounds(content)
    return {
        "map": painted(content) if "map" in content else _painted_first(content),
        "options": scale_options(content),
        "questions": list(_questions(content, presentation.get("given", {}))) if more or slider else [],
        "slider": slider,
        "least": low,
        "most": high,
        "low": spoken(content.get("low", "Not at all")),
        "high": spoken(content.get("high", "Very well")),
    }


def _questions(content: Content, given: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """`given` are answers that the page shows again."""
    first = {"key": "answer", "wording": content["question"], "low": content["low"], "high": content["high"]}
    for one in [first, *content["more"]]:
        worded = {name: spoken(one[name]) for name in ("wording", "low", "high")}
        yield {"key": one["key"], **worded, "given": _one(given.get(one["key"], ""))}


def _one(given: Any) -> str:
    """Of an answer as the form has it, or as the browser sends it: a list."""
    return str(given[0] if isinstance(given, list) and given else given or "")


def _painted_first(content: Content) -> Painted:
    """A record of the first version has marks instead of words."""
    words = [Drawn(start, end, step / COLOUR.steps, step) for start, end, step in content["marks"]]
    return Painted(content["text"], {"display": COLOUR.name, "signed": content["signed"], "words": words})


class RatingForm(forms.Form):
    def __init__(self, content: Content, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        more = content.get("more", [])
        for key in ("answer", *(one["key"] for one in more)):
            self.fields[key] = ScaleField(content)
            if more:
                self.fields[key].error_messages["required"] = _("Choose an answer to every question first.")


def score(answer: Answer, content: Content, expected: str) -> float:
    """The answer to the first question itself: from 1 to the number of points, or from 0 to 100."""
    return float(answer["answer"])


def feedback(answer: Answer, content: Content, expected: str) -> str:
    given = gettext("You gave %(answer)d of %(most)d.") % {"answer": answer["answer"], "most": bounds(content).high}
    return f"{given} {gettext('There is no right or wrong here: your own impression is what counts.')}"


RATING = Protocol(
    name="rating",
    label="Rate the highlights",
    summary=(
        "Workers see the whole text, highlighted by one method, with the model's prediction, and rate the highlights "
        "by one question or several."
    ),
    level="ordinal",
    version=2,
    default_question="How well do the marked words explain this prediction?",
    default_instructions=(
        "A computer program read each text and made a prediction about it. The marked words are said to be those "
        "that led it there: the stronger a word is marked, the more it is said to have mattered.\n\n"
        "Read the text and the marks, then say how well the marked words explain the prediction.\n\n"
        "You judge the marks, not the prediction: marks can explain a wrong prediction well."
    ),
    baselines=("no_explanation",),
    displays=ALL,
    settings=RatingSettings,
    wording=("question", "low", "high", "more"),
    template="protocols/rating.html",
    stimulus=stimulus,
    context=context,
    form=RatingForm,
    score=score,
    feedback=feedback,
    script="js/answering.js",
)
