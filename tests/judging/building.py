"""A live campaign straight from rows: what preparing and launching leave behind."""

import hashlib
import random
from collections.abc import Sequence
from typing import Any

from accounts.models import Team
from campaigns.models import Campaign, Condition, SampledText, Stimulus
from campaigns.placing import write_places
from judging.models import Participation
from language.words import segment
from materials.models import Classifier, Dataset, Explanation, Text
from protocols import PROTOCOLS, Edited, Map, Source

LABELS = ["negative", "positive"]
METHODS = ("gradient", "random")
KS = (1, 3)
CODE = "C0DE77"


def live_campaign(
    team: Team,
    *,
    texts: int = 6,
    methods: Sequence[str] = METHODS,
    ks: Sequence[int] = KS,
    judgments: int = 2,
    practice: int = 2,
    gold: int = 0,
    examples: int = 0,
    protocol: str = "topk_guess",
    **fields: Any,
) -> Campaign:
    slug = fields.pop("slug", "films")
    beside: Campaign | None = fields.pop("beside", None)  # Another campaign, of the same dataset.
    campaign = Campaign.objects.create(
        team=team,
        name="Gradient against random",
        slug=slug,
        state=fields.pop("state", Campaign.State.LIVE),
        protocol=protocol,
        dataset=beside.dataset if beside else Dataset.objects.create(team=team, name=slug, slug=slug, language="en"),
        classifier=Classifier.objects.create(team=team, name=slug, slug=slug, label_names=LABELS),
        methods=list(methods),
        ks=list(ks) if PROTOCOLS[protocol].needs_k else [],
        judgments_per_stimulus=judgments,
        **{
            "question": "Is the review good or bad?",
            "instructions": "Read the words.\n\nThen say what you think.",
            "consent": "We keep your answers.",
            "contact": "lab@example.org",
            "completion_code": CODE,
            "exit_redirect": "https://panel.example/done?cc={code}",
            "most_per_worker": 40,
        }
        | fields,
    )
    conditions = _conditions(campaign)
    numbers = {"item": texts, "practice": practice, "gold": gold, "example": examples}
    roles = [role for role, number in numbers.items() for _ in range(number)]
    stimuli = [
        stimulus
        for position, role in enumerate(roles)
        for stimulus in _stimuli(campaign, conditions, position, SampledText.Role(role))
    ]
    Stimulus.objects.bulk_create(stimuli)
    write_places(campaign, list(campaign.sample.filter(role=SampledText.Role.ITEM)), conditions)
    return campaign


def _conditions(campaign: Campaign) -> list[Condition]:
    ks: list[int | None] = list(campaign.ks) or [None]
    pair = PROTOCOLS[campaign.protocol].maps == 2
    display = campaign.displays[0] if PROTOCOLS[campaign.protocol].displays else ""
    methods, other = (campaign.methods[:1], campaign.methods[1]) if pair else (campaign.methods, "")
    cells = [(method, k) for method in methods for k in ks]
    return Condition.objects.bulk_create(
        Condition(campaign=campaign, method=method, other=other, k=k, display=display, position=position)
        for position, (method, k) in enumerate(cells)
    )


def _stimuli(campaign: Campaign, conditions: list[Condition], position: int, role: SampledText.Role) -> list[Stimulus]:
    content = f"Film number{position} was a great <b>story</b>, with one dull scene."
    text, _ = Text.objects.get_or_create(
        dataset=campaign.dataset,
        key=str(position),
        content=content,
        content_hash=hashlib.sha256(content.encode()).hexdigest(),
        label=LABELS[position % 2],
    )
    SampledText.objects.create(campaign=campaign, text=text, role=role, position=position, expected=text.label)
    shown = conditions if role in (SampledText.Role.ITEM, SampledText.Role.EXAMPLE) else conditions[-1:]
    return [_stimulus(campaign, text, condition, role, position) for condition in shown]


def _stimulus(campaign: Campaign, text: Text, condition: Condition, role: str, position: int) -> Stimulus:
    words = segment(text.content)
    draw = random.Random(f"{text.key} {condition.method}")
    scores: list[float | None] = [draw.uniform(-1, 1) for _ in words]
    starts, ends = [word.start for word in words], [word.end for word in words]
    explanation, _ = Explanation.objects.get_or_create(
        text=text,
        classifier=campaign.classifier,
        method=condition.method,
        target=1,
        defaults={"starts": starts, "ends": ends, "scores": scores, "seconds": 0.1},
    )
    source = Source(
        content=text.content,
        starts=starts,
        ends=ends,
        maps=[Map(scores, True), Map(scores[::-1], True)][: PROTOCOLS[campaign.protocol].maps],
        predicted=LABELS[1],
        labels=LABELS,
        question=campaign.question,
        expected=text.label,
        edited=Edited(text.content.replace("great", "poor"), LABELS[0]) if PROTOCOLS[campaign.protocol].edits else None,
        cannot_tell=campaign.cannot_tell,
        k=condition.k,
        display=condition.display or "colour",
        settings=PROTOCOLS[campaign.protocol].complete_settings(campaign.protocol_settings),
        seed=text.key,
    )
    protocol = PROTOCOLS[campaign.protocol]
    render = protocol.example if role == SampledText.Role.EXAMPLE and protocol.example else protocol.stimulus
    return Stimulus(
        campaign=campaign,
        text=text,
        condition=condition,
        explanation=explanation,
        role=role,
        position=position,
        content=render(source),
        expected=text.label,
        version=1,
    )


def worker(campaign: Campaign, name: str = "wanda", **fields: Any) -> Participation:
    """Somebody past the practice."""
    values: dict[str, Any] = {"state": Participation.State.PRACTISED, "quota": campaign.most_per_worker} | fields
    return Participation.objects.create(campaign=campaign, worker_hash=name, named=True, **values)
