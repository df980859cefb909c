from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from accounts.access import editable_teams
from accounts.joining import current_team
from accounts.models import Team, User
from catalogue.kinds import KINDS
from materials.checking import LANGUAGE, LONGEST_LABEL, Columns
from materials.maps.checking import LONGEST_SOURCE, LONGEST_TITLE
from materials.models import Classifier, Dataset

ENCODINGS = [
    ("", "Detect it"),
    ("utf-8", "UTF-8"),
    ("cp1252", "Western Europe (Windows-1252)"),
    ("cp1250", "Central Europe (Windows-1250)"),
    ("cp1251", "Cyrillic (Windows-1251)"),
    ("gb18030", "Chinese (GB 18030)"),
    ("big5", "Chinese (Big5)"),
    ("cp932", "Japanese (Shift JIS)"),
    ("cp949", "Korean (CP949)"),
    ("mac_roman", "Western Europe (old Mac)"),
    ("utf-16-le", "UTF-16 without a byte order mark"),
]

# The form's names of what a column may hold, in the order of `Columns`.
MAPPED = tuple({"language": "text_language"}.get(name, name) for name in Columns._fields)
# The kind that predicts words, and is told which.
SPEAKING = "causal-lm"


class TeamField(forms.ModelChoiceField[Team]):
    """The teams a user may add to; with only one there is nothing to choose."""

    def limit_to(self, user: User, into: Dataset | None = None) -> None:
        teams = editable_teams(user)
        self.queryset = teams.filter(pk=into.team_id) if into else teams
        self.initial = into.team if into else current_team(user)
        if self.queryset.count() == 1:
            self.widget = forms.HiddenInput()


def checked_size(file: "UploadedFile[Any]", command: str) -> "UploadedFile[Any]":
    if (file.size or 0) > settings.MAX_UPLOAD_MEGABYTES * 2**20:
        raise forms.ValidationError(
            f"The file is larger than {settings.MAX_UPLOAD_MEGABYTES} MB: import it on the server with "
            f"`python manage.py {command}`, or split it."
        )
    return file


