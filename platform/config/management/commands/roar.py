import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from tqdm import tqdm

from accounts.joining import TeamError
from analysis.study import RANDOM
from catalogue.choosing import parse_choice
from catalogue.methods import METHODS, methods_for
from config.file_command import BAD_USAGE
from config.training_command import Labelled, LabelledCommand
from materials.checking import ColumnError
from materials.errors import FileError
from materials.models import Dataset
from reports.roar_showing import draw_roar, tabulate_roar

DEFAULT_METHODS = "gradient,input_x_gradient,occlusion,lrp_lstm"
MOST_SEEDS = 100


def shares(text: str) -> list[float]:
    """Per cent by commas, as ascending fractions."""
    try:
        found = sorted({float(part) / 100 for part in text.split(",")})
    except ValueError:
        found = []
    if not found or not 0 < found[0] <= found[-1] < 1:
        raise ArgumentTypeError(f"{text!r} are no shares: give per cent above 0 and under 100, such as 10,20,50")
    return found


def several(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_SEEDS:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 to {MOST_SEEDS}")
    return int(text)


class Command(LabelledCommand):
    help = (
        "ROAR: remove the words that a method scores highest from all labelled texts, train an LSTM anew, and see how "
        "much worse it is than one that lost random words. Takes as long as so many trainings; what is done is kept in "
        "the folder, and the same command goes on where it was. Writes roar.json and roar.svg."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        source = self.add_source(parser)
        source.add_argument("--reviews", action="store_true", help="the demo's movie reviews instead")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="made where it is not there")
        parser.add_argument(
            "--methods", default=DEFAULT_METHODS, metavar="A,B", help=f"that serve an LSTM; default: {DEFAULT_METHODS}"
        )
        parser.add_argument(
            "--params", default="", metavar="JSON", help='of methods, such as {"lime": {"samples": 500}}'
        )
        parser.add_argument("--shares", type=shares, default="10,20,30,50,70", help="of words removed, in per cent")
        parser.add_argument("--seeds", type=several, default=3, help="how many times all of it; default: 3")
        parser.add_argument("--recursive", action="store_true", help="explain anew after each removal")
        parser.add_argument("--epochs", type=several, default=12, help="at most; training ends when it gets no better")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["out"].is_file():
            self.end(f"{options['out']} is a file: name a folder.", BAD_USAGE)
        methods = self._chosen(options)
        try:
            from workers.classifiers import set_up_process
            from workers.classifiers.errors import ClassifierError
        except ModuleNotFoundError as error:
            self.end(f"{error.name} is not installed: pip install 'peekaword[workers]'.", 1)
        set_up_process()
        try:
            texts = _reviews() if options["reviews"] else self.labelled(options)
            record = _perform(texts, methods, options)
            _write(options["out"], record)
        except KeyboardInterrupt:
            self.end("Interrupted: what is done is kept, and the same command goes on.", 1)
        except (FileError, ColumnError, TeamError, ClassifierError, OSError) as error:
            self.end(str(error), 1)
        except Dataset.DoesNotExist:
            self.end(f"There is no dataset {options['dataset']!r}: import it first, or look at its name.", 1)
        self.stdout.write("\n".join(tabulate_roar(record)))

    def _chosen(self, options: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """The methods with the parameters that were given of them; Random is always there."""
        serving = methods_for("lstm")
        names = ",".join(serving) if options["methods"].strip() == "all" else options["methods"]
        try:
            chosen = parse_choice("method", METHODS, names, options["params"])
        except ValueError as error:
            self.end(str(error), BAD_USAGE)
        if unfit := [name for name in chosen if name not in serving]:
            self.end(f"{unfit[0]} does not serve LSTMs, which are what is trained: leave it out.", BAD_USAGE)
        given = json.loads(options["params"] or "{}")
        return {name: given.get(name, {}) for name in dict.fromkeys([RANDOM, *chosen])}


def _perform(texts: Sequence[Labelled], methods: dict[str, dict[str, Any]], options: dict[str, Any]) -> dict[str, Any]:
    from workers.classifiers.training import Example
    from workers.classifiers.training_lstm import Recipe
    from workers.roar.keeping import Keeper
    from workers.roar.performing import Job, perform
    from workers.roar.recording import record

    names = sorted({text.label for text in texts})
    numbers = {name: number for number, name in enumerate(names)}
    examples = [Example(text.content, numbers[text.label], text.language) for text in texts]
    seeds, recipe = list(range(options["seeds"])), Recipe(most_epochs=options["epochs"])
    job = Job(examples, names, methods, options["shares"], seeds, options["recursive"], recipe)
    plan = {
        "texts": sha256(json.dumps(texts).encode()).hexdigest(),
        "shares": job.shares,
        "recursion": job.recursive,
        "sizes": asdict(recipe),
    }
    keeper = Keeper(options["out"], plan, methods)
    with tqdm(total=job.trainings, desc="ROAR", unit=" trainings", disable=None) as bar:

        def follow(what: str, done: int, total: int) -> None:
            if not bar.n:
                # What an earlier call did says nothing about how long the rest takes.
                bar.initial = done
            bar.set_description(what)
            bar.update(done - bar.n)

        return record(job, perform(job, keeper, follow))


def _reviews() -> list[Labelled]:
    from workers.classifiers.demo_data import LABEL_NAMES, read_reviews

    unseen, first = read_reviews()
    return [Labelled(review.content, LABEL_NAMES[review.label], "en") for review in first + unseen]


def _write(folder: Path, record: dict[str, Any]) -> None:
    text = json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False)
    (folder / "roar.json").write_text(text + "\n", encoding="utf-8")
    (folder / "roar.svg").write_text(draw_roar(record), encoding="utf-8")
