from typing import Any

from django.core.management.base import BaseCommand

from campaigns.models import Campaign
from judging.lapsing import AT_ONCE, lapse_idle


class Command(BaseCommand):
    help = (
        "Give up workers who went away without a word, in every live campaign, and give their places to others. "
        "Arrivals do this too; let cron run it where nobody arrives for long."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        for campaign in Campaign.objects.filter(state=Campaign.State.LIVE):
            given_up = found = lapse_idle(campaign)
            while found == AT_ONCE:
                found = lapse_idle(campaign)
                given_up += found
            if given_up:
                self.stdout.write(f"{campaign.slug}: {given_up} given up")
