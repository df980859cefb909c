"""Our own export: one row per judgment, as CSV, JSONL or Parquet."""

import io
import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd

from analysis.presets.escaping import unescape_cell
from analysis.presets.reading import InputError, read_json, read_text
from analysis.study import METRIC_COLUMNS, PROTOCOL_NAMES, RATING, WITHOUT_SCORES, Study, in_order, study_of_judgments

# Every column of the export, in order. Metrics follow, one column each, named METRIC_PREFIX + metric.
CODEBOOK = {
    "campaign": "slug of the campaign",
    "design_hash": "SHA-256 of the design, fixed at launch",
    "protocol": "what workers were asked, such as topk_guess or rating",
    "dataset": "slug of the dataset",
    "classifier": "slug of the explained classifier",
    "weights_hash": "SHA-256 of the classifier's weights",
    "text_id": "the text's id in its dataset",
    "text": "the whole text, whatever part was shown",
    "language": "of the text, such as en; empty where it is not known",
    "stimulus": "number of the stimulus; the same for all who judged it",
    "method": "explanation method, or a baseline: no_explanation, full_text",
    "other": "second method, where two were compared",
    "method_params": "the method's parameters, as JSON",
    "k": "number of words shown; empty where the protocol has none",
    "display": "how scores were shown: colour, bars or corrected; empty where there were none",
    "worker": "pseudonym of the worker, different in every campaign",
    "simulated": "1 if a simulated worker gave it, 0 if a person did",
    "answer": "the label guessed, cannot_tell, the rating, or the side preferred",
    "details": "the whole answer, as JSON",
    "presentation": "sides and order as this worker saw them, as JSON",
    "position": "which of the worker's items it was, from 1",
    "expected": "the label a right answer names",
    "level": "level of measurement of the answers: nominal, ordinal, interval or ratio",
    "score": "1 right, 0 not; or the rating; empty where the answer has none",
    "facts": "what may have moved the answer besides what was asked, as JSON; empty where none is kept",
    "words_needed": "words the worker had seen when answering, where words are uncovered; otherwise empty",
    "words_in_all": "words there were to uncover, or to mark; otherwise empty",
    "counted": (
        "1 if it is among the judgments asked for; 0 if it came when all were in, or its worker stopped half way or is "
        "excluded"
    ),
    "excluded": "names of the exclusion rules that the worker breaks, by commas; empty where none",
    "late": "1 if it came after its lease had ended",
    "leased_at": "when the stimulus was handed out, UTC, ISO 8601",
    "received_at": "when the answer arrived, UTC, ISO 8601",
    "response_ms": "milliseconds from showing to answering, by the browser's monotonic clock",
    "active_ms": "milliseconds of these with the page in view and not idle",
    "completeness_error": "relative completeness error of the explanation, where the method claims completeness",
    "undefined_metrics": "why metrics have no value of the explanation shown, as JSON; empty where all have one",
}
METRIC_PREFIX = "metric_"
# The same of the second explanation of a pair.
OTHER_PREFIX = "other_metric_"
REASONS = "undefined_metrics"
FACTS = "facts"
TEXT_COLUMNS = ("text_id", "text", "worker", "answer", "expected", "campaign", "dataset", "classifier")
REQUIRED = (
    "campaign", "protocol", "text_id", "method", "k", "worker", "answer", "expected", "score", "counted", "late",
)  # fmt: skip
SUSPICIOUS_ERROR = 0.1


