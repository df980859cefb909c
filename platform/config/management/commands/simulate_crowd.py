import math
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Collection
from contextlib import nullcontext
from typing import Any

import httpx
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from tqdm import tqdm

from campaigns.models import Campaign
from config.servers import free_port
from config.serving import web
from judging.filling import facts_of
from judging.rehearsing import rehearsal_links
from judging.simulating import KINDS, Lexicon
from judging.walking import Walk, WalkError, crowd, walk_all
from materials.counting import counted
from recruitment.linking import SIMULATED

# Texts that the honest learn words from; more would hardly change what they know.
LEARNT_FROM = 5000


class Command(BaseCommand):
    help = "Sends simulated workers, honest, careless and malicious, through a live campaign's real pages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="its slug, as in its address")
        parser.add_argument("--workers", type=int, required=True, metavar="N")
        parser.add_argument("--yes", action="store_true", help="do not ask whether a campaign that is no copy is meant")
        parser.add_argument("--url", default="", help="of a running server; default: one is started for the time")
        parser.add_argument("--honest", type=float, default=0.8, help="share of the workers (default: %(default)s)")
        parser.add_argument("--careless", type=float, default=0.15, help="default: %(default)s")
        parser.add_argument("--malicious", type=float, default=0.05, help="default: %(default)s")
        parser.add_argument("--at-once", type=int, default=8, metavar="N", help="default: %(default)s")
        parser.add_argument("--seed", type=int, default=0, help="the same seed again resumes the same workers")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).select_related("dataset").first()
        if campaign is None:
            raise CommandError(f"No campaign is called {options['campaign']!r}: its name is the end of its address.")
        if campaign.state != Campaign.State.LIVE:
            state = campaign.get_state_display().lower()
            raise CommandError(f"{campaign.slug} is not live but {state}: only a live campaign takes workers in.")
        if real := _real_workers(campaign):
            raise CommandError(
                f"{real} real workers take part in {campaign.slug}: simulated judgments would mix with theirs. "
                "Copy the campaign and rehearse on the copy."
            )
        shares = {kind: options[kind] for kind in KINDS}
        if min(options["workers"], options["at_once"]) < 1 or not _sensible(shares.values()):
            raise CommandError(
                "Expected at least one worker, at least one at once, and shares of which none is negative and one "
                "above zero.",
                returncode=2,
            )
        if campaign.copied_from_id is None and not options["yes"]:
            self._make_sure(campaign)
        texts = campaign.dataset.texts.exclude(label="").values_list("content", "label")[:LEARNT_FROM]
        lexicon = Lexicon().learn(texts)
        kinds = crowd(options["workers"], shares, options["seed"])
        with nullcontext(options["url"].rstrip("/")) if options["url"] else web(free_port()) as url:
            link = url + reverse("worker_arrival", args=[campaign.slug])
            walks = walk_all(
                rehearsal_links(campaign, link, options["seed"], len(kinds)),
                campaign.protocol,
                lexicon,
                kinds,
                options["seed"],
                options["at_once"],
                facts_of(campaign),
            )
            try:
                done = list(tqdm(walks, total=options["workers"], desc="Simulated workers", unit=" workers"))
            except (WalkError, httpx.HTTPError) as error:
                raise CommandError(f"{link}: {error}") from error
        self.stdout.write(_summary(done))

    def _make_sure(self, campaign: Campaign) -> None:
        """What takes in simulated workers has no place left for people. A person is asked, a script is told."""
        warning = (
            f"{campaign.slug} is no copy: simulated workers fill the places that people were to have, for good, and "
            "its report and export say so."
        )
        self.stderr.write(f"{warning} To rehearse, copy the campaign and name the copy.")
        if (
            sys.stdin
            and sys.stdin.isatty()
            and input(f"To go on all the same, type {campaign.slug}: ").strip() != campaign.slug
        ):
            raise CommandError("Nothing was simulated.")


def _sensible(shares: Collection[float]) -> bool:
    return all(math.isfinite(share) and share >= 0 for share in shares) and any(shares)


def _real_workers(campaign: Campaign) -> int:
    people = campaign.participations.filter(started_at__isnull=False).exclude(parameters__has_key=SIMULATED)
    return people.count()


def _summary(walks: list[Walk]) -> str:
    kinds = Counter(walk.kind for walk in walks)
    judgments, finished = sum(walk.judgments for walk in walks), sum(walk.finished for walk in walks)
    crowd = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS)
    by = counted(len(walks), "simulated worker")
    return f"{counted(judgments, 'judgment')} by {by} ({crowd}); {finished} finished."
