"""Every two methods compared on the same texts: by how much they differ, how surely, and whether that is a lot."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from analysis.arrays import FloatArray
from analysis.bootstrap import bootstrap, percentile_interval
from analysis.ranking.comparing import benjamini_hochberg, holm, mcnemar_by_text
from analysis.ranking.effects import cohen_dz, cohen_g, cohen_h
from analysis.ranking.signed_ranks import rank_biserial, wilcoxon
from analysis.study import SIMULATION, TOPK_GUESS
from reports.drawing import NARROW, Figure, Spec, both_widths, title_of
from reports.matrices import Cell, draw_matrix
from reports.measuring import Scores, compare_verdicts
from reports.palette import method_label
from reports.sections.section import Matter, Report, Row, Section, measured, number, over_what, pair, ranked
from reports.standing_out import ARMS, SURE, higher_than
from reports.tabulating import Column, Table, show
from reports.wording import within

# In the order of the table: by name, what a reader calls it.
TESTS = {
    "sign_flip": "by text",
    "wilcoxon": "Wilcoxon",
    "texts_and_workers": "by text and worker",
    "mcnemar": "McNemar",
    "mcnemar_by_text": "McNemar by text",
}
EFFECTS = {
    "d_z": "d_z",
    "rank_biserial": "Rank biserial",
    "cohen_h": "Cohen's h",
    "cohen_g": "Cohen's g",
}


def describe_differences(matter: Matter) -> list[Row]:
    """A row for each two methods, the one with the higher score first."""
    scores = matter.scores
    if scores is None or len(scores.methods) < 2:
        return []
    pairs = list(_ordered_pairs(matter, scores))
    rows = [_row(matter, scores, *numbers) for numbers in pairs]
    known = [row for row in rows if row["status"] == "ok"]
    effects = _effects(matter, scores, [numbers for numbers, row in zip(pairs, rows, strict=True) if row in known])
    for row, found in zip(known, effects, strict=True):
        row["effects"] = found
    for test in TESTS:
        tested = [row["tests"][test] for row in known if test in row["tests"] and row["tests"][test]["p"] is not None]
        p = np.array([one["p"] for one in tested], dtype=float)
        for one, by_holm, by_rate in zip(tested, holm(p), benjamini_hochberg(p), strict=True):
            one |= {"p_holm": float(by_holm), "p_bh": float(by_rate)}
    return rows


def _ordered_pairs(matter: Matter, scores: Scores) -> Iterator[tuple[int, int]]:
    observed = np.nan_to_num(matter.resampled[0], nan=-np.inf)
    order = sorted(range(len(scores.methods)), key=lambda at: (-observed[at], scores.methods[at]))
    for place, first in enumerate(order):
        for second in order[place + 1 :]:
            yield first, second


def _row(matter: Matter, scores: Scores, first: int, second: int) -> Row:
    found = matter.differences.between(first, second)
    row: Row = {"method": scores.methods[first], "other": scores.methods[second], "difference": number(found.observed)}
    row |= {"ci": pair(found.interval), "over": matter.draws.over, "n": found.n}
    if not found.n:
        return row | {"status": "never_on_one_text"}
    tests: dict[str, Row] = {
        "sign_flip": {"p": found.p_by_text(matter.settings.seed)},
        "wilcoxon": {"p": wilcoxon(found.by_text).p},
        "texts_and_workers": {"p": found.p_by_text_and_worker()},
    }
    if (exact := compare_verdicts(scores, first, second)) is not None:
        tests["mcnemar"] = {"p": exact.p, "method_only": exact.first_only, "other_only": exact.second_only}
        tests["mcnemar_by_text"] = {"p": mcnemar_by_text(*_discordant(scores, first, second))}
    if matter.draws.over == "texts":
        del tests["texts_and_workers"]
    return row | {"status": "ok", "tests": tests}


def _discordant(scores: Scores, first: int, second: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of each text, at how many ks only the first was recognised, only the second, and at how many both were judged."""
    assert scores.grid is not None
    one, other = scores.grid.verdicts[:, first], scores.grid.verdicts[:, second]
    first_only, second_only = ((one == 1) & (other == 0)).sum(axis=1), ((one == 0) & (other == 1)).sum(axis=1)
    both = (np.isfinite(one) & np.isfinite(other)).sum(axis=1)
    return first_only.astype(float), second_only.astype(float), both.astype(float)


