"""A passport in words and tables, as its page shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from analysis.study import RANDOM
from catalogue.answering import NOT_SERVED, NOT_TRIED
from catalogue.tasks import FAILED, PASSED
from materials.comparing import Cell
from materials.picturing import shown_error, shown_seconds
from reports.drawing import Report
from reports.palette import method_label, metric_label
from reports.statuses import reason
from reports.tabulating import MISSING

BETTER = {"higher": "higher is better", "lower": "lower is better", "nearer_zero": "nearer zero is better"}
STATUSES = {
    "ok": "",
    "undefined": "undefined on every text",
    "not_computed": "not computed yet",
    "claims_none": "its scores do not claim to add up",
    "not_by_chance": "nothing in it is left to chance",
    "imported": "made elsewhere",
}
VERDICTS = {NOT_TRIED: "not tried"}
DOTS = {PASSED: "done", FAILED: "failed"}


@dataclass(frozen=True)
class Column:
    label: str
    note: str = ""


@dataclass(frozen=True)
class Shown:
    """A cell: its text, a smaller one beside it, and what the column is sorted by."""

    text: str
    note: str = ""
    value: float | str = ""


@dataclass(frozen=True)
class Line:
    """A method's row in the overview; `anchor` is its section."""

    anchor: str
    label: str
    is_random: bool
    cells: list[Shown]


@dataclass(frozen=True)
class Fact:
    name: str
    text: str
    note: str = ""


@dataclass(frozen=True)
class Panel:
    """All about one method. `metrics`: label, mean, interval, n, rank, what is undefined."""

    anchor: str
    label: str
    method: str
    facts: list[Fact]
    verdicts: list[tuple[str, str, str]]  # task, verdict with its note, the state's dot
    metrics: list[tuple[str, str, str, str, str, str]]
    is_aside: bool


def label_of(row: Report) -> str:
    settings = ", ".join(f"{name} = {value}" for name, value in row["settings"].items())
    return method_label(row["method"]) + (f" ({settings})" if settings else "")


def measure_label(measure: Report) -> str:
    """With the parameters that tell it from the metric as it usually is."""
    settings = str(measure["key"]).removeprefix(measure["metric"])
    return metric_label(measure["metric"]) + settings


def better_in_words(measure: Report) -> str:
    return BETTER[measure["better"]]


def ordered(passport: Report) -> list[Report]:
    """Best mean rank first, those without one last."""
    return sorted(passport["methods"], key=lambda row: (row["mean_rank"] is None, row["mean_rank"] or 0))


def columns(passport: Report) -> list[Column]:
    metrics = [Column(measure_label(one), better_in_words(one)) for one in passport["metrics"]]
    rest = ["Adds up within", "Alike under seeds", "Time a text", "Known answers"]
    return [Column("Mean rank"), *metrics, *map(Column, rest)]


def overview(passport: Report) -> list[Line]:
    return [
        Line(f"method-{at}", label_of(row), row["method"] == RANDOM, list(_cells(row)))
        for at, row in enumerate(ordered(passport), start=1)
    ]


def panels(passport: Report) -> list[Panel]:
    return [
        Panel(
            f"method-{at}",
            label_of(row),
            row["method"],
            list(_facts(row)),
            [_verdict(answer) for answer in row["known_answers"] if answer["verdict"] != NOT_SERVED],
            [_metric(row, measure) for measure in passport["metrics"]],
            row["status"] != "ok",
        )
        for at, row in enumerate(ordered(passport), start=1)
    ]


def matrix(passport: Report) -> list[tuple[str, list[Cell]]]:
    """Every metric with every other: Kendall's tau-b over methods."""
    rows = zip(passport["metrics"], passport["agreement"]["cells"], strict=True)
    return [
        (measure_label(one), [Cell(cell["value"], "" if cell["status"] == "ok" else cell["status"]) for cell in cells])
        for one, cells in rows
    ]


def matrix_reasons(passport: Report) -> list[str]:
    found = {cell["status"] for row in passport["agreement"]["cells"] for cell in row}
    return [reason(status) for status in sorted(found - {"ok"})]


def findings(passport: Report) -> list[str]:
    """What there is to say first, in a few sentences."""
    return [sentence for sentence in (_best(passport), _below_random(passport), _disagreement(passport)) if sentence]


def _best(passport: Report) -> str:
    rows = [row for row in ordered(passport) if row["mean_rank"] is not None]
    if len(rows) < 2:
        return ""
    meta = passport["meta"]
    n = meta["n_metrics_of_mean_rank"]
    by = f"{n} metrics" if n > 1 else "one metric"
    return (
        f"{label_of(rows[0])} ranks best of {len(rows)} methods: mean rank {rows[0]['mean_rank']:.1f} over {by}, "
        f"on {meta['n_texts']} text{'' if meta['n_texts'] == 1 else 's'}."
    )


def _below_random(passport: Report) -> str:
    random = next((row for row in passport["methods"] if row["method"] == RANDOM), None)
    if random is None or random["mean_rank"] is None:
        return ""
    worse = [label_of(row) for row in ordered(passport) if (row["mean_rank"] or 0) > random["mean_rank"]]
    return f"Worse than Random on average: {', '.join(worse)}." if worse else ""


