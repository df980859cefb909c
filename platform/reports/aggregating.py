"""From the database to a study and its report: the same rows as the export, so that both give the same report."""

from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

import pandas as pd
from django.core.cache import cache
from django.db.models import Count, Sum
from django.utils import timezone

from analysis.presets.peekaword import study_of_export
from analysis.registering import analysis_hash
from analysis.study import CELL_COLUMNS, JUDGMENT_COLUMNS, TEXT_COLUMNS, Study, study_of_judgments
from campaigns.models import Campaign, Place
from judging.flowing import flow_of
from judging.models import Judgment, Verdict
from reports.designing import design_of, registration_of
from reports.exporting import columns_of, judgment_rows
from reports.filtering import ALL, Asked, describe_part, narrow, text_facts
from reports.presenting import draw_figures
from reports.reporting import build_report
from reports.sections.section import Report

CACHED_SECONDS = 24 * 3600
# Raised when the report's shape changes, so that no page shows a report of the old shape.
SHAPE = 9


@dataclass(frozen=True)
class Drawn:
    """A report with its figures."""

    report: Report
    figures: dict[str, str]
    made_at: datetime


def study_of(campaign: Campaign, asked: Asked = ALL) -> Study:
    """The campaign's judgments so far, or those asked for; a constant number of queries."""
    return replace(_study_of(campaign, asked), texts=texts_of(campaign))


def texts_of(campaign: Campaign) -> pd.DataFrame | None:
    """Each text once, as files of an export have it; None where only the names are known."""
    found = campaign.dataset.texts.filter(stimuli__campaign=campaign).distinct().order_by("key")
    rows = list(found.values_list("key", "content", "language"))
    if campaign.imported and all(key == content for key, content, _ in rows):
        return None
    return pd.DataFrame(
        [(key, text, own or campaign.dataset.language) for key, text, own in rows], columns=TEXT_COLUMNS
    )


def _study_of(campaign: Campaign, asked: Asked) -> Study:
    if campaign.imported and campaign.imported["verdicts"]:
        return _of_verdicts(campaign, campaign.imported)
    columns = [column for column in columns_of(campaign) if column != "text"]
    rows = pd.DataFrame(judgment_rows(campaign, columns), columns=columns)
    if asked:
        return _part_of(campaign, rows, asked)
    if campaign.imported:
        return _from_elsewhere(campaign.imported, rows)
    told: dict[str, Any] = {"design": design_of(campaign), "registration": registration_of(campaign)}
    if rows.empty:
        nothing = pd.DataFrame(columns=JUDGMENT_COLUMNS)
        return replace(study_of_judgments(campaign.protocol, nothing, meta={"source": campaign.slug}), **told)
    return replace(study_of_export(rows), participants=flow_of(campaign), **told)


def _part_of(campaign: Campaign, rows: pd.DataFrame, asked: Asked) -> Study:
    """Without what is told of the whole campaign: who took part, and what was registered."""
    kept = narrow(rows, asked, text_facts(campaign))
    meta = {"filter": describe_part(asked, kept, rows)} | (_told(campaign.imported) if campaign.imported else {})
    if not kept["counted"].any():
        nothing = pd.DataFrame(columns=JUDGMENT_COLUMNS)
        return study_of_judgments(campaign.protocol, nothing, meta={"source": campaign.slug} | meta)
    study = study_of_export(kept)
    return replace(study, meta=study.meta | meta)


def _from_elsewhere(imported: dict[str, Any], rows: pd.DataFrame) -> Study:
    """Who came, and what was planned, nobody knows here; what reading the files had to tell is known."""
    study = study_of_export(rows)
    names = imported["source_names"]
    return replace(study, meta=study.meta | _told(imported), source_names=names, notices=_notices(imported))


def _of_verdicts(campaign: Campaign, imported: dict[str, Any]) -> Study:
    """Where only the majority's verdicts were published."""
    names = ("stimulus__text__key", "stimulus__condition__method", "stimulus__condition__k", "recognised", "votes")
    found = Verdict.objects.filter(stimulus__campaign=campaign).order_by("pk").values_list(*names)
    cells = pd.DataFrame(list(found), columns=CELL_COLUMNS)
    cells = cells.assign(recognised=cells["recognised"].astype(int), n=cells["n"].astype("Int64"))
    meta = {"source": campaign.slug, **_told(imported)}
    notices = _notices(imported)
    return Study(campaign.protocol, cells, source_names=imported["source_names"], meta=meta, notices=notices)


def _told(imported: dict[str, Any]) -> dict[str, Any]:
    hashes = {"file": imported["files"][0]["sha256"]} if len(imported["files"]) == 1 else {}
    return {"preset": imported["preset"], "hashes": hashes}


def _notices(imported: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((code, told) for code, told in imported["notices"])


def report_of(campaign: Campaign, asked: Asked = ALL) -> Drawn:
    """The campaign's report, made anew only when there are new judgments or workers, or others count than before."""
    key = f"report:{data_key(campaign)}:{asked.digest}"
    drawn: Drawn | None = cache.get(key)
    if drawn is None:
        report = build_report(study_of(campaign, asked))
        drawn = Drawn(report, draw_figures(report), timezone.now())
        cache.set(key, drawn, CACHED_SECONDS)
    return drawn


def data_key(campaign: Campaign) -> str:
    """Differs whenever judgments have come or been taken out of the count, the campaign has moved on, or the code."""
    files = len(campaign.imported["files"]) if campaign.imported else 0
    known = [SHAPE, analysis_hash(), campaign.pk, campaign.state, _newest(campaign), files]
    return sha256(":".join(map(str, known)).encode()).hexdigest()


def _newest(campaign: Campaign) -> str:
    """Differs whenever judgments have come, or have been taken out of the count or back in."""
    judgments = Judgment.objects.filter(assignment__stimulus__campaign=campaign).order_by("-id")
    void = campaign.places.filter(state=Place.State.VOID).aggregate(n=Count("id"), which=Sum("id"))
    people = campaign.participations.aggregate(n=Count("id"), ended=Count("finished_at"), erased=Count("erased_at"))
    newest = judgments.values_list("id", flat=True).first()
    return ":".join(map(str, (newest, *void.values(), *people.values())))
