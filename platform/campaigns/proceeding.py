"""What comes next for a campaign, and what its page has to show for that."""

from typing import Any

from django.conf import settings

from campaigns.arming import arms, described
from campaigns.describing import checklist, flags, planned
from campaigns.models import Campaign
from campaigns.moving import CampaignError, State
from campaigns.preparing import NotEvaluated, check_materials, computing_time, is_evaluated
from campaigns.reaching import reached
from catalogue.metrics import METRICS
from materials import explaining
from materials.models import Run
from protocols import PROTOCOLS


def campaign_page(campaign: Campaign) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "protocol": PROTOCOLS[campaign.protocol],
        "methods": [described(method) for method in arms(campaign).values()],
        "reached": reached(campaign),
        "metrics": [METRICS[name].label for name in campaign.metrics],
        **_BY_STATE.get(State(campaign.state), _launched)(campaign),
    }


# What Prolific fills in when it sends a worker.
PROLIFIC = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"


def _draft(campaign: Campaign) -> dict[str, Any]:
    """Evaluate first, where predictions are wanted; then prepare."""
    run = Run.objects.filter(
        dataset=campaign.dataset, classifier=campaign.classifier, kind=Run.Kind.PREDICT, state=Run.State.RUNNING
    ).first()
    problem: CampaignError | None = None
    try:
        check_materials(campaign)
    except CampaignError as error:
        problem = error
    return {
        "step": "draft",
        "problem": problem,
        "must_evaluate": isinstance(problem, NotEvaluated),
        "may_evaluate": problem is None and not is_evaluated(campaign),
        "run": run,
        "progress": run and explaining.progress(run),
        "computing": computing_time(
            campaign.dataset,
            campaign.classifier,
            arms(campaign),
            campaign.metrics,
            planned(campaign).explained,
        ),
        "currency": settings.PAY_CURRENCY,
    }


def _preparing(campaign: Campaign) -> dict[str, Any]:
    failures = campaign.run.failures.select_related("text")[:20] if campaign.run else []
    return {"step": "preparing", "progress": campaign.run and explaining.progress(campaign.run), "failures": failures}


def _ready(campaign: Campaign) -> dict[str, Any]:
    return {"step": "ready", "checks": checklist(campaign), "flags": flags(campaign)}


def _launched(campaign: Campaign) -> dict[str, Any]:
    return {"step": "launched", "flags": flags(campaign), "prolific": PROLIFIC}


_BY_STATE = {State.DRAFT: _draft, State.PREPARING: _preparing, State.READY: _ready}
