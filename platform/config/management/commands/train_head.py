from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings

from config.training_command import Labelled, Progress, TrainingCommand

if TYPE_CHECKING:
    from workers.classifiers.training import Trained


class Command(TrainingCommand):
    help = (
        "Train a linear head on the last state of a frozen causal language model, on labelled texts of a dataset or "
        "of a file, and say how often it is right on a tenth of them that is held out. The folder is then a "
        "classifier like any other."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--language-model", required=True, metavar="ID_OR_FOLDER", help="hub id, or a folder with safetensors"
        )
        parser.add_argument("--revision", default="", help="of the hub id; default: the newest")
        parser.add_argument("--device", default=settings.DEVICE, help=f"default: {settings.DEVICE}")

    def train(
        self, texts: Sequence[Labelled], names: Sequence[str], options: dict[str, Any], progress: Progress
    ) -> "Trained":
        from workers.classifiers.training import Example
        from workers.classifiers.training_head import train_head

        numbers = {name: number for number, name in enumerate(names)}
        return train_head(
            options["language_model"],
            [Example(text.content, numbers[text.label], text.language) for text in texts],
            names,
            options["out"],
            **{name: options[name] for name in ("revision", "seed", "device")},
            progress=progress,
        )
