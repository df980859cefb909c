import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from analysis.planning.assumptions import DEFAULTS, Assumptions
from analysis.planning.composing import Asked, Plan, make_plan, problem_of
from analysis.planning.designing import ALLOCATIONS, Pay
from analysis.planning.piloting import Pilot, PilotError, pilot
from analysis.planning.powering import ALPHA, BUDGET, TESTS
from analysis.planning.searching import MOST_TEXTS, POWER, Told
from analysis.study import Study
from reports.planning import Money, answer, cell, heads, notes, pilot_notes, warnings
from reports.progress import positive_integer, whole_number
from reports.reading import BAD_USAGE, add_preset_options, read_by

# The assumptions that options stand for.
ASSUMED = {
    "base": "base", "effect": "effect", "spread": "spread", "ties": "ties", "seconds": "seconds", "ks": "steps",
    "share_texts": "text", "share_maps": "text_method", "share_workers": "worker",
}  # fmt: skip


def between(low: float, high: float) -> Callable[[str], float]:
    """A number strictly between both."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = low
        if not low < value < high:
            raise ArgumentTypeError(f"{text!r} is not a number above {low:g} and under {high:g}")
        return value

    return read


def share_below_1(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 up and under 1")
    return value


def counts(most: int) -> Callable[[str], tuple[int, ...]]:
    """Whole numbers by commas, ascending."""

    def read(text: str) -> tuple[int, ...]:
        parts = [part.strip() for part in text.split(",")]
        if not all(part.isdecimal() and 1 <= int(part) <= most for part in parts):
            raise ArgumentTypeError(f"{text!r} are no whole numbers from 1 to {most:,}, by commas")
        return tuple(sorted({int(part) for part in parts}))

    return read


class Command(BaseCommand):
    help = (
        "How many texts, judgments and workers it takes to find a difference between explanation methods, and what it "
        "costs. By simulation, with the report's own test. Needs no database but for --campaign."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = sorted(DEFAULTS)
        parser.add_argument("--protocol", choices=names, help="what workers are asked; a pilot says it itself")
        number = between(-1000, 1000)
        parser.add_argument("--effect", type=number, help="the difference worth finding: a share, or points of a scale")
        parser.add_argument("--base", type=number, help="score of the lesser method")
        parser.add_argument("--texts", type=counts(MOST_TEXTS), help="instead of looking for the fewest; by commas")
        parser.add_argument(
            "--judgments", type=counts(100), default="5", help="of each text under each condition; by commas; default 5"
        )
        parser.add_argument(
            "--methods", type=int, default=2, choices=range(2, 13), metavar="N", help="2 to 12; default 2"
        )
        parser.add_argument("--ks", type=int, choices=range(1, 41), metavar="N", help="how many numbers of words")
        parser.add_argument("--power", type=between(0, 1), default=POWER, help="wanted; default %(default)s")
        parser.add_argument("--width", type=between(0, 1000), help="of the interval, wanted in the place of power")
        parser.add_argument("--alpha", type=between(0, 0.5), default=ALPHA, help="default %(default)s")
        parser.add_argument("--test", choices=TESTS, help="of those in the report; the design has a default")
        parser.add_argument(
            "--load", type=counts(1000), default="40", help="most items a worker; by commas; default 40"
        )
        parser.add_argument(
            "--allocation", choices=ALLOCATIONS, help="who meets what; default: as usual of the protocol"
        )
        self._add_cost(parser)
        self._add_variance(parser)
        self._add_sources(parser)

    def _add_cost(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pay", type=between(0, 10_000), help="an hour, in PAY_CURRENCY; default: its minimum")
        parser.add_argument("--pay-per-worker", type=between(0, 10_000), help="instead, in PAY_CURRENCY")
        parser.add_argument("--minutes", type=between(0, 10_000), help="a worker takes; default: counted from items")
        parser.add_argument("--seconds", type=between(0, 86_400), help="an item takes")

    def _add_variance(self, parser: ArgumentParser) -> None:
        parser.add_argument("--share-texts", type=share_below_1, help="of the variance, between texts")
        parser.add_argument("--share-maps", type=share_below_1, help="of the variance, between maps of one text")
        parser.add_argument("--share-workers", type=share_below_1, help="of the variance, between workers")
        parser.add_argument("--spread", type=between(0, 1000), help="standard deviation of ratings, in points")
        parser.add_argument("--ties", type=share_below_1, help="share of ties between equals (pairwise)")

    def _add_sources(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pilot", type=Path, metavar="FILE", help="base, variance and time from its judgments")
        add_preset_options(parser)
        parser.add_argument("--campaign", metavar="SLUG", help="a campaign as the pilot; needs the database")
        parser.add_argument("--grid", action="store_true", help="texts x judgments x items a worker, with cost")
        parser.add_argument("--json", action="store_true", help="the plan as JSON")
        parser.add_argument(
            "--simulate",
            type=positive_integer,
            default=BUDGET,
            metavar="N",
            help="judgments at a time; more: less noise",
        )
        parser.add_argument("--seed", type=whole_number, default=0, help="of every random draw; default 0")

    def handle(self, *args: Any, **options: Any) -> None:
        known = self._pilot(options)
        asked = self._asked(options, known)
        if found := problem_of(asked):
            raise CommandError(f"This cannot be planned: {found}.", returncode=BAD_USAGE)
        with _bar(quiet=options["verbosity"] == 0) as told:
            plan = make_plan(asked, told)
        money = Money(settings.PAY_CURRENCY, settings.MINIMUM_HOURLY_PAY)
        if options["json"]:
            self.stdout.write(json.dumps(plan | {"currency": money.currency}, indent=2, ensure_ascii=False))
            return
        self.stdout.write("\n".join(_told(plan, money, known)))

    def _pilot(self, options: dict[str, Any]) -> Pilot | None:
        if options["pilot"] and options["campaign"]:
            raise CommandError("Say --pilot or --campaign, not both.", returncode=BAD_USAGE)
        if (options["preset"] or options["mapping"]) and not options["pilot"]:
            raise CommandError("Say --pilot FILE too.", returncode=BAD_USAGE)
        try:
            study = _study(options)
            return pilot(study) if study else None
        except PilotError as error:
            raise CommandError(str(error)) from None

    def _asked(self, options: dict[str, Any], known: Pilot | None) -> Asked:
        pay = settings.MINIMUM_HOURLY_PAY if options["pay"] is None else options["pay"]
        return Asked(
            assumed=_assumed(options, known),
            texts=options["texts"] or (),
            judgments=options["judgments"],
            loads=options["load"],
            methods=options["methods"],
            allocation=options["allocation"] or "",
            power=options["power"],
            width=options["width"],
            alpha=options["alpha"],
            test=options["test"] or "",
            pay=Pay(pay, options["pay_per_worker"], options["minutes"]),
            grid=options["grid"],
            budget=options["simulate"],
            seed=options["seed"],
        )


def _study(options: dict[str, Any]) -> Study | None:
    if options["campaign"]:
        from reports.aggregating import study_of
        from reports.finding import find_campaign

        return study_of(find_campaign(options["campaign"]))
    if not options["pilot"]:
        return None
    study = read_by(options["pilot"], options)()
    if not isinstance(study, Study):
        raise PilotError(f"{options['pilot']} holds saliency, not what people answered: it is no pilot.")
    return study


def _assumed(options: dict[str, Any], known: Pilot | None) -> Assumptions:
    """Of the pilot or of the protocol, with what is given in their place."""
    if known is None and options["protocol"] is None:
        raise CommandError("Say --protocol, or give a --pilot or a --campaign.", returncode=BAD_USAGE)
    if known and options["protocol"] not in (None, known.assumptions.protocol):
        raise CommandError(f"The pilot is of {known.assumptions.protocol}.", returncode=BAD_USAGE)
    start = known.assumptions if known else DEFAULTS[options["protocol"]]
    given = {name: options[option] for option, name in ASSUMED.items() if options[option] is not None}
    return replace(start, **given)


@contextmanager
def _bar(*, quiet: bool) -> Iterator[Told]:
    with tqdm(total=100, desc="simulating", unit="%", disable=True if quiet else None, leave=False) as bar:
        yield lambda done: bar.update(max(0, round(100 * done) - bar.n)) and None


def _told(plan: Plan, money: Money, known: Pilot | None) -> Iterator[str]:
    yield answer(plan, money)
    yield ""
    rows = plan["designs"] + plan.get("grid", [])
    if len(rows) > 1:
        yield from _table(plan, rows)
        yield ""
    said = [*(f"Beware: {one}" for one in warnings(plan, money)), *notes(plan, money)]
    yield from said + (pilot_notes(known) if known else [])


def _table(plan: Plan, rows: list[Plan]) -> Iterator[str]:
    columns = heads(plan)
    lines = [[head.label for head in columns], *([cell(plan, row, head) for head in columns] for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    for line in lines:
        yield "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
