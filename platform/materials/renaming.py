"""Another name for a dataset or a classifier. Its address stays, so that links go on leading to it."""

from typing import Any

from django import forms
from django.db import IntegrityError, transaction

from accounts.auditing import Act, record
from accounts.models import User
from materials.checking import LANGUAGE
from materials.models import Classifier, Dataset


class DatasetNameForm(forms.ModelForm[Dataset]):
    class Meta:
        model = Dataset
        fields = ["name", "language"]
        help_texts = {"language": "Such as en, de or pt-BR, for texts that do not say their own."}

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())
        others = Dataset.objects.filter(team=self.instance.team, name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(f"The team has a dataset called {name} already.")
        return name

    def clean_language(self) -> str:
        language: str = self.cleaned_data["language"]
        if language and not LANGUAGE.fullmatch(language):
            raise forms.ValidationError("Expected a language tag such as en or pt-BR.")
        return language


class ClassifierNameForm(forms.ModelForm[Classifier]):
    class Meta:
        model = Classifier
        fields = ["name"]

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


def rename(form: "forms.ModelForm[Any]", before: str, by: User) -> bool:
    """False, with the error beside the name, where somebody has just taken it."""
    row = form.instance
    try:
        with transaction.atomic():
            row.save(update_fields=form.changed_data)
            record(by, row.team, Act.EDITED, row, before=before)
    except IntegrityError:
        form.add_error("name", "Somebody has just taken this name.")
        return False
    return True