def read_peekaword(path: Path) -> Study:
    """The export of one campaign as a study. Raises InputError with line and column where it is not one."""
    frame = _read_frame(path)
    missing = [column for column in REQUIRED if column not in frame.columns]
    if missing:
        raise InputError(path, f"lacks the column(s) {', '.join(missing)}. Is it an export of judgments?", line=1)
    if frame.empty:
        raise InputError(path, "holds no judgments.")
    for column in ("campaign", "protocol"):
        if frame[column].nunique() != 1:
            raise InputError(path, "holds more than one value; export one campaign.", column=column)
    if frame["protocol"].iloc[0] not in PROTOCOL_NAMES:
        raise InputError(path, f"unknown protocol {frame['protocol'].iloc[0]!r}.", line=2, column="protocol")
    for column in ("score", "counted", "late", "simulated", "k", "response_ms", "words_needed", "words_in_all"):
        if column in frame.columns:
            frame[column] = _numbers(path, frame[column])
    for column in ("counted",) if frame["protocol"].iloc[0] in WITHOUT_SCORES else ("score", "counted"):
        if frame[column].isna().any():
            line = int(frame[column].isna().to_numpy().argmax()) + 2
            raise InputError(path, "expected a number, found nothing.", line=line, column=column)
    _check_objects(path, frame, "method_params", "parameters")
    _check_objects(path, frame, "presentation", "sides and order")
    _check_objects(path, frame, "details", "the whole answer")
    _check_objects(path, frame, FACTS, "facts")
    _check_objects(path, frame, REASONS, "reasons")
    return replace(study_of_export(frame), texts=_texts(frame))


def _texts(frame: pd.DataFrame) -> pd.DataFrame | None:
    if "text" not in frame.columns:
        return None
    known = {"text": frame["text_id"], "content": frame["text"], "language": _text_column(frame, "language")}
    rows = pd.DataFrame({name: cells.astype(str) for name, cells in known.items()})
    return rows.drop_duplicates("text").reset_index(drop=True)


def _check_objects(path: Path, frame: pd.DataFrame, column: str, what: str) -> None:
    for line, cell in enumerate(frame.get(column, ()), start=2):
        try:
            valid = not cell or isinstance(read_json(cell), dict)
        except (TypeError, ValueError):
            valid = False
        if not valid:
            raise InputError(path, f"expected {what} as JSON, found {cell!r}.", line=line, column=column)


def study_of_export(rows: pd.DataFrame) -> Study:
    """A study of export rows (texts not escaped, numbers as numbers); only judgments that count enter.

    Those of workers whom the campaign's rules exclude are told of, and left out.
    """
    counted = rows[rows["counted"].astype(bool)]
    broken = _text_column(counted, "excluded")
    if not (broken != "").any():
        return _study(rows, counted, {})
    return replace(
        _study(rows, counted[broken == ""], {"excluded": _excluded(counted, broken)}),
        everybody=_study(rows, counted, {}),
    )


def _excluded(counted: pd.DataFrame, broken: pd.Series) -> dict[str, object]:
    """Workers and judgments that the rules exclude, and the workers that each rule does."""
    workers = counted.assign(broken=broken).drop_duplicates("worker")
    by_rule = Counter(name for names in workers["broken"] for name in names.split(",") if name)
    return {
        "n_workers": len(workers),
        "n_excluded": int((workers["broken"] != "").sum()),
        "n_judgments_excluded": int((broken != "").sum()),
        "by_rule": dict(sorted(by_rule.items())),
    }


def _study(rows: pd.DataFrame, counted: pd.DataFrame, more: dict[str, object]) -> Study:
    protocol = str(rows["protocol"].iloc[0])
    judgments = pd.DataFrame(
        {
            "text": counted["text_id"].astype(str),
            "method": counted["method"].astype(str),
            "k": counted["k"].astype("Float64").astype("Int64"),
            "worker": counted["worker"].astype(str),
            "label": counted["answer"].astype(str),
            "expected": counted["expected"].astype(str),
            "score": counted["score"].astype("Float64").astype(float),
            "late": counted["late"].astype(float).fillna(0).astype(int),
            "response_ms": _column(counted, "response_ms").astype("Float64").astype("Int64"),
            "other": _text_column(counted, "other"),
            "display": _text_column(counted, "display"),
            "words_needed": _column(counted, "words_needed").astype("Float64").astype("Int64"),
            "words_in_all": _column(counted, "words_in_all").astype("Float64").astype("Int64"),
            "left": _left(counted),
            "first_left": _first_left(counted),
            "beside": _beside(counted) if protocol == RATING else "",
        }
    )
    facts = _facts(counted)
    return study_of_judgments(
        protocol,
        pd.concat([judgments, facts], axis=1),
        metrics=_metrics(counted),
        meta=_meta(rows, counted) | more,
        level=_first(rows, "level"),
        covariates=tuple(facts.columns),
    )


