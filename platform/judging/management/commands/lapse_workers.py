from typing import Any

from django.core.management.base import BaseCommand

from judging.lapsing import lapse_everywhere


class Command(BaseCommand):
    help = (
        "Give up workers who went away without a word, in every live campaign, and give their places to others. "
        "Arrivals and the beat of recurring tasks do this too."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        for slug, given_up in lapse_everywhere().items():
            self.stdout.write(f"{slug}: {given_up} given up")
