"""From the database to a study: the same rows as the export, so that both give the same report."""

from typing import Any

import pandas as pd
from django.core.cache import cache

from analysis.presets.peekaword import study_of_export
from analysis.study import JUDGMENT_COLUMNS, Study, study_of_judgments
from campaigns.models import Campaign
from judging.models import Judgment
from reports.exporting import columns_of, judgment_rows
from reports.reporting import build_report

CACHED_SECONDS = 24 * 3600
# Raised when the report's shape changes, so that no page shows a report of the old shape.
SHAPE = 1


def study_of(campaign: Campaign) -> Study:
    """The campaign's judgments so far; a constant number of queries."""
    columns = [column for column in columns_of(campaign) if column != "text"]
    rows = pd.DataFrame(judgment_rows(campaign, columns), columns=columns)
    if rows.empty:
        nothing = pd.DataFrame(columns=JUDGMENT_COLUMNS)
        return study_of_judgments(campaign.protocol, nothing, meta={"source": campaign.slug})
    return study_of_export(rows)


def report_of(campaign: Campaign) -> dict[str, Any]:
    """The campaign's report, made anew only when there are new judgments."""
    newest = (
        Judgment.objects.filter(assignment__stimulus__campaign=campaign)
        .order_by("-id")
        .values_list("id", flat=True)
        .first()
    )
    key = f"report:{SHAPE}:{campaign.pk}:{newest}"
    report: dict[str, Any] | None = cache.get(key)
    if report is None:
        report = build_report(study_of(campaign))
        cache.set(key, report, CACHED_SECONDS)
    return report
