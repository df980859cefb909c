from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import QuerySet

from accounts.access import editable_teams
from accounts.models import User
from campaigns.arming import Choice, families, read_params, settled, values_of
from campaigns.covering import offered, uncovered
from campaigns.designing import (
    PRACTICE_ITEMS,
    Cell,
    Estimate,
    cells,
    design_problems,
    estimate,
    groups_of,
    reason_of_ks,
    word_counts,
)
from campaigns.fields import OFFERED, KsField, MethodsField, MetricsField
from campaigns.knowing import known_lines
from campaigns.models import Campaign
from campaigns.parts import PARTS
from campaigns.preparing import computing_time
from campaigns.sampling import SampleError, draw_all, needs_predictions, stock
from catalogue.methods import METHODS, Method
from catalogue.metrics import Metric
from materials.agreeing import mismatch
from materials.estimating import Computing
from materials.models import Classifier, Dataset
from materials.resolving import resolve_all
from protocols import PROTOCOLS, Protocol

# Section by section, line by line: what stands side by side.
SECTIONS = (
    ("study", "What you study", [["name"], ["dataset", "classifier"], ["methods"], ["metrics"]]),
    (
        "design",
        "Design",
        [
            ["texts_per_label", "sample_seed"],
            ["only_correct"],
            ["judge_against"],
            ["ks"],
            ["judgments_per_stimulus", "most_per_worker"],
        ],
    ),
    ("wording", "Wording", [["question"], ["cannot_tell"], ["instructions"], ["consent"], ["contact"]]),
    (
        "recruitment",
        "Pay and time",
        [["pay_per_worker", "seconds_per_item", "minutes_per_item"]],
    ),
)
FIELDS = [name for _, _, lines in SECTIONS for line in lines for name in line]
# What not every protocol asks, and what the others have instead.
ONLY_WITH_K: dict[str, Any] = {"ks": []}
ONLY_WITH_A_GUESS: dict[str, Any] = {"cannot_tell": False, "judge_against": Campaign.JudgeAgainst.PREDICTION}
ONLY_WITH_MAPS: dict[str, Any] = {"methods": [], "metrics": []}
# Who marks words can always say that none fits.
ONLY_WITH_A_GUESS_ALONE: dict[str, Any] = {"cannot_tell": False}


def absent(protocol: Protocol) -> dict[str, Any]:
    """The fields that this protocol does not ask for, with their values."""
    return {
        **({} if protocol.needs_k else ONLY_WITH_K),
        **({} if protocol.judges else ONLY_WITH_A_GUESS),
        **({} if not protocol.marks else ONLY_WITH_A_GUESS_ALONE),
        **({} if protocol.maps else ONLY_WITH_MAPS),
    }


def datasets_of(user: User) -> QuerySet[Dataset]:
    return Dataset.objects.filter(team__in=editable_teams(user))


def classifiers_of(user: User) -> QuerySet[Classifier]:
    return Classifier.objects.filter(team__in=editable_teams(user), state=Classifier.State.READY)


class StartForm(forms.Form):
    """What everything else is proposed from."""

    protocol = forms.ChoiceField(
        choices=[(name, protocol.label) for name, protocol in PROTOCOLS.items()], widget=forms.RadioSelect
    )
    dataset = forms.ModelChoiceField(Dataset.objects.none(), to_field_name="slug", empty_label=None)
    classifier = forms.ModelChoiceField(Classifier.objects.none(), to_field_name="slug", empty_label=None)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.datasets, self.classifiers = datasets_of(user), classifiers_of(user)
        for name, rows in (("dataset", self.datasets), ("classifier", self.classifiers)):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = rows


