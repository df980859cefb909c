import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from analysis.plausibility.gathering import HALF
from materials.counting import counted
from reports.finding import find_campaign
from reports.progress import positive_integer
from reports.taking_rationales import Conflict, TakingError, gather, take


class Command(BaseCommand):
    help = "Make the words that workers marked in a campaign the rationales of its texts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument(
            "--share", type=_share, default=HALF, help="of people who marked a word, from which it counts (default 0.5)"
        )
        parser.add_argument(
            "--least", type=positive_integer, help="people per text (default: the judgments that the campaign asks for)"
        )
        parser.add_argument("--overwrite", action="store_true", help="replace rationales that texts have already")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        try:
            found = gather(campaign, options["share"], options["least"])
            written = take(campaign, found, options["overwrite"])
        except Conflict as conflict:
            self.stderr.write(f"{conflict}: say --overwrite to replace them. Nothing was written.")
            sys.exit(1)
        except TakingError as error:
            self.stderr.write(str(error))
            sys.exit(1)
        same = len(found.rationales) - written
        self.stdout.write(
            f"{counted(written, 'rationale')} written, {same:,} the same as before; {counted(found.short, 'text')} "
            f"left out, for want of {counted(found.least, 'worker')} who marked them."
        )


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ArgumentTypeError("expected a share above 0 and up to 1, such as 0.5")
    return share
