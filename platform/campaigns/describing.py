"""What the page of a campaign says about it before launch."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from django.conf import settings

from campaigns.arming import arms
from campaigns.covering import uncovered
from campaigns.designing import Cell, Estimate, cells, count_words, estimate
from campaigns.models import Campaign, SampledText
from catalogue.imported import is_imported
from materials.counting import counted
from materials.models import Explanation
from materials.picturing import LARGE_ERROR
from materials.resolving import params_of
from protocols import PROTOCOLS


@dataclass(frozen=True)
class Flag:
    """A method that claims completeness and does not keep it on these texts."""

    label: str
    error: float

    @property
    def percent(self) -> int:
        return round(100 * self.error)


@dataclass(frozen=True)
class Check:
    name: str
    good: bool
    text: str


def cells_of(campaign: Campaign) -> list[Cell]:
    return cells(PROTOCOLS[campaign.protocol], campaign.methods, campaign.ks, campaign.baselines, campaign.displays)


def planned(campaign: Campaign) -> Estimate:
    """What a campaign asks for: by its sample where it is drawn, else by its numbers."""
    texts = campaign.sample.filter(role=SampledText.Role.ITEM).count()
    gold = campaign.judge_against == Campaign.JudgeAgainst.GOLD
    labels = campaign.dataset.label_names() if gold else campaign.classifier.label_names
    return estimate(
        texts=texts or campaign.texts_per_label * len(labels),
        conditions=len(cells_of(campaign)),
        judgments_per_stimulus=campaign.judgments_per_stimulus,
        most_per_worker=campaign.most_per_worker,
        seconds_per_item=campaign.seconds_per_item,
        pay_per_worker=campaign.pay_per_worker,
        examples=campaign.sample.filter(role=SampledText.Role.EXAMPLE).count()
        or campaign.examples_per_label * len(labels),
        aside=campaign.practice_items + campaign.gold_items,
    )


def flags(campaign: Campaign) -> list[Flag]:
    found = []
    for name, method in arms(campaign).items():
        if method.complete:
            errors = Explanation.objects.filter(
                classifier=campaign.classifier,
                text__in=campaign.sample.values("text"),
                method=name,
                params=params_of(method),
                completeness_error__isnull=False,
            ).values_list("completeness_error", flat=True)
            error = median([abs(value) for value in errors if value is not None] or [0.0])
            if error > LARGE_ERROR:
                found.append(Flag(method.label, error))
    return found


def checklist(campaign: Campaign) -> list[Check]:
    """What to look at before launch. Nothing here stops it."""
    return [*_sample_checks(campaign), *_map_checks(campaign), *_pay_checks(campaign), *_exit_checks(campaign)]


def _sample_checks(campaign: Campaign) -> Iterator[Check]:
    sample = list(campaign.sample.filter(role=SampledText.Role.ITEM).select_related("text"))
    counts = Counter(sampled.expected for sampled in sample)
    numbers = ", ".join(f"{n} {label}" for label, n in sorted(counts.items()))
    even = set(counts.values()) == {campaign.texts_per_label}
    yield Check(
        "Sample", even, f"{counted(len(sample), 'text')}: {numbers}." + ("" if even else " The labels are not even.")
    )
    if campaign.ks:
        language = campaign.dataset.language
        words = [count_words(one.text.content, one.text.language or language) for one in sample]
        short = sum(n <= max(campaign.ks) for n in words)
        yield Check(
            "Words",
            short == 0,
            f"{counted(short, 'text')} {'has' if short == 1 else 'have'} no more than "
            f"{counted(max(campaign.ks), 'word')}: the largest k shows {'it' if short == 1 else 'them'} whole."
            if short
            else f"Every text has more words ({min(words, default=0)} or more) than the largest k shows.",
        )


def _map_checks(campaign: Campaign) -> Iterator[Check]:
    if any(map(is_imported, campaign.methods)):
        left_out = uncovered(campaign.dataset, campaign.classifier, campaign.methods)
        yield Check("Imported maps", not left_out, left_out or "Every text of the dataset has its imported maps.")


def _pay_checks(campaign: Campaign) -> Iterator[Check]:
    plan, least, currency = planned(campaign), settings.MINIMUM_HOURLY_PAY, settings.PAY_CURRENCY
    fair = float(plan.hourly) >= least
    yield Check(
        "Pay",
        fair,
        f"Pay comes to {plan.hourly} {currency} an hour"
        + (f"; the least is {least:g}." if fair else f", under the least of {least:g}: raise it, or ask for less."),
    )


def _exit_checks(campaign: Campaign) -> Iterator[Check]:
    code = bool(campaign.completion_code)
    yield Check("Exit", code, "Workers get a completion code." if code else "Workers get no completion code.")
    yield Check(
        "Contact",
        bool(campaign.contact),
        f"Workers can reach {campaign.contact}." if campaign.contact else "Workers find no contact: give one.",
    )
