"""What the wizard asks of protocols that learn, edit or mark, and what it leaves out."""

import re
from typing import Any

import pytest

from accounts.models import Team, User
from campaigns.models import Campaign
from materials.models import Classifier, Dataset
from tests.campaigns.actors import edit
from tests.campaigns.test_campaign_new import URL, answers
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"neg": 15, "pos": 15})


@pytest.fixture
def classifier(dataset: Dataset) -> Classifier:
    classifier = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, classifier, wrong=2)
    return classifier


def asked(alice: User, dataset: Dataset, classifier: Classifier, protocol: str) -> tuple[set[str], str]:
    query = {"protocol": protocol, "dataset": dataset.slug, "classifier": classifier.slug}
    page = signed_in(alice).get(URL, query).content.decode()
    return set(re.findall(r'name="([\w-]+)"', page)), page


def sent(dataset: Dataset, classifier: Classifier, protocol: str, **changes: Any) -> dict[str, Any]:
    dropped = {"ks", "cannot_tell", *changes.pop("without", ())}
    data = answers(dataset, classifier, protocol=protocol, texts_per_label="5", most_per_worker="10", **changes)
    return {name: value for name, value in data.items() if name not in dropped}


def test_forward_simulation_asks_for_methods_and_examples(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    names, _ = asked(alice, dataset, classifier, "forward_simulation")
    assert {"methods", "metrics", "baselines", "displays", "examples_per_label", "protocol-ask_first"} <= names
    assert not {"ks", "cannot_tell", "judge_against", "allocation"} & names


def test_a_forward_simulation_is_drafted(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    data = sent(dataset, classifier, "forward_simulation", examples_per_label="3", baselines=["no_explanation"])
    response = signed_in(alice).post(URL, data | {"displays": ["colour"], "protocol-ask_first": "on"})
    assert response.status_code == 302, response.content.decode()
    campaign = Campaign.objects.get()
    assert campaign.allocation == Campaign.Allocation.BETWEEN and campaign.examples_per_label == 3
    assert campaign.judge_against == Campaign.JudgeAgainst.PREDICTION and campaign.protocol_settings["ask_first"]


@pytest.mark.parametrize(("examples", "says"), [("0", "greater than or equal to 1"), ("11", "16 are wanted")])
def test_examples_that_cannot_be_had_are_refused(
    alice: User, dataset: Dataset, classifier: Classifier, examples: str, says: str
) -> None:
    data = sent(dataset, classifier, "forward_simulation", examples_per_label=examples, displays=["colour"])
    assert says in signed_in(alice).post(URL, data).content.decode()
    assert not Campaign.objects.exists()


def test_examples_count_in_the_estimate(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    client = signed_in(alice)
    minutes = []
    for examples in ("1", "7"):
        data = sent(dataset, classifier, "forward_simulation", examples_per_label=examples, displays=["colour"])
        page = client.post("/campaigns/estimate/", data).content.decode()
        minutes.append(re.findall(r"Minutes a worker</dt><dd>(\d+)", page) or re.findall(r"(\d+)", page))
    assert minutes[0] != minutes[1]


def test_an_edit_is_asked_about_only_where_there_are_edits(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    data = sent(dataset, classifier, "counterfactual_simulation", displays=["colour"])
    client = signed_in(alice)
    assert "No text of it is an edit of another" in client.post(URL, data).content.decode()
    for text in dataset.texts.filter(key__in=["neg0", "neg1", "pos0", "pos1"]):
        edit(text, classifier, "pos")
    assert "to choose from" in client.post(URL, data).content.decode()


def test_marking_asks_for_no_method_and_names_the_label(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    names, page = asked(alice, dataset, classifier, "rationale_marking")
    assert {"judge_against", "protocol-picks"} <= names and "The label to justify" in page
    left_out = {"methods", "metrics", "baselines", "displays", "allocation", "ks", "cannot_tell", "examples_per_label"}
    assert not left_out & names


def test_a_marking_campaign_is_drafted(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    data = sent(dataset, classifier, "rationale_marking", without=("methods", "metrics"))
    response = signed_in(alice).post(URL, data | {"protocol-picks": "both"})
    assert response.status_code == 302, response.content.decode()
    campaign = Campaign.objects.get()
    assert campaign.methods == [] and campaign.metrics == [] and campaign.cannot_tell is False
    assert campaign.protocol_settings == {"picks": "both"}
