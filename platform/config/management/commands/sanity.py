import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from tqdm import tqdm

from catalogue.answering import record_answers
from catalogue.choosing import parse_choice
from catalogue.documenting import allowed, shown_default
from catalogue.methods import METHODS, methods_for
from catalogue.tasks import TASKS, Task
from config.file_command import BAD_USAGE
from config.training_command import seed
from reports.sanity_showing import draw_sanity, tabulate_sanity


class Command(BaseCommand):
    help = (
        "Judge saliency methods by a task whose answer is known: models are trained on data that leave no doubt about "
        "what decides, and the methods have to find it. Writes TASK.json and TASK.svg."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--task", choices=[*TASKS, "all"], help="see --list")
        parser.add_argument(
            "--method", default="all", metavar="A,B", help="by commas; default: all that serve the task"
        )
        parser.add_argument(
            "--params", default="", metavar="JSON", help='of methods, such as {"lime": {"samples": 500}}'
        )
        parser.add_argument("--models", type=int, help="how many are trained, where a task trains several")
        parser.add_argument("--texts", type=int, help="how many are explained")
        parser.add_argument("--cells", type=int, help="memory cells of each network of arithmetic")
        parser.add_argument("--training", type=int, help="reviews that the LSTM of tasks on reviews learns from")
        parser.add_argument("--sentences", type=int, help="sentences that it learns negation from")
        parser.add_argument("--seed", type=seed, help="another seed is other data and other models; default: 0")
        parser.add_argument("--out", type=Path, metavar="DIR", help="made where it is not there")
        parser.add_argument(
            "--record",
            action="store_true",
            help="keep the verdicts for passports, in platform/catalogue/known_answers.json; all methods at once",
        )
        parser.add_argument("--list", action="store_true", help="list the tasks and their parameters, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self.stdout.write("\n".join(line for task in TASKS.values() for line in _listed(task)))
            return
        if not options["task"] or not options["out"]:
            self._end("Say --task and --out too; see --list.", BAD_USAGE)
        if options["record"] and options["method"].strip() != "all":
            self._end("With --record all methods are judged at once: leave --method out.", BAD_USAGE)
        if options["out"].is_file():
            self._end(f"{options['out']} is a file: name a folder.", BAD_USAGE)
        names = list(TASKS) if options["task"] == "all" else [options["task"]]
        for name in names:
            self._perform(TASKS[name], options)

    def _perform(self, task: Task, options: dict[str, Any]) -> None:
        methods, method_params = self._chosen(task, options)
        try:
            from workers.classifiers import set_up_process
            from workers.classifiers.errors import ClassifierError
            from workers.sanity.performing import perform
        except ModuleNotFoundError as error:
            self._end(f"{error.name} is not installed: pip install 'peekaword[workers]'.", 1)
        set_up_process()
        try:
            with tqdm(desc=task.label, disable=None) as bar:
                record = perform(task.name, methods, method_params, _task_params(task, options), _Follower(bar))
            _write(options["out"], task.name, record)
            if options["record"]:
                record_answers(record)
        except ValueError as error:
            self._end(str(error), BAD_USAGE)
        except (ClassifierError, OSError) as error:
            self._end(str(error), 1)
        self.stdout.write("\n".join([f"{task.label}: {task.question}", "", *tabulate_sanity(record), ""]))

    def _chosen(self, task: Task, options: dict[str, Any]) -> tuple[list[str], dict[str, dict[str, Any]]]:
        """The methods asked for, and those of their parameters that were given."""
        serving = methods_for(task.classifier_kind)
        everything = options["method"].strip() == "all"
        names = ",".join(serving) if everything else options["method"]
        try:
            chosen = parse_choice("method", METHODS, names, options["params"])
        except ValueError as error:
            self._end(str(error), BAD_USAGE)
        given = json.loads(options["params"] or "{}")
        if unfit := [name for name in chosen if name not in serving]:
            if options["task"] != "all":
                self._end(f"{unfit[0]} does not serve this task, whose models are {task.classifier_kind}s.", BAD_USAGE)
            chosen = {name: params for name, params in chosen.items() if name in serving}
        return list(chosen), {name: params for name, params in given.items() if name in chosen}

    def _end(self, line: str, code: int) -> NoReturn:
        self.stderr.write(line)
        sys.exit(code)


def _task_params(task: Task, options: dict[str, Any]) -> dict[str, Any]:
    """What was given of the parameters that the task has."""
    names = [parameter.name for parameter in task.parameters]
    return {name: options[name] for name in names if options.get(name) is not None}


class _Follower:
    """Moves the bar, from the start for each thing that goes on."""

    def __init__(self, bar: "tqdm[Any]") -> None:
        self.bar, self.what = bar, ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self.what:
            self.what = what
            self.bar.reset(total)
            self.bar.set_description(what)
        self.bar.update(done - self.bar.n)


def _write(folder: Path, name: str, record: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (folder / f"{name}.svg").write_text(draw_sanity(record), encoding="utf-8")


def _listed(task: Task) -> list[str]:
    return [
        f"{task.name}: {task.question} ({task.citation})",
        f"    for {task.classifier_kind}; passes: {task.pass_line}",
        *(
            f"    {one.name} = {shown_default(one)}{allowed(one) and f' ({allowed(one)})'}: {one.description}"
            for one in task.parameters
        ),
    ]