class CampaignForm(forms.ModelForm[Campaign]):
    methods = MethodsField(error_messages={"required": "Choose at least one method."})
    metrics = MetricsField(label="Automatic metrics", required=False)
    ks = KsField(
        label="Words shown (k)", help_text="By commas. Each text is shown with each of these numbers of words."
    )
    judge_against = forms.ChoiceField(
        label="A right guess names", choices=Campaign.JudgeAgainst.choices, widget=forms.RadioSelect
    )

    class Meta:
        model = Campaign
        fields = ["protocol", *FIELDS]
        widgets = {
            "protocol": forms.HiddenInput,
            "instructions": forms.Textarea(attrs={"rows": 8}),
            "consent": forms.Textarea(attrs={"rows": 8}),
        }
        labels = {
            "name": "Name of the campaign",
            "sample_seed": "Seed of the sample",
            "only_correct": "Only texts that the classifier gets right",
            "judgments_per_stimulus": "Judgments per stimulus",
            "most_per_worker": "Most items per worker",
            "minutes_per_item": "Minutes an item may take",
            "cannot_tell": "Offer “Cannot tell”",
            "pay_per_worker": "Pay per worker",
            "seconds_per_item": "Seconds an item takes",
        }
        help_texts = {
            "name": "Workers do not see it.",
            "sample_seed": "The same seed draws the same texts again.",
            "judgments_per_stimulus": "Different workers who judge each text under each condition.",
            "most_per_worker": "A worker never meets a text twice.",
            "minutes_per_item": "Then it goes to another worker; a late answer is kept and marked.",
            "cannot_tell": "Counts as not recognised.",
            "contact": "Shown to workers: a name with an e-mail address.",
            "seconds_per_item": "A guess, for the estimate of time and pay; a pilot tells.",
        }  # fmt: skip

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, rows in (("dataset", datasets_of(user)), ("classifier", classifiers_of(user))):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset, field.empty_label = rows, None
        protocol = self.data.get("protocol") or self.get_initial_for_field(self.fields["protocol"], "protocol")
        self.kind = ""
        self.materials: tuple[Dataset, Classifier] | None = None
        self.imported = self._offer_imported()
        self.asked = PROTOCOLS.get(protocol, next(iter(PROTOCOLS.values())))
        self.absent = absent(self.asked)
        for name in self.absent:
            del self.fields[name]
        if self.asked.marks:
            self.fields["judge_against"].label = "The label to justify"
        self.fields["pay_per_worker"].label = f"Pay per worker, {settings.PAY_CURRENCY}"
        self._say_why()
        self.fields["question"].widget.attrs["maxlength"] = 300
        self.parts = [
            part(self.asked, self.data if self.is_bound else None, instance=self.instance, initial=self.initial)
            for part in PARTS
            if part.applies(self.asked)
        ]

    def _say_why(self) -> None:
        """Beside numbers that are still as they were proposed."""
        if self.materials and "ks" in self.fields and not self.is_bound and not self.instance.pk:
            field = self.fields["ks"]
            field.help_text = f"{field.help_text} {reason_of_ks(word_counts(self.materials[0]))}".strip()

    def is_valid(self) -> bool:
        """Of the wizard as a whole; every part is looked at, so that all errors are told at once."""
        return all([super().is_valid(), *(part.is_valid() for part in self.parts)])

    def has_errors(self) -> bool:
        return self.is_bound and not self.is_valid()

    def _offer_imported(self) -> list[Method]:
        """What has maps of the dataset under the classifier, as far as these are chosen."""
        chosen = []
        for name in ("dataset", "classifier"):
            try:
                chosen.append(self.fields[name].clean(self[name].value()))
            except forms.ValidationError:
                return []
        self.kind = chosen[1].kind
        self.materials = chosen[0], chosen[1]
        found = offered(*chosen)
        methods = self.fields["methods"]
        assert isinstance(methods, MethodsField)
        methods.offer(found)
        return found

    def families(self) -> list[tuple[str, list[Choice]]]:
        """The methods that serve the classifier, with the parameters as they are filled in."""
        ours = [method for method in METHODS.values() if not self.kind or self.kind in method.classifier_kinds]
        values = self.data if self.is_bound else values_of(self.instance.method_params)
        known = known_lines(self.materials[1], self.materials[0]) if self.materials else {}
        return families([*ours, *self.imported], self["methods"].value() or (), values, known)

    def measures(self) -> list[tuple[str, list[tuple[Metric, bool]]]]:
        """The metrics by family, and whether each is chosen."""
        found: dict[str, list[tuple[Metric, bool]]] = {}
        chosen = self["metrics"].value() or ()
        for name, metric in OFFERED.items():
            found.setdefault(metric.family, []).append((metric, name in chosen))
        return list(found.items())

    def sections(self) -> list[tuple[str, str, list[list[forms.BoundField]]]]:
        """Without what the protocol does not have; every part follows its section."""
        found = []
        for key, title, lines in SECTIONS:
            asked = [[self[name] for name in line if name in self.fields] for line in lines]
            found.append((key, title, [line for line in asked if line]))
            found += [(part.key, part.title, part.lines()) for part in self.parts if part.after == key]
        return [section for section in found if section[2]]

    def faulty(self) -> list[tuple[str, str]]:
        """The sections with something to mend."""
        faulty = {part.key for part in self.parts if not part.is_valid()}
        faulty |= {key for key, _, lines in SECTIONS if any(name in self.errors for line in lines for name in line)}
        return [(key, title) for key, title, _ in self.sections() if key in faulty]

    def clean_protocol(self) -> str:
        protocol: str = self.cleaned_data["protocol"]
        if protocol not in PROTOCOLS:
            raise forms.ValidationError(f"There is no protocol {protocol!r}; there are {', '.join(PROTOCOLS)}.")
        return protocol

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("dataset") and data.get("classifier"):
            self._check_materials(data["dataset"], data["classifier"], data)
        return data

    def _check_materials(self, dataset: Dataset, classifier: Classifier, data: dict[str, Any]) -> None:
        if dataset.team_id != classifier.team_id:
            self.add_error("classifier", "The dataset and the classifier belong to different teams.")
        problem = mismatch(dataset.label_names(), classifier.label_names)
        if problem and self._answer("judge_against") == Campaign.JudgeAgainst.GOLD:
            self.add_error("classifier", problem)
        elif data.get("texts_per_label") and data.get("sample_seed") is not None and self._answer("judge_against"):
            self._check_sample(dataset, classifier, data)
        methods = resolve_all(data.get("methods", ()), dataset.team).values()
        self._read_params(methods)
        if self.asked.edits and not dataset.texts.filter(edit_of__isnull=False).exists():
            self.add_error("dataset", "No text of it is an edit of another: import some with the column edit_of.")
        unfit = [method.label for method in methods if classifier.kind not in method.classifier_kinds]
        if unfit:
            self.add_error("methods", f"{unfit[0]} does not work on a {classifier.kind}.")

    def _read_params(self, methods: Iterable[Method]) -> None:
        try:
            self.instance.method_params = read_params(methods, self.data)
        except ValueError as error:
            self.add_error("methods", str(error))

    def _check_sample(self, dataset: Dataset, classifier: Classifier, data: dict[str, Any]) -> None:
        """Where predictions are wanted and not made yet, preparing checks this instead."""
        judge, only, methods = self._answer("judge_against"), data["only_correct"], self._answer("methods") or []
        seed = data["sample_seed"]
        found = stock(self.asked, dataset, classifier, judge, only, methods, seed)
        if needs_predictions(judge, only, methods) and not any(found.order.values()):
            return
        try:
            items = draw_all(found, data["texts_per_label"], self._examples(), seed, (), *self._apart()).items
        except SampleError as error:
            self.add_error("texts_per_label", f"{error} {uncovered(dataset, classifier, methods)}".strip())
            return
        for field, problem in design_problems(data.get("most_per_worker"), len(items)).items():
            self.add_error(field, problem)

    def estimate(self) -> Estimate | None:
        """Of what has been filled in; None while something it needs is missing."""
        data = self.cleaned_data
        per_label = data.get("texts_per_label") or self._number("texts_per_label")
        needed = {"methods", "dataset", "judgments_per_stimulus", "seconds_per_item", "pay_per_worker"}
        needed |= {"ks"} if self.asked.needs_k else set()
        if not per_label or not needed - self.absent.keys() <= data.keys():
            return None
        found = self._cells()
        return estimate(
            texts=per_label * self._labels(data),
            conditions=len(found),
            judgments_per_stimulus=data["judgments_per_stimulus"],
            most_per_worker=data.get("most_per_worker") or self._number("most_per_worker") or 1,
            seconds_per_item=data["seconds_per_item"],
            pay_per_worker=data["pay_per_worker"],
            examples=self._examples() * self._labels(data),
            aside=sum(self._apart()),
            groups=groups_of(self.instance.allocation, found),
        )

    def _examples(self) -> int:
        """Solved ones, per label."""
        return self._number("examples_per_label") if self.asked.learning else 0

    def _apart(self) -> tuple[int, int]:
        """Practice texts, and those with a known answer."""
        practice = self._number("practice_items") if self.data.get("practice_items") else PRACTICE_ITEMS
        return practice, self._number("gold_items")

    def _cells(self) -> list[Cell]:
        chosen = self.instance.baselines, self.instance.displays
        return cells(self.asked, self._answer("methods") or [], self._answer("ks") or [], *chosen)

    def computing(self) -> Computing | None:
        """How long the maps of what has been filled in will take; None while something it needs is missing."""
        data, found = self.cleaned_data, self.estimate()
        if found is None or not data.get("classifier"):
            return None
        methods = resolve_all(self._answer("methods"), data["dataset"].team)
        chosen = {name: settled(one, self.instance.method_params.get(name, {})) for name, one in methods.items()}
        return computing_time(
            data["dataset"], data["classifier"], chosen, self._answer("metrics") or [], found.explained
        )

    def _answer(self, name: str) -> Any:
        """What was said, or what the protocol has instead of asking; None where it is wrong."""
        return self.absent[name] if name in self.absent else self.cleaned_data.get(name)

    def _labels(self, data: dict[str, Any]) -> int:
        """Predictions are balanced over the classifier's labels, gold labels over the dataset's."""
        by_gold = self._answer("judge_against") == Campaign.JudgeAgainst.GOLD
        classifier: Classifier | None = data.get("classifier")
        return len(data["dataset"].label_names() if by_gold or not classifier else classifier.label_names)

    def _number(self, name: str) -> int:
        """What stands in a field, though it does not fit the rest."""
        raw = str(self.data.get(name, ""))
        return int(raw) if raw.isdecimal() and len(raw) < 8 else 0

    def save(self, commit: bool = True) -> Campaign:
        for name, value in self.absent.items():
            setattr(self.instance, name, value)
        self.instance.team = self.cleaned_data["dataset"].team
        return super().save(commit)
