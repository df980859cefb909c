"""One chunk of a run, computed and written in one transaction: all of it or nothing, once or never."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from catalogue.choosing import complete
from catalogue.imported import is_imported
from catalogue.methods import METHODS
from catalogue.metrics import METRICS
from materials.announcing import run_done, tell_done
from materials.explaining import resume
from materials.models import Chunk, Classifier, Explanation, Failure, MetricScore, Prediction, Run, Text
from workers.classifiers import load_classifier, set_up_process
from workers.classifiers.budgeting import find_budget
from workers.classifiers.classifier import TextClassifier
from workers.classifiers.errors import ClassifierError
from workers.classifiers.resolving import folders_within
from workers.explaining import explain, predict
from workers.records import Explained, Failed, Predicted, Scored, SourceText, ToScore
from workers.scoring import score

Made = TypeVar("Made")
Compute = Callable[[Run, list[Text]], None]
# A process serves few classifiers at a time, and each holds its weights in memory.
KEPT_CLASSIFIERS = 2
# A chunk over which so many processes died (of memory, most likely) is taken apart; a text alone is given up.
MOST_TRIES = 3


class Cancelled(Exception):
    """The run was cancelled while one of its chunks was computed; the chunk's transaction rolls back."""


def compute_chunk(chunk_id: int, compute: Compute) -> None:
    """Compute a chunk unless it is done, being computed elsewhere, or cancelled; then close a finished run."""
    tries, size = _count_try(chunk_id)
    if tries > MOST_TRIES and size > 1:
        return _take_apart(chunk_id)
    if tries > MOST_TRIES:
        compute = _give_up
    try:
        run_id = _compute(chunk_id, compute)
    except Cancelled:
        return
    except DatabaseError:
        raise
    except Exception as error:  # whatever it was, the run must come to an end and say why
        reason = str(error) if isinstance(error, ClassifierError) else f"{type(error).__name__}: {error}"
        run_id = _compute(chunk_id, lambda run, texts: _write_failures(run, _all_failed(texts, reason)))
    if run_id is not None:
        finish_run(run_id)


def _count_try(chunk_id: int) -> tuple[int, int]:
    """The number of this try and of the chunk's texts. Committed before the work, as a trace of a process that dies."""
    with transaction.atomic():
        chunk = _pending(chunk_id)
        if chunk is None:
            return 0, 0
        chunk.tries += 1
        chunk.save(update_fields=["tries"])
        return chunk.tries, len(chunk.text_ids)


def _pending(chunk_id: int) -> Chunk | None:
    """Locked; None if the chunk is done, or in another process's hands."""
    chunks = Chunk.objects.select_for_update(skip_locked=True, of=("self",)).select_related("run")
    return chunks.filter(pk=chunk_id, state=Chunk.State.PENDING).first()


def _take_apart(chunk_id: int) -> None:
    """The texts again, each in a chunk of its own, so that only the culprit is lost."""
    with transaction.atomic():
        chunk = _pending(chunk_id)
        if chunk is None:
            return
        last = chunk.run.chunks.order_by("-number").values_list("number", flat=True)[0]
        Chunk.objects.bulk_create(
            Chunk(run=chunk.run, number=number, text_ids=[pk])
            for number, pk in enumerate(chunk.text_ids, start=last + 1)
        )
        chunk.delete()
    resume(chunk.run)


def _give_up(run: Run, texts: list[Text]) -> None:
    reason = f"The worker process died {MOST_TRIES} times over this text, most likely for want of memory."
    _write_failures(run, _all_failed(texts, reason))


def _compute(chunk_id: int, compute: Compute) -> int | None:
    """The transaction; the chunk's lock goes with it, so a killed process leaves the chunk pending."""
    with transaction.atomic():
        chunks = Chunk.objects.select_for_update(skip_locked=True, of=("self",))
        chunk = chunks.select_related("run__classifier").filter(pk=chunk_id).first()
        if chunk is None:
            return None
        if chunk.state == Chunk.State.PENDING and chunk.run.state == Run.State.RUNNING:
            compute(chunk.run, list(Text.objects.filter(pk__in=chunk.text_ids).select_related("dataset")))
            chunk.state, chunk.finished_at = Chunk.State.DONE, timezone.now()
            chunk.save(update_fields=["state", "finished_at"])
        return chunk.run_id


