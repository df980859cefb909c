"""The released ratings of Schuff et al. 2022 (doi:10.1145/3531146.3533127; CC BY 4.0): how important one word looked.

One row per rating: a worker saw a sentence with saliency as colour and rated one word of it from 1 to 7. Only the
rating, the sentence and the worker have to be there; German data have no polarity, other data have a display condition
besides. A comma or a semicolon between cells, a point or a comma in numbers.
"""

from pathlib import Path

from analysis.presets.assembling import Notice, Plan, assemble
from analysis.presets.reading import ChoiceError, InputError
from analysis.presets.tables import Table, numbers, read_table
from analysis.study import WORD_IMPORTANCE, Study

RATING, SENTENCE, WORKER = "human_importance_rating", "sentence_id", "worker_id"
TIME = "completion_time_ms"
LOWEST, HIGHEST = 1, 7
# What the file calls what may have moved a rating, by our names.
COVARIATE_COLUMNS = {
    "saliency": "saliency",
    "saliency_rank": "normalized_saliency_rank",
    "word_length": "word_length",
    "word_position": "word_position",
    "sentence_length": "sentence_length",
    "word_frequency": "relative_word_frequency",
    "polarity": "lemma_polarity",
    "order": "display_index",
    "capitals": "capitalization",
    "dependency": "dependency_relation",
}
WORDS = ("capitals", "dependency")
DISPLAY_NAMES = (
    "display", "display_condition", "condition", "visualization", "visualisation", "visualization_condition",
    "visualisation_condition", "visualization_type", "explanation_type", "explanation", "presentation", "saliency_type",
    "highlighting", "treatment", "setting", "group", "variant", "mode",
)  # fmt: skip
MOST_DISPLAYS = 12


def read_schuff2022(path: Path, *, display: str = "") -> Study:
    """The ratings as a study; `display` names the column that says how saliency was shown, if that is not found out.

    InputError with line and column where a rating is none from 1 to 7, or a number is no number.
    """
    table = read_table(path)
    missing = [name for name in (RATING, SENTENCE, WORKER) if name not in table.frame.columns]
    if missing:
        problem = f"lacks the column(s) {', '.join(missing)}. Is it a file of ratings of Schuff et al.? Otherwise say "
        raise InputError(path, problem + "in a mapping file what its columns are (docs/analysing.md).", line=1)
    _check_ratings(table)
    shown, told = _display_column(table, display)
    columns = {"text": SENTENCE, "worker": WORKER, "label": RATING}
    optional = {"response_ms": TIME, "display": shown}
    columns |= {role: name for role, name in optional.items() if name and name in table.frame.columns}
    covariates = {ours: theirs for ours, theirs in COVARIATE_COLUMNS.items() if theirs in table.frame.columns}
    plan = Plan(
        columns=columns,
        protocol=WORD_IMPORTANCE,
        level="ordinal",
        covariates=covariates,
        numeric=tuple(name for name in covariates if name not in WORDS),
        meta={"preset": "schuff2022"},
        notices=(*told, *_left_aside(table, columns, covariates), *_different_words(table)),
    )
    return assemble(table, plan)


def _check_ratings(table: Table) -> None:
    what = f"a rating from {LOWEST} to {HIGHEST}"
    ratings = numbers(table, RATING, what)
    wrong = ratings.notna() & ~ratings.isin(range(LOWEST, HIGHEST + 1))
    if wrong.any():
        line = int(wrong.index.to_numpy()[wrong.to_numpy().argmax()])
        raise table.error(f"expected {what}, found {table.frame[RATING][line]!r}.", line, RATING)


def _display_column(table: Table, wanted: str) -> tuple[str, tuple[Notice, ...]]:
    """By its name; otherwise the only column of a few words that the format does not know."""
    columns = list(table.frame.columns)
    if wanted:
        if wanted not in columns:
            raise ChoiceError(table.path, f"has no column {wanted!r}; there are {', '.join(filter(None, columns))}.")
        return wanted, ()
    named = [name for name in columns if name.lower().replace(" ", "_") in DISPLAY_NAMES]
    if named:
        return named[0], ()
    few = [name for name in _unknown(table) if _is_few_words(table, name)]
    if len(few) != 1:
        return "", ()
    told = f"The column {few[0]} is taken for how saliency was shown; say --display-column where it is another."
    return few[0], (("display_guessed", told),)


def _unknown(table: Table) -> list[str]:
    known = {RATING, SENTENCE, WORKER, TIME, *COVARIATE_COLUMNS.values()}
    return [name for name in table.frame.columns if name not in known and name and not name.startswith("Unnamed")]


def _is_few_words(table: Table, column: str) -> bool:
    values = table.frame[column].dropna().unique()
    return 2 <= len(values) <= MOST_DISPLAYS and not any(_is_number(value) for value in values)


def _is_number(cell: str) -> bool:
    return cell.replace(",", ".").replace(".", "", 1).lstrip("-").isdecimal()


def _left_aside(table: Table, columns: dict[str, str], covariates: dict[str, str]) -> tuple[Notice, ...]:
    used = {*columns.values(), *covariates.values()}
    unused = [name for name in _unknown(table) if name not in used]
    return (("unused_columns", f"Columns left aside: {', '.join(unused)}."),) if unused else ()


def _different_words(table: Table) -> tuple[Notice, ...]:
    position = COVARIATE_COLUMNS["word_position"]
    if position not in table.frame.columns or table.frame.groupby(SENTENCE)[position].nunique().max() < 2:
        return ()
    told = "Workers rated different words of a sentence, at saliency of their own: agreement on a sentence mixes both."
    return (("different_words", told),)
