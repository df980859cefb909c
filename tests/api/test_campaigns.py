"""Campaigns by the API: the wizard's own rules, and every state."""

from typing import Any

import pytest

from accounts.models import AuditEntry, Team, User
from campaigns.models import Campaign
from campaigns.moving import State
from tests.api.reaching import Speaker
from tests.campaigns.actors import draft, live, preparing, ready
from tests.materials.actors import films, judge, predict_right

pytestmark = pytest.mark.django_db
AT = "/api/v1/campaigns/"


@pytest.fixture
def speaker(alice: User) -> Speaker:
    return Speaker(alice)


@pytest.fixture
def asked(team: Team) -> dict[str, Any]:
    """The least that has to be said."""
    dataset, classifier = films(team, {"neg": 30, "pos": 30}), judge(team, ["neg", "pos"])
    predict_right(dataset, classifier)
    return {"name": "Which words", "protocol": "topk_guess", "dataset": dataset.slug, "classifier": classifier.slug}


def _wrong(answer: Any) -> dict[str, str]:
    assert answer.status_code == 422, answer.content
    assert answer.headers["Content-Type"] == "application/problem+json"
    return {one["pointer"].split("/")[1]: one["detail"] for one in answer.json()["errors"]}


def test_it_works(speaker: Speaker, asked: dict[str, Any]) -> None:
    answer = speaker.post(AT, asked | {"ks": [5, 2, 5], "methods": ["random", "gradient"]})
    assert answer.status_code == 201, answer.content
    row = Campaign.objects.get()
    assert answer.headers["Location"] == f"{AT}{row.slug}/"
    made = answer.json()
    assert (made["state"], made["ks"], made["methods"]) == ("draft", [2, 5], ["gradient", "random"])
    assert made["question"] and made["consent"] and made["completion_code"] == row.completion_code
    assert speaker.get(f"{AT}{row.slug}/").json() == made
    assert speaker.get(AT).json()["results"] == [made]
    assert AuditEntry.objects.get(act="created").subject_name == "Which words"


DESIGN: dict[str, Any] = {
    "methods": ["gradient", "integrated_gradients", "random"],
    "method_params": {"integrated_gradients": {"nodes": 30}},
    "metrics": ["comprehensiveness"],
    "ks": [3],
    "texts_per_label": 4,
    "judgments_per_stimulus": 3,
    "most_per_worker": 4,
    "protocol_settings": {"choice_order": "shuffled", "mask": "equal"},
    "baselines": ["full_text"],
    "allocation": "latin_square",
    "block_size": 2,
    "once_per_dataset": True,
    "practice_items": 2,
    "practice_needed": 1,
    "comprehension": [{"question": "What is asked?", "choices": ["The label", "The weather"], "right": 0}],
    "checks": [{"question": "Choose left here.", "choices": ["left", "right"], "right": 0}] * 2,
    "gold_items": 2,
    "rules": {"failed_checks": {"failed": 2}, "too_fast": {}},
    "demographics": [
        {"question": "How old are you?", "kind": "number", "choices": [], "optional": True},
        {"question": "Do you read reviews?", "kind": "choice", "choices": ["Yes", "No"], "optional": False},
    ],
    "content_warning": "Some films are sad.",
    "retention_months": 12,
    "translations": {"de": {"question": "Wovon handelt der Text?", "phrases": {"Yes": "Ja"}}},
    "recruitment": "open_link",
    "exits": {"declined": {"code": "NO", "redirect": "https://panel.example/{code}", "message": ""}},
    "completion_code": "DONE",
    "pay_per_worker": "3.50",
    "hypotheses": "Gradients help.",
    "comparisons": [["gradient", "random"]],
}


def test_all_that_a_wizard_asks_can_be_said_and_is_kept(speaker: Speaker, asked: dict[str, Any]) -> None:
    answer = speaker.post(AT, asked | DESIGN)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    # A rule is kept with its thresholds.
    assert set(made["rules"]) == set(DESIGN["rules"]) and made["rules"]["failed_checks"] == {"failed": 2}
    same = [name for name in DESIGN if name not in ("rules", "comprehension", "checks", "translations")]
    assert {name: made[name] for name in same} == {name: DESIGN[name] for name in same}
    assert [one["right"] for one in made["checks"]] == [0, 0]
    assert made["translations"]["de"]["question"] == "Wovon handelt der Text?"
    again = speaker.post(AT, asked | {name: made[name] for name in DESIGN} | {"name": "Again"})
    assert again.status_code == 201, again.content
    fresh = again.json()
    assert {name: fresh[name] for name in DESIGN} == {name: made[name] for name in DESIGN}


