"""Agreement between workers: the coefficients that the level of measurement allows, and what they would be
elsewhere."""

from collections.abc import Iterator
from typing import Any

from analysis.agreement.coefficients import fleiss_kappa, gwet_ac1, gwet_ac2, krippendorff_alpha, percent_agreement
from analysis.agreement.cohen import cohen_kappa
from analysis.agreement.drawing import Over
from analysis.agreement.intraclass import intraclass_correlation
from analysis.agreement.measuring import Agreement
from analysis.agreement.splitting import prevalence
from reports.palette import coefficient_label
from reports.sections.section import Caution, Matter, Report, Row, Section, caution
from reports.statuses import reason
from reports.tabulating import Column, Table, show
from reports.tallying import Tally
from reports.wording import within

ALPHA, AC1, AC2 = "krippendorff_alpha", "gwet_ac1", "gwet_ac2"
OVER: dict[str, Over] = {"texts": "units", "workers": "raters", "texts_and_workers": "both"}
# Partial agreement of near answers, by level of measurement.
WEIGHTS = {"ordinal": "ordinal", "interval": "quadratic", "ratio": "quadratic"}
CROSSED = ("icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k")
# Left out where the design does not meet what they ask for: there is nothing amiss then.
NOT_ASKED_FOR = ("uneven_ratings", "not_two_raters", "not_crossed")


def describe_agreement(matter: Matter) -> list[Row]:
    """Per cent agreement, alpha, and what else the level allows; of marked words over words."""
    found = matter.tally
    if found is None:
        return []
    options: dict[str, Any] = {"replicates": matter.settings.replicates, "seed": matter.settings.seed}
    rows = [_row(percent_agreement(found.ratings, **options), found), _of_alpha(found, options)]
    others = (row for row in _others(found, options) if row["status"] not in NOT_ASKED_FOR)
    return [row | ({"units": "words"} if found.units == "words" else {}) for row in [*rows, *others]]


def _of_alpha(found: Tally, options: dict[str, Any]) -> Row:
    """With its interval over each of texts, workers, and both; and the answer that is given most often."""
    row = _row(krippendorff_alpha(found.ratings, found.level, **options), found)
    if found.ratings.judgments is not None:
        row["intervals"] = {"texts": row["ci"]} | {
            name: _ends(krippendorff_alpha(found.ratings, found.level, over=over, **options))
            for name, over in OVER.items()
            if name != "texts"
        }
    if (most := prevalence(found.ratings)) is not None:
        row["most_frequent"] = {"label": most.value, "share": most.share, "skewed": most.skewed}
    return row


def _others(found: Tally, options: dict[str, Any]) -> Iterator[Row]:
    ratings, weights = found.ratings, WEIGHTS.get(found.level)
    if weights is None:
        yield _row(gwet_ac1(ratings, **options), found)
        yield _row(fleiss_kappa(ratings, **options), found)
        if ratings.judgments is not None:
            yield _row(cohen_kappa(ratings, **options), found)
        return
    yield _row(gwet_ac2(ratings, weights, **options), found) | {"weights": weights}
    yield _row(cohen_kappa(ratings, weights, **options), found) | {"weights": weights}
    for form in ("icc_1_1", "icc_1_k", *CROSSED):
        yield _row(intraclass_correlation(ratings, form, **options), found) | {"level": "interval"}


def _row(one: Agreement, found: Tally) -> Row:
    return {
        "coefficient": one.coefficient,
        "level": "nominal" if one.coefficient == "percent_agreement" else found.level,
        "value": one.value,
        "ci": _ends(one),
        "over": "texts",
        "n_units": one.n_units,
        "n_raters": one.n_raters,
        "n_pairable": one.n_pairable,
        "status": one.status,
    }


def _ends(one: Agreement) -> list[float] | None:
    return None if one.ci is None else list(one.ci)


def make_tables(report: Report) -> list[Table]:
    found = report.get("agreement", [])
    unit = "Words" if any(row.get("units") == "words" for row in found) else "Stimuli"
    columns = [
        Column("name", "Coefficient", "text"), Column("value", "Value", "score"),
        Column("ci", "95 % over texts", "scores"), Column("level", "Level", "text"), Column("n_units", unit, "count"),
        Column("n_raters", "Workers", "count"), Column("n_pairable", "Pairable judgments", "count"),
        Column("status", "Status", "status"),
    ]  # fmt: skip
    rows = [row | {"name": _named(row)} for row in found]
    return [Table("agreement", "Coefficients of agreement", columns, rows), _resampled(found)]


