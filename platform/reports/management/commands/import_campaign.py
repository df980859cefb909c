import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from accounts.joining import TeamError, choose_team
from campaigns.models import Campaign
from judging.models import Judgment
from materials.counting import counted
from reports.archiving.loading import import_campaign
from reports.archiving.manifest import ArchiveError
from reports.archiving.parts import PARTS, Part


class Command(BaseCommand):
    help = "Take in a campaign that export_campaign wrote, here or on another server: all of it or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the archive")
        parser.add_argument("--team", default="", metavar="NAME", help="that is to own it; default: the only one")
        parser.add_argument("--slug", default="", help="of the campaign here; default: its own, numbered where taken")

    def handle(self, *args: Any, **options: Any) -> None:
        path, quiet = options["file"], True if options["verbosity"] == 0 else None
        with tqdm(total=2 * len(PARTS), unit=" tables", disable=quiet, file=sys.stderr) as bar:

            def progress(part: Part) -> None:
                bar.set_description(part.name)
                bar.update()

            try:
                campaign = import_campaign(path, choose_team(options["team"]), options["slug"], progress)
            except (ArchiveError, TeamError) as error:
                bar.close()
                self.stderr.write(f"{path}: {error} Nothing was imported.")
                sys.exit(1)
        self.stdout.write(_summary(campaign))


def _summary(campaign: Campaign) -> str:
    judgments = Judgment.objects.filter(assignment__participation__campaign=campaign).count()
    told = f"The campaign {campaign.slug} has {counted(campaign.participations.count(), 'worker')}"
    told = f"{told} and {counted(judgments, 'judgment')}; it is {campaign.get_state_display().lower()}"
    if campaign.state == Campaign.State.LIVE:
        return f"{told} here too, and workers who have judged elsewhere are strangers here: pause it, or send none."
    return f"{told}."
