"""From marks over rationales to plausibility."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from analysis.plausibility.metrics import score_plausibility
from campaigns.creating import create_campaign
from campaigns.models import Campaign
from campaigns.preparing import metrics_asked
from judging.assigning import assign_next
from judging.excluding import exclude
from judging.models import Participation
from judging.recording import record
from materials.models import Explanation, MetricScore, Text
from reports.taking_rationales import Conflict, TakingError, gather, take
from tests.campaigns.actors import live
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db


def marked(team: Team, *marks: set[int], judgments: int = 2) -> Campaign:
    """Six films; each worker marks the same words in all of them. A film begins with its label, then its number."""
    campaign = live(team, protocol="rationale_marking", methods=[], ks=[], judgments_per_stimulus=judgments)
    for number, words in enumerate(marks):
        worker(campaign, f"w{number}", words)
    return campaign


def worker(campaign: Campaign, name: str, words: set[int], **fields: object) -> Participation:
    values = {"worker_hash": name, "named": True, "quota": 6, "state": Participation.State.PRACTISED, **fields}
    person = campaign.participations.create(**values)
    while assignment := assign_next(person).assignment:
        record(assignment, {"answer": "marked" if words else "nothing", "words": sorted(words)})
    return person


def rationales(campaign: Campaign) -> dict[str, object]:
    texts = Text.objects.filter(pk__in=campaign.sample.filter(role="item").values("text"))
    return {text.key: text.rationale for text in texts}


def test_it_works(team: Team) -> None:
    campaign = marked(team, {0, 1}, {0})
    assert take(campaign, gather(campaign)) == 6
    found = rationales(campaign)
    key = next(iter(found))
    assert found[key] == [[0, 3, 1.0], [4, 4 + len(key[3:]), 0.5]]


def test_plausibility_compares_maps_with_what_workers_marked(team: Team) -> None:
    campaign = marked(team, {0, 1}, {0})
    take(campaign, gather(campaign))
    text = campaign.sample.filter(role="item").select_related("text")[0].text
    words = campaign.stimuli.get(text=text).content["words"]
    right, wrong = [float(-at) for at in range(len(words))], [float(at) for at in range(len(words))]
    assert score_plausibility("token_f1", words, right, text.rationale, {}).value == 1.0
    assert score_plausibility("token_f1", words, wrong, text.rationale, {}).value == 0.0
    assert (score_plausibility("rank_correlation", words, right, text.rationale, {}).value or 0) > 0
    later = create_campaign(team, "Later", "rating", campaign.dataset, campaign.classifier, methods=["gradient"])
    assert {"token_f1", "rank_correlation"} <= metrics_asked(later).keys()


def test_another_share_gives_other_words(team: Team) -> None:
    campaign = marked(team, {0, 1}, {0})
    take(campaign, gather(campaign, share=0.6))
    assert all(found == [[0, 3, 1.0]] for found in rationales(campaign).values())


def test_texts_that_too_few_marked_are_left_out(team: Team) -> None:
    campaign = marked(team, {0})
    found = gather(campaign)
    assert (found.rationales, found.short, found.least) == ({}, 6, 2)
    with pytest.raises(TakingError, match="marks of 2 people yet"):
        take(campaign, found)
    assert take(campaign, gather(campaign, least=1)) == 6


def test_excluded_and_simulated_workers_do_not_count(team: Team) -> None:
    campaign = marked(team, {0}, judgments=3)
    exclude(worker(campaign, "careless", {5}), "too fast")
    worker(campaign, "simulated", {6}, parameters={"simulated": "1"})
    assert all(spans == [[0, 3, 1.0]] for spans in gather(campaign, least=1).rationales.values())


def test_nothing_is_an_empty_rationale(team: Team) -> None:
    campaign = marked(team, set(), set())
    found = gather(campaign)
    assert found.empty == 6 and take(campaign, found) == 6
    assert set(map(str, rationales(campaign).values())) == {"[]"}


def test_other_rationales_are_never_lost_silently(team: Team) -> None:
    campaign = marked(team, {0}, {0})
    text = campaign.sample.filter(role="item")[0].text
    Text.objects.filter(pk=text.pk).update(rationale=[[4, 5]])
    with pytest.raises(Conflict, match=f"1 text has another rationale already .{text.key}."):
        take(campaign, gather(campaign))
    assert rationales(campaign)[text.key] == [[4, 5]] and sum(map(bool, rationales(campaign).values())) == 1
    assert take(campaign, gather(campaign), overwrite=True) == 6
    assert rationales(campaign)[text.key] == [[0, 3, 1.0]]


def test_the_same_marks_again_change_nothing(team: Team) -> None:
    campaign = marked(team, {0}, {0})
    take(campaign, gather(campaign))
    assert take(campaign, gather(campaign)) == 0


def test_scores_against_the_rationale_before_are_dropped(team: Team) -> None:
    campaign = marked(team, {0}, {0})
    text = campaign.sample.filter(role="item")[0].text
    explanation = Explanation.objects.create(
        text=text, classifier=campaign.classifier, method="lime", target=0, starts=[0], ends=[3], scores=[1], seconds=1
    )
    for metric in ("token_f1", "comprehensiveness"):
        MetricScore.objects.create(explanation=explanation, metric=metric, value=0.5)
    take(campaign, gather(campaign))
    assert [score.metric for score in explanation.metric_scores.all()] == ["comprehensiveness"]


def test_other_protocols_have_no_marks(team: Team) -> None:
    with pytest.raises(TakingError, match="mark no words"):
        gather(live(team))


def test_the_command_writes_them(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = marked(team, {0}, {0})
    call_command("take_rationales", campaign.slug)
    assert "6 rationales written, 0 the same as before; 0 texts left out" in capsys.readouterr().out
    call_command("take_rationales", campaign.slug, "--share", "0.9", "--least", "1")
    assert "0 rationales written, 6 the same" in capsys.readouterr().out


def test_the_command_asks_before_it_replaces(team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = marked(team, {0}, {0})
    Text.objects.update(rationale=[[4, 5]])
    with pytest.raises(SystemExit) as ended:
        call_command("take_rationales", campaign.slug)
    assert ended.value.code == 1 and "say --overwrite to replace them" in capsys.readouterr().err
    call_command("take_rationales", campaign.slug, "--overwrite")
    assert rationales(campaign)[campaign.sample.filter(role="item")[0].text.key] == [[0, 3, 1.0]]


def test_the_command_names_what_it_does_not_know(team: Team) -> None:
    with pytest.raises(CommandError, match="There is no campaign 'nope'"):
        call_command("take_rationales", "nope")
    with pytest.raises(CommandError, match="above 0 and up to 1"):
        call_command("take_rationales", "nope", "--share", "0")


def page_of(campaign: Campaign) -> str:
    return reverse("campaign_rationales", args=[campaign.slug])


def test_the_page_shows_what_it_would_write_and_writes_it(team: Team, alice: User) -> None:
    campaign, client = marked(team, {0}, {0}), signed_in(alice)
    assert page_of(campaign) in client.get(campaign.get_absolute_url()).content.decode()
    page = client.get(page_of(campaign)).content.decode()
    assert "Texts with enough marks</dt><dd>6" in page and 'name="overwrite"' not in page
    response = client.post(page_of(campaign), {"percent": "50", "least": "2"}, follow=True)
    assert "6 texts of Films now bear what workers marked." in response.content.decode()


def test_the_page_asks_before_it_replaces(team: Team, alice: User) -> None:
    campaign, client = marked(team, {0}, {0}), signed_in(alice)
    Text.objects.update(rationale=[[4, 5]])
    assert 'name="overwrite"' in client.get(page_of(campaign)).content.decode()
    response = client.post(page_of(campaign), {"percent": "50", "least": "2"})
    assert response.status_code == 422 and "Nothing was written" in response.content.decode()
    client.post(page_of(campaign), {"percent": "50", "least": "2", "overwrite": "on"})
    assert [[4, 5]] not in rationales(campaign).values()


@pytest.mark.parametrize("query", ["percent=0", "percent=x", "least=0"])
def test_numbers_that_cannot_be_are_told(team: Team, alice: User, query: str) -> None:
    page = signed_in(alice).get(f"{page_of(marked(team))}?{query}").content.decode()
    assert "errorlist" in page and "What will be written" not in page


def test_only_those_who_may_edit_take_marks(team: Team, bob: User, charlie: User, client: Client) -> None:
    campaign = marked(team)
    assert signed_in(bob).get(page_of(campaign)).status_code == 403
    assert signed_in(charlie).get(page_of(campaign)).status_code == 404
    assert client.get(page_of(campaign)).status_code == 302


def test_campaigns_without_marks_have_no_such_page(team: Team, alice: User) -> None:
    assert signed_in(alice).get(page_of(live(team))).status_code == 404
