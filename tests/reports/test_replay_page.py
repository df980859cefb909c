"""Any judgment as it was seen."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Team, User
from campaigns.models import Campaign
from judging.assigning import assign_next
from judging.models import Assignment, Judgment, Participation
from judging.presenting import presentation_of
from judging.recording import Circumstances, record
from protocols import PROTOCOLS
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker

pytestmark = pytest.mark.django_db
PHONE = {"width": 390, "height": 664, "ratio": 3.0, "scheme": "dark", "away_ms": 4200}
ANSWERS: dict[str, dict[str, Any]] = {
    "topk_guess": {"answer": "negative"},
    "reveal": {"answer": "negative", "step": 0},
    "rating": {"answer": 2},
    "pairwise": {"answer": "second"},
    "word_importance": {"answer": 6},
    "forward_simulation": {"answer": "negative"},
    "counterfactual_simulation": {"answer": "negative"},
    "rationale_marking": {"answer": "marked", "words": [0, 4]},
}


def judged(
    team: Team, protocol: str = "pairwise", answer: dict[str, Any] | None = None, **fields: Any
) -> tuple[Campaign, Judgment]:
    """One item that Wanda answered on her phone."""
    campaign = live_campaign(team, protocol=protocol, **fields)
    wanda = worker(campaign)
    return campaign, answered(campaign, wanda, answer or ANSWERS[protocol])


def answered(campaign: Campaign, participation: Participation, answer: dict[str, Any]) -> Judgment:
    turn = assign_next(participation)
    assert turn.assignment
    own = presentation_of(campaign, turn.content, participation.pk, str(turn.assignment))
    record(turn.assignment, answer, Circumstances(own, turn.number, 8400, 6100, PHONE))
    return Judgment.objects.get(assignment=turn.assignment)


def url(campaign: Campaign, judgment: Judgment, part: str = "") -> str:
    return f"/campaigns/{campaign.slug}/judgments/{judgment.pk}/{part}"


def text_of(response: Any) -> str:
    assert response.status_code == 200, response
    return str(response.content.decode())


def test_it_works(team: Team, alice: User) -> None:
    campaign, judgment = judged(team)
    page = text_of(signed_in(alice).get(url(campaign, judgment)))
    assert 'width="390" height="664"' in page and "390 × 664 pixels, dark, in English" in page
    assert '<strong dir="auto">Random</strong>' in page and "Left, or above" in page
    assert "8.4 s, 6.1 s of them active, 4.2 s in another window" in page and "1 of 40" in page
    assert 'sandbox="allow-scripts"' in page and "version 1 of this protocol" in page and "at version" not in page


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_page_is_the_one_that_the_worker_saw(team: Team, alice: User, protocol: str) -> None:
    campaign = live_campaign(team, protocol=protocol)
    wanda = worker(campaign)
    turn = assign_next(wanda)
    assert turn.assignment
    own = presentation_of(campaign, turn.content, wanda.pk, str(turn.assignment))
    content = Assignment.objects.get(pk=turn.assignment).stimulus.content
    record(turn.assignment, ANSWERS[protocol], Circumstances(own, 1, 900, 900, PHONE))
    judgment = Judgment.objects.get()
    seen = text_of(signed_in(alice).get(url(campaign, judgment, "seen/")))
    context = PROTOCOLS[protocol].context(content, own, 0)
    for shown in ("body", "edited"):
        if shown in context and protocol != "rationale_marking" and not (shown == "body" and context.get("map")):
            assert str(context[shown]) in seen
    for _, panel in context.get("panels", []):
        assert str(panel.body) in seen
    assert campaign.question in seen and "/replay/dark.css" in seen and "js/worker.js" not in seen
    assert text_of(signed_in(alice).get(url(campaign, judgment)))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_answer_that_was_given_is_marked(team: Team, alice: User, protocol: str) -> None:
    campaign, judgment = judged(team, protocol)
    seen = text_of(signed_in(alice).get(url(campaign, judgment, "seen/")))
    assert f'value="{judgment.answer["answer"]}" aria-pressed="true"' in seen
    assert seen.count("aria-pressed") == 1
    if protocol == "rationale_marking":
        assert "value=0 checked" in seen and "value=4 checked" in seen and seen.count(" checked") == 2


def test_several_questions_are_shown_with_their_answers(team: Team, alice: User) -> None:
    settings = PROTOCOLS["rating"].complete_settings({"beside": ["useful"]})
    campaign, judgment = judged(team, "rating", {"answer": 2, "useful": 5}, protocol_settings=settings)
    seen = text_of(signed_in(alice).get(url(campaign, judgment, "seen/")))
    assert 'name="answer" value="2" checked' in seen and 'name="useful" value="5" checked' in seen
    assert "How much do the marked words help you" in text_of(signed_in(alice).get(url(campaign, judgment)))


def test_a_stored_side_counts_and_not_what_would_be_drawn_now(team: Team, alice: User) -> None:
    campaign = live_campaign(team, protocol="pairwise")
    sides = {}
    for left in ("first", "second"):
        turn = assign_next(worker(campaign, left))
        assert turn.assignment
        record(turn.assignment, {"answer": "tie"}, Circumstances({"left": left}))
        seen = text_of(signed_in(alice).get(url(campaign, Judgment.objects.latest("pk"), "seen/")))
        sides[left] = seen.index('value="second"') > seen.index('value="first"')
    assert sides == {"first": True, "second": False}


def test_uncovered_words_are_as_many_as_at_the_answer(team: Team, alice: User) -> None:
    campaign, judgment = judged(team, "reveal")
    early = text_of(signed_in(alice).get(url(campaign, judgment, "seen/")))
    Assignment.objects.update(step=3)
    late = text_of(signed_in(alice).get(url(campaign, judgment, "seen/")))
    assert (early.count('class="shown"'), late.count('class="shown"')) == (1, 4)


def test_the_page_is_in_the_workers_language(team: Team, alice: User) -> None:
    campaign, judgment = judged(team)
    Participation.objects.update(language="de")
    seen = text_of(signed_in(alice).get(url(campaign, judgment, "seen/")))
    assert '<html lang="de"' in seen and "in German" in text_of(signed_in(alice).get(url(campaign, judgment)))


def test_a_frame_may_stand_in_our_pages_and_send_nothing(team: Team, alice: User) -> None:
    campaign, judgment = judged(team)
    response = signed_in(alice).get(url(campaign, judgment, "seen/"))
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    policy = response["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in policy and "sandbox allow-scripts" in policy
    assert "/w/" not in text_of(response) and signed_in(alice).post(url(campaign, judgment, "seen/")).status_code == 405


@pytest.mark.parametrize(("scheme", "media"), [("dark", "@media all"), ("light", "@media not all")])
def test_the_stylesheet_is_that_of_the_workers_scheme(client: Client, scheme: str, media: str) -> None:
    css = text_of(client.get(f"/replay/{scheme}.css"))
    assert media in css and "prefers-color-scheme" not in css and f"color-scheme: {scheme}" in css
    assert client.get("/replay/purple.css").status_code == 404


def test_a_judgment_without_circumstances_is_shown_all_the_same(team: Team, alice: User) -> None:
    campaign = live_campaign(team)
    turn = assign_next(worker(campaign))
    assert turn.assignment
    record(turn.assignment, {"answer": "negative"})
    page = text_of(signed_in(alice).get(url(campaign, Judgment.objects.get())))
    assert "not known; shown as on 1280 × 800, light" in page and "not known; received" in page


def test_a_size_that_nobody_has_is_bounded(team: Team, alice: User) -> None:
    campaign = live_campaign(team)
    turn = assign_next(worker(campaign))
    assert turn.assignment
    record(turn.assignment, {"answer": "negative"}, Circumstances({}, 1, 1, 1, {"width": 99999, "height": 1}))
    assert 'width="4000" height="240"' in text_of(signed_in(alice).get(url(campaign, Judgment.objects.get())))


def test_an_older_version_is_told(team: Team, alice: User) -> None:
    campaign, judgment = judged(team, "topk_guess")
    assert "The protocol is at version 2 now" in text_of(signed_in(alice).get(url(campaign, judgment)))


def test_it_leads_to_the_workers_other_judgments(team: Team, alice: User) -> None:
    campaign, first = judged(team)
    second = answered(campaign, Participation.objects.get(), {"answer": "tie"})
    page = text_of(signed_in(alice).get(url(campaign, first)))
    assert url(campaign, second) in page and 'rel="prev"' not in page
    assert "Neither" not in page and '<strong dir="auto">tie</strong>' in text_of(
        signed_in(alice).get(url(campaign, second))
    )


def test_known_answers_can_be_seen_too(team: Team, alice: User) -> None:
    campaign = live_campaign(team, texts=8, gold=2, gold_items=1)
    wanda = worker(campaign, quota=4)
    while not (turn := assign_next(wanda)).gold:
        assert turn.assignment
        record(turn.assignment, {"answer": "positive"})
    judgment = answered(campaign, wanda, {"answer": "positive"})
    assert "its answer was known before" in text_of(signed_in(alice).get(url(campaign, judgment)))


def test_the_list_finds_judgments_by_worker_and_by_text(team: Team, alice: User) -> None:
    campaign, first = judged(team)
    answered(campaign, worker(campaign, "walter"), {"answer": "tie"})
    everybody = text_of(signed_in(alice).get(f"/campaigns/{campaign.slug}/judgments/"))
    assert "2 judgments" in everybody and url(campaign, first) in everybody and "Gradient against Random" in everybody
    wanda = first.assignment.participation_id
    hers = text_of(signed_in(alice).get(f"/campaigns/{campaign.slug}/judgments/?worker=w{wanda}"))
    assert f"1 judgment of worker w{wanda}" in hers
    text = first.assignment.text
    assert text and "1 judgment" in text_of(
        signed_in(alice).get(f"/campaigns/{campaign.slug}/judgments/?text={text.key}")
    )
    assert "No judgment of this kind" in text_of(
        signed_in(alice).get(f"/campaigns/{campaign.slug}/judgments/?text=nowhere")
    )
    assert signed_in(alice).get(f"/campaigns/{campaign.slug}/judgments/?worker=wanda").status_code == 404


def test_the_list_takes_a_constant_number_of_queries(team: Team, alice: User) -> None:
    campaign, _ = judged(team)
    client, counts = signed_in(alice), []
    for name in ("walter", "wilma"):
        answered(campaign, worker(campaign, name), {"answer": "tie"})
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/campaigns/{campaign.slug}/judgments/")
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("part", ["", "seen/"])
def test_who_may_see_it(team: Team, alice: User, bob: User, charlie: User, client: Client, part: str) -> None:
    campaign, judgment = judged(team)
    assert signed_in(alice).get(url(campaign, judgment, part)).status_code == 200
    assert signed_in(bob).get(url(campaign, judgment, part)).status_code == 403
    assert signed_in(charlie).get(url(campaign, judgment, part)).status_code == 404
    assert client.get(url(campaign, judgment, part)).status_code == 302
    other = live_campaign(team, slug="other")
    assert signed_in(alice).get(url(other, judgment, part)).status_code == 404
    assert signed_in(alice).get(f"/campaigns/{campaign.slug}/judgments/{judgment.pk + 99}/{part}").status_code == 404


def test_an_analyst_gets_judgments_without_times_and_ways_to_the_worker(team: Team, alice: User, bob: User) -> None:
    campaign, judgment = judged(team)
    address = f"/campaigns/{campaign.slug}/judgments/"
    shown, hidden = (signed_in(user).get(address).content.decode() for user in (alice, bob))
    for part in (
        "Received",
        "Seconds",
        f'href="{url(campaign, judgment, "")}"',
        f"/campaigns/{campaign.slug}/participants/",
    ):
        assert part in shown and part not in hidden
    assert f"?worker=w{judgment.assignment.participation_id}" in hidden


def test_the_list_is_for_the_team_alone(team: Team, charlie: User, client: Client) -> None:
    campaign, _ = judged(team)
    assert signed_in(charlie).get(f"/campaigns/{campaign.slug}/judgments/").status_code == 404
    assert client.get(f"/campaigns/{campaign.slug}/judgments/").status_code == 302
