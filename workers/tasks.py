"""The Celery tasks: each takes an id and calls one function. They may come twice, late or not at all."""

import sys
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_ready
from django.db import DatabaseError, connections

from catalogue.methods import METHODS
from materials.models import Chunk, Classifier, Run
from workers.classifiers.errors import ClassifierError
from workers.computing import compute_chunk, explain_texts, finish_run, predict_texts
from workers.registering import register
from workers.saliency import function_of

# A database that is away for a while costs time, never a chunk.
RETRYING: dict[str, Any] = {
    "acks_late": True,
    "reject_on_worker_lost": True,
    "autoretry_for": (DatabaseError,),
    "retry_backoff": True,
    "max_retries": 10,
}


@shared_task(name="workers.predict_chunk", **RETRYING)
def predict_chunk(chunk_id: int) -> None:
    compute_chunk(chunk_id, predict_texts)


@shared_task(name="workers.explain_chunk", **RETRYING)
def explain_chunk(chunk_id: int) -> None:
    compute_chunk(chunk_id, explain_texts)


@shared_task(name="workers.register_classifier", **RETRYING)
def register_classifier(classifier_id: int) -> None:
    register(classifier_id)


@worker_init.connect
def import_methods_from_outside(**_: Any) -> None:
    """A worker that cannot import one says so and ends, before it fails text after text."""
    try:
        for method in METHODS.values():
            function_of(method)
    except ClassifierError as error:
        sys.exit(f"SALIENCY_METHODS: {error}")


@worker_ready.connect
def take_up_unfinished_work(**_: Any) -> None:
    """Ask again for what a killed worker or an emptied queue left: what runs elsewhere is skipped there."""
    tasks = {Run.Kind.PREDICT: predict_chunk, Run.Kind.EXPLAIN: explain_chunk}
    running = Run.objects.filter(state=Run.State.RUNNING)
    pending = Chunk.objects.filter(run__in=running, state=Chunk.State.PENDING)
    for chunk_id, kind in pending.values_list("pk", "run__kind").iterator():
        tasks[Run.Kind(kind)].delay(chunk_id)
    for run_id in running.values_list("pk", flat=True):
        finish_run(run_id)
    for classifier_id in Classifier.objects.filter(state=Classifier.State.LOADING).values_list("pk", flat=True):
        register_classifier.delay(classifier_id)
    connections.close_all()
