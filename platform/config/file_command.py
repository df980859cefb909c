"""What commands from one file to another have in common: methods or metrics by name, and no database."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand

from catalogue.choosing import Entry, parse_choice

BAD_USAGE = 2


class FileCommand(BaseCommand):
    """`kind` is method or metric, `known` the catalogue's entries of it, `source` the file's name in the usage."""

    requires_system_checks = ()
    kind: ClassVar[str]
    known: ClassVar[Mapping[str, Entry]]
    source: ClassVar[str]
    source_help: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        kinds = f"{self.kind}s"
        parser.add_argument("file", type=Path, nargs="?", metavar=self.source, help=self.source_help)
        parser.add_argument("--classifier", metavar="ID_OR_FOLDER", help="hub id, or a folder with safetensors")
        parser.add_argument("--revision", default="", help="of the hub id; default: the newest")
        parser.add_argument("--kind", default="", help="transformer, lstm or causal-lm; default: what its files say")
        parser.add_argument("--options", default="", metavar="JSON", help="what a kind needs to know beside its files")
        parser.add_argument("--device", default=settings.DEVICE, help=f"default: {settings.DEVICE}")
        parser.add_argument("--dtype", default=settings.DTYPE, help=f"float32 or bfloat16; default: {settings.DTYPE}")
        parser.add_argument(f"--{kinds}", metavar="A,B", help="by commas, or all; see --list")
        parser.add_argument("--params", default="", metavar="JSON", help='such as {"lime": {"samples": 500}}')
        parser.add_argument("--out", type=Path, metavar="OUT.parquet")
        parser.add_argument("--list", action="store_true", help=f"list the {kinds} and their parameters, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self.stdout.write("\n".join(self.listed()))
            return
        chosen = self._chosen(options)
        try:
            self.compute(chosen, options)
        except KeyboardInterrupt:
            self.end("Interrupted: nothing was written.", 1)
        except ModuleNotFoundError as error:
            self.end(f"{error.name} is not installed: pip install 'peekaword[workers]'.", 1)

    def listed(self) -> Iterator[str]:
        raise NotImplementedError

    def needs_classifier(self, chosen: Mapping[str, Mapping[str, Any]]) -> str:
        """What of the methods or metrics runs the classifier, in words; empty where nothing does."""
        return f"{next(iter(chosen))} runs it"

    def compute(self, chosen: dict[str, dict[str, Any]], options: dict[str, Any]) -> None:
        """With torch, which --help and --list do without."""
        raise NotImplementedError

    def end(self, line: str, code: int) -> NoReturn:
        self.stderr.write(line)
        sys.exit(code)

    def loading(self, options: dict[str, Any]) -> dict[str, Any]:
        """How the classifier is to be loaded."""
        try:
            given = json.loads(options["options"] or "{}")
        except ValueError as error:
            self.end(f"--options is no JSON: {error}.", BAD_USAGE)
        if not isinstance(given, dict):
            self.end('--options looks like {"words": ["was", "were"]}.', BAD_USAGE)
        return {"kind": options["kind"], "device": options["device"], "dtype": options["dtype"], "options": given}

    def _chosen(self, options: dict[str, Any]) -> dict[str, dict[str, Any]]:
        for name in ("file", f"{self.kind}s", "out"):
            if not options[name]:
                self.end(f"Say {self.source if name == 'file' else '--' + name} too; see --help.", BAD_USAGE)
        try:
            chosen = parse_choice(self.kind, self.known, options[f"{self.kind}s"], options["params"])
        except ValueError as error:
            self.end(str(error), BAD_USAGE)
        if not options["classifier"] and (need := self.needs_classifier(chosen)):
            self.end(f"Say --classifier too: {need}; see --help.", BAD_USAGE)
        if problem := output_problem(options["out"], options["file"]):
            self.end(problem, BAD_USAGE)
        return chosen


def output_problem(out: Path, source: Path) -> str:
    """Why nothing can be written there, before computing for hours; empty where all is well."""
    if out.is_dir():
        return f"{out} is a folder: name a file in it."
    if out.exists() and not out.is_file():
        # The whole file takes the place of what is there, and of /dev/null no user wants to see one.
        return f"{out} is a device, not a file, and would be lost: name a file."
    if out.exists() and source.exists() and out.samefile(source):
        return f"{out} is the file to be read, and would be lost: name another."
    return ""
