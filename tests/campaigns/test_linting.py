from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.models import Team
from campaigns.creating import copy_campaign
from campaigns.designing import propose_ks, word_counts
from campaigns.linting import lint, refuse
from campaigns.lints import LINTS, STOPPING, Finding, Severity
from campaigns.lints.exits import problems_of
from campaigns.lints.texts import label_tokens
from campaigns.models import Campaign
from campaigns.moving import CampaignError
from judging.models import Participation
from materials.colours import contrast, least_contrast
from materials.models import Text
from tests.campaigns.actors import live, ready

pytestmark = pytest.mark.django_db


def found(campaign: Campaign, name: str) -> Finding:
    [finding] = [one for one in lint(campaign) if one.name == name]
    return finding


def named(campaign: Campaign) -> set[str]:
    return {finding.name for finding in lint(campaign)}


def reword(campaign: Campaign, *contents: str) -> None:
    """The first texts of the sample say this."""
    for sampled, content in zip(campaign.sample.filter(role="item"), contents, strict=False):
        Text.objects.filter(pk=sampled.text_id).update(content=content)


def changed(campaign: Campaign, **fields: Any) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(**fields)
    campaign.refresh_from_db()
    return campaign


def test_it_works(team: Team) -> None:
    findings = lint(ready(team))
    assert findings[0].severity == Severity.WARNING and findings[-1].good
    assert {finding.name for finding in findings if not finding.good} == {"Contact", "Label words", "Near-duplicates"}
    assert all(finding.remedy for finding in findings if not finding.good)


def test_the_worst_comes_first_and_every_stopping_lint_is_among_all(team: Team) -> None:
    findings = lint(changed(ready(team), consent=" "))
    assert (findings[0].name, findings[0].severity) == ("Consent", Severity.STOP)
    assert set(STOPPING) <= set(LINTS)


def test_missing_consent_refuses_the_launch(team: Team) -> None:
    campaign = changed(ready(team), consent="")
    with pytest.raises(CampaignError, match="There is no consent text: .* Write one"):
        refuse(campaign)


def test_a_missing_contact_does_not(team: Team) -> None:
    campaign = ready(team)
    assert found(campaign, "Contact").severity == Severity.WARNING
    refuse(campaign)
    assert found(changed(campaign, contact="lab@example.org"), "Contact").good


def test_wording_that_is_not_translated_is_told_by_language(team: Team) -> None:
    campaign = ready(team)
    assert "Languages" not in named(campaign)
    told = found(changed(campaign, translations={"de": {}}, consent="Ours.", debrief="Words."), "Languages")
    assert told.severity == Severity.WARNING and "German: “Consent”, “Debriefing”." in told.text
    german = {"consent": "Unsere.", "debrief": "Wörter."}
    assert found(changed(campaign, translations={"de": german}), "Languages").good


def test_the_sample_is_told_with_its_labels(team: Team) -> None:
    campaign = ready(team)
    assert (found(campaign, "Sample").good, found(campaign, "Sample").text) == (True, "6 texts: 3 neg, 3 pos.")
    campaign.sample.filter(role="item", expected="neg").first().delete()  # type: ignore[union-attr]
    assert found(campaign, "Sample").text == "5 texts: 2 neg, 3 pos. The labels are not even."


def test_texts_that_the_largest_k_shows_whole_are_counted(team: Team) -> None:
    finding = found(ready(team, ks=[2, 40]), "Words")
    assert finding.text == "6 texts have no more than 40 words: the largest k shows them whole."
    assert finding.severity == Severity.WARNING and finding.remedy.startswith("Take numbers of words up to ")


def test_what_is_proposed_is_not_warned_of(team: Team) -> None:
    campaign = ready(team)
    fitting = changed(campaign, ks=propose_ks(word_counts(campaign.dataset)))
    assert found(fitting, "Words").good


