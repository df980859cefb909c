"""Explain and score from file to file, without a database."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workers.classifiers import load_classifier
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.explaining import Watch, explain, versions
from workers.records import Explained, Failed, SourceText, ToScore
from workers.scoring import score
from workers.storing import (
    EXPLANATIONS,
    HASH_KEY,
    SCORES,
    as_json,
    read_about,
    read_explanations,
    read_hash,
    table_writer,
)

Params = Mapping[str, Mapping[str, Any]]
RationaleOf = Callable[[str, str], Sequence[Sequence[float]]]
# A language model has one for each word that it knows: too many for every row.
MOST_PROBABILITIES = 1000


def explain_file(
    texts: Iterable[SourceText],
    name: str,
    revision: str,
    choose: Callable[[str], Params],
    out: Path,
    on_failed: Callable[[Failed], None],
    watch: Watch,
    **loading: Any,
) -> int:
    """Write one row a text and method, return how many; `on_failed` hears of each that could not be made.

    `choose` has the methods and their parameters for the kind that the classifier turns out to be; `watch` hears
    of each method as it works.
    """
    classifier = load_classifier(name, revision, **loading)
    methods = choose(classifier.kind)
    done = 0
    sources: dict[str, SourceText] = {}
    with table_writer(out, EXPLANATIONS, _about(classifier)) as write:
        for record in explain(classifier, _remembered(texts, sources), methods, watch=watch):
            if isinstance(record, Failed):
                on_failed(record)
            else:
                write(_explanation_row(record, sources[record.text_id]))
                done += 1
            _forget_before(sources, record.text_id)
    return done


def score_file(
    path: Path,
    name: str,
    revision: str,
    metrics: Params,
    out: Path,
    on_done: Callable[[], object],
    rationale_of: RationaleOf | None = None,
    **loading: Any,
) -> int:
    """Write one row an explanation and metric, return how many have a value.

    `name` may be empty where no metric runs the classifier; what the file says of it is then taken on trust.
    `rationale_of` has what people marked of a text, by its id and content; without it, what the file itself holds.
    """
    made_with = read_hash(path)
    classifier = load_classifier(name, revision, **loading) if name else None
    if classifier and made_with and made_with != classifier.weights_hash:
        raise ClassifierError(
            f"{path} was made with other weights than those of {name}: give the classifier that it explains."
        )
    valued = 0
    rows: dict[str, dict[str, Any]] = {}
    with table_writer(out, SCORES, _about(classifier) if classifier else read_about(path)) as write:
        for scored in score(classifier, _to_score(path, rows, rationale_of), metrics):
            row = rows[scored.key]
            write(
                {
                    **{key: row[key] for key in ("text_id", "method", "target")},
                    "method_params": row["params"],
                    "metric": scored.metric,
                    "params": as_json(scored.params),
                    "value": scored.value,
                    "status": scored.status,
                }
            )
            valued += scored.value is not None
            on_done()
            _forget_before(rows, scored.key)
    return valued


def _about(classifier: TextClassifier) -> dict[str, str]:
    return {
        "classifier": classifier.name,
        "revision": classifier.revision,
        HASH_KEY: classifier.weights_hash,
        "label_names": as_json({str(index): name for index, name in enumerate(classifier.label_names)}),
        "problem_type": classifier.problem_type,
        **versions(classifier),
    }


def _remembered(texts: Iterable[SourceText], sources: dict[str, SourceText]) -> Iterator[SourceText]:
    for text in texts:
        sources[text.text_id] = text
        yield text


def _forget_before(kept: dict[str, Any], key: str) -> None:
    """Records come in the order of the texts, so what stands before this one is done with."""
    for old in list(kept):
        if old == key:
            return
        del kept[old]


def _explanation_row(record: Explained, source: SourceText) -> dict[str, Any]:
    row = asdict(record)
    for elsewhere in ("versions", "special"):
        del row[elsewhere]
    return row | {
        "params": as_json(record.params),
        "probability": record.probabilities[record.target],
        "probabilities": record.probabilities if len(record.probabilities) <= MOST_PROBABILITIES else None,
        "special_pieces": [piece for piece, _ in record.special],
        "special_scores": [score for _, score in record.special],
        "offsets": [list(span) for span in record.offsets],
        "text": source.content,
        "language": source.language,
        "rationale": [list(span) for span in source.rationale] or None,
    }


def _to_score(path: Path, rows: dict[str, dict[str, Any]], rationale_of: RationaleOf | None) -> Iterator[ToScore]:
    for index, row in enumerate(read_explanations(path)):
        key = str(index)
        rows[key] = row
        marked = rationale_of(row["text_id"], row["text"]) if rationale_of else row.get("rationale") or ()
        rationale = tuple(tuple(span) for span in marked)
        text = SourceText(row["text_id"], row["text"], row.get("language") or "", rationale=rationale)
        params, offsets = json.loads(row["params"]), row.get("offsets") or ()
        yield ToScore(key, text, row["scores"], row["target"], row["method"], params, offsets)
