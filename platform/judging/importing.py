"""Judgments from elsewhere become a campaign of their own: closed, marked as imported, never to be launched.

What the database cannot know stays empty: what workers saw, when they came, what became of them. Workers are known by
keyed hashes of the ids in the file, as any others. The same rows again change nothing. Where only verdicts were
published, the campaign has these, and no workers.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import Team
from analysis.study import Study
from campaigns.models import Campaign
from catalogue.baselines import BASELINES
from catalogue.methods import METHODS
from judging.entering import UNKNOWN, enter_judgments, enter_verdicts
from judging.laying_out import ImportingError, lay_out
from materials.models import Classifier, Dataset
from materials.naming import insert_named
from protocols import KNOWN


@dataclass(frozen=True)
class Outcome:
    """`known` are the judgments that were there before."""

    campaign: Campaign
    added: int
    known: int


def import_study(study: Study, slug: str, team: Team) -> Outcome:
    """All judgments or none. ImportingError where they cannot go into this campaign."""
    rows = study.cells.assign(other="", display="", expected="") if study.answers is None else study.answers
    with transaction.atomic():
        campaign = _find(study, slug) or _make(study, slug, team, rows)
        laid = lay_out(campaign, study, rows)
        if study.answers is None:
            added = enter_verdicts(campaign, rows, laid)
        else:
            added = enter_judgments(campaign, study, study.answers, laid)
        if added:
            _note(campaign, study, added)
    return Outcome(campaign, added, len(rows) - added)


def _find(study: Study, slug: str) -> Campaign | None:
    """The imported campaign that the judgments are to be added to, locked; None where it is to be made."""
    campaign = Campaign.objects.select_for_update().filter(slug=slug).first()
    if campaign is None:
        return None
    if not campaign.imported:
        raise ImportingError(f"In the campaign {slug} workers judge here; judgments from elsewhere need another slug.")
    there, new = (campaign.protocol, *_kind(campaign.imported)), (study.protocol, *_kind(_facts(study)))
    if there != new:
        raise ImportingError(f"The campaign {slug} holds {_said(*there)}; these are {_said(*new)}.")
    return campaign


def _facts(study: Study) -> dict[str, Any]:
    """What is noted of where judgments come from."""
    return {
        "preset": study.meta.get("preset", ""),
        "level": study.level or KNOWN[study.protocol].level,
        "verdicts": study.answers is None,
        "source_names": study.source_names,
        "files": [],
        "notices": [],
    }


def _kind(facts: dict[str, Any]) -> tuple[str, bool]:
    return facts["level"], facts["verdicts"]


def _said(protocol: str, level: str, verdicts: bool) -> str:
    return f"{'verdicts' if verdicts else 'judgments'} of the protocol {protocol}, level {level}"


def _make(study: Study, slug: str, team: Team, rows: pd.DataFrame) -> Campaign:
    try:
        validate_slug(slug)
    except ValidationError:
        raise ImportingError(f"{slug!r} is no slug: letters, numbers, hyphens and underscores, please.") from None
    if len(slug) > 80:
        raise ImportingError(f"A slug has at most 80 characters; this has {len(slug)}.")
    return Campaign.objects.create(
        team=team,
        name=slug.replace("-", " ").replace("_", " ").capitalize(),
        slug=slug,
        state=Campaign.State.CLOSED,
        closed_at=timezone.now(),
        protocol=study.protocol,
        dataset=_dataset(team, slug),
        classifier=_classifier(team),
        methods=[name for name in study.methods if name in METHODS],
        baselines=[name for name in study.methods if name in BASELINES],
        metrics=[],
        ks=sorted({int(k) for k in rows["k"].dropna()}),
        displays=sorted(set(rows["display"]) - {""}),
        practice_items=0,
        imported=_facts(study),
    )


def _dataset(team: Team, slug: str) -> Dataset:
    """A new one: texts that are here already may have other ids."""
    name = f"Judged elsewhere: {slug}"
    taken = Dataset.objects.filter(team=team, name=name).count()
    dataset = Dataset(team=team, name=f"{name} {taken + 1}" if taken else name)
    insert_named(dataset)
    return dataset


def _classifier(team: Team) -> Classifier:
    """One a team stands for all that are not known; nobody can choose it."""
    known = Classifier.objects.filter(team=team, source=UNKNOWN, kind="").first()
    if known:
        return known
    classifier = Classifier(
        team=team,
        name="Not known",
        source=UNKNOWN,
        kind="",
        state=Classifier.State.FAILED,
        error="It was explained elsewhere; which classifier it is, the imported judgments do not say.",
    )
    insert_named(classifier)
    return classifier


def _note(campaign: Campaign, study: Study, added: int) -> None:
    """Where the judgments come from, and what reading them had to tell."""
    assert campaign.imported is not None
    file = {"name": study.meta.get("source", ""), "sha256": study.meta.get("hashes", {}).get("file", "")}
    campaign.imported["files"].append(file | {"judgments": added, "at": timezone.now().isoformat(timespec="seconds")})
    campaign.imported["source_names"] |= study.source_names
    told = campaign.imported["notices"]
    told += [list(notice) for notice in study.notices if list(notice) not in told]
    campaign.judgments_per_stimulus = campaign.places.aggregate(most=Max("number"))["most"] or 1
    campaign.save(update_fields=["imported", "judgments_per_stimulus"])
