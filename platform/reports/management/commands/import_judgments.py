import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.joining import TeamError, choose_team
from analysis.study import Study
from judging.importing import Outcome, import_study
from judging.laying_out import ImportingError
from materials.counting import counted
from reports.reading import BAD_USAGE, add_preset_options, read_by


class Command(BaseCommand):
    help = "Import judgments from elsewhere into a campaign of their own: all or none, and never twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what analyse takes, too")
        parser.add_argument("--campaign", required=True, metavar="SLUG", help="made if it is not there yet")
        add_preset_options(parser)
        parser.add_argument("--team", default="", metavar="NAME", help="that owns the campaign; default: the only one")

    def handle(self, *args: Any, **options: Any) -> None:
        study = read_by(options["file"], options, by_id=True)()
        if not isinstance(study, Study):
            raise CommandError(f"{options['file']}: holds saliency, not judgments.", returncode=BAD_USAGE)
        try:
            outcome = import_study(study, options["campaign"], choose_team(options["team"]))
        except (ImportingError, TeamError) as error:
            self.stderr.write(f"{options['file']}: {error} Nothing was imported.")
            sys.exit(1)
        for _, told in study.notices:
            self.stdout.write(told)
        self.stdout.write(_summary(outcome))


def _summary(outcome: Outcome) -> str:
    campaign = outcome.campaign
    verdicts = campaign.imported is not None and campaign.imported["verdicts"]
    known = f", {outcome.known:,} known already" if outcome.known else ""
    has = counted(campaign.dataset.texts.count(), "text")
    has = has if verdicts else f"{counted(campaign.participations.count(), 'worker')} and {has}"
    added = counted(outcome.added, "verdict" if verdicts else "judgment")
    return (
        f"{added} imported{known}. The campaign {campaign.slug} has {has}; it is closed, and its report is made like "
        "any other."
    )
