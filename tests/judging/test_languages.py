"""In which language a worker reads the pages."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team
from campaigns.models import Campaign
from judging.models import Participation
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of, press, text_of

GERMAN = {"question": "Ist die Kritik gut oder schlecht?", "instructions": "Lies die Wörter."}


@pytest.fixture
def campaign(team: Team) -> Campaign:
    """In English, and in German and Arabic besides."""
    return live_campaign(team, translations={"de": GERMAN, "ar": {}})


def arrive(client: Client, campaign: Campaign, accepted: str = "", **query: str) -> Any:
    headers = {"Accept-Language": accepted} if accepted else {}
    return client.get(reverse("worker_arrival", args=[campaign.slug]), query, headers=headers, follow=True)


def language() -> str:
    return Participation.objects.get().language


@pytest.mark.django_db
def test_it_works(client: Client, campaign: Campaign) -> None:
    page = text_of(arrive(client, campaign, "fr, de-AT;q=0.8, en;q=0.5"))
    assert '<html lang="de" dir="ltr">' in page and "Willkommen" in page
    assert language() == "de"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "query", "expected"),
    [
        ("", {}, "en"),
        ("fr", {}, "en"),
        ("ar-EG", {}, "ar"),
        ("de", {"lang": "ar"}, "ar"),
        ("de", {"lang": "fr"}, "de"),
        ("de", {"lang": "\0"}, "de"),
        ("%%%,;q=x", {}, "en"),
    ],
)
def test_the_link_wins_over_the_browser_and_the_campaign_has_the_last_word(
    client: Client, campaign: Campaign, accepted: str, query: dict[str, str], expected: str
) -> None:
    arrive(client, campaign, accepted, **query)
    assert language() == expected


@pytest.mark.django_db
def test_arabic_runs_from_right_to_left(client: Client, campaign: Campaign) -> None:
    page = text_of(arrive(client, campaign, "ar"))
    assert '<html lang="ar" dir="rtl">' in page and "مرحبًا بكم" in page


@pytest.mark.django_db
def test_what_is_not_translated_says_what_language_it_is_in(client: Client, campaign: Campaign) -> None:
    page = text_of(arrive(client, campaign, "de"))
    assert '<div class="wording" dir="auto" lang="en"><p>We keep your answers.</p></div>' in page


@pytest.mark.django_db
def test_the_welcome_page_offers_the_languages_there_are(client: Client, campaign: Campaign) -> None:
    welcome = arrive(client, campaign)
    assert 'value="de" lang="de">Deutsch' in text_of(welcome) and "日本語" not in text_of(welcome)
    chosen = client.post(page_of(Participation.objects.get(), "worker_language"), {"language": "ar"}, follow=True)
    assert '<html lang="ar"' in text_of(chosen) and language() == "ar"


@pytest.mark.django_db
def test_a_campaign_in_one_language_offers_no_choice(client: Client, team: Team) -> None:
    assert "worker_language" not in text_of(arrive(client, live_campaign(team)))
    assert 'class="languages"' not in text_of(arrive(client, live_campaign(team, slug="other")))


@pytest.mark.django_db
@pytest.mark.parametrize("wanted", ["ja", "xx", "", "\0"])
def test_a_language_that_is_not_offered_changes_nothing(client: Client, campaign: Campaign, wanted: str) -> None:
    arrive(client, campaign, "de")
    client.post(page_of(Participation.objects.get(), "worker_language"), {"language": wanted})
    assert language() == "de"


@pytest.mark.django_db
def test_who_chose_keeps_the_choice_when_coming_back(client: Client, campaign: Campaign) -> None:
    arrive(client, campaign, "de", PROLIFIC_PID="wanda")
    arrive(client, campaign, "en", PROLIFIC_PID="wanda")
    assert language() == "de"
    arrive(client, campaign, "en", PROLIFIC_PID="wanda", lang="ar")
    assert language() == "ar"


@pytest.mark.django_db
def test_who_has_agreed_goes_on_in_the_language_of_the_consent(client: Client, campaign: Campaign) -> None:
    press(client, arrive(client, campaign, "de"), choice="agree")
    client.post(page_of(Participation.objects.get(), "worker_language"), {"language": "ar"})
    assert language() == "de"


@pytest.mark.django_db
def test_an_item_asks_in_the_workers_language_and_leaves_the_text_alone(client: Client, campaign: Campaign) -> None:
    page = text_of(client.get(page_of(worker(campaign, language="de"))))
    assert "Ist die Kritik gut oder schlecht?" in page and "1 von 40" in page and "Aufhören" in page
    assert ">positive</span>" in page and "verdeckte" in page


@pytest.mark.django_db
def test_a_question_that_is_not_translated_says_what_language_it_is_in(client: Client, campaign: Campaign) -> None:
    page = text_of(client.get(page_of(worker(campaign, language="ar"))))
    assert 'lang="en">Is the review good or bad?</h1>' in page


@pytest.mark.django_db
def test_errors_and_notices_speak_it_too(client: Client, campaign: Campaign) -> None:
    wanda = worker(campaign, language="de")
    item = client.get(page_of(wanda))
    refused = press(client, item)
    assert "Wählen Sie zuerst eine Antwort." in text_of(refused)
    press(client, item, answer="positive")
    assert "Die erste Antwort gilt" in text_of(press(client, item, answer="positive"))


@pytest.mark.django_db
def test_numbers_are_written_as_the_language_writes_them(client: Client, campaign: Campaign) -> None:
    Campaign.objects.update(pay_per_worker="2.50")
    wanda = worker(campaign, state=Participation.State.ARRIVED, language="de")
    assert "2,50 USD" in text_of(client.get(page_of(wanda)))


@pytest.mark.django_db
def test_a_study_that_is_closed_or_unknown_says_so_in_the_browsers_language(client: Client, campaign: Campaign) -> None:
    Campaign.objects.update(state="closed")
    assert "Diese Studie ist geschlossen" in text_of(arrive(client, campaign, "de"))
    unknown = client.get("/w/nowhere/", headers={"Accept-Language": "ja"})
    assert '<html lang="ja"' in text_of(unknown)


@pytest.mark.django_db
def test_a_german_campaign_is_german_to_everybody(client: Client, team: Team) -> None:
    campaign = live_campaign(team, slug="filme", language="de", question="Gut?")
    page = text_of(arrive(client, campaign, "fr"))
    assert '<html lang="de"' in page and "Willkommen" in page


@pytest.mark.django_db
def test_the_researchers_pages_stay_english(client: Client) -> None:
    assert '<html lang="en">' in text_of(client.get(reverse("login"), headers={"Accept-Language": "de"}))
