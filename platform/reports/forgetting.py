"""What was made of judgments goes with them: files of a built report hold every answer."""

from typing import Any

from reports.archiving.asking import forget_exports
from reports.models import ReportBuild


def forget_builds(campaign_id: int, **_: Any) -> None:
    """Also one that is being made of the answers as they were: it finds its row gone, and writes nothing."""
    ReportBuild.objects.filter(campaign=campaign_id).delete()
    forget_exports(campaign_id)