def _facts(counted: pd.DataFrame) -> pd.DataFrame:
    """A column a fact, in the order of COVARIATES: numbers, or words where it has any."""
    found = [json.loads(cell or "{}") for cell in _text_column(counted, FACTS)]
    names = in_order(dict.fromkeys(name for facts in found for name in facts))
    columns = {name: pd.Series([facts.get(name) for facts in found], counted.index, dtype=object) for name in names}
    worded = {name for name, cells in columns.items() if cells.map(lambda cell: isinstance(cell, str)).any()}
    return pd.DataFrame(
        {name: cells.fillna("") if name in worded else cells.astype(float) for name, cells in columns.items()},
        index=counted.index,
    )


def _meta(rows: pd.DataFrame, counted: pd.DataFrame) -> dict[str, object]:
    facts = {name: _first(rows, name) for name in ("campaign", "dataset", "classifier")}
    hashes = {name: _first(rows, name) for name in ("design_hash", "weights_hash")}
    return {
        "source": facts.pop("campaign"),
        "preset": "peekaword",
        **{name: value for name, value in facts.items() if value},
        "hashes": {name.removesuffix("_hash"): value for name, value in hashes.items() if value},
        "not_counted": len(rows) - len(counted),
        "simulated": int(_column(counted, "simulated").astype("Float64").fillna(0).sum()),
        "incomplete_methods": _incomplete_methods(counted),
        "undefined_metrics": _undefined(counted),
        "method_params": _method_params(rows),
    }


def _method_params(rows: pd.DataFrame) -> dict[str, dict[str, object]]:
    """Of the methods that have any."""
    if "method_params" not in rows.columns:
        return {}
    first = rows.drop_duplicates("method").sort_values("method")
    params = {
        str(name): json.loads(text or "{}") for name, text in zip(first["method"], first["method_params"], strict=True)
    }
    return {name: found for name, found in params.items() if found}


def _incomplete_methods(counted: pd.DataFrame) -> dict[str, float]:
    """Methods whose median relative completeness error over the explanations is large, with that error."""
    explanations = _of_one_method(counted)
    errors = pd.DataFrame(
        {"method": explanations["method"], "error": _column(explanations, "completeness_error").astype("Float64").abs()}
    )
    medians = errors.dropna().groupby("method", sort=True)["error"].median()
    return {str(method): float(error) for method, error in medians.items() if error > SUSPICIOUS_ERROR}


def _of_one_method(rows: pd.DataFrame) -> pd.DataFrame:
    """A row an explanation. The columns of a pair describe its first method, which is told of in some pair or none."""
    return rows.drop_duplicates(["text_id", "method"])


def _metrics(counted: pd.DataFrame) -> pd.DataFrame | None:
    """Of every explanation that was shown, either side of a pair."""
    if not any(column.startswith(METRIC_PREFIX) for column in counted.columns):
        return None
    of_second = [column for column in counted.columns if column.startswith(OTHER_PREFIX)]
    second = counted.drop(columns=["method"]).rename(columns={"other": "method"}) if of_second else counted.head(0)
    sides = [_long(counted, METRIC_PREFIX), _long(second, OTHER_PREFIX)]
    long = pd.concat([side for side in sides if len(side)] or sides[:1]).drop_duplicates(["text", "method", "metric"])
    # A metric without any value stays, so that it is told of.
    known = long["value"].notna() | (long.groupby("metric")["value"].transform("count") == 0)
    return long.loc[known, METRIC_COLUMNS]


