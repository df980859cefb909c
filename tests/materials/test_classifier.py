import pytest
from celery import current_app
from django.urls import reverse
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import AuditEntry, Team, User
from materials import explaining
from materials.models import Classifier, Prediction, Removal
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right

NEW = {"name": "BERT", "source": "org/bert", "revision": "abc"}


@pytest.fixture
def classifier(team: Team) -> Classifier:
    return judge(team, ["LABEL_0", "LABEL_1"])


def test_it_works(alice: User, team: Team) -> None:
    classifier = judge(team, ["neg", "pos"])
    predict_right(films(team, {"pos": 3, "neg": 1}), classifier, wrong=1)
    page = signed_in(alice).get(classifier.get_absolute_url()).content.decode()
    assert "75.0 %" in page and "4 of 4" in page and "single_label_classification" in page and "0" * 64 in page


def test_adding_one_has_it_read(
    alice: User,
    team: Team,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args: sent.append((name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        response = signed_in(alice).post(reverse("classifier_add"), NEW | {"team": team.pk})
    classifier = Classifier.objects.get()
    assert response.headers["Location"] == classifier.get_absolute_url() == "/classifiers/bert/"
    assert (classifier.state, classifier.source, classifier.revision) == ("loading", "org/bert", "abc")
    assert sent == [("workers.register_classifier", [classifier.pk])]


def test_without_a_queue_it_can_be_tried_again(
    alice: User,
    team: Team,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    def refuse(name: str, args: list[int]) -> None:
        raise OperationalError("Connection refused")

    monkeypatch.setattr(current_app, "send_task", refuse)
    client = signed_in(alice)
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(reverse("classifier_add"), NEW | {"team": team.pk})
    page = client.get(response.headers["Location"]).content.decode()
    assert "The queue of tasks cannot be reached" in page and "Try again" in page


def test_what_is_missing_is_said_beside_the_field(alice: User, team: Team) -> None:
    response = signed_in(alice).post(reverse("classifier_add"), {"team": team.pk, "name": "", "source": " "})
    assert response.content.count(b"This field is required") == 2 and not Classifier.objects.exists()


@pytest.mark.parametrize(
    ("data", "kind", "options"),
    [
        ({}, "", {}),
        ({"kind": "lstm"}, "lstm", {}),
        ({"words": " was,  were ,"}, "causal-lm", {"words": ["was", "were"]}),
        (
            {"kind": "causal-lm", "words": "was,were", "contrast": "on"},
            "causal-lm",
            {"words": ["was", "were"], "contrast": True},
        ),
    ],
)
def test_kind_and_words_are_kept(
    alice: User, team: Team, data: dict[str, str], kind: str, options: dict[str, object]
) -> None:
    signed_in(alice).post(reverse("classifier_add"), NEW | {"team": team.pk} | data)
    classifier = Classifier.objects.get()
    assert (classifier.kind, classifier.options) == (kind, options)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"kind": "forest"}, "forest is not one of the available choices"),
        ({"words": "was, Was"}, "Name each word once, capitals aside"),
        ({"words": "w" * 201}, "at most 200 characters"),
        ({"contrast": "on"}, "One word is set against one other, and 0 are named: name two"),
        ({"words": "was, is, be", "contrast": "on"}, "and 3 are named: name two"),
        ({"kind": "lstm", "words": "was"}, "This kind (LSTM) has labels of its own"),
        ({"kind": "nope", "words": "was"}, "nope is not one of the available choices"),
    ],
)
def test_kinds_and_words_that_make_no_sense_are_refused(
    alice: User, team: Team, data: dict[str, str], says: str
) -> None:
    response = signed_in(alice).post(reverse("classifier_add"), NEW | {"team": team.pk} | data)
    assert says in response.content.decode() and not Classifier.objects.exists()


def test_the_words_of_a_language_model_are_shown(alice: User, classifier: Classifier) -> None:
    Classifier.objects.update(kind="causal-lm", options={"words": ["was", "<were>"], "contrast": True})
    page = signed_in(alice).get(classifier.get_absolute_url()).content.decode()
    assert "Language model" in page and "&lt;were&gt;" in page and "one set against the other" in page


def test_a_regression_is_neither_right_nor_wrong(alice: User, team: Team) -> None:
    classifier = judge(team, ["score"])
    Classifier.objects.update(problem_type="regression")
    dataset = films(team, {"pos": 1})
    Prediction.objects.create(text=dataset.texts.get(), classifier=classifier, label="score", probabilities=[3.7])
    client = signed_in(alice)
    page = client.get(classifier.get_absolute_url()).content.decode()
    assert "1 of 1" in page and "0.0 %" not in page
    assert "not among the classifier" not in client.get(dataset.get_absolute_url()).content.decode()