def test_label_words_that_workers_see_are_found_in_any_case_and_form(team: Team) -> None:
    campaign = ready(team)
    names = ["negative", "sport"]
    campaign.classifier.label_names = names
    campaign.classifier.save()
    campaign.dataset.texts.update(label="")
    assert found(campaign, "Label words").good
    assert label_tokens(["Sci/Tech", "not_entailment", "1 star", "not"]) == {"sci", "tech", "not_entailment", "star"}


def test_a_shown_label_word_is_named_with_its_text(team: Team) -> None:
    campaign = ready(team)
    sampled = campaign.sample.filter(role="item")[0]
    reword(campaign, "Pos! said he", *["nothing of the kind"] * 5)
    finding = found(campaign, "Label words")
    assert finding.text.startswith(
        f"In 1 text workers see the word of a label, such as “Pos” in text {sampled.text.key}"
    )


def test_a_label_word_that_stays_hidden_is_no_matter(team: Team) -> None:
    campaign = ready(team, ks=[2])
    reword(campaign, *[f"{at} and so on to the end, where it says pos" for at in range(6)])
    assert found(campaign, "Label words").good


def test_near_duplicates_are_found_across_practice_too(team: Team) -> None:
    campaign = ready(team)
    long = "the plot of this long film takes its time and then comes to nothing at all"
    items = [f"{at} quite another film number {at} with words {at} of its own {at}" for at in range(6)]
    reword(campaign, long + " again", *items[1:])
    practice = campaign.sample.filter(role="practice")
    Text.objects.filter(pk=practice[0].text_id).update(content=long)
    Text.objects.filter(pk=practice[1].text_id).update(content="nothing like any other here")
    finding = found(campaign, "Near-duplicates")
    assert not finding.good and finding.text.startswith("2 texts are nearly the same")


def test_more_items_than_texts_are_too_many(team: Team) -> None:
    campaign = ready(team, most_per_worker=40)
    finding = found(campaign, "Load")
    assert finding.text.startswith("A worker is to judge 40 items, but there are only 6 texts")
    assert found(changed(campaign, most_per_worker=6), "Load").good


def test_a_latin_square_wants_an_item_of_each_condition(team: Team) -> None:
    campaign = ready(team, allocation="latin_square", most_per_worker=3)
    assert "has 4 conditions, but a worker judges only 3 items" in found(campaign, "Load").text
    assert found(changed(campaign, most_per_worker=4), "Load").good


def test_pay_is_judged_by_the_planned_time_and_says_what_would_be_fair(team: Team, settings: LazySettings) -> None:
    settings.MINIMUM_HOURLY_PAY = 8.0
    finding = found(ready(team, pay_per_worker="0.10", most_per_worker=6), "Pay")
    # (6 items and 2 of practice) x 20 s and a minute: 3 min 40 s.
    assert finding.text == "Pay comes to 1.64 USD an hour, by the time that was planned, under the least of 8."
    assert finding.remedy == "Pay at least 0.49 USD a worker, or ask for fewer items."


def test_pay_is_judged_by_the_pilots_own_time_where_there_was_one(team: Team, settings: LazySettings) -> None:
    settings.MINIMUM_HOURLY_PAY = 8.0
    pilot = live(team, pay_per_worker="2.00", most_per_worker=6)
    for minutes in (10, 20, 30, 40, 50):
        row = Participation.objects.create(
            campaign=pilot, worker_hash=str(minutes), named=True, quota=3, state="completed"
        )
        Participation.objects.filter(pk=row.pk).update(finished_at=row.arrived_at + timedelta(minutes=minutes))
    Participation.objects.create(
        campaign=pilot, worker_hash="s", named=True, quota=3, state="completed", parameters={"simulated": "1"},
        finished_at=timezone.now(),
    )  # fmt: skip
    copied = copy_campaign(pilot)
    for sampled in pilot.sample.all():
        copied.sample.create(text=sampled.text, role=sampled.role, position=sampled.position, expected="neg")
    # The median of ten minutes an item: an hour for six.
    assert found(copied, "Pay").text.startswith("Pay comes to 2.00 USD an hour, by the median time of the campaign it")


