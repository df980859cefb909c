"""What workers are told and asked for their own sake, and how long what could lead back to them is kept."""

from django import forms

from campaigns.asking import read_questions
from campaigns.fields import AskingField
from campaigns.parts.part import Part

QUESTIONS_HELP = (
    "A question a line, its choices below it, each behind a hyphen. [number] or [text] at the end of a question asks "
    "for these, [optional] lets it be left empty. “Prefer not to say” is always offered."
)
MOST_MONTHS = 600


class CarePart(Part):
    key, title, after = "care", "Care for the workers", "wording"
    layout = (("content_warning",), ("demographics",), ("survey",), ("debrief",), ("retention_months",))
    demographics = AskingField(read_questions, label="Questions before the work", help_text=QUESTIONS_HELP)
    survey = AskingField(read_questions, label="Questions after the work", help_text="Written in the same way.")
    retention_months = forms.IntegerField(
        label="Months until what could lead back to workers is removed",
        required=False,
        min_value=1,
        max_value=MOST_MONTHS,
        help_text="Counted from the day the campaign is closed: the parameters of links, the hashes of ids, answers in "
        "workers’ own words. Judgments stay. Empty keeps them.",
    )

    class Meta(Part.Meta):
        fields = ("content_warning", "demographics", "survey", "debrief", "retention_months")
        widgets = {"content_warning": forms.Textarea(attrs={"rows": 2}), "debrief": forms.Textarea(attrs={"rows": 5})}
        labels = {"content_warning": "Content warning", "debrief": "Debriefing"}
        help_texts = {
            "content_warning": "Workers read it before they agree. A single text can bear a warning of its own: see "
            "the import of texts.",
            "debrief": "What the study was about; shown before the code.",
        }