class UploadForm(forms.Form):
    file = forms.FileField(label="File", error_messages={"required": "Choose a file first."})
    team = TeamField(queryset=Team.objects.none())
    encoding = forms.ChoiceField(
        choices=ENCODINGS, required=False, help_text="Only for files that are not in Unicode and are not recognised."
    )
    plain_quotes = forms.BooleanField(
        label="Quotes are plain characters",
        required=False,
        help_text="For tab-separated files in which quotes do not wrap cells.",
    )

    def __init__(self, user: User, into: Dataset | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team = self.fields["team"]
        assert isinstance(team, TeamField)
        team.limit_to(user, into)

    def clean_file(self) -> "UploadedFile[Any]":
        return checked_size(self.cleaned_data["file"], "import_texts")


class MappingForm(forms.Form):
    """Which column is what, for a file that is already here."""

    dataset = forms.CharField(label="Name of the dataset", max_length=120)
    language = forms.CharField(
        label="Language of the texts", max_length=35, required=False, help_text="Such as en, de or pt-BR."
    )
    text = forms.ChoiceField(label="Text")
    label = forms.ChoiceField(label="Label", required=False)
    id = forms.ChoiceField(label="Id", required=False)
    text_language = forms.ChoiceField(label="Language of each text", required=False)
    rationale = forms.ChoiceField(label="Rationale", required=False)
    warning = forms.ChoiceField(
        label="Warning", required=False, help_text="Workers read it first, and may skip the text."
    )
    template = forms.ChoiceField(
        label="Template", required=False, help_text="Texts of one template differ in nothing that matters."
    )
    edit_of = forms.ChoiceField(
        label="Edit of", required=False, help_text="The id of the text that this one was made from, by a small change."
    )
    allowed = forms.CharField(
        label="Labels that are allowed",
        required=False,
        help_text="By commas, such as pos, neg. Rows with others are rejected. Empty allows all.",
    )

    def __init__(self, found: Sequence[str], known: Dataset | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in MAPPED:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            nothing = "(choose)" if name == "text" else "(none)"
            field.choices = [("", nothing), *((column, column) for column in found)]
        if known:
            for name in ("dataset", "language"):
                self.fields[name].widget = forms.HiddenInput()

    def clean_dataset(self) -> str:
        return " ".join(self.cleaned_data["dataset"].split())

    def clean_language(self) -> str:
        language: str = self.cleaned_data["language"]
        if language and not LANGUAGE.fullmatch(language):
            raise forms.ValidationError("Expected a language tag such as en or pt-BR.")
        return language

    def columns(self) -> Columns:
        data = self.cleaned_data
        return Columns(*(data[name] for name in MAPPED))

    def labels(self) -> list[str]:
        return [label.strip() for label in self.cleaned_data["allowed"].split(",") if label.strip()]


class MapsForm(forms.Form):
    """Saliency maps made elsewhere, for the texts of one dataset."""

    file = forms.FileField(label="File", error_messages={"required": "Choose a file first."})
    classifier = forms.ModelChoiceField(
        Classifier.objects.none(), label="They explain", required=False, empty_label="As each row says"
    )
    method = forms.CharField(
        label="Name of the method", max_length=LONGEST_TITLE, required=False, help_text="Left empty, as each row says."
    )
    source = forms.CharField(
        label="Where they come from",
        max_length=LONGEST_SOURCE,
        required=False,
        help_text="In free words, for rows that do not say.",
    )
    unsigned = forms.BooleanField(
        label="Scores say how much, not for or against", required=False, help_text="They are shown in one colour."
    )
    rest_zero = forms.BooleanField(
        label="Words that are not mentioned have the score 0",
        required=False,
        help_text="For highlights. Otherwise they have no score.",
    )
    accept_rest = forms.BooleanField(
        label="Import the good rows where others are rejected",
        required=False,
        help_text="Otherwise nothing is imported while any row is rejected.",
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["classifier"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Classifier.objects.filter(team=dataset.team, state=Classifier.State.READY)
        if field.queryset.count() == 1:
            field.initial = field.queryset.get()

    def clean_file(self) -> "UploadedFile[Any]":
        return checked_size(self.cleaned_data["file"], "import_explanations")


class ClassifierForm(forms.ModelForm[Classifier]):
    team = TeamField(queryset=Team.objects.none())
    kind = forms.ChoiceField(choices=[("", "Read it from the files"), *KINDS.items()], required=False)
    words = forms.CharField(
        label="Next words to compare",
        max_length=1000,
        required=False,
        help_text="Only for a language model without classes of its own: by commas, such as was, were. "
        "They become its labels, and each is taken to follow a space.",
    )
    contrast = forms.BooleanField(
        label="Set one word against the other",
        required=False,
        help_text="For two words: what speaks for the one and against the other, not for each alone.",
    )

    class Meta:
        model = Classifier
        fields = ["name", "source", "revision", "team"]
        labels = {"source": "Hub id or folder", "revision": "Revision"}
        help_texts = {
            "source": "Such as textattack/bert-base-uncased-imdb, or a folder on the machine of the worker processes.",
            "revision": "Commit, tag or branch of the hub's repository. Left empty, the newest is taken and pinned.",
        }

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team = self.fields["team"]
        assert isinstance(team, TeamField)
        team.limit_to(user)

    def clean_words(self) -> list[str]:
        words = [" ".join(word.split()) for word in self.cleaned_data["words"].split(",") if word.strip()]
        if len({word.casefold() for word in words}) < len(words):
            raise forms.ValidationError("Name each word once, capitals aside.")
        if any(len(word) > LONGEST_LABEL for word in words):
            raise forms.ValidationError(f"A word has at most {LONGEST_LABEL} characters.")
        return words

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        words = data.get("words")
        if words is not None and data.get("contrast") and len(words) != 2:
            self.add_error("words", f"One word is set against one other, and {len(words)} are named: name two.")
        if words and data.get("kind", "") not in ("", SPEAKING):
            self.add_error("words", f"This kind ({KINDS[data['kind']]}) has labels of its own: leave the words out.")
        elif words:
            data["kind"] = SPEAKING
        return data

    def options(self) -> dict[str, Any]:
        """What the kind needs to know beside the files."""
        words, contrast = self.cleaned_data["words"], self.cleaned_data["contrast"]
        return {"words": words} | ({"contrast": True} if contrast else {}) if words else {}


class LabelsForm(forms.Form):
    """One name for each output of a classifier."""

    def __init__(self, names: Sequence[str], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        for number, name in enumerate(names):
            self.fields[f"label_{number}"] = forms.CharField(label=f"Output {number}", max_length=200, initial=name)

    def names(self) -> list[str]:
        return [str(name) for name in self.cleaned_data.values()]
