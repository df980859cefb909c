import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Team, User
from materials import explaining
from materials.models import Dataset, Run
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"pos": 60, "neg": 40})


def test_it_works(alice: User, dataset: Dataset) -> None:
    classifier = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, classifier, wrong=7)
    page = signed_in(alice).get(dataset.get_absolute_url()).content.decode()
    assert "100 texts" in page and "93.0 %" in page and "evaluated" in page
    assert "1–50 of 100" in page and "pos49" in page and "pos50" not in page


def test_texts_can_be_paged_and_chosen_by_label(alice: User, dataset: Dataset) -> None:
    client = signed_in(alice)
    assert "51–100 of 100" in client.get(dataset.get_absolute_url() + "?page=2").content.decode()
    chosen = client.get(dataset.get_absolute_url() + "?label=neg").content.decode()
    assert "40 texts" in chosen and "neg0" in chosen and "pos0" not in chosen
    assert client.get(dataset.get_absolute_url() + "?page=no&label=x").status_code == 200


def test_labels_that_differ_are_marked(alice: User, dataset: Dataset) -> None:
    judge(dataset.team, ["LABEL_0", "LABEL_1"])
    page = signed_in(alice).get(dataset.get_absolute_url()).content.decode()
    assert "labels differ" in page and "LABEL_0, LABEL_1" in page


def test_a_run_under_way_is_followed(alice: User, dataset: Dataset) -> None:
    classifier, client = judge(dataset.team, ["neg", "pos"]), signed_in(alice)
    response = client.post(reverse("dataset_evaluate", args=["films"]), {"classifier": "critic"})
    assert response.headers["Location"] == dataset.get_absolute_url()
    run = Run.objects.get(classifier=classifier)
    assert f'hx-get="/runs/{run.pk}/"' in client.get(dataset.get_absolute_url()).content.decode()


def test_texts_that_failed_are_named_until_they_are_predicted(alice: User, dataset: Dataset) -> None:
    classifier, client = judge(dataset.team, ["neg", "pos"]), signed_in(alice)
    run = explaining.evaluate(dataset, classifier, None)
    text = dataset.texts.get(key="pos7")
    run.failures.create(text=text, reason="no word was left of it")
    assert "no word was left of it" in client.get(dataset.get_absolute_url()).content.decode()
    classifier.predictions.create(text=text, label="pos", probabilities=[0.1, 0.9])
    assert "no word was left of it" not in client.get(dataset.get_absolute_url()).content.decode()


def test_it_takes_the_same_queries_for_any_number_of_texts(alice: User, team: Team) -> None:
    client, counts = signed_in(alice), []
    for name, n in (("Small", 2), ("Large", 300)):
        films(team, {"pos": n, "neg": n}, name=name)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(reverse("dataset", args=[name.lower()]))
        counts.append(len(queries))
    assert counts[0] == counts[1] < 20


def test_evaluating_all_over_again_says_so(alice: User, dataset: Dataset) -> None:
    predict_right(dataset, judge(dataset.team, ["neg", "pos"]))
    response = signed_in(alice).post(reverse("dataset_evaluate", args=["films"]), {"classifier": "critic"}, follow=True)
    assert b"has predicted all texts" in response.content


def test_an_unknown_classifier_is_not_found(alice: User, dataset: Dataset) -> None:
    response = signed_in(alice).post(reverse("dataset_evaluate", args=["films"]), {"classifier": "none"})
    assert response.status_code == 404


def test_other_methods_are_refused(alice: User, dataset: Dataset) -> None:
    client = signed_in(alice)
    assert client.post(dataset.get_absolute_url()).status_code == 405
    assert client.post(reverse("dataset_list")).status_code == 405
    assert client.get(reverse("dataset_evaluate", args=["films"])).status_code == 405


def test_another_team_s_is_not_found(charlie: User, dataset: Dataset) -> None:
    client = signed_in(charlie)
    assert client.get(dataset.get_absolute_url()).status_code == 404
    assert client.post(reverse("dataset_evaluate", args=["films"])).status_code == 404
    assert b"Films" not in client.get(reverse("dataset_list")).content


def test_a_reader_looks_but_does_not_start_anything(bob: User, dataset: Dataset) -> None:
    judge(dataset.team, ["neg", "pos"])
    client = signed_in(bob)
    page = client.get(dataset.get_absolute_url()).content.decode()
    assert "100 texts" in page and "csrf" not in page.split("<main")[1]
    assert client.post(reverse("dataset_evaluate", args=["films"]), {"classifier": "critic"}).status_code == 403
    assert not Run.objects.exists()


def test_a_visitor_signs_in_first(client: object, dataset: Dataset) -> None:
    response = client.get(dataset.get_absolute_url())  # type: ignore[attr-defined]
    assert response.headers["Location"].startswith("/sign-in/")


def test_the_list_shows_what_there_is(alice: User, dataset: Dataset) -> None:
    page = signed_in(alice).get(reverse("dataset_list")).content.decode()
    assert "Films" in page and '<td class="num" data-head="Texts">100</td>' in page


def test_an_empty_list_says_what_to_do(alice: User) -> None:
    assert b"No datasets yet" in signed_in(alice).get(reverse("dataset_list")).content