def _disagreement(passport: Report) -> str:
    cells, measures = passport["agreement"]["cells"], passport["metrics"]
    pairs = list(combinations(range(len(measures)), 2))
    known = [(cells[at][other]["value"], at, other) for at, other in pairs if cells[at][other]["value"] is not None]
    if not known:
        return ""
    tau, at, other = min(known)
    middle = median(value for value, _, _ in known)
    said = f"The metrics rank methods alike by a median tau-b of {_signed(middle)}"
    names = f"{measure_label(measures[at])} and {measure_label(measures[other])}"
    return f"{said}; furthest apart are {names} ({_signed(tau)})." if len(known) > 1 else f"{said} ({names})."


def _cells(row: Report) -> Iterator[Shown]:
    yield _figure(row["mean_rank"], "{:.1f}")
    for found in row["metrics"].values():
        value = "" if found["value"] is None else _signed(found["value"], 3)
        rank = found["rank"]
        yield Shown(MISSING if rank is None else str(rank), value, 9999 if rank is None else rank)
    yield _percent(row["completeness"]["median"])
    yield _figure(row["stability"]["value"], "{:.2f}")
    seconds = row["cost"]["seconds"]
    yield Shown(shown_seconds(seconds) if seconds else MISSING, value=9999 if seconds is None else seconds)
    yield _answered(row["known_answers"])


def _figure(value: float | None, form: str) -> Shown:
    return Shown(MISSING, value=9999) if value is None else Shown(form.format(value), value=value)


def _percent(value: float | None) -> Shown:
    return Shown(MISSING, value=9999) if value is None else Shown(shown_error(value), value=value)


def _answered(answers: Sequence[Report]) -> Shown:
    passed, failed = (sum(one["verdict"] == verdict for one in answers) for verdict in (PASSED, FAILED))
    if not passed + failed:
        return Shown(MISSING, value=-1)
    return Shown(f"{passed} of {passed + failed} passed", value=passed / (passed + failed))


def _facts(row: Report) -> Iterator[Fact]:
    aside = "too few texts in common with the others for ranks" if row["status"] != "ok" else ""
    yield Fact("Texts", str(row["n_texts"]), aside)
    families = [f"{family} {rank:.1f}" for family, rank in row["mean_rank_by_family"].items() if rank is not None]
    ends = row["mean_rank_ci"]
    over_texts = [f"95 %: {ends[0]:.1f} to {ends[1]:.1f}"] if ends else []
    yield Fact("Mean rank", _figure(row["mean_rank"], "{:.1f}").text, "; ".join([*over_texts, *families]))
    found = row["completeness"]
    large = f"above 10 % on {100 * found['share_large']:.0f} % of {found['n']} texts" if found["n"] else ""
    yield Fact("Adds up within", _percent(found["median"]).text, large or STATUSES[found["status"]])
    yield Fact("Alike under seeds", *_likeness(row["stability"], "tau-b"))
    for found in row["model_consistency"]:
        yield Fact(f"Alike in {found['classifier']}", *_likeness(found, "Pearson's r"))
    if row["input_consistency"]["status"] != "no_templates":
        yield Fact("Alike in texts of a template", *_within_templates(row["input_consistency"]))
    cost = row["cost"]
    passes = STATUSES[cost["status"]] or f"{cost['passes']:,.0f} forward passes"
    yield Fact("Time a text", shown_seconds(cost["seconds"]) if cost["seconds"] else MISSING, passes)


def _within_templates(found: Report) -> tuple[str, str]:
    value, note = _likeness(found, "Pearson's r")
    left_out = {"unequal length": found["skipped"], "different labels": found["other_label"]}
    return value, "; ".join([note, *(f"{n} of {why} left out" for why, n in left_out.items() if n)])


def _likeness(found: Report, coefficient: str) -> tuple[str, str]:
    if found["value"] is None:
        return MISSING, STATUSES.get(found["status"]) or reason(found["status"])
    interval = f", 95 %: {_signed(found['ci'][0])} to {_signed(found['ci'][1])}" if found["ci"] else ""
    pairs = f"{found['n']} pair{'' if found['n'] == 1 else 's'} of maps"
    return _signed(found["value"]), f"mean {coefficient} of {pairs}{interval}"


def _verdict(answer: Report) -> tuple[str, str, str]:
    said: str = VERDICTS.get(answer["verdict"]) or answer["verdict"]
    otherwise = ", ".join(f"{name} = {value}" for name, value in (answer["otherwise"] or {}).items())
    notes = [one for one in (answer["reason"], otherwise and f"with {otherwise}") if one]
    return answer["label"], said + (f" ({'; '.join(notes)})" if notes else ""), DOTS.get(answer["verdict"], "draft")


def _metric(row: Report, measure: Report) -> tuple[str, str, str, str, str, str]:
    found = row["metrics"][measure["key"]]
    mean = MISSING if found["value"] is None else _signed(found["value"], 3)
    interval = " to ".join(_signed(end, 3) for end in found["ci"]) if found["ci"] else MISSING
    missing = "; ".join(f"{n}: {why}" for why, n in found["undefined"].items()) or (
        STATUSES["not_computed"] if found["status"] == "not_computed" else ""
    )
    rank = MISSING if found["rank"] is None else f"{found['rank']}{_rank_ends(found)} of {measure['n_ranked']}"
    return measure_label(measure), mean, interval, str(found["n"]), rank, missing


def _rank_ends(found: Report) -> str:
    """Where a rank would lie under most other samples of texts."""
    low, high = found["rank_ci"] or (found["rank"], found["rank"])
    return "" if low == high == found["rank"] else f" ({low}\N{EN DASH}{high})"


def _signed(value: float, digits: int = 2) -> str:
    """A minus as long as a plus."""
    return f"{value + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")
