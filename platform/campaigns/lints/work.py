"""Whether the work is of a size that workers can do, is paid, and comes to an end."""

from decimal import Decimal
from statistics import median

from django.conf import settings

from campaigns.lints.lint import Finding, Inspected, Role, Severity
from campaigns.models import Campaign
from materials.counting import counted

# Fewer finished workers than this say little of the time it takes.
FEWEST_OF_A_PILOT = 5
# An item that is leased for less than this many times its planned seconds is often late.
TIMES_OVER = 3


def load(seen: Inspected) -> Finding:
    """Whether there are texts enough for what a worker is asked, all under the campaign's way of spreading them."""
    texts, most = len(seen.items), seen.campaign.most_per_worker
    if most > texts:
        return Finding(
            "Load",
            Severity.WARNING,
            f"A worker is to judge {counted(most, 'item')}, but there {_are(texts, 'text')}: nobody meets one twice.",
            f"Ask for {texts} at most, or take more texts per label.",
        )
    if seen.campaign.allocation == Campaign.Allocation.LATIN_SQUARE and min(most, texts) < len(seen.conditions):
        return Finding(
            "Load",
            Severity.WARNING,
            f"A list of the Latin square has {counted(len(seen.conditions), 'condition')}, but a worker judges only "
            f"{counted(min(most, texts), 'item')}: nobody meets all conditions.",
            "Ask for more items, take more texts, or have the conditions filled least first.",
        )
    return Finding(
        "Load",
        Severity.GOOD,
        f"{counted(seen.plan.workers, 'worker')} or more with {counted(seen.plan.load, 'item')} each give all "
        f"{seen.plan.judgments:,} judgments.",
    )


def _are(count: int, noun: str) -> str:
    return f"{'is' if count == 1 else 'are'} only {counted(count, noun)}"


def pay(seen: Inspected) -> Finding:
    """By the pilot's own time where the campaign was copied from one, else by the time that was planned."""
    least, currency = settings.MINIMUM_HOURLY_PAY, settings.PAY_CURRENCY
    pilot = pilot_minutes(seen)
    minutes = pilot or seen.plan.minutes
    hourly = seen.campaign.pay_per_worker * 60 / Decimal(str(minutes))
    basis = "by the median time of the campaign it was copied from" if pilot else "by the time that was planned"
    text = f"Pay comes to {hourly:.2f} {currency} an hour, {basis}"
    if float(hourly) >= least:
        return Finding("Pay", Severity.GOOD, f"{text}; the least is {least:g}.")
    fair = Decimal(str(least * minutes / 60))
    return Finding(
        "Pay",
        Severity.WARNING,
        f"{text}, under the least of {least:g}.",
        f"Pay at least {fair:.2f} {currency} a worker, or ask for fewer items.",
    )


def pilot_minutes(seen: Inspected) -> float | None:
    """A worker's median time there, for as many items as are asked for here; None where too few have finished."""
    pilot = seen.campaign.copied_from
    if pilot is None:
        return None
    finished = pilot.participations.filter(state="completed", finished_at__isnull=False, excluded_at=None, quota__gt=0)
    people = finished.exclude(parameters__has_key="simulated")
    times = [
        (ended - arrived).total_seconds() / 60 / quota
        for arrived, ended, quota in people.values_list("arrived_at", "finished_at", "quota")
        if ended
    ]
    return median(times) * seen.plan.load if len(times) >= FEWEST_OF_A_PILOT else None


def time_for_an_item(seen: Inspected) -> Finding | None:
    minutes, seconds = seen.campaign.minutes_per_item, seen.campaign.seconds_per_item
    if minutes * 60 >= TIMES_OVER * seconds:
        return None
    return Finding(
        "Time for an item",
        Severity.WARNING,
        f"An item is planned to take {seconds} s and goes to another worker after {minutes} min: many answers will be "
        "late.",
        f"Allow at least {-(-TIMES_OVER * seconds // 60)} min for an item.",
    )


def blocks(seen: Inspected) -> Finding | None:
    size = seen.campaign.block_size
    if not size or size < seen.plan.load:
        return None
    return Finding(
        "Breaks",
        Severity.WARNING,
        f"There is a break after {counted(size, 'item')}, but a worker judges only {seen.plan.load}: nobody gets one.",
        "Make the blocks shorter, or do without breaks.",
    )


def met_before(seen: Inspected) -> Finding | None:
    """Of campaigns whose workers may not meet the same texts here again."""
    campaign = seen.campaign
    if not campaign.once_per_dataset:
        return None
    others = Campaign.objects.filter(dataset=campaign.dataset, once_per_dataset=True, launched_at__isnull=False)
    texts = [one.text_id for one in seen.items]
    shared = others.filter(sample__text__in=texts, sample__role=Role.ITEM).exclude(pk=campaign.pk).distinct()
    if not shared:
        return Finding("Met before", Severity.GOOD, "No text here was judged in another campaign that says so too.")
    names = ", ".join(f"“{one.name}”" for one in shared)
    return Finding(
        "Met before",
        Severity.WARNING,
        f"Texts of this sample are judged in {names} too: who took part there gets only the others here.",
        "Recruit other people, or draw with another seed.",
    )


def practice(seen: Inspected) -> Finding | None:
    """What every worker meets besides the items came out short where texts were few."""
    wanted = {Role.PRACTICE: seen.campaign.practice_items, Role.GOLD: seen.campaign.gold_items}
    short = [role for role, number in wanted.items() if len(seen.of(role)) < number]
    if not short:
        return None
    role = short[0]
    return Finding(
        "Practice and known answers",
        Severity.WARNING,
        f"{counted(wanted[role], 'item')} {'of practice' if role == Role.PRACTICE else 'with a known answer'} were "
        f"planned, but only {len(seen.of(role))} could be drawn.",
        "Import more texts, or plan fewer.",
    )
