import importlib.util
import signal
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Campaign
from config import demonstrating
from config.serving import celery_beat, celery_worker, serve_until_interrupted, web
from judging.models import Judgment


class Command(BaseCommand):
    help = "From nothing to live example campaigns with a real classifier, judged by simulated workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-serve", action="store_true", help="end when everything is prepared")
        parser.add_argument("--port", type=int, default=8000, help="default: %(default)s")

    def handle(self, *args: Any, no_serve: bool, port: int, **options: Any) -> None:
        if not importlib.util.find_spec("torch"):
            raise CommandError("The demo computes explanations: pip install 'peekaword[workers,embedded,demo]'.")
        # Also SIGINT, which a script's background jobs inherit as ignored.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.default_int_handler)
        call_command("migrate", verbosity=0, interactive=False)
        with suppress(KeyboardInterrupt):
            user, login = demonstrating.researcher()
            folder = demonstrating.classifier_folder()
            with celery_worker(), celery_beat(), web(port) as url:
                campaigns = self._prepare(user, folder, url)
                self._tell(url, login, campaigns)
                if no_serve:
                    self.stdout.write("All is prepared, and nothing is served now: the same without --no-serve does.")
                else:
                    self.stdout.write("Serving; Ctrl-C ends it, and a second start goes on with the same data.")
                    self.stdout.flush()  # Into a file, too, what to open is there while it serves.
                    serve_until_interrupted(self.stdout.write)

    def _prepare(self, user: Any, folder: Any, url: str) -> list[Campaign]:
        team = demonstrating.team_of(user)
        data, model = demonstrating.dataset(team), demonstrating.classifier(team, folder)
        demonstrating.evaluate(data, model, user)
        made = [demonstrating.campaign(example, user, team, data, model) for example in demonstrating.EXAMPLES]
        for example, campaign in zip(demonstrating.EXAMPLES, made, strict=True):
            judged = Judgment.objects.filter(assignment__participation__campaign=campaign).exists()
            if campaign.state == Campaign.State.LIVE and not judged:
                call_command("simulate_crowd", campaign.slug, workers=example.simulated_workers, url=url, yes=True)
        return made

    def _tell(self, url: str, login: demonstrating.Login, campaigns: list[Campaign]) -> None:
        lines = ["", f"Researcher   {url}/   user {login.name}   password {login.password}"]
        for campaign in campaigns:
            lines += ["", f"{campaign.name}"]
            lines += [f"  judge it   {url}/w/{campaign.slug}/", f"  report     {url}/campaigns/{campaign.slug}/report/"]
        self.stdout.write("\n".join([*lines, ""]))
