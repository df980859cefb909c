"""The design system on one page: every token, and every component as the pages include it."""

import re
from pathlib import Path
from typing import Any

from django import forms
from django.contrib.staticfiles import finders
from django.core.paginator import Paginator

from accounts.confirming import ConfirmForm

STATES = (
    "draft", "preparing", "ready", "live", "paused", "closed", "waiting", "running", "done", "failed", "cancelled",
)  # fmt: skip
BADGES = ("", "info", "good", "warning", "danger")
SIZES = ("size-1", "size-2", "size-3", "size-4", "size-5", "size-6")


class ExampleFilters(forms.Form):
    q = forms.CharField(label="In the text", required=False, widget=forms.SearchInput)
    label = forms.ChoiceField(label="Label", choices=[("", "Any"), ("pos", "pos"), ("neg", "neg")], required=False)


class ExampleForm(forms.Form):
    name = forms.CharField(label="Name", help_text="What others see.")
    number = forms.IntegerField(label="Judgments a stimulus", initial=5)
    language = forms.ChoiceField(label="Language", choices=[("en", "English"), ("de", "German")], required=False)


def styleguide() -> dict[str, Any]:
    refused = ConfirmForm("Reviews", {"typed": "reviews"})
    refused.is_valid()
    return {
        "colours": _colours(),
        "sizes": SIZES,
        "states": STATES,
        "badges": BADGES,
        "filters": ExampleFilters({"label": "pos"}),
        "form": ExampleForm({"name": "", "number": "5"}),
        "page": Paginator(range(500), 50).page(2),
        "refused": refused,
        "goes": ["2,000 texts with their rationales", "16,000 heat maps with their metric scores", "3 runs"],
    }


def _colours() -> list[str]:
    """Their names, in the order of the stylesheet."""
    path = finders.find("css/peekaword.css")
    assert isinstance(path, str)
    first = Path(path).read_text(encoding="utf-8").split("}", 1)[0]
    return re.findall(r"--([\w-]+): #", first)
