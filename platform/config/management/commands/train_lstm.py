from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from config.file_command import BAD_USAGE
from config.training_command import Labelled, Progress, TrainingCommand

if TYPE_CHECKING:
    from workers.classifiers.training import Trained

SIZES = ("embedding_size", "hidden_size", "epochs")


class Command(TrainingCommand):
    help = (
        "Train an LSTM classifier on labelled texts, of a dataset or of a file, and say how often it is right on a "
        "tenth of them that is held out. The folder is then a classifier like any other."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--embedding-size", type=int, default=100, help="dimensions of a word; default: 100")
        parser.add_argument("--hidden-size", type=int, default=60, help="cells of each direction; default: 60")
        parser.add_argument("--epochs", type=int, default=12, help="at most; it ends when it gets no better")
        parser.add_argument("--cased", action="store_true", help="capitals count; default: they do not")

    def train(
        self, texts: Sequence[Labelled], names: Sequence[str], options: dict[str, Any], progress: Progress
    ) -> "Trained":
        from workers.classifiers.lstm_files import MOST_CELLS
        from workers.classifiers.training import Example
        from workers.classifiers.training_lstm import Recipe, train_lstm

        if not all(1 <= options[name] <= MOST_CELLS for name in SIZES):
            self.end(f"Sizes and epochs are whole numbers from 1 to {MOST_CELLS:,}.", BAD_USAGE)
        numbers = {name: number for number, name in enumerate(names)}
        return train_lstm(
            [Example(text.content, numbers[text.label], text.language) for text in texts],
            names,
            options["out"],
            seed=options["seed"],
            recipe=Recipe(
                options["embedding_size"], options["hidden_size"], options["epochs"], lower_case=not options["cased"]
            ),
            progress=progress,
        )