def _long(rows: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """One row per text, method and metric."""
    names = [column for column in rows.columns if column.startswith(prefix)]
    long = _of_one_method(rows).melt(id_vars=["text_id", "method"], value_vars=names, var_name="metric")
    return long.assign(
        text=long["text_id"].astype(str),
        metric=long["metric"].str.removeprefix(prefix),
        value=pd.to_numeric(long["value"]).astype("Float64").astype(float),
    )


def _undefined(counted: pd.DataFrame) -> dict[str, dict[str, int]]:
    """By metric and reason: of how many explanations it has no value."""
    found: dict[str, Counter[str]] = {}
    for cell in _text_column(_of_one_method(counted), REASONS):
        for metric, why in (json.loads(cell) if cell else {}).items():
            found.setdefault(metric, Counter())[why] += 1
    return {metric: dict(sorted(counts.items())) for metric, counts in sorted(found.items())}


def _column(rows: pd.DataFrame, name: str) -> pd.Series:
    return rows[name] if name in rows.columns else pd.Series(pd.NA, index=rows.index, dtype="Float64")


def _text_column(rows: pd.DataFrame, name: str) -> pd.Series:
    """Files of before there was such a column are read as if nothing stood in it."""
    return rows[name].fillna("").astype(str) if name in rows.columns else pd.Series("", index=rows.index)


def _left(counted: pd.DataFrame) -> pd.Series:
    """1 where the side preferred stood on the left, 0 where on the right; missing of ties and without sides."""
    arranged = [json.loads(cell or "{}").get("left") for cell in _text_column(counted, "presentation")]
    preferred = counted["answer"].isin(["first", "second"])
    known = preferred & pd.Series([side is not None for side in arranged], index=counted.index)
    on_left = pd.Series(arranged, index=counted.index, dtype=object) == counted["answer"]
    return on_left.astype("Int64").where(known, pd.NA)


def _first_left(counted: pd.DataFrame) -> pd.Series:
    """1 where the first of two methods stood on the left, 0 where on the right; missing where nobody says."""
    sides = {"first": 1, "second": 0}
    arranged = [json.loads(cell or "{}").get("left") for cell in _text_column(counted, "presentation")]
    return pd.Series([sides.get(side, pd.NA) for side in arranged], index=counted.index, dtype="Int64")


def _beside(counted: pd.DataFrame) -> pd.Series:
    """Ratings by the key of their question, all but the first, as JSON; empty where only one was asked."""
    given = (json.loads(cell or "{}") for cell in _text_column(counted, "details"))
    others = [{key: value for key, value in one.items() if key != "answer" and _is_rating(value)} for one in given]
    return pd.Series([json.dumps(one, sort_keys=True) if one else "" for one in others], index=counted.index)


def _is_rating(value: object) -> bool:
    """A form's answers come as numbers, or as what can be read as one."""
    try:
        return not isinstance(value, bool) and math.isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def _first(rows: pd.DataFrame, name: str) -> str:
    value = rows[name].iloc[0] if name in rows.columns else ""
    return "" if pd.isna(value) else str(value)


def _read_frame(path: Path) -> pd.DataFrame:
    kind = path.suffix.lower()
    if kind == ".parquet":
        try:
            return pd.read_parquet(path)
        except FileNotFoundError:
            raise InputError(path, "no such file.") from None
        except (OSError, ValueError) as error:
            raise InputError(path, f"is not a Parquet file: {error}.") from None
    content = read_text(path)
    if kind in (".jsonl", ".ndjson"):
        return pd.DataFrame(_json_rows(path, content))
    try:
        frame = pd.read_csv(io.StringIO(content), dtype=str, keep_default_na=False)
    except ValueError as error:
        raise InputError(path, f"cannot be read: {str(error).strip()}.") from None
    for column in set(TEXT_COLUMNS) & set(frame.columns):
        frame[column] = frame[column].map(unescape_cell)
    numbers = [c for c in frame.columns if c.startswith((METRIC_PREFIX, OTHER_PREFIX)) or c == "completeness_error"]
    for column in numbers:
        frame[column] = _numbers(path, frame[column])
    return frame


def _json_rows(path: Path, content: str) -> list[dict[str, object]]:
    rows = []
    # Not splitlines(): it would also cut at the line separators that texts may hold.
    for number, line in enumerate(content.split("\n"), start=1):
        try:
            row = read_json(line) if line.strip() else None
        except ValueError as error:
            raise InputError(path, str(error), line=number) from None
        if isinstance(row, dict):
            rows.append(row)
        elif row is not None:
            raise InputError(path, "expected an object, one a line.", line=number)
    return rows


def _numbers(path: Path, cells: pd.Series) -> pd.Series:
    given = cells.astype(object).where(cells.notna() & (cells.astype(str) != ""), None)
    numbers = pd.to_numeric(given, errors="coerce").astype("Float64")
    wrong = given.notna() & numbers.isna()
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        problem = f"expected a number, found {cells.iloc[row]!r}."
        raise InputError(path, problem, line=row + 2, column=str(cells.name))
    return numbers
