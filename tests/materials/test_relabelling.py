"""A dataset's labels get other names, until a campaign has frozen them."""

import pytest

from accounts.models import AuditEntry, Team, User
from campaigns.models import Campaign
from materials.agreeing import accuracies_of
from materials.models import Dataset, Import, Run
from materials.relabelling import BRINGING, FROZEN, MEANWHILE, WORKING, RelabellingError, relabel
from tests.campaigns.actors import draft, ready
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db
URL = "/datasets/films/labels/"
NAMES = {"label_0": "negative", "label_1": "positive"}


@pytest.fixture
def campaign(team: Team) -> Campaign:
    """A draft: nothing is frozen yet."""
    return draft(team)


def test_it_works(alice: User, campaign: Campaign) -> None:
    dataset, client = campaign.dataset, signed_in(alice)
    right = accuracies_of(dataset)[campaign.classifier_id]
    texts = dataset.texts.filter(label="pos").count()
    assert 'value="pos"' in client.get("/datasets/films/settings/").content.decode()
    page = client.post(URL, NAMES, follow=True).content.decode()
    assert "The labels have new names." in page
    assert dataset.label_names() == ["negative", "positive"]
    assert dataset.texts.filter(label="positive").count() == texts > 0
    assert right.right > accuracies_of(dataset)[campaign.classifier_id].right == 0, "its names are others now"
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act, entry.detail) == (alice, "edited", {"labels": "neg: negative, pos: positive"})
    client.post(URL, {"label_0": "neg", "label_1": "pos"})
    assert accuracies_of(dataset)[campaign.classifier_id] == right


def test_names_can_be_exchanged(alice: User, campaign: Campaign) -> None:
    keys = set(campaign.dataset.texts.filter(label="pos").values_list("key", flat=True))
    relabel(campaign.dataset, ["neg", "pos"], ["pos", "neg"], alice)
    assert set(campaign.dataset.texts.filter(label="neg").values_list("key", flat=True)) == keys


@pytest.mark.parametrize("names", [("same", "Same"), ("neg", ""), ("neg",)])
def test_two_labels_never_become_one(alice: User, campaign: Campaign, names: tuple[str, ...]) -> None:
    client = signed_in(alice)
    page = client.post(URL, {f"label_{at}": name for at, name in enumerate(names)}).content.decode()
    assert "Two labels cannot have the same name" in page or "This field is required" in page
    assert campaign.dataset.label_names() == ["neg", "pos"] and not AuditEntry.objects.exists()


def test_what_a_campaign_has_frozen_stays_and_the_page_says_why(alice: User, team: Team) -> None:
    dataset = ready(team).dataset
    client = signed_in(alice)
    page = client.get("/datasets/films/settings/").content.decode()
    assert "They stay as they are" in page and 'action="/datasets/films/labels/"' not in page
    client.post(URL, NAMES)
    assert dataset.label_names() == ["neg", "pos"]
    with pytest.raises(RelabellingError, match=FROZEN):
        relabel(dataset, ["neg", "pos"], ["no", "yes"], alice)


def test_it_waits_for_runs_and_imports_and_for_who_was_quicker(alice: User, campaign: Campaign) -> None:
    dataset = Dataset.objects.get(pk=campaign.dataset_id)
    with pytest.raises(RelabellingError, match=MEANWHILE):
        relabel(dataset, ["bad", "good"], ["no", "yes"], alice)
    coming = Import.objects.create(
        team=dataset.team, asked_by=alice, upload="u", file="more.csv", asked={}, dataset=dataset
    )
    with pytest.raises(RelabellingError, match=BRINGING):
        relabel(dataset, ["neg", "pos"], ["no", "yes"], alice)
    coming.delete()
    Run.objects.create(kind=Run.Kind.PREDICT, dataset=dataset, classifier=campaign.classifier, state=Run.State.RUNNING)
    with pytest.raises(RelabellingError, match=WORKING):
        relabel(dataset, ["neg", "pos"], ["no", "yes"], alice)


def test_only_posting_by_an_editor_of_the_team(bob: User, charlie: User, campaign: Campaign) -> None:
    assert signed_in(charlie).post(URL, NAMES).status_code == 404
    assert signed_in(bob).get(URL).status_code == 405
    assert signed_in(bob).post(URL, NAMES).status_code == 403
