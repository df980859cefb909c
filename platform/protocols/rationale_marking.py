"""Mark the words that justify a label: rationales, with which plausibility metrics compare maps (DeYoung et al. 2020).

Words are numbered as in the record, from 0, without punctuation. The answer is the numbers of the marked words, or that
nothing in the text justifies the label; it says nothing of right or wrong. No map is shown.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from django import forms
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from protocols.choosing import SettingsForm, one_of
from protocols.protocol import Answer, Content, Option, Presentation, Protocol, Source
from protocols.words import word_spans

MARKED, NOTHING = "marked", "nothing"
PICKS: dict[str, tuple[str, ...]] = {"none": (), "most": ("most",), "both": ("most", "least")}


class MarkingSettings(SettingsForm):
    picks = one_of(
        "Of the marked words, workers also name",
        {"none": "none", "most": "the most important", "both": "the most and the least important"},
    )


def stimulus(source: Source) -> Content:
    return {
        "question": source.question,
        "language": source.language,
        "text": source.content,
        "words": [[start, end] for start, end, _ in word_spans(source)],
        "label": source.expected,
        "picks": list(PICKS[source.settings.get("picks", "none")]),
    }


def context(content: Content, presentation: Presentation, step: int) -> dict[str, Any]:
    """`given` in the arrangement is an answer that the page shows again."""
    given = {name: _strings(value) for name, value in presentation.get("given", {}).items()}
    marked = set(given.get("words", ()))
    return {
        "body": mark_safe("".join(_boxes(content, marked))),
        "picks": [_pick(content, name, given.get(name, [])) for name in content["picks"]],
        "options": [
            Option(MARKED, _("Done: these words")),
            Option(NOTHING, _("Nothing here justifies it"), quiet=True),
        ],
    }


def _boxes(content: Content, marked: set[str]) -> Iterator[str]:
    """Every word is the label of a checkbox; built here, and kept short, for there are hundreds."""
    text, done = content["text"], 0
    for number, (start, end) in enumerate(content["words"]):
        checked = " checked" if str(number) in marked else ""
        box = f"<input type=checkbox name=words value={number}{checked}>"
        yield f"{escape(text[done:start])}<label>{box}<span>{escape(text[start:end])}</span></label>"
        done = end
    yield escape(text[done:])


def _strings(value: Any) -> list[str]:
    """Of an answer as the form has it or as the browser sends it."""
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _pick(content: Content, name: str, chosen: list[str]) -> dict[str, Any]:
    labels = {"most": _("Which of them matters most?"), "least": _("Which of them matters least?")}
    return {"name": name, "label": labels[name], "options": mark_safe("".join(_offered(content, chosen)))}


def _offered(content: Content, chosen: list[str]) -> Iterator[str]:
    for number, (start, end) in enumerate(content["words"]):
        selected = " selected" if str(number) in chosen else ""
        yield f"<option value={number}{selected}>{escape(content['text'][start:end])}"


class MarkingForm(forms.Form):
    answer = forms.ChoiceField(
        choices=[(MARKED, MARKED), (NOTHING, NOTHING)],
        error_messages={
            "required": gettext_lazy("Mark the words and press “Done”, or say that nothing justifies it."),
            "invalid_choice": gettext_lazy("Choose one of the answers below."),
        },
    )

    def __init__(self, content: Content, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        numbers = [(number, str(number)) for number in range(len(content["words"]))]
        unknown = {"invalid_choice": gettext_lazy("Mark words of this text only.")}
        self.fields["words"] = forms.TypedMultipleChoiceField(
            choices=numbers, coerce=int, required=False, error_messages=unknown
        )
        for name in content["picks"]:
            self.fields[name] = forms.TypedChoiceField(
                choices=numbers, coerce=int, required=False, empty_value=None, error_messages=unknown
            )
        self.picks: list[str] = content["picks"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        data["words"] = sorted(set(data["words"]))
        if data["answer"] == MARKED and not data["words"]:
            raise forms.ValidationError(_("Mark at least one word first, or say that nothing here justifies it."))
        if data["answer"] == NOTHING and data["words"]:
            raise forms.ValidationError(_("You have marked words: press “Done”, or take the marks away first."))
        self._clean_picks(data)
        return data

    def _clean_picks(self, data: dict[str, Any]) -> None:
        """Asked of two words or more; of fewer there is nothing to choose from."""
        if len(data["words"]) < 2:
            data.update(dict.fromkeys(self.picks))
            return
        chosen = [data[name] for name in self.picks]
        if any(one not in data["words"] for one in chosen):
            raise forms.ValidationError(_("Choose from the words that you have marked."))
        if len(set(chosen)) < len(chosen):
            raise forms.ValidationError(_("The word that matters most cannot be the one that matters least."))


def label_of(answer: Answer) -> str:
    """The marked words as runs of their numbers, "0-2 5"; "nothing" where none justifies the label."""
    return " ".join(_runs(answer["words"])) or NOTHING


def _runs(numbers: Iterable[int]) -> Iterator[str]:
    for _offset, group in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        run = [number for _at, number in group]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def words_of(label: str) -> set[int]:
    """The numbers of the words behind a label of `label_of`. ValueError where it is none."""
    marked: set[int] = set()
    for run in label.split() if label != NOTHING else ():
        first, _dash, last = run.partition("-")
        marked.update(range(int(first), int(last or first) + 1))
    return marked


def counted(answer: Answer, content: Content) -> dict[str, int]:
    return {"words_in_all": len(content["words"])}


def score(answer: Answer, content: Content, expected: str) -> None:
    """None: marks are compared with each other and with maps, not with a right answer."""


def feedback(answer: Answer, content: Content, expected: str) -> str:
    count = len(answer["words"])
    said = _("You found nothing that justifies it.")
    if count:
        said = ngettext("You marked %(count)d word.", "You marked %(count)d words.", count) % {"count": count}
    return said + " " + _("There is no right or wrong here: your own impression is what counts.")


RATIONALE_MARKING = Protocol(
    name="rationale_marking",
    label="Mark the words that justify a label",
    summary=(
        "Workers mark the words that speak for a label, without any explanation shown. Their marks can become the "
        "texts' rationales, which plausibility metrics compare maps with."
    ),
    level="nominal",
    version=1,
    default_question="Which words show that this answer fits the text?",
    default_instructions=(
        "You will see short texts, each with an answer that somebody gave about it.\n\n"
        "Mark the words that show that the answer fits: those that you would point at if you had to explain it to "
        "somebody else. Mark as few words as say it, but all that matter.\n\n"
        "Tap a word to mark it, and tap it again to take the mark away. You can also draw across several words. If "
        "nothing in the text shows that the answer fits, say so: that is an honest answer too."
    ),
    template="protocols/rationale_marking.html",
    stimulus=stimulus,
    context=context,
    form=MarkingForm,
    score=score,
    feedback=feedback,
    label_of=label_of,
    counted=counted,
    maps=0,
    judges=True,
    marks=True,
    script="js/marks.js",
    settings=MarkingSettings,
)
