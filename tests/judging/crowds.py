"""A crowd that comes, answers, drops out, returns, is excluded and readmitted at random; and what must always hold."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from campaigns.models import Campaign, Place
from judging.assigning import assign_next
from judging.excluding import exclude, readmit
from judging.lapsing import lapse_idle
from judging.leaving import complete, time_out, withdraw
from judging.models import Assignment, Judgment, Participation
from judging.recording import record
from judging.starting import agree, start
from tests.judging.building import worker

State = Participation.State
ANSWER = {"answer": "positive"}
COUNTING = [State.PRACTISED, State.COMPLETED]


class Crowd:
    """`live` makes one thing happen; whoever has left, been excluded or gone silent is picked up again later."""

    def __init__(self, campaign: Campaign, seed: int) -> None:
        self.campaign, self.rng, self.count = campaign, random.Random(seed), 0
        self.fates = {
            self.arrive: 2.0, self.work: 20.0, self.leave: 1.0, self.come_back: 1.0, self.exclude: 0.7,
            self.readmit: 0.5, self.fall_silent: 1.0, self.lapse: 0.3,
        }  # fmt: skip

    def live(self) -> None:
        [fate] = self.rng.choices(list(self.fates), list(self.fates.values()))
        fate()

    def arrive(self) -> Participation:
        self.count += 1
        arrived = worker(self.campaign, f"worker {self.count}", state=State.ARRIVED)
        agree(arrived)
        start(arrived)
        return arrived

    def work(self) -> None:
        if someone := self._one(state=State.PRACTISED):
            self.answer(someone)

    def answer(self, someone: Participation) -> bool:
        turn = assign_next(someone)
        if turn.assignment:
            record(turn.assignment, ANSWER)
        elif not turn.waiting:
            complete(someone)
        return turn.assignment is not None

    def leave(self) -> None:
        if someone := self._one(state__in=[State.CONSENTED, State.PRACTISED]):
            self.rng.choice([withdraw, time_out])(someone)

    def come_back(self) -> None:
        if someone := self._one(state__in=[State.RETURNED, State.TIMED_OUT]):
            agree(someone)

    def exclude(self) -> None:
        if someone := self._one(excluded_at=None):
            exclude(someone, "careless")

    def readmit(self) -> None:
        if someone := self._one(excluded_at__isnull=False):
            readmit(someone)

    def fall_silent(self) -> None:
        """The item in hand is never answered, or late: its lease runs out."""
        someone = self._one(state=State.PRACTISED)
        if someone and (turn := assign_next(someone)).assignment:
            past = timezone.now() - timedelta(seconds=1)
            Assignment.objects.filter(pk=turn.assignment).update(deadline=past)
            Place.objects.filter(assignment=turn.assignment).update(leased_until=past)

    def lapse(self) -> None:
        lapse_idle(self.campaign, timezone.now() + timedelta(days=2))

    def finish(self, most: int = 300) -> None:
        """Those at work go on to their end, then others come until nothing is left."""
        for someone in Participation.objects.filter(campaign=self.campaign, state=State.PRACTISED):
            while self.answer(someone):
                pass
        lapse_idle(self.campaign, timezone.now() + timedelta(days=2))
        while unfilled(self.campaign) and self.count < most:
            someone = self.arrive()
            while self.answer(someone):
                pass

    def _one(self, **wanted: object) -> Participation | None:
        found = list(Participation.objects.filter(campaign=self.campaign, **wanted).order_by("pk"))
        return self.rng.choice(found) if found else None


def unfilled(campaign: Campaign) -> bool:
    return campaign.places.filter(state__in=[Place.State.OPEN, Place.State.LEASED]).exists()


def faults(campaign: Campaign) -> Iterator[str]:
    """Whatever does not hold."""
    assignments = Assignment.objects.filter(participation__campaign=campaign)
    met = Counter(assignments.values_list("participation", "text"))
    yield from (f"text twice: {pair}" for pair, times in met.items() if times > 1)
    wanted = campaign.places.exclude(state=Place.State.VOID)
    numbers = Counter(wanted.values_list("stimulus", flat=True))
    yield from (f"places: {one}" for one in numbers.items() if one[1] != campaign.judgments_per_stimulus)
    filled = set(campaign.places.filter(state=Place.State.FILLED).values_list("pk", flat=True))
    judged = Judgment.objects.filter(place__in=filled)
    if judged.count() != len(filled):
        yield "filled places without a judgment"
    counting = judged.filter(assignment__participation__state__in=COUNTING, assignment__participation__excluded_at=None)
    if counting.count() != len(filled):
        yield "judgments of somebody who does not count"
    held = set(assignments.filter(place__state=Place.State.LEASED, judgment=None).values_list("place", flat=True))
    if held != set(campaign.places.filter(state=Place.State.LEASED).values_list("pk", flat=True)):
        yield "leased places that nobody holds"
    if assignments.filter(place__state=Place.State.LEASED).exclude(participation__state=State.PRACTISED).exists():
        yield "leased places of somebody who is gone"
    for one in assignments.select_related("participation", "stimulus__condition").prefetch_related("stimulus__places"):
        if one.participation.arm and one.stimulus.condition.arm != one.participation.arm:
            yield f"{one} is of another arm"
        lists = {place.list for place in one.stimulus.places.all()}
        if one.participation.list is not None and lists != {one.participation.list}:
            yield f"{one} is of another list"
