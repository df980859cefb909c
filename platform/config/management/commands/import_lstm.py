import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from config.file_command import BAD_USAGE


class Command(BaseCommand):
    help = (
        "Make a classifier's folder of an LSTM that was trained elsewhere: a PyTorch state dict of an embedding, "
        "one nn.LSTM layer and a linear output, saved as safetensors, and its vocabulary."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("weights", type=Path, metavar="WEIGHTS.safetensors")
        parser.add_argument(
            "--vocabulary",
            type=Path,
            required=True,
            metavar="FILE",
            help="one piece a line in the order of ids, or JSON",
        )
        parser.add_argument("--labels", required=True, metavar="A,B", help="names of the outputs, in their order")
        parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="made here; not there yet")
        parser.add_argument(
            "--gate-order", default="ifgo", help="of the weights' rows; default: ifgo, PyTorch's; igfo for Arras et al."
        )
        parser.add_argument("--pad", default="<pad>", metavar="PIECE", help="the vocabulary's own name for padding")
        parser.add_argument("--unk", default="<unk>", metavar="PIECE", help="its name for words that are not known")
        parser.add_argument(
            "--cased", action="store_true", help="capitals count; default: words are read in lower case"
        )
        parser.add_argument(
            "--problem-type",
            default="single_label_classification",
            help="default: %(default)s; or multi_label_classification",
        )
        parser.add_argument(
            "--most-pieces", type=int, default=1024, help="words of a text that are seen; default: 1024"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from workers.classifiers.errors import ClassifierError
        from workers.classifiers.importing_lstm import Origin, import_lstm

        out: Path = options["out"]
        if out.exists():
            self.stderr.write(f"{out} is there already: name a folder that is not.")
            sys.exit(BAD_USAGE)
        labels = [label.strip() for label in options["labels"].split(",")]
        given = ("gate_order", "pad", "unk", "problem_type", "most_pieces")
        origin = Origin(lower_case=not options["cased"], **{name: options[name] for name in given})
        try:
            config = import_lstm(options["weights"], options["vocabulary"], labels, out, origin)
        except (ClassifierError, OSError) as error:
            self.stderr.write(str(error))
            sys.exit(1)
        directions = "two directions" if config.bidirectional else "one direction"
        self.stdout.write(f"{out}: {config.embedding_size} dimensions, {config.hidden_size} cells, {directions}.")
