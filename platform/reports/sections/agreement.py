"""Agreement between workers."""

from analysis.agreement.coefficients import Agreement, krippendorff_alpha, percent_agreement
from analysis.agreement.counting import count_ratings
from analysis.agreement.marking import Marks, count_marks
from analysis.study import MARKING, STIMULUS, Study
from protocols import KNOWN
from protocols.rationale_marking import words_of
from reports.measuring import Settings
from reports.palette import coefficient_label
from reports.sections.section import Caution, Matter, Report, Row, Section, caution
from reports.statuses import reason
from reports.tabulating import Column, Table
from reports.wording import within


def describe_agreement(matter: Matter) -> list[Row]:
    """Over stimuli; of marked words over words, where it is known how many there were."""
    if on_words := _on_words(matter.study, matter.settings):
        return [_row(one) | {"units": "words"} for one in on_words]
    return [_row(one) for one in _on_stimuli(matter.study, matter.settings)]


def _on_stimuli(study: Study, settings: Settings) -> list[Agreement]:
    """Per cent agreement and alpha over stimuli, at the data's level of measurement."""
    answers = study.answers
    if answers is None or answers.empty:
        return []
    stimuli = answers.groupby(STIMULUS, dropna=False, sort=True).ngroup()
    level = study.level or KNOWN[study.protocol].level
    ratings = count_ratings(stimuli, answers["worker"], answers["label"], numeric=level != "nominal")
    options = {"replicates": settings.replicates, "seed": settings.seed}
    return [percent_agreement(ratings, **options), krippendorff_alpha(ratings, level, **options)]


def _on_words(study: Study, settings: Settings) -> list[Agreement]:
    """Per cent agreement and alpha over words, each marked or not; intervals resample stimuli.

    Empty for other protocols, and for files that do not say how many words there were.
    """
    answers = study.answers
    if study.protocol != MARKING or answers is None or answers.empty or answers["words_in_all"].isna().any():
        return []
    stimuli: list[Marks] = [
        (int(own["words_in_all"].max()), [words_of(label) for label in own["label"]])
        for _, own in answers.groupby(STIMULUS, dropna=False, sort=True)
    ]
    ratings = count_marks(stimuli, int(answers["worker"].nunique()))
    options = {"replicates": settings.replicates, "seed": settings.seed}
    return [percent_agreement(ratings, **options), krippendorff_alpha(ratings, "nominal", **options)]


def _row(found: Agreement) -> Row:
    return {
        "coefficient": found.coefficient,
        "level": found.level,
        "value": found.value,
        "ci": None if found.ci is None else list(found.ci),
        "n_units": found.n_units,
        "n_raters": found.n_raters,
        "n_pairable": found.n_pairable,
        "status": found.status,
    }


def make_tables(report: Report) -> list[Table]:
    unit = "Words" if any(row.get("units") == "words" for row in report.get("agreement", [])) else "Stimuli"
    columns = [
        Column("name", "Coefficient", "text"), Column("level", "Level", "text"), Column("value", "Value", "score"),
        Column("ci", "95 %", "scores"), Column("n_units", unit, "count"), Column("n_raters", "Workers", "count"),
        Column("n_pairable", "Pairable judgments", "count"), Column("status", "Status", "status"),
    ]  # fmt: skip
    names = {"krippendorff_alpha": "Krippendorff's alpha", "percent_agreement": "Per cent agreement (0 to 1)"}
    rows = [row | {"name": names[row["coefficient"]]} for row in report.get("agreement", [])]
    return [Table("agreement", "Agreement between workers", columns, rows)]


def say(report: Report) -> list[str]:
    return [_alpha(row) for row in report.get("agreement", []) if row["coefficient"] == "krippendorff_alpha"]


def _alpha(row: Row) -> str:
    if row["status"] != "ok":
        return f"Krippendorff's alpha ({row['level']}) is undefined: {reason(row['status'])}."
    interval = within("scores", row["ci"])
    over = f"{row['n_units']:,} {row.get('units', 'stimuli')}"
    return f"Krippendorff's alpha ({row['level']}) is {row['value']:.3f}{interval} over {over}."


def find_warnings(_matter: Matter, report: Report) -> list[Caution]:
    return [
        caution(
            "agreement_undefined", f"{coefficient_label(row['coefficient'])} is undefined: {reason(row['status'])}."
        )
        for row in report.get("agreement", [])
        if row["status"] != "ok"
    ]


def explain(report: Report) -> list[str]:
    if not report.get("agreement"):
        return []
    return [_WORDS_NOTE if any(row.get("units") == "words" for row in report["agreement"]) else _STIMULI_NOTE]


_STIMULI_NOTE = (
    "Agreement is over stimuli with at least two judgments; its interval resamples stimuli. Alpha is 1 for perfect and "
    "0 for chance agreement, and undefined where all answers are the same."
)
_WORDS_NOTE = (
    "Agreement is over words, each marked or not, of texts with at least two workers; its interval resamples texts. "
    "Alpha is 1 for perfect and 0 for chance agreement. Per cent agreement is high wherever few words are marked, so "
    "read alpha."
)

SECTION = Section(
    "agreement",
    "Agreement between workers",
    describe=describe_agreement,
    tables=make_tables,
    findings=say,
    notes=explain,
    warnings=find_warnings,
)
