from argparse import ArgumentParser
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User


class Command(BaseCommand):
    help = "Turn off the second step of somebody who has lost their authenticator and their recovery codes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"Nobody is called {options['username']!r}.")
        ended, _ = Authenticator.objects.filter(user=user).delete()
        self.stdout.write(f"{user} signs in by password alone." if ended else f"{user} has no second step.")
