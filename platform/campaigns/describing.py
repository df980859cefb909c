"""What the page of a campaign says about it before launch."""

from dataclasses import dataclass
from statistics import median

from campaigns.arming import arms
from campaigns.designing import Cell, Estimate, cells, estimate, groups_of
from campaigns.models import Campaign, SampledText
from campaigns.recognising import protocol_of
from materials.models import Explanation
from materials.picturing import LARGE_ERROR
from materials.resolving import params_of


@dataclass(frozen=True)
class Flag:
    """A method that claims completeness and does not keep it on these texts."""

    label: str
    error: float

    @property
    def percent(self) -> int:
        return round(100 * self.error)


def cells_of(campaign: Campaign) -> list[Cell]:
    return cells(protocol_of(campaign), campaign.methods, campaign.ks, campaign.baselines, campaign.displays)


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
        groups=groups_of(campaign.allocation, cells_of(campaign)),
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
