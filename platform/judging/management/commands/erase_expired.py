import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from judging.expiring import Expired, erase_expired, find_expired
from materials.counting import counted


class Command(BaseCommand):
    help = (
        "Remove what could lead back to workers of closed campaigns whose retention period has passed: parameters of "
        "their links, hashes, and answers in their own words. Judgments stay. Shows what would go; --yes removes it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="remove it, instead of showing it")

    def handle(self, *args: Any, **options: Any) -> None:
        found = find_expired()
        for one in found:
            self.stdout.write(_line(one))
        if not found:
            self.stdout.write("Nothing has expired.")
        elif options["yes"]:
            for one in tqdm(found, unit=" campaigns", disable=None, file=sys.stderr):
                erase_expired(one.campaign)
            self.stdout.write("Removed.")
        else:
            self.stdout.write("Nothing was removed: say --yes to remove it.")


def _line(one: Expired) -> str:
    """One line a campaign: what goes, and since when it should have."""
    what = f"{counted(one.participations, 'participation')}, {counted(one.free_texts, 'answer')} in words of their own"
    return f"{one.campaign.slug}: {what}; expired on {one.since:%Y-%m-%d}."
