import sys
from typing import Any

from django.core.management.base import BaseCommand

from config.auditing import Unreachable, known_holes, pinned
from config.environment import ROOT


class Command(BaseCommand):
    help = "Ask OSV for known holes in the versions that constraints.txt pins. 1 where there are some."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        versions = pinned((ROOT / "constraints.txt").read_text())
        try:
            found = known_holes(versions)
        except Unreachable as error:
            self.stderr.write(f"OSV cannot be asked, so nothing was checked: {error}")
            return
        for name, advisories in found.items():
            self.stdout.write(f"{name} {versions[name]}: {', '.join(advisories)}")
        if found:
            self.stdout.write(f"{len(found)} of {len(versions)} packages: raise them, and run make lock.")
            sys.exit(1)
        self.stdout.write(f"No known holes in {len(versions)} packages.")
