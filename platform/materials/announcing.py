"""What worker processes tell whoever in the house wants to know, without knowing whom, and what webhooks are told."""

from django.dispatch import Signal

from materials.models import Run
from webhooks.announcing import announce

# Sent once when a run has become done, with `run_id`.
run_done = Signal()


def tell_done(run_id: int) -> None:
    """In the transaction in which a run becomes done. Predictions are not worth a message."""
    run = Run.objects.select_related("dataset__team", "classifier").get(pk=run_id)
    if run.kind == Run.Kind.EXPLAIN:
        told = {"run": run.pk, "dataset": run.dataset.slug, "classifier": run.classifier.slug}
        failed = {"failures": run.failures.count()}
        announce(run.dataset.team, "explanations.completed", told | failed)
