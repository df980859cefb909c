"""Campaigns in every state, prepared and launched by the real functions; only the worker processes are played."""

from typing import Any

from django.utils import timezone

from accounts.models import Team
from campaigns.creating import create_campaign
from campaigns.launching import launch
from campaigns.models import Campaign, Launch
from campaigns.preparing import prepare, settle
from campaigns.starting import LAUNCHING
from language.words import segment
from materials.carrying import carry_out
from materials.models import Chunk, Classifier, Explanation, Prediction, Run, Text
from tests.materials.actors import films, judge, predict_right, sha256

SMALL: dict[str, Any] = {
    "methods": ["gradient", "random"],
    "ks": [2, 5],
    "texts_per_label": 3,
    "judgments_per_stimulus": 2,
    "completion_code": "C0DE",
}


def draft(team: Team, protocol: str = "topk_guess", texts: int = 8, **fields: Any) -> Campaign:
    dataset, classifier = films(team, {"neg": texts, "pos": texts}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return create_campaign(team, "Which words matter", protocol, dataset, classifier, **(SMALL | fields))


def preparing(team: Team, **fields: Any) -> Campaign:
    campaign = draft(team, **fields)
    prepare(campaign, None)
    return campaign


def ready(team: Team, **fields: Any) -> Campaign:
    campaign = preparing(team, **fields)
    if campaign.run:
        work(campaign)
        settle(campaign)
    return campaign


def live(team: Team, **fields: Any) -> Campaign:
    campaign = ready(team, **fields)
    launch(campaign)
    return campaign


def carry_out_launch(campaign: Campaign) -> None:
    """What a worker process does with a launch that was asked for."""
    carry_out(LAUNCHING, Launch.objects.get(campaign=campaign).pk)
    campaign.refresh_from_db()


def work(campaign: Campaign, failing: frozenset[int] = frozenset(), errors: dict[str, float] | None = None) -> None:
    """What worker processes do with a run, with made-up scores; some texts fail. `errors`: of completeness."""
    run = campaign.run
    assert run
    for text in Text.objects.filter(pk__in=[pk for chunk in run.chunks.all() for pk in chunk.text_ids]):
        if text.pk in failing:
            run.failures.create(text=text, reason="too strange")
        else:
            explain(run, text, errors or {})
    run.chunks.update(state=Chunk.State.DONE, finished_at=timezone.now())
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())
    campaign.refresh_from_db()


def explain(run: Run, text: Text, errors: dict[str, float]) -> None:
    words = segment(text.content)
    prediction = Prediction.objects.get(text=text, classifier=run.classifier)
    for entry in run.methods:
        Explanation.objects.get_or_create(
            text=text,
            classifier=run.classifier,
            method=entry["method"],
            params=entry["params"],
            target=run.classifier.label_names.index(prediction.label),
            defaults={
                "starts": [word.start for word in words],
                "ends": [word.end for word in words],
                "scores": [float(len(words) - at) for at in range(len(words))],
                "completeness_error": errors.get(entry["method"]),
                "seconds": 0.1,
            },
        )


def edit(original: Text, classifier: Classifier, predicted: str, key: str = "") -> Text:
    """An edit of a text, with what the classifier says of it."""
    key = key or f"{original.key}-edited"
    content = f"{key} {original.content}"
    made = Text.objects.create(
        dataset=original.dataset, key=key, content=content, content_hash=sha256(content), edit_of=original
    )
    Prediction.objects.create(text=made, classifier=classifier, label=predicted, probabilities=[0.5, 0.5])
    return made
