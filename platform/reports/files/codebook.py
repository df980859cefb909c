"""What every column means, of the export of judgments and of the tidy data beside the report."""

import csv
import io
import json
from collections.abc import Iterator

from analysis.presets.peekaword import CODEBOOK as EXPORT
from analysis.presets.peekaword import METRIC_PREFIX, OTHER_PREFIX
from analysis.study import COVARIATES
from reports.files.kind import File, FileKind, Parcel, text_file
from reports.palette import metric_label

Row = dict[str, str]
FIELDS = ("file", "column", "type", "meaning")
JUDGMENTS = {
    "text": "the text's id in its dataset",
    "method": "explanation method, or a baseline; empty where no method was judged",
    "k": "number of words shown; missing where the protocol has none",
    "worker": "pseudonym of the worker, different in every campaign",
    "label": "the answer in one word: the label, the rating, or the side preferred",
    "expected": "the label that a right answer names",
    "score": "1 right, 0 not; the rating; or 1, 0.5, 0 for a side of a pair; missing where answers have none",
    "late": "1 if it came after its lease had ended",
    "response_ms": "milliseconds from showing to answering",
    "other": "second method of a pair; otherwise empty",
    "display": "how scores were shown; empty where there were none",
    "mirrored": "1 for the same comparison seen from its second method; count rows with 0",
    "words_needed": "words the worker had seen when answering, where words are uncovered",
    "words_in_all": "words there were to uncover, or to mark",
    "left": "1 where what stood on the left was preferred",
    "first_left": "1 where the first method of a pair stood on the left",
    "beside": "ratings that other questions got, by the question's key, as JSON; empty where one question was asked",
    **COVARIATES,
}
VERDICTS = {
    "text": JUDGMENTS["text"],
    "method": JUDGMENTS["method"],
    "k": JUDGMENTS["k"],
    "recognised": "1 if the expected label has more votes than any other answer",
    "n": "votes; missing where only verdicts are known",
}
METRICS = {
    "text": JUDGMENTS["text"],
    "method": JUDGMENTS["method"],
    "metric": "name of the automatic metric",
    "value": "its value of the explanation",
}


def make(parcel: Parcel) -> Iterator[File]:
    if parcel.of_people:
        rows = list(_rows(parcel))
        out = io.StringIO()
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        yield text_file("codebook.csv", out.getvalue())
        yield text_file("codebook.json", json.dumps(rows, indent=2, ensure_ascii=False) + "\n")


def _rows(parcel: Parcel) -> Iterator[Row]:
    """Of the tidy data those columns that are there; of the export all that it may have."""
    study = parcel.study
    if study is not None:
        frames = ((study.judgments, "judgments", JUDGMENTS), (study.cells, "verdicts", VERDICTS))
        for frame, name, meanings in (*frames, (study.metrics, "metrics", METRICS)):
            if frame is not None and len(frame):
                for column, kind in frame.dtypes.items():
                    yield _row(f"data/{name}.parquet", str(column), str(kind), meanings.get(str(column), ""))
    for column, meaning in EXPORT.items():
        yield _row("export of judgments", column, "", meaning)
    for metric in dict.fromkeys(row["metric"] for row in parcel.report.get("correlations", [])):
        for prefix, of in ((METRIC_PREFIX, "the explanation shown"), (OTHER_PREFIX, "the second one of a pair")):
            yield _row("export of judgments", prefix + metric, "number", f"{metric_label(metric)} of {of}")


def _row(*cells: str) -> Row:
    return dict(zip(FIELDS, cells, strict=True))


CODEBOOK = FileKind(
    "codebook",
    "Codebook",
    ("codebook.csv", "codebook.json"),
    "What every column means, of the tidy data and of the export of judgments, as CSV and JSON.",
    make,
)
