"""Imported maps are arms like any other: from the wizard to the report."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Team, User
from campaigns.covering import covered, offered, uncovered
from campaigns.creating import create_campaign
from campaigns.launching import launch
from campaigns.models import Campaign, Place, Stimulus
from campaigns.moving import CampaignError
from campaigns.preparing import NotEvaluated, prepare, settle
from judging.models import Judgment
from materials.maps.checking import Asked
from materials.maps.importing import import_maps
from materials.maps.reading import Row
from materials.models import Classifier, Dataset, Explanation, Run
from tests.campaigns.actors import SMALL, work
from tests.campaigns.test_campaign_new import answers
from tests.conftest import signed_in
from tests.judging.walking import arrive, press
from tests.materials.actors import films, judge, predict_right

ARM = "imported:GPT"


@pytest.fixture
def dataset(team: Team) -> Dataset:
    return films(team, {"neg": 8, "pos": 8})


@pytest.fixture
def classifier(dataset: Dataset) -> Classifier:
    classifier = judge(dataset.team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return classifier


def bring(dataset: Dataset, classifier: Classifier, most: int = 16, **changes: Any) -> None:
    """Maps of the first texts, in which the second word is the most salient."""
    rows = []
    for at, text in enumerate(dataset.texts.all()[:most], start=1):
        words = text.content.split()
        values = {"text_id": text.key, "method": "GPT", "words": words, "scores": [0, 2] + [1] * (len(words) - 2)}
        rows.append(Row(at, values | changes))
    assert import_maps(dataset, rows, classifier, Asked(source="a chat")).written


def draft(dataset: Dataset, classifier: Classifier, **fields: Any) -> Campaign:
    return create_campaign(
        dataset.team, "Study", "topk_guess", dataset, classifier, **(SMALL | {"methods": [ARM, "random"]} | fields)
    )


def test_it_works(dataset: Dataset, classifier: Classifier) -> None:
    bring(dataset, classifier)
    (method,) = offered(dataset, classifier)
    assert method.label == "GPT (imported)"
    assert method.description == "Maps made elsewhere (a chat) and imported: of 16 of the 16 texts."
    assert covered(dataset, classifier, [ARM, "random"]) == set(dataset.texts.values_list("pk", flat=True))
    assert covered(dataset, classifier, ["random"]) is None and uncovered(dataset, classifier, [ARM]) == ""


def test_only_maps_of_the_predicted_label_count(dataset: Dataset, classifier: Classifier) -> None:
    bring(dataset, classifier, target="neg")
    assert covered(dataset, classifier, [ARM]) == set(dataset.texts.filter(label="neg").values_list("pk", flat=True))
    assert "GPT (imported) has maps of the predicted label for 8 of the 16 texts" in uncovered(
        dataset, classifier, [ARM]
    )


def test_a_campaign_draws_only_texts_that_have_a_map(dataset: Dataset, classifier: Classifier) -> None:
    bring(dataset, classifier)
    lacking = dataset.texts.filter(key__in=["neg0", "pos0", "neg3"])
    Explanation.objects.filter(text__in=lacking).delete()
    for seed in range(5):
        campaign = draft(dataset, classifier, sample_seed=seed)
        prepare(campaign, None)
        assert not campaign.sample.filter(text__in=lacking).exists() and campaign.sample.count() == 8


def test_too_few_maps_are_told(dataset: Dataset, classifier: Classifier) -> None:
    bring(dataset, classifier, most=10)
    with pytest.raises(CampaignError) as caught:
        prepare(draft(dataset, classifier), None)
    assert "with the label “pos”" in str(caught.value)
    assert "GPT (imported) has maps of the predicted label for 10 of the 16 texts of Films under Critic" in str(
        caught.value
    )


def test_predictions_come_first(dataset: Dataset, classifier: Classifier) -> None:
    bring(dataset, classifier)
    classifier.predictions.filter(text__key="neg1").delete()
    with pytest.raises(NotEvaluated):
        prepare(draft(dataset, classifier), None)


def test_preparing_computes_no_imported_map(dataset: Dataset, classifier: Classifier) -> None:
    bring(dataset, classifier, params={"shots": 3})
    campaign = draft(dataset, classifier)
    prepare(campaign, None)
    assert campaign.run and campaign.run.methods[0] == {"method": ARM, "params": {"shots": 3}}


def test_the_wizard_offers_what_covers_the_chosen_materials(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    bring(dataset, classifier)
    judge(dataset.team, ["neg", "pos"], "Other")
    url = "/campaigns/new/?protocol=topk_guess&dataset=films&classifier="
    page = signed_in(alice).get(url + "critic").content.decode()
    assert "GPT (imported)" in page and f'value="{ARM}"' in page and "of 16 of the 16 texts" in page
    assert ARM not in signed_in(alice).get(url + "other").content.decode()


def test_an_imported_method_can_be_chosen_and_changed(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    params = {"shots": 3, "prompt": {"role": None, "words": [1, "a"]}, "greedy": True}
    bring(dataset, classifier, params=params)
    client = signed_in(alice)
    data = answers(dataset, classifier, methods=[ARM, "random"], texts_per_label="3", most_per_worker="6")
    assert client.post("/campaigns/new/", data).status_code == 302
    campaign = Campaign.objects.get()
    assert campaign.methods == ["random", ARM]
    page = client.get(f"/campaigns/{campaign.slug}/edit/").content.decode()
    assert f'value="{ARM}" checked' in page
    prepare(campaign, None)
    assert campaign.run and {"method": ARM, "params": params} in campaign.run.methods
    assert "Random, GPT (imported)" in client.get(f"/campaigns/{campaign.slug}/").content.decode()


def test_an_imported_method_that_covers_nothing_is_no_choice(
    alice: User, dataset: Dataset, classifier: Classifier
) -> None:
    data = answers(dataset, classifier, methods=[ARM])
    assert (
        f"{ARM} is not one of the available choices" in signed_in(alice).post("/campaigns/new/", data).content.decode()
    )


def test_too_few_maps_are_told_in_the_wizard(alice: User, dataset: Dataset, classifier: Classifier) -> None:
    bring(dataset, classifier, most=10)
    data = answers(dataset, classifier, methods=[ARM], texts_per_label="5", most_per_worker="6")
    assert "for 10 of the 16 texts" in signed_in(alice).post("/campaigns/new/", data).content.decode()


def test_from_imported_maps_to_a_report(alice: User, dataset: Dataset, classifier: Classifier, tmp_path: Path) -> None:
    bring(dataset, classifier)
    campaign = draft(dataset, classifier, judgments_per_stimulus=1, ks=[1])
    prepare(campaign, None)
    played(campaign)
    settle(campaign)
    assert campaign.state == Campaign.State.READY
    researcher = signed_in(alice)
    page = researcher.get(f"/campaigns/{campaign.slug}/").content.decode()
    assert "GPT (imported)" in page and "Every text of the dataset has its imported maps." in page
    assert "GPT (imported), k = 1" in researcher.get(f"/campaigns/{campaign.slug}/preview/").content.decode()
    launch(campaign)
    shown = Stimulus.objects.filter(condition__method=ARM, role="item").first()
    assert shown and shown.text.content.split()[1] in str(shown.content)
    judge_all(campaign)
    assert Judgment.objects.count() == 12
    live = researcher.get(f"/campaigns/{campaign.slug}/live/").content.decode()
    assert "GPT (imported)" in live
    assert "GPT (imported)" in researcher.get(f"/campaigns/{campaign.slug}/report/").content.decode()
    call_command("report", campaign.slug, out=tmp_path / "report")
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert {row["method"] for row in report["methods"]} == {ARM, "random"}
    call_command("export_judgments", campaign.slug, format=["csv"], out=tmp_path)
    again = tmp_path / "again"
    call_command("analyse", str(tmp_path / "study-judgments.csv"), preset="peekaword", out=again)
    assert "GPT (imported)" in (again / "report.html").read_text()
    assert "GPT (imported)" in (again / "tables" / "methods.tex").read_text()


def played(campaign: Campaign) -> None:
    """Worker processes leave imported maps alone."""
    assert campaign.run
    asked = campaign.run.methods
    Run.objects.update(methods=[entry for entry in asked if entry["method"] != ARM])
    campaign.refresh_from_db()
    work(campaign)
    Run.objects.update(methods=asked)
    campaign.refresh_from_db()


def judge_all(campaign: Campaign) -> None:
    number = 0
    while Place.objects.exclude(state=Place.State.FILLED).exists():
        number += 1
        client = Client()
        page = press(client, arrive(client, campaign, PROLIFIC_PID=f"w{number}"), choice="agree")
        page = press(client, page)
        for _ in range(2):
            page = press(client, press(client, page, answer="neg"))
        while "data-keep" in page.content.decode():
            page = press(client, page, answer="neg")