def _effects(matter: Matter, scores: Scores, pairs: list[tuple[int, int]]) -> list[dict[str, Row]]:
    """Of each pair, by name; each with its interval: over texts, of Cohen's h over what those of scores are over."""
    if not pairs:
        return []
    statistics = [(at, name, found) for at, numbers in enumerate(pairs)
                  for name, found in _statistics(matter, scores, *numbers).items()]  # fmt: skip

    def together(weights: FloatArray) -> FloatArray:
        return np.stack([statistic(weights) for _, _, statistic in statistics], axis=1)

    options = {"size": 4 * len(scores.texts), "replicates": matter.settings.replicates, "seed": matter.settings.seed}
    ends = percentile_interval(bootstrap(together, len(scores.texts), **options))
    values = together(np.ones((1, len(scores.texts))))[0]
    effects: list[dict[str, Row]] = [{} for _ in pairs]
    for column, (at, name, _) in enumerate(statistics):
        effects[at][name] = _effect(values[column], ends[:, column], "texts")
    if matter.study.protocol in (TOPK_GUESS, *SIMULATION):
        means, drawn = matter.draws.means.mean(axis=-1), matter.draws.means_drawn.mean(axis=-1)
        for at, (first, second) in enumerate(pairs):
            value = float(cohen_h(means[[first]], means[[second]])[0])
            interval = percentile_interval(cohen_h(drawn[:, first], drawn[:, second]))
            effects[at]["cohen_h"] = _effect(value, interval, matter.draws.over)
    return effects


def _statistics(
    matter: Matter, scores: Scores, first: int, second: int
) -> dict[str, Callable[[FloatArray], FloatArray]]:
    by_text = matter.differences.between(first, second).by_text
    found = {"d_z": partial(cohen_dz, by_text), "rank_biserial": partial(rank_biserial, by_text)}
    if scores.grid is not None:
        found["cohen_g"] = partial(cohen_g, *_discordant(scores, first, second)[:2])
    return dict(found)


def _effect(value: float, interval: FloatArray, over: str) -> Row:
    if not np.isfinite(value):
        return {"value": None, "ci": None, "over": over, "status": "nothing_differs"}
    return {"value": float(value), "ci": pair(interval), "over": over, "status": "ok"}


def make_tables(report: Report) -> list[Table]:
    return [_of_differences(report), _of_tests(report), _of_effects(report)]


def _of_differences(report: Report) -> Table:
    unit, interval = ("points", "shares") if measured(report).is_share else ("score", "scores")
    columns = [
        Column("method", "Method", "method"), Column("other", "Over", "method"),
        Column("difference", "Difference", unit), Column("ci", "95 %", interval), Column("n", "Texts", "count"),
        *_tested("sign_flip"), Column("status", "Status", "status"),
    ]  # fmt: skip
    rows = [row | _flat(row) for row in report.get("differences", [])]
    if all(row["status"] == "ok" for row in rows):
        columns.pop()
    return Table("differences", "Differences between every two methods", columns, rows)


def _of_tests(report: Report) -> Table:
    """All tests but the one that stands beside the differences."""
    found = [row for row in report.get("differences", []) if "tests" in row]
    tests = [name for name in list(TESTS)[1:] if any(name in row["tests"] for row in found)]
    columns = [Column("method", "Method", "method"), Column("other", "Over", "method")]
    columns += [column for test in tests for column in _tested(test)]
    rows = [{"method": row["method"], "other": row["other"]} | _flat(row) for row in found]
    return Table("difference_tests", "Other tests of the differences", columns, rows)


def _tested(test: str) -> list[Column]:
    told = {"": "", "_holm": ", Holm", "_bh": ", BH"}
    return [Column(f"{test}{part}", f"p, {TESTS[test]}{how}", "p") for part, how in told.items()]


def _flat(row: Row) -> Row:
    flat: Row = {}
    for test, found in row.get("tests", {}).items():
        flat |= {test: found["p"], f"{test}_holm": found.get("p_holm"), f"{test}_bh": found.get("p_bh")}
    return flat


def _of_effects(report: Report) -> Table:
    found = [row for row in report.get("differences", []) if "effects" in row]
    effects = [name for name in EFFECTS if any(name in row["effects"] for row in found)]
    columns = [Column("method", "Method", "method"), Column("other", "Over", "method")]
    for name in effects:
        columns += [Column(name, EFFECTS[name], "score"), Column(f"{name}_ci", "95 %", "scores")]
    rows = []
    for row in found:
        flat = {"method": row["method"], "other": row["other"]}
        for name, effect in row["effects"].items():
            flat |= {name: effect["value"], f"{name}_ci": effect["ci"]}
        rows.append(flat)
    return Table("effect_sizes", "Effect sizes of the differences", columns, rows)


def draw_figures(report: Report) -> list[Figure]:
    rows = [row for row in report.get("differences", []) if row["status"] == "ok"]
    if len({row["method"] for row in rows}) < 2:
        return []
    title = "Differences between every two methods"
    return [both_widths("differences", title, lambda width: _matrix(report, rows, width), "differences")]


