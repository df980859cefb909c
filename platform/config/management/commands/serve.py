import signal
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from accounts.models import User
from config.serving import celery_beat, celery_worker, serve_until_interrupted, web


class Command(BaseCommand):
    help = "Runs the web server, one Celery worker and the beat of recurring tasks until interrupted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: %(default)s")
        parser.add_argument(
            "--host", default="127.0.0.1", help="default: %(default)s, this machine alone; 0.0.0.0 for others too"
        )

    def handle(self, *args: Any, port: int, host: str, **options: Any) -> None:
        # Also SIGINT, which a script's background jobs inherit as ignored.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.default_int_handler)
        call_command("migrate", verbosity=0, interactive=False)
        with suppress(KeyboardInterrupt), celery_worker(), celery_beat(), web(port, host) as url:
            self.stdout.write(f"Peekaword serves {url}  (Ctrl-C ends it)")
            if not User.objects.exists():
                self.stdout.write("Nobody has an account yet: `manage.py createsuperuser` makes the first.")
            self.stdout.flush()
            serve_until_interrupted(self.stdout.write)
