"""What to look at before launch: each finding with its remedy, the worst first."""

from collections.abc import Iterable

from campaigns.lints import LINTS, STOPPING, Finding, Inspected, Lint, Severity
from campaigns.models import Campaign
from campaigns.moving import CampaignError


def lint(campaign: Campaign) -> list[Finding]:
    """Of a prepared campaign."""
    found = _findings(Inspected(campaign), LINTS)
    return sorted(found, key=lambda finding: list(Severity).index(finding.severity))


def refuse(campaign: Campaign) -> None:
    """CampaignError for what would lose workers. All else is the researcher's to decide."""
    for finding in _findings(Inspected(campaign), STOPPING):
        if finding.stops:
            raise CampaignError(f"{finding.text} {finding.remedy}")


def _findings(seen: Inspected, lints: Iterable[Lint]) -> list[Finding]:
    return [finding for one in lints if (finding := one(seen))]
