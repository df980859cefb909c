"""Which automatic metrics a campaign computes: said in the wizard, asked of the run."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from campaigns.creating import copy_campaign
from campaigns.models import Campaign
from campaigns.preparing import prepare
from campaigns.preregistering import design
from materials.models import Classifier, Dataset
from tests.campaigns.actors import draft
from tests.campaigns.test_campaign_new import URL, answers, refused
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"neg": 15, "pos": 15})


@pytest.fixture
def classifier(dataset: Dataset) -> Classifier:
    classifier = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return classifier


def ticked(page: str) -> list[str]:
    boxes = page.split('name="metrics" value="')[1:]
    return [box.partition('"')[0] for box in boxes if box.partition(">")[0].endswith(" checked")]


def wizard(client: Client) -> str:
    return client.get(URL + "?protocol=topk_guess&dataset=films&classifier=critic").content.decode()


def test_it_works(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    page = wizard(signed_in(alice))
    assert ticked(page) == ["comprehensiveness", "sufficiency"]
    assert 'value="max_sensitivity"' in page and "Lower is better." in page
    signed_in(alice).post(URL, answers(dataset, classifier, metrics=["tau_loo", "aopc"]))
    campaign = Campaign.objects.get()
    assert campaign.metrics == ["aopc", "tau_loo"]
    page = signed_in(alice).get(campaign.get_absolute_url()).content.decode()
    assert "<dt>Metrics</dt><dd>AOPC, Tau-LOO</dd>" in page
    assert ticked(signed_in(alice).get(f"{campaign.get_absolute_url()}edit/").content.decode()) == ["aopc", "tau_loo"]


def test_metrics_by_marks_are_no_choice(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    assert 'value="token_f1"' not in wizard(signed_in(alice))


@pytest.mark.parametrize("metrics", [["magic"], ["aopc", "token_f1"]])
def test_an_unknown_metric_is_refused(
    alice: User, dataset: Dataset, classifier: Classifier, metrics: list[str]
) -> None:
    page = refused(signed_in(alice), answers(dataset, classifier, metrics=metrics))
    assert f"{metrics[-1]} is not one of the available choices" in page


@pytest.mark.parametrize(("chosen", "shown"), [(["tau_loo"], "Tau-LOO"), ([], "none")])
def test_the_run_is_asked_for_them(team: Team, alice: User, chosen: list[str], shown: str) -> None:
    campaign = draft(team, metrics=chosen)
    prepare(campaign, alice)
    assert campaign.run and campaign.run.metrics == [{"metric": name, "params": {}} for name in chosen]
    assert f"<dt>Metrics</dt><dd>{shown}</dd>" in signed_in(alice).get(campaign.get_absolute_url()).content.decode()


def test_more_metrics_take_longer(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    Classifier.objects.update(seconds_per_piece=0.01)

    def said(metrics: list[str]) -> Any:
        data = answers(dataset, classifier, metrics=metrics)
        return signed_in(alice).post(reverse("campaign_estimate"), data).context["computing"].seconds

    assert said([]) < said(["aopc"]) < said(["aopc", "max_sensitivity"])


def test_they_are_copied_and_no_part_of_what_workers_see(team: Team) -> None:
    campaign = draft(team, metrics=["aopc"])
    assert copy_campaign(campaign).metrics == ["aopc"]
    assert "metrics" not in design(campaign)