@pytest.mark.parametrize(
    ("said", "where", "what"),
    [
        ({"texts_per_label": 100}, "texts_per_label", "There are only"),
        ({"methods": []}, "methods", "Choose at least one method"),
        ({"methods": ["no_such"]}, "methods", "no_such"),
        ({"ks": []}, "ks", "required"),
        ({"dataset": "none"}, "dataset", "There is no such dataset"),
        ({"completion_code": "", "exit_redirect": ""}, "completion_code", "Workers need a code"),
        ({"method_params": {"integrated_gradients": {"nodes": "many"}}}, "methods", "nodes"),
        ({"comparisons": [["gradient", "lime"]]}, "comparisons", "not among the arms"),
        ({"demographics": [{"question": "Age?", "kind": "choice", "choices": ["old"]}]}, "demographics", "two choices"),
        ({"exits": {"declined": {"redirect": "https://x.example/{code}"}}}, "exits", "Give a code"),
        ({"rules": {"failed_checks": {"failed": 5}}}, "rules", "only 0 attention checks"),
    ],
)
def test_what_the_wizard_refuses_is_refused_in_its_words(
    speaker: Speaker, asked: dict[str, Any], said: dict[str, Any], where: str, what: str
) -> None:
    wrong = _wrong(speaker.post(AT, asked | {"methods": ["gradient", "integrated_gradients"]} | said))
    assert what in wrong[where], wrong
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    "said",
    [
        {"ks": "5"}, {"ks": ["5"]}, {"only_correct": "yes"}, {"rules": []}, {"protocol_settings": {"no_such": 1}},
        {"translations": {"de": {"question": 5}}}, {"protocol": "no_such"}, {"allocation": "no_such"},
        {"name": ""}, {"name": "a\0b"}, {"checks": [{"question": "a"}]}, {"texts_per_label": -1},
        {"comparisons": [["gradient"]]}, {"dataset": {"slug": "films"}}, {"retention_months": 2**40},
    ],
)  # fmt: skip
def test_what_the_schema_does_not_allow_is_told_with_its_place(
    speaker: Speaker, asked: dict[str, Any], said: dict[str, Any]
) -> None:
    answer = speaker.post(AT, asked | said)
    assert answer.status_code == 400, answer.content
    (name,) = said
    assert answer.json()["errors"][0]["pointer"].split("/")[1] == name


@pytest.mark.parametrize(
    "said",
    [
        {"rules": {"no_such": {}}}, {"rules": {"failed_checks": {"no_such": 1}}}, {"exits": {"no_such": {}}},
        {"method_params": {"gradient": {"no_such": 1}}}, {"translations": {"xx": {}}},
    ],
)  # fmt: skip
def test_what_there_is_not_is_told_with_its_place(
    speaker: Speaker, asked: dict[str, Any], said: dict[str, Any]
) -> None:
    answer = speaker.post(AT, asked | said)
    assert answer.status_code == 422, answer.content
    (name,) = said
    assert answer.json()["errors"][0]["pointer"] == f"/{name}"


def test_a_draft_is_changed_and_what_is_not_said_stays(speaker: Speaker, asked: dict[str, Any]) -> None:
    made = speaker.post(AT, asked | DESIGN).json()
    answer = speaker.ask("PATCH", f"{AT}{made['slug']}/", {"ks": [4], "only_correct": True})
    assert answer.status_code == 200, answer.content
    changed = answer.json()
    differ = {name for name in made if made[name] != changed[name]}
    assert differ == {"ks", "only_correct"}


def test_a_change_of_what_another_has_changed_meanwhile_is_refused(speaker: Speaker, asked: dict[str, Any]) -> None:
    slug = speaker.post(AT, asked).json()["slug"]
    etag = speaker.get(f"{AT}{slug}/").headers["ETag"]
    first = speaker.ask("PATCH", f"{AT}{slug}/", {"contact": "a@example.org"}, {"If-Match": etag})
    second = speaker.ask("PATCH", f"{AT}{slug}/", {"contact": "b@example.org"}, {"If-Match": etag})
    assert (first.status_code, second.status_code) == (200, 412)
    assert Campaign.objects.get().contact == "a@example.org"


