"""What comes next for a campaign, and what its page has to show for that."""

from typing import Any

from django.conf import settings

from campaigns.arming import arms, described
from campaigns.describing import flags, planned
from campaigns.linting import lint
from campaigns.models import Campaign
from campaigns.moving import CampaignError, State
from campaigns.preparing import NotEvaluated, check_materials, computing_time, is_evaluated
from campaigns.reaching import reached
from campaigns.recognising import protocol_of
from campaigns.recounting import of_the_task, of_the_workers
from campaigns.showing import named
from campaigns.starting import launch_of
from catalogue.metrics import METRICS
from materials import explaining
from materials.models import Run
from recruitment import PROVIDERS
from recruitment.prolific import QUERY


def campaign_page(campaign: Campaign) -> dict[str, Any]:
    protocol = protocol_of(campaign)
    return {
        "campaign": campaign,
        "protocol": protocol,
        "guessed": protocol.judges and not protocol.marks,
        "task": of_the_task(campaign),
        "workers": of_the_workers(campaign),
        "methods": [described(method) for method in arms(campaign).values()],
        "reached": reached(campaign),
        "metrics": [METRICS[name].label for name in campaign.metrics],
        **_BY_STATE.get(State(campaign.state), _launched)(campaign),
    }


def imported_page(campaign: Campaign) -> dict[str, Any]:
    """Of judgments from elsewhere there is nothing to come, and little to tell."""
    found = [named(condition, {}) for condition in campaign.conditions.all()]
    return {"campaign": campaign, "protocol": protocol_of(campaign), "arms": [arm for arm in found if arm]}


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
    asked = launch_of(campaign)
    if asked and asked.under_way:
        return {"step": "launching", "launch": asked}
    if asked and asked.state == asked.State.DONE:  # Between the look at the campaign and this one.
        campaign.refresh_from_db()
        return _launched(campaign)
    findings = lint(campaign)
    return {
        "step": "ready",
        "launch": asked,
        "findings": [finding for finding in findings if not finding.good],
        "good": [finding for finding in findings if finding.good],
        "stopped": any(finding.stops for finding in findings),
        "flags": flags(campaign),
    }


def _launched(campaign: Campaign) -> dict[str, Any]:
    return {
        "step": "launched",
        "flags": flags(campaign),
        "provider": PROVIDERS[campaign.recruitment],
        "prolific": QUERY,
    }


_BY_STATE = {State.DRAFT: _draft, State.PREPARING: _preparing, State.READY: _ready}