def finish_run(run_id: int) -> None:
    """Close a run whose chunks are all done; whoever sees the last one does it, and says so."""
    if not Chunk.objects.filter(run=run_id, state=Chunk.State.PENDING).exists():
        with transaction.atomic():
            running = Run.objects.filter(pk=run_id, state=Run.State.RUNNING)
            done = running.update(state=Run.State.DONE, finished_at=timezone.now())
            if done:
                tell_done(run_id)
        if done:
            # What a listener cannot do is logged, and is no failure of the chunk.
            run_done.send_robust(Run, run_id=run_id)


def predict_texts(run: Run, texts: list[Text]) -> None:
    """Write the predictions of texts that have none yet."""
    known = Prediction.objects.filter(classifier=run.classifier, text__in=texts).values_list("text", flat=True)
    missing = _sources(text for text in texts if text.pk not in set(known))
    classifier = _loaded(run.classifier)
    made = list(_until_cancelled(run, predict(classifier, missing, _budget(classifier))))
    _write_predictions(run, [record for record in made if isinstance(record, Predicted)])
    _write_failures(run, [record for record in made if isinstance(record, Failed)])


def explain_texts(run: Run, texts: list[Text]) -> None:
    """Write the explanations of the run's methods, and their metrics, where they are not there yet.

    Imported maps are there or are not: nothing here makes them, but their metrics are computed too.
    """
    asked = {entry["method"]: entry.get("params") or {} for entry in run.methods}
    imported = {name: params for name, params in asked.items() if is_imported(name)}
    wanted = complete("method", METHODS, {name: params for name, params in asked.items() if name not in imported})
    classifier = _loaded(run.classifier)
    for methods, chosen in _missing(run, texts, wanted).items():
        params = {name: wanted[name] for name in methods}
        made = list(_until_cancelled(run, explain(classifier, _sources(chosen), params, _budget(classifier))))
        explained = [record for record in made if isinstance(record, Explained)]
        _write_predictions(
            run, [Predicted(record.text_id, record.predicted, record.probabilities) for record in explained]
        )
        Explanation.objects.bulk_create(
            [_explanation(run.classifier, record) for record in explained], ignore_conflicts=True
        )
        _write_failures(run, [record for record in made if isinstance(record, Failed)])
    _score_texts(run, texts, wanted | imported, classifier)


def _missing(run: Run, texts: list[Text], wanted: dict[str, dict[str, Any]]) -> dict[tuple[str, ...], list[Text]]:
    """The texts by the methods that they still lack."""
    have = {(explanation.text_id, explanation.method) for explanation in _existing(run, texts, wanted)}
    groups: dict[tuple[str, ...], list[Text]] = {}
    for text in texts:
        lacking = tuple(name for name in wanted if (text.pk, name) not in have)
        if lacking:
            groups.setdefault(lacking, []).append(text)
    return groups


def _existing(run: Run, texts: list[Text], wanted: dict[str, dict[str, Any]]) -> Iterator[Explanation]:
    """The explanations of the predicted label that the run asks for, those of one text together."""
    predictions = Prediction.objects.filter(classifier=run.classifier, text__in=texts)
    labels = dict(predictions.values_list("text", "label"))
    rows = Explanation.objects.filter(classifier=run.classifier, text__in=texts, method__in=wanted)
    for row in rows.order_by("text", "id"):
        predicted = run.classifier.label_names[row.target] == labels.get(row.text_id)
        if predicted and row.params == _plain(wanted[row.method]):
            yield row


def _score_texts(run: Run, texts: list[Text], wanted: dict[str, dict[str, Any]], classifier: TextClassifier) -> None:
    """Write the metrics of the run's explanations that are not there yet."""
    metrics = complete("metric", METRICS, {entry["metric"]: entry.get("params") or {} for entry in run.metrics})
    explanations = list(_existing(run, texts, wanted))
    sources = {int(source.text_id): source for source in _sources(texts)}
    for names, rows in _unscored(explanations, metrics).items():
        lacking = [
            ToScore(
                str(row.pk),
                sources[row.text_id],
                row.scores,
                row.target,
                row.method,
                row.params,
                list(zip(row.starts, row.ends, strict=True)),
            )
            for row in rows
        ]
        asked = {name: metrics[name] for name in names}
        made = _until_cancelled(run, score(classifier, lacking, asked, _budget(classifier)))
        MetricScore.objects.bulk_create([_metric_score(record) for record in made], ignore_conflicts=True)