def _named(row: Row) -> str:
    name = coefficient_label(row["coefficient"])
    if row["coefficient"] == "percent_agreement":
        return f"{name} (0 to 1)"
    return f"{name}, {row['weights']} weights" if "weights" in row else name


def _resampled(rows: list[Row]) -> Table:
    """What alpha would be with other texts, other workers, or both."""
    columns = [
        Column("over", "Resampled", "text"), Column("value", "Alpha", "score"), Column("ci", "95 %", "scores"),
    ]  # fmt: skip
    told = [
        {"over": over, "value": row["value"], "ci": ci}
        for row in rows
        if row["status"] == "ok"
        for over, ci in row.get("intervals", {}).items()
    ]
    return Table("agreement_intervals", "Krippendorff's alpha with other texts, and with other workers", columns, told)


def say(report: Report) -> list[str]:
    return [_alpha(row) for row in report.get("agreement", []) if row["coefficient"] == ALPHA]


def _alpha(row: Row) -> str:
    if row["status"] != "ok":
        return f"Krippendorff's alpha ({row['level']}) is undefined: {reason(row['status'])}."
    interval = within("scores", row["ci"])
    over = f"{row['n_units']:,} {row.get('units', 'stimuli')}"
    return f"Krippendorff's alpha ({row['level']}) is {row['value']:.3f}{interval} over {over}."


def find_warnings(matter: Matter, report: Report) -> list[Caution]:
    rows = {row["coefficient"]: row for row in report.get("agreement", [])}
    if ALPHA not in rows:
        return []
    why = rows[ALPHA]["status"]
    found = [
        caution("agreement_undefined", f"{coefficient_label(name)} is undefined: {reason(row['status'])}.")
        for name, row in rows.items()
        if row["status"] != "ok" and (name in ("percent_agreement", ALPHA) or row["status"] != why)
    ]
    if matter.tally is not None and (n := matter.tally.repeated):
        said = f"{n:,} judgments are of stimuli that their worker had judged already; for agreement the first counts."
        found.append(caution("repeated_judgments", said))
    return found + _skewed(rows)


def _skewed(rows: dict[str, Row]) -> list[Caution]:
    """Where one answer is given nearly always, alpha says little, and Gwet's coefficient stands beside it."""
    alpha, beside = rows[ALPHA], rows.get(AC1) or rows.get(AC2)
    most = alpha.get("most_frequent")
    if most is None or not most["skewed"] or alpha["status"] != "ok" or beside is None or beside["status"] != "ok":
        return []
    words = alpha.get("units") == "words"
    what = f"words were {'' if most['label'] == '1' else 'not '}marked" if words else "answers are the same"
    label = "" if words else f' ("{show("text", most["label"])}")'
    message = (
        f"{most['share'] * 100:.0f} % of {what}{label}. People then agree often by chance alone, and alpha "
        f"({alpha['value']:.3f}) is low however well they agree: read {coefficient_label(beside['coefficient'])} "
        f"({beside['value']:.3f}) beside it."
    )
    return [caution("skewed_answers", message)]


def explain(report: Report) -> list[str]:
    rows = report.get("agreement")
    if not rows:
        return []
    on_words = any(row.get("units") == "words" for row in rows)
    return [f"{_WORDS_NOTE if on_words else _STIMULI_NOTE} {_ALPHA_NOTE}"] + [
        note for names, note in _NOTES if names & {row["coefficient"] for row in rows}
    ]


_STIMULI_NOTE = (
    "Agreement is over stimuli with at least two judgments; its interval resamples texts, with all stimuli of each."
)
_WORDS_NOTE = (
    "Agreement is over words, each marked or not, of texts with at least two workers; its interval resamples texts. "
    "Per cent agreement is high wherever few words are marked, so read alpha."
)
_ALPHA_NOTE = "Alpha is 1 for perfect and 0 for chance agreement, and undefined where all answers are the same."
_NOTES = [
    (
        {AC1, AC2},
        "Gwet's coefficients count less agreement as chance where one answer is frequent; AC2 counts near answers as "
        "partly the same.",
    ),
    (
        {"icc_1_1"},
        "Intraclass correlation takes points of the scale as equally far apart: (1,1) is of one answer, (1,k) of the "
        "mean of all answers to a stimulus.",
    ),
]

SECTION = Section(
    "agreement",
    "Agreement between workers",
    describe=describe_agreement,
    tables=make_tables,
    findings=say,
    notes=explain,
    warnings=find_warnings,
)
