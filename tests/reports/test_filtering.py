"""The report of a part of the judgments: by method, label, language and output of the model."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from campaigns.models import Campaign
from materials.models import Prediction
from reports.aggregating import report_of, study_of
from reports.filtering import ALL, Asked, Choices, choices_of, text_facts
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(team: Team) -> Campaign:
    """Texts 000 to 003 are labelled neg, pos, neg, pos; the model says pos of all but 003, of which it says nothing."""
    campaign = judged_campaign(team)
    for text in campaign.dataset.texts.exclude(key="003"):
        Prediction.objects.create(text=text, classifier=campaign.classifier, label="pos", probabilities=[0.1, 0.9])
    campaign.dataset.texts.filter(key="002").update(language="de")
    return campaign


def url(campaign: Campaign, end: str = "") -> str:
    return f"/campaigns/{campaign.slug}/report/{end}"


def texts(campaign: Campaign, asked: Asked) -> set[str]:
    judgments = study_of(campaign, asked).judgments
    assert judgments is not None
    return set(judgments["text"])


def test_it_works(campaign: Campaign) -> None:
    assert texts(campaign, Asked(label="pos")) == {"001", "003"}
    assert texts(campaign, Asked(language="de")) == {"002"}
    assert texts(campaign, Asked(output="right")) == {"001"}
    assert texts(campaign, Asked(output="wrong")) == {"000", "002"}
    assert texts(campaign, Asked(label="neg", language="de")) == {"002"}
    report = report_of(campaign, Asked(methods=("random",))).report
    assert [row["method"] for row in report["methods"]] == ["random"]
    assert report["meta"]["filter"] == {"in_words": "Random", "n": 24, "of": 48, "n_texts": 4}


def test_all_is_the_report_itself(campaign: Campaign) -> None:
    assert not ALL and Asked(label="pos")
    assert report_of(campaign, ALL).report == report_of(campaign).report
    assert "filter" not in report_of(campaign).report["meta"]


def test_only_what_differs_can_be_chosen(campaign: Campaign) -> None:
    campaign.dataset.texts.update(language="en")
    found = choices_of(campaign, text_facts(campaign))
    assert (found.methods, found.labels) == (["integrated_gradients", "random"], ["neg", "pos"])
    assert (found.languages, found.outputs) == ([], ["right", "wrong"])


def test_texts_are_in_the_language_of_their_dataset_unless_they_say_otherwise(campaign: Campaign) -> None:
    campaign.dataset.language = "en"
    assert choices_of(campaign, text_facts(campaign)).languages == ["de", "en"]


def test_published_verdicts_hold_no_judgments_to_choose_from(campaign: Campaign) -> None:
    campaign.imported = {"verdicts": True}
    assert choices_of(campaign, text_facts(campaign)) == Choices([], [], [], [])


def test_a_report_of_nothing_says_so(campaign: Campaign, alice: User) -> None:
    page = signed_in(alice).get(url(campaign), {"label": "pos", "language": "de"})
    assert page.status_code == 200 and "There are no judgments that count yet" in page.content.decode()


def test_the_page_says_that_it_is_filtered_and_leads_back(campaign: Campaign, alice: User) -> None:
    page = signed_in(alice).get(url(campaign), {"label": "pos"}).content.decode()
    assert "Filtered: texts labelled pos" in page and "24 of 48 judgments" in page
    assert "not as a finding" in page and "Fewer than 20 texts" in page
    assert f'href="{url(campaign)}">Show all' in page
    assert "files/tables" not in page


def test_unknown_values_are_refused_and_nothing_is_filtered(campaign: Campaign, alice: User) -> None:
    for query in ({"label": "grue"}, {"method": "<script>"}, {"output": "maybe"}):
        response = signed_in(alice).get(url(campaign), query)
        page = response.content.decode()
        assert response.status_code == 400 and "Nothing is filtered." in page and "48 judgments counted" in page
        assert "<script>" not in page.replace("<script src", "")


def test_large_campaigns_are_not_filtered_while_one_waits(
    campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.page_views.is_too_large", lambda _campaign: True)
    monkeypatch.setattr("reports.page_views.drawn_of", report_of)
    response = signed_in(alice).get(url(campaign), {"label": "pos"})
    assert response.status_code == 400 and "too many judgments to filter" in response.content.decode()


def test_a_large_report_is_waited_for(campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.page_views.drawn_of", lambda _campaign: None)
    page = signed_in(alice).get(url(campaign)).content.decode()
    assert "The report is being made" in page and url(campaign, "ready/") in page
    waiting = signed_in(alice).get(url(campaign, "ready/"))
    assert waiting.status_code == 204 and "HX-Refresh" not in waiting
    monkeypatch.setattr("reports.page_views.drawn_of", report_of)
    assert signed_in(alice).get(url(campaign, "ready/"))["HX-Refresh"] == "true"


def test_readers_may_filter_and_others_may_not(campaign: Campaign, bob: User, charlie: User) -> None:
    for end in ("", "ready/"):
        assert signed_in(bob).get(url(campaign, end), {"label": "pos"}).status_code in (200, 204)
        assert signed_in(charlie).get(url(campaign, end), {"label": "pos"}).status_code == 404
        assert Client().get(url(campaign, end))["Location"].startswith(reverse("login"))
        assert signed_in(bob).post(url(campaign, end)).status_code == 405


def test_equal_wishes_are_made_once(campaign: Campaign) -> None:
    first = report_of(campaign, Asked(methods=("random",)))
    assert report_of(campaign, Asked(methods=("random",))).made_at == first.made_at
    assert report_of(campaign, Asked(methods=("lime",))).made_at != first.made_at