def _unscored(
    explanations: list[Explanation], metrics: dict[str, dict[str, Any]]
) -> dict[tuple[str, ...], list[Explanation]]:
    """The explanations by the metrics that they still lack; a parameter newer than a score had its default then."""
    defaults = complete("metric", METRICS, {name: {} for name in metrics})
    scores = MetricScore.objects.filter(explanation__in=explanations, metric__in=metrics)
    have = {
        (one.explanation_id, one.metric)
        for one in scores
        if _plain(defaults[one.metric]) | one.params == _plain(metrics[one.metric])
    }
    groups: dict[tuple[str, ...], list[Explanation]] = {}
    for row in explanations:
        if lacking := tuple(name for name in metrics if (row.pk, name) not in have):
            groups.setdefault(lacking, []).append(row)
    return groups


def _metric_score(record: Scored) -> MetricScore:
    return MetricScore(
        explanation_id=int(record.key),
        metric=record.metric,
        params=_plain(record.params),
        value=record.value,
        reason=record.status,
    )


@lru_cache(maxsize=KEPT_CLASSIFIERS)
def _load(kind: str, source: str, revision: str, options: str, weights_hash: str) -> TextClassifier:
    set_up_process()
    with folders_within(settings.CLASSIFIER_FOLDERS):
        classifier = load_classifier(
            source, revision, kind, device=settings.DEVICE, dtype=settings.DTYPE, options=json.loads(options)
        )
    if classifier.weights_hash != weights_hash:
        raise ClassifierError(
            f"The weights of {source} have changed since it was added. Add it again as a new classifier."
        )
    return classifier


@lru_cache(maxsize=KEPT_CLASSIFIERS)
def _budget(classifier: TextClassifier) -> int:
    """Tokens at once, as the settings say or as its device allows."""
    return find_budget(classifier, settings.TOKEN_BUDGET)


def _loaded(classifier: Classifier) -> TextClassifier:
    """The classifier's model, loaded once a process."""
    options = json.dumps(classifier.options, sort_keys=True)
    return _load(classifier.kind, classifier.source, classifier.revision, options, classifier.weights_hash)


def _sources(texts: Iterable[Text]) -> list[SourceText]:
    return [
        SourceText(
            str(text.pk),
            text.content,
            text.language or text.dataset.language,
            rationale=tuple(tuple(span) for span in text.rationale or ()),
        )
        for text in texts
    ]


def _until_cancelled(run: Run, made: Iterable[Made]) -> Iterator[Made]:
    """Pass records on, and look after each whether anybody still wants them."""
    for record in made:
        if not Run.objects.filter(pk=run.pk, state=Run.State.RUNNING).exists():
            raise Cancelled
        yield record


def _write_predictions(run: Run, made: Sequence[Predicted]) -> None:
    names = run.classifier.label_names
    Prediction.objects.bulk_create(
        [
            Prediction(
                text_id=int(record.text_id),
                classifier=run.classifier,
                label=names[record.predicted],
                probabilities=record.probabilities,
            )
            for record in {record.text_id: record for record in made}.values()
        ],
        ignore_conflicts=True,
    )


def _explanation(classifier: Classifier, record: Explained) -> Explanation:
    return Explanation(
        text_id=int(record.text_id),
        classifier=classifier,
        method=record.method,
        params=_plain(record.params),
        target=record.target,
        starts=[start for start, _ in record.offsets],
        ends=[end for _, end in record.offsets],
        scores=record.scores,
        special=[list(pair) for pair in record.special],
        completeness_error=record.completeness_error,
        seed=record.seed,
        seconds=record.seconds,
        versions=record.versions,
    )


def _write_failures(run: Run, failed: Sequence[Failed]) -> None:
    Failure.objects.bulk_create(
        [
            # Postgres stores no NUL, and error messages may quote one.
            Failure(run=run, text_id=int(one.text_id), method=one.method, reason=one.reason.replace("\0", "\ufffd"))
            for one in failed
        ],
        ignore_conflicts=True,
    )


def _all_failed(texts: list[Text], reason: str) -> list[Failed]:
    return [Failed(str(text.pk), reason) for text in texts]


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters as JSON gives them back, which has no tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in params.items()}