def _matrix(report: Report, rows: list[Row], width: int) -> Spec:
    measure = measured(report)
    methods = [row["method"] for row in report["methods"]]
    largest = max(abs(row["difference"]) for row in rows) or 1.0
    cells = [cell for row in rows for cell in _cells(row, largest, measure.is_share)]
    unit = "points" if measure.is_share else "points of the scale"
    title = title_of(
        f"Difference of {measure.in_sentence if 'by_k' not in report['methods'][0] else 'accuracy'}, row less column",
        f"In {unit}, over up to {max(row['n'] for row in rows):,} texts; * Holm-adjusted p < 0.05, test by text",
        "Columns are numbered as rows are",
        narrow=width == NARROW,
    )
    return draw_matrix(methods, cells, title, width)


def _cells(row: Row, largest: float, in_shares: bool) -> Iterator[Cell]:
    p = row["tests"]["sign_flip"]["p_holm"]
    for first, second, sign in ((row["method"], row["other"], 1), (row["other"], row["method"], -1)):
        value = sign * row["difference"]
        shown = f"{value * 100:+.0f}" if in_shares else f"{value:+.2f}"
        shown = shown if float(shown) else "0"
        ci = None if row["ci"] is None else sorted(sign * end for end in row["ci"])
        amount = show("points" if in_shares else "score", value) + within("shares" if in_shares else "scores", ci)
        tip = f"{method_label(first)} less {method_label(second)}: {amount}, p = {show('p', p)} (Holm)"
        yield Cell(first, second, value / largest, shown + ("*" if p < SURE else ""), f"{tip}, {row['n']:,} texts")


def say(report: Report) -> list[str]:
    """How many of the pairs that have no baseline's table of their own are told apart."""
    rows = [row for row in report.get("differences", []) if row["status"] == "ok"]
    if len(rows) < 3 or not ranked(report):
        return []
    sure = [row for row in rows if row["tests"]["sign_flip"]["p_holm"] < SURE]
    differ = "differs" if len(sure) == 1 else "differ"
    return [
        f"Of the {len(rows)} pairs of methods, {len(sure) or 'none'} {differ} (test by text, p < {SURE}, adjusted by "
        f"Holm over all {len(rows)} pairs).{_stricter(report, rows)}"
    ]


def _stricter(report: Report, rows: list[Row]) -> str:
    """Of methods that stand out from an arm among fewer comparisons, and do not here."""
    told = []
    for arm, called in ARMS.values():
        higher = higher_than(report, arm) or set()
        unsure = [row for row in rows if row["other"] == arm and row["tests"]["sign_flip"]["p_holm"] >= SURE]
        if found := [method_label(row["method"]) for row in unsure if row["method"] in higher]:
            told.append(
                f" Adjusted for so many, {' and '.join(found)} cannot be told apart from {called}; adjusted for the "
                f"comparisons with {called} alone, as above, {'it' if len(found) == 1 else 'they'} can."
            )
    return "".join(told)


def explain(report: Report) -> list[str]:
    if not report.get("differences"):
        return []
    notes = [_TESTS_NOTE, _EFFECTS_NOTE]
    if over_what(report) != "texts":
        notes.insert(1, _CROSSED_NOTE)
    return [
        *notes,
        *([_MCNEMAR_NOTE] if any("mcnemar" in row.get("tests", {}) for row in report["differences"]) else []),
    ]


_TESTS_NOTE = (
    "Differences between two methods are over the texts that both were judged on. The test by text flips the signs of "
    "texts' differences, and Wilcoxon's ranks their sizes first; both take a text as one observation. Holm's "
    "adjustment keeps the chance of any false finding among all pairs below the level, Benjamini and Hochberg's (BH) "
    "the share of findings that are false. All pairs are more comparisons than those with one arm, so that the same "
    "two methods may have a larger adjusted p here than there."
)
_CROSSED_NOTE = (
    "The test by text and worker sets a difference against its variance over both, by Student's t: read it where few "
    "workers judged much, where each method had workers of its own, and of pairs. There tests that take a text as one "
    "observation found differences that were not there in about 20 % of simulated studies, instead of 5 % "
    "(docs/planning.md)."
)
_EFFECTS_NOTE = (
    "Effect sizes: d_z is the mean difference in standard deviations of the texts' differences; the rank biserial is "
    "the share of ranks in favour less that against, from -1 to 1."
)
_MCNEMAR_NOTE = (
    "Cohen's h is the difference of two shares on the arcsine scale, g the share of discordant pairs won less one "
    "half. McNemar's test by text allows for several pairs of one text (Durkalski et al. 2003)."
)

SECTION = Section(
    "differences",
    "Every two methods",
    describe=describe_differences,
    tables=make_tables,
    figures=draw_figures,
    findings=say,
    notes=explain,
)
