import pytest
from django.urls import reverse

from accounts.models import AuditEntry, Membership, Team, User
from materials import explaining
from materials.bringing import ask_import
from materials.deleting import DeletingError, delete_classifier, delete_dataset, going_with
from materials.models import Chunk, Classifier, Dataset, Explanation, Failure, MetricScore, Prediction, Run, Text
from tests.campaigns.actors import draft
from tests.conftest import PASSWORD, signed_in
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain
from tests.materials.test_bringing import ASKED, kept, media

__all__ = ["media"]


@pytest.fixture
def classifier(team: Team) -> Classifier:
    return judge(team, ["neg", "pos"])


@pytest.fixture
def dataset(team: Team, classifier: Classifier) -> Dataset:
    """Two texts, one an edit of the other, with all that can be made of texts."""
    dataset = films(team, {"pos": 2}, words=4)
    first, second = dataset.texts.all()
    Text.objects.filter(pk=second.pk).update(edit_of=first)
    predict_right(dataset, classifier)
    explain(classifier, first, "lime", values={"comprehensiveness": 0.5})
    run = explaining.evaluate(dataset, classifier, None)
    run.failures.create(text=first, reason="odd")
    Chunk.objects.create(run=run, number=1, text_ids=[first.pk])
    return dataset


def left() -> list[int]:
    kinds = (Dataset, Classifier, Text, Prediction, Explanation, MetricScore, Run, Chunk, Failure)
    return [kind.objects.count() for kind in kinds]


def test_it_works(alice: User, dataset: Dataset, team: Team) -> None:
    films(team, {"neg": 3}, name="Others")
    assert going_with(dataset).goes == [
        "2 texts with their labels and rationales", "2 predictions", "1 heat map with their metric scores", "1 run",
    ]  # fmt: skip
    delete_dataset(dataset, alice)
    assert left() == [1, 1, 3, 0, 0, 0, 0, 0, 0]
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.subject_name, entry.detail) == ("deleted", "Films", {"explanations": 1})


def test_a_classifier_leaves_the_texts(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    delete_classifier(classifier, alice)
    assert left() == [1, 0, 2, 0, 0, 0, 0, 0, 0]


def test_what_campaigns_stand_on_stays(alice: User, team: Team) -> None:
    campaign = draft(team)
    why = r"Others stand on it, such as Which words matter \(campaign\)"
    with pytest.raises(DeletingError, match=why):
        delete_dataset(campaign.dataset, alice)
    with pytest.raises(DeletingError, match=why):
        delete_classifier(campaign.classifier, alice)
    assert "It cannot be deleted now" in settings_page(alice, campaign.dataset)


def test_what_is_at_work_stays(alice: User, team: Team, classifier: Classifier) -> None:
    dataset = films(team, {"pos": 1})
    run = explaining.evaluate(dataset, classifier, None)
    with pytest.raises(DeletingError, match="being computed"):
        delete_dataset(dataset, alice)
    explaining.cancel(run)
    ask_import(alice, kept(alice, team, into=dataset), ASKED)
    with pytest.raises(DeletingError, match="being imported"):
        delete_dataset(dataset, alice)


def settings_page(user: User, row: Dataset | Classifier) -> str:
    return signed_in(user).get(row.get_absolute_url() + "settings/").content.decode()


def test_the_page_names_what_goes_and_asks_for_the_name(alice: User, dataset: Dataset) -> None:
    client = signed_in(alice)
    assert "2 texts with their labels" in settings_page(alice, dataset)
    refused = client.post(reverse("dataset_delete", args=["films"]), {"typed": "films"}).content.decode()
    assert "That is not “Films”" in refused and Dataset.objects.exists()
    response = client.post(reverse("dataset_delete", args=["films"]), {"typed": "Films"})
    assert response.headers["Location"] == reverse("dataset_list") and not Dataset.objects.exists()
    assert "Films is deleted" in client.get(reverse("dataset_list")).content.decode()


def test_a_classifier_has_the_same_page(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    assert "2 predictions" in settings_page(alice, classifier)
    signed_in(alice).post(reverse("classifier_delete", args=["critic"]), {"typed": "Critic"})
    assert not Classifier.objects.exists() and Text.objects.count() == 2


def test_both_are_renamed_and_keep_their_addresses(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client = signed_in(alice)
    client.post(reverse("dataset_settings", args=["films"]), {"name": " Movie  reviews", "language": "de"})
    client.post(reverse("classifier_settings", args=["critic"]), {"name": "Judge"})
    dataset.refresh_from_db()
    classifier.refresh_from_db()
    assert (dataset.name, dataset.slug, dataset.language) == ("Movie reviews", "films", "de")
    assert (classifier.name, classifier.slug) == ("Judge", "critic")
    assert [entry.detail for entry in AuditEntry.objects.order_by("pk")] == [{"before": "Films"}, {"before": "Critic"}]


def test_a_name_that_is_taken_is_told(alice: User, dataset: Dataset, team: Team) -> None:
    films(team, {"pos": 1}, name="Others")
    address = reverse("dataset_settings", args=["films"])
    page = signed_in(alice).post(address, {"name": "Others", "language": "no such tongue"}).content.decode()
    assert "has a dataset called Others already" in page and "Expected a language tag" in page
    assert Dataset.objects.filter(name="Films").exists()


def test_of_two_who_delete_it_at_once_one_is_told(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    for run in Run.objects.all():
        run.delete()
    delete_dataset(dataset, alice)
    delete_classifier(classifier, alice)
    with pytest.raises(DeletingError, match="has deleted it meanwhile"):
        delete_dataset(dataset, alice)
    with pytest.raises(DeletingError, match="has deleted it meanwhile"):
        delete_classifier(classifier, alice)


def test_an_editor_renames_and_deletes_nothing(dataset: Dataset, team: Team) -> None:
    eve = User.objects.create_user("eve", password=PASSWORD)
    Membership.objects.create(team=team, user=eve, role=Membership.Role.EDITOR)
    client = signed_in(eve)
    assert "Only an owner of the team can delete it" in client.get("/datasets/films/settings/").content.decode()
    assert client.post(reverse("dataset_delete", args=["films"]), {"typed": "Films"}).status_code == 403


def test_analysts_and_strangers_are_refused(bob: User, charlie: User, dataset: Dataset) -> None:
    for user, status in ((bob, 403), (charlie, 404)):
        client = signed_in(user)
        for kind, slug in (("dataset", "films"), ("classifier", "critic")):
            assert client.get(reverse(f"{kind}_settings", args=[slug])).status_code == status
            assert client.post(reverse(f"{kind}_delete", args=[slug]), {"typed": "Films"}).status_code == status
    assert Dataset.objects.exists()


def test_other_methods_are_refused(alice: User, dataset: Dataset) -> None:
    client = signed_in(alice)
    assert client.get(reverse("dataset_delete", args=["films"])).status_code == 405
    assert client.put(reverse("dataset_settings", args=["films"])).status_code == 405