def test_loading_is_followed(alice: User, classifier: Classifier) -> None:
    client = signed_in(alice)
    Classifier.objects.update(state="loading")
    assert b"is reading it" in client.get(classifier.get_absolute_url()).content
    state = reverse("classifier_state", args=["critic"])
    assert b"is reading it" in client.get(state).content
    Classifier.objects.update(state="ready")
    assert client.get(state).headers["HX-Refresh"] == "true"


def test_a_failure_is_shown_with_its_remedy_and_can_be_tried_again(alice: User, classifier: Classifier) -> None:
    client = signed_in(alice)
    Classifier.objects.update(state="failed", error="No such folder: give the folder of the model.")
    assert b"No such folder: give the folder" in client.get(classifier.get_absolute_url()).content
    client.post(reverse("classifier_reload", args=["critic"]))
    classifier.refresh_from_db()
    assert (classifier.state, classifier.error) == ("loading", "")


def test_labels_can_be_renamed(alice: User, classifier: Classifier) -> None:
    signed_in(alice).post(reverse("classifier_labels", args=["critic"]), {"label_0": "neg", "label_1": "pos"})
    classifier.refresh_from_db()
    assert classifier.label_names == ["neg", "pos"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"label_0": "neg", "label_1": "Neg"}, "Expected 2 different names"),
        ({"label_0": "neg"}, "This field is required"),
    ],
)
def test_bad_label_names_are_refused(alice: User, classifier: Classifier, data: dict[str, str], says: str) -> None:
    response = signed_in(alice).post(reverse("classifier_labels", args=["critic"]), data)
    assert says in response.content.decode()


def test_who_renamed_labels_stands_in_the_log(alice: User, classifier: Classifier) -> None:
    signed_in(alice).post(reverse("classifier_labels", args=["critic"]), {"label_0": "neg", "label_1": "pos"})
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.actor, entry.detail) == ("edited", alice, {"labels": "neg, pos"})


def test_labels_keep_their_names_while_it_works(alice: User, classifier: Classifier) -> None:
    explaining.evaluate(films(classifier.team, {"pos": 1}), classifier, None)
    data = {"label_0": "neg", "label_1": "pos"}
    response = signed_in(alice).post(reverse("classifier_labels", args=["critic"]), data)
    assert b"It is at work just now" in response.content


def test_other_methods_are_refused(alice: User, classifier: Classifier) -> None:
    client = signed_in(alice)
    assert client.post(classifier.get_absolute_url()).status_code == 405
    assert client.get(reverse("classifier_labels", args=["critic"])).status_code == 405
    assert client.get(reverse("classifier_reload", args=["critic"])).status_code == 405


@pytest.mark.parametrize("name", ["classifier", "classifier_state"])
def test_another_team_s_is_not_found(charlie: User, classifier: Classifier, name: str) -> None:
    assert signed_in(charlie).get(reverse(name, args=["critic"])).status_code == 404


@pytest.mark.parametrize("name", ["classifier_labels", "classifier_reload"])
def test_another_team_s_is_not_changed(charlie: User, bob: User, classifier: Classifier, name: str) -> None:
    assert signed_in(charlie).post(reverse(name, args=["critic"])).status_code == 404
    assert signed_in(bob).post(reverse(name, args=["critic"])).status_code == 403


def test_a_reader_looks_but_does_not_add(bob: User, classifier: Classifier) -> None:
    client = signed_in(bob)
    assert b"LABEL_0, LABEL_1" in client.get(classifier.get_absolute_url()).content
    assert client.get(reverse("classifier_add")).status_code == 403
    assert b"Critic" in client.get(reverse("classifier_list")).content


def test_an_empty_list_says_what_to_do(alice: User) -> None:
    assert b"No classifiers yet" in signed_in(alice).get(reverse("classifier_list")).content


def test_the_list_says_what_is_being_deleted(alice: User, team: Team) -> None:
    removal = Removal.objects.create(team=team, kind="classifier", key=1, name="Old critic", total=9)
    Removal.objects.create(team=team, kind="dataset", key=1, name="Old films", total=9)
    shown = signed_in(alice).get(reverse("classifier_list")).content.decode()
    assert f'href="{removal.get_absolute_url()}"' in shown and "Being deleted" in shown and "Old films" not in shown