def test_only_a_draft_is_changed_or_deleted(speaker: Speaker, team: Team) -> None:
    campaign = live(team)
    assert speaker.ask("PATCH", f"{AT}{campaign.slug}/", {"ks": [4]}).status_code == 409
    assert speaker.ask("DELETE", f"{AT}{campaign.slug}/").status_code == 409
    copied = speaker.post(f"{AT}{campaign.slug}/copy/")
    assert copied.status_code == 201 and copied.json()["copied_from"] == campaign.slug
    assert speaker.ask("DELETE", f"{AT}{copied.json()['slug']}/").status_code == 204


def test_a_post_that_comes_twice_makes_one_campaign(speaker: Speaker, asked: dict[str, Any]) -> None:
    answers = [speaker.post(AT, asked, Idempotency_Key="one") for _ in range(2)]
    assert answers[0].json() == answers[1].json() and Campaign.objects.count() == 1


def test_the_buttons_of_a_campaign(speaker: Speaker, team: Team) -> None:
    campaign = live(team)
    for act, state in (("pause", "paused"), ("resume", "live"), ("close", "closed")):
        assert speaker.post(f"{AT}{campaign.slug}/{act}/").json()["state"] == state
    late = speaker.post(f"{AT}{campaign.slug}/pause/")
    assert late.status_code == 409 and late.json()["detail"] == "The campaign is closed already."
    assert [entry.act for entry in AuditEntry.objects.order_by("pk")][-3:] == ["paused", "resumed", "closed"]
    assert speaker.post(f"{AT}{campaign.slug}/explode/").status_code == 404


def test_it_is_prepared_and_a_launch_is_asked_for(speaker: Speaker, team: Team) -> None:
    campaign = draft(team)
    assert speaker.get(f"{AT}{campaign.slug}/preview/").status_code == 404
    assert speaker.post(f"{AT}{campaign.slug}/prepare/").json()["state"] == "preparing"
    told = speaker.get(f"{AT}{campaign.slug}/progress/").json()
    assert (told["job"], told["state"], told["done"]) == ("prepare", "running", 0) and told["total"] > 0


def test_what_is_ready_is_looked_at_and_launched(speaker: Speaker, team: Team) -> None:
    campaign = ready(team)
    findings = speaker.get(f"{AT}{campaign.slug}/findings/").json()
    assert findings and set(findings[0]) == {"name", "severity", "text", "remedy"}
    seen = speaker.get(f"{AT}{campaign.slug}/preview/?text=2&condition=1").json()
    assert (seen["number"], seen["condition"], seen["total"]) == (2, 1, 6) and seen["content"]["question"]
    assert speaker.get(f"{AT}{campaign.slug}/preview/?text=x").status_code == 400
    assert speaker.post(f"{AT}{campaign.slug}/launch/").status_code == 200
    assert speaker.get(f"{AT}{campaign.slug}/progress/").json()["job"] == "launch"


def test_progress_in_every_state(speaker: Speaker, team: Team) -> None:
    campaign = live(team)
    told = speaker.get(f"{AT}{campaign.slug}/progress/").json()
    assert (told["job"], told["state"], told["done"], told["total"]) == ("judge", "running", 0, 48)
    Campaign.objects.update(state=State.PAUSED)
    assert speaker.get(f"{AT}{campaign.slug}/progress/").json()["state"] == "paused"


def test_the_list_is_narrowed_by_state(speaker: Speaker, team: Team) -> None:
    campaign = preparing(team)
    assert [row["slug"] for row in speaker.get(f"{AT}?state=preparing").json()["results"]] == [campaign.slug]
    assert speaker.get(f"{AT}?state=live").json()["results"] == []
    assert speaker.get(f"{AT}?state=asleep").status_code == 400


def test_the_list_costs_no_more_for_more_campaigns(
    speaker: Speaker, team: Team, django_assert_max_num_queries: Any
) -> None:
    campaign = draft(team)
    for number in range(5):
        campaign.pk, campaign.slug = None, f"copy-{number}"
        campaign.save()
    with django_assert_max_num_queries(12):
        assert len(speaker.get(AT).json()["results"]) == 6
