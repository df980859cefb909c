"""A small campaign with judgments, written straight into the database."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from accounts.models import Team
from campaigns.models import Campaign, Condition, Place, SampledText, Stimulus
from judging.models import Assignment, Judgment, Participation
from materials.models import Classifier, Dataset, Explanation, MetricScore, Text

METHODS = ["integrated_gradients", "random"]
KS = [5, 10]
WORKERS = 3
CONTENTS = ['=SUM(A1) is "bad", they said', "a lovely\nfilm", "dull \U0001f634 and long", "'tis fine"]


def odd_campaign(
    team: Team,
    protocol: str,
    *,
    methods: list[str] = METHODS,
    ks: list[int] = KS,
    n_texts: int = 4,
    votes: int = WORKERS,
    answer: str | int | None = None,
    state: str = Campaign.State.LIVE,
) -> Campaign:
    """A campaign at the edge of what a report can say: as many judgments as asked for, all of one answer if given."""
    campaign = _campaign(team, protocol, state, methods=methods, ks=ks)
    conditions = _conditions(campaign)
    for number, content in enumerate(CONTENTS[:n_texts]):
        text = _text(campaign, number, content)
        for position, condition in enumerate(conditions):
            stimulus = _stimulus(campaign, text, condition, number)
            for vote in range(votes):
                given = {"answer": answer} if answer is not None else _answer(protocol, condition, text, vote)
                _judge(stimulus, _participation(campaign, 100 * position + vote), vote, given)
    return campaign


def judged_campaign(team: Team, *, protocol: str = "topk_guess", state: str = Campaign.State.LIVE) -> Campaign:
    """Four texts, two methods, two ks (none for ratings), three judgments each; one late, one in vain."""
    campaign = _campaign(team, protocol, state)
    conditions = _conditions(campaign)
    workers = [_participation(campaign, number) for number in range(WORKERS + 1)]
    for number, content in enumerate(CONTENTS):
        text = _text(campaign, number, content)
        for position, condition in enumerate(conditions):
            stimulus = _stimulus(campaign, text, condition, number)
            # A worker meets a text once, so each stimulus of a text has workers of its own.
            voters = [_participation(campaign, 100 * (position + 1) + vote) for vote in range(WORKERS)]
            for vote, worker in enumerate(voters):
                _judge(
                    stimulus,
                    worker,
                    vote,
                    _answer(protocol, condition, text, vote),
                    late=number == position == vote == 0,
                )
            if number == position == 0:
                _judge(stimulus, workers[WORKERS], WORKERS, _answer(protocol, condition, text, 0), counts=False)
    return campaign


def _campaign(team: Team, protocol: str, state: str, *, methods: list[str] = METHODS, ks: list[int] = KS) -> Campaign:
    return Campaign.objects.create(
        team=team, name="Films", slug=f"films-{protocol.replace('_', '-')}", protocol=protocol, state=state,
        dataset=Dataset.objects.create(team=team, name=f"Films for {protocol}", slug=f"data-{protocol}"),
        classifier=Classifier.objects.create(
            team=team, name=f"BERT for {protocol}", slug=f"bert-{protocol}", source="bert",
            weights_hash="ab" * 32, state="ready",
        ),
        methods=methods, ks=ks if protocol == "topk_guess" else [], question="What is it?", instructions="Read.",
        consent="I agree.", judgments_per_stimulus=WORKERS, design_hash="cd" * 32, pay_per_worker=Decimal("1.50"),
    )  # fmt: skip


def _text(campaign: Campaign, number: int, content: str) -> Text:
    text: Text = campaign.dataset.texts.create(
        key=f"00{number}", content=content, content_hash=str(number), label=["neg", "pos"][number % 2]
    )
    campaign.sample.create(text=text, role=SampledText.Role.ITEM, position=number, expected=text.label)
    return text


def _conditions(campaign: Campaign) -> list[Condition]:
    cells: list[tuple[str, int | None]] = [(method, k) for method in campaign.methods for k in (campaign.ks or (None,))]
    return [
        Condition.objects.create(campaign=campaign, method=method, k=k, position=position)
        for position, (method, k) in enumerate(cells)
    ]


def _participation(campaign: Campaign, number: int) -> Participation:
    found, _ = Participation.objects.get_or_create(
        campaign=campaign, worker_hash=f"{number:064x}",
        defaults={"named": True, "quota": 4, "state": Participation.State.COMPLETED,
                  "started_at": timezone.now(), "finished_at": timezone.now() + timedelta(minutes=6)},
    )  # fmt: skip
    return found


def _stimulus(campaign: Campaign, text: Text, condition: Condition, number: int) -> Stimulus:
    explanation, made = Explanation.objects.get_or_create(
        text=text, classifier=campaign.classifier, method=condition.method, params={}, target=0,
        defaults={"starts": [0], "ends": [1], "scores": [1.0], "seconds": 0.1,
                  "completeness_error": 0.02 if condition.method == "integrated_gradients" else None},
    )  # fmt: skip
    if made:
        value = number / 10 + (0.3 if condition.method == "integrated_gradients" else 0.0)
        MetricScore.objects.create(explanation=explanation, metric="comprehensiveness", value=value)
        MetricScore.objects.create(explanation=explanation, metric="sufficiency", value=None, reason="one word")
    return Stimulus.objects.create(
        campaign=campaign, text=text, condition=condition, explanation=explanation, role=SampledText.Role.ITEM,
        position=number, content={}, expected=text.label, version=1,
    )  # fmt: skip


def _answer(protocol: str, condition: Condition, text: Text, vote: int) -> dict[str, Any]:
    good = condition.method == "integrated_gradients"
    if protocol == "rating":
        return {"answer": (4 if good else 2) + vote % 2}
    if vote == 2:
        return {"answer": "cannot_tell"}
    return {"answer": text.label if good or vote == 1 else "other"}


def _judge(
    stimulus: Stimulus,
    worker: Participation,
    vote: int,
    answer: dict[str, Any],
    *,
    late: bool = False,
    counts: bool = True,
) -> None:
    place = None
    if counts:
        place = Place.objects.create(
            campaign=stimulus.campaign, stimulus=stimulus, condition=stimulus.condition, text=stimulus.text,
            number=vote + 1, rank=stimulus.position, state=Place.State.FILLED,
        )  # fmt: skip
    now = timezone.now()
    assignment = Assignment.objects.create(
        participation=worker, stimulus=stimulus, text=stimulus.text, place=place, leased_at=now, deadline=now
    )
    Judgment.objects.create(
        assignment=assignment, place=place, answer=answer, late=late, response_ms=3000 + 1000 * vote
    )