def test_too_short_a_lease_is_told(team: Team) -> None:
    campaign = ready(team, minutes_per_item=1, seconds_per_item=40)
    assert found(campaign, "Time for an item").remedy == "Allow at least 2 min for an item."
    assert "Time for an item" not in named(changed(campaign, minutes_per_item=2))


def test_blocks_that_never_end_are_told(team: Team) -> None:
    campaign = ready(team, block_size=6, most_per_worker=6)
    assert "nobody gets one" in found(campaign, "Breaks").text
    assert "Breaks" not in named(changed(campaign, block_size=2))


def test_low_k_items_are_no_known_answers(team: Team) -> None:
    campaign = ready(team, gold_items=1, ks=[2, 5])
    assert found(campaign, "Known answers").text.startswith("Items with a known answer show 5 words")
    campaign.conditions.filter(k=5).update(k=20)
    assert found(campaign, "Known answers").good
    assert "Known answers" not in named(changed(campaign, gold_items=0))


def test_texts_that_the_same_people_have_met_are_told(team: Team) -> None:
    first = live(team, once_per_dataset=True)
    second = copy_campaign(first)
    for sampled in first.sample.all():
        second.sample.create(text=sampled.text, role=sampled.role, position=sampled.position, expected="neg")
    assert "are judged in “Which words matter” too" in found(second, "Met before").text


@pytest.mark.parametrize(
    ("redirect", "severity", "said"),
    [
        ("https://app.prolific.co/submissions/complete?cc={code}", Severity.STOP, "is dead: app.prolific.co."),
        ("https://www.mturk.com/x", Severity.STOP, "is dead"),
        ("http://localhost:8000/done", Severity.STOP, "leads nowhere outside your own network: localhost."),
        ("https://192.168.0.7/done", Severity.STOP, "192.168.0.7"),
        ("https://panel/done", Severity.STOP, "leads nowhere"),
        ("htps://panel.org/done", Severity.STOP, "is no web address"),
        ("https:///done", Severity.STOP, "is no web address"),
        ("https://panel.org:port/done", Severity.STOP, "is no web address"),
        ("http://panel.org/done?cc={code}", Severity.WARNING, "is not encrypted"),
    ],
)
def test_addresses_that_lead_nowhere_are_told(redirect: str, severity: Severity, said: str) -> None:
    [problem] = problems_of(redirect)
    assert problem.severity == severity and said in problem.text and problem.remedy


@pytest.mark.parametrize(
    "redirect",
    ["https://app.prolific.com/submissions/complete?cc={code}", "https://panel.org/{id}/done", "https://x.org"],
)
def test_addresses_that_can_be_reached_pass(redirect: str) -> None:
    assert list(problems_of(redirect)) == []


def test_the_address_of_every_outcome_is_looked_at(team: Team) -> None:
    campaign = changed(
        ready(team), exits={"screened_out": {"code": "X", "redirect": "https://app.prolific.co/", "message": ""}}
    )
    assert found(campaign, "Exit").text == "The address for “Screened out” is dead: app.prolific.co."
    with pytest.raises(CampaignError, match="app.prolific.com"):
        refuse(campaign)


def test_a_code_that_an_address_wants_must_be_there(team: Team) -> None:
    campaign = changed(ready(team), completion_code="", exit_redirect="https://panel.org/?cc={code}")
    assert found(campaign, "Exit").severity == Severity.STOP
    assert found(changed(campaign, exit_redirect=""), "Exit").text == "Workers get no completion code."
    prolific = changed(campaign, recruitment="prolific")
    assert found(prolific, "Exit").severity == Severity.STOP
    assert found(changed(prolific, completion_code="C0DE"), "Exit").good


def test_text_on_every_mark_can_be_read(team: Team) -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21) and contrast("#777777", "#ffffff") == pytest.approx(
        4.48, abs=0.01
    )
    assert least_contrast() >= 4.5
    assert found(ready(team, protocol="rating", judge_against="prediction"), "Contrast").good
