"""What a classifier is, read from its files once, for the people who named it."""

from django.conf import settings

from materials.models import Classifier
from workers.classifiers import load_classifier, set_up_process
from workers.classifiers.errors import ClassifierError
from workers.classifiers.resolving import folders_within
from workers.classifiers.timing import seconds_per_piece


def register(classifier_id: int) -> None:
    """Fill in labels, problem type, revision and weights hash, or the error with its remedy."""
    classifier = Classifier.objects.filter(pk=classifier_id, state=Classifier.State.LOADING).first()
    if classifier is None:
        return
    try:
        set_up_process()
        with folders_within(settings.CLASSIFIER_FOLDERS):
            loaded = load_classifier(
                classifier.source,
                classifier.revision,
                classifier.kind,
                device=settings.DEVICE,
                dtype=settings.DTYPE,
                options=classifier.options,
            )
        classifier.seconds_per_piece = seconds_per_piece(loaded)
    except ClassifierError as error:
        _fail(classifier, str(error))
        return
    except Exception as error:  # an unforeseen fault must not leave the page waiting for ever
        _fail(classifier, f"It cannot be loaded: {type(error).__name__}: {error}")
        return
    if classifier.weights_hash != loaded.weights_hash:
        # Otherwise it is read again, and people may have given the labels other names since.
        classifier.label_names = list(loaded.label_names)
    classifier.kind = loaded.kind
    classifier.problem_type = loaded.problem_type
    classifier.weights_hash = loaded.weights_hash
    classifier.revision = loaded.revision
    classifier.state, classifier.error = Classifier.State.READY, ""
    classifier.save()


def _fail(classifier: Classifier, error: str) -> None:
    classifier.state, classifier.error = Classifier.State.FAILED, error.replace("\0", "\ufffd")
    classifier.save(update_fields=["state", "error"])
