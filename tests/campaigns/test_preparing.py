import pytest

from accounts.models import Team, User
from campaigns.models import Campaign, SampledText
from campaigns.moving import CampaignError
from campaigns.preparing import back_to_draft, evaluate, is_evaluated, prepare, settle
from materials.models import Prediction, Run, Text
from tests.campaigns.actors import draft, live, preparing, ready, work


def test_it_works(team: Team, alice: User) -> None:
    campaign = draft(team)
    prepare(campaign, alice)
    assert campaign.state == Campaign.State.PREPARING
    assert campaign.sample.filter(role=SampledText.Role.ITEM).count() == 6
    assert campaign.sample.filter(role=SampledText.Role.PRACTICE).count() == 2
    assert [str(condition) for condition in campaign.conditions.all()] == [
        "gradient, k = 2",
        "gradient, k = 5",
        "random, k = 2",
        "random, k = 5",
    ]
    run = campaign.run
    assert run and run.kind == Run.Kind.EXPLAIN and run.started_by == alice
    assert {entry["metric"] for entry in run.metrics} == {"comprehensiveness", "sufficiency"}
    assert sorted(pk for chunk in run.chunks.all() for pk in chunk.text_ids) == sorted(
        campaign.sample.values_list("text", flat=True)
    )


@pytest.mark.parametrize(
    ("rationale", "more"),
    [
        ([], set()),
        ([[0, 3]], {"token_f1", "iou_f1", "auprc", "pointing_game"}),
        ([[0, 3, 0.5]], {"token_f1", "iou_f1", "auprc", "pointing_game", "rank_correlation"}),
    ],
)
def test_texts_that_people_marked_are_scored_by_their_marks(
    team: Team, rationale: list[list[float]], more: set[str]
) -> None:
    campaign = draft(team)
    Text.objects.filter(pk__in=campaign.dataset.texts.values("pk")[:1]).update(rationale=rationale)
    prepare(campaign, None)
    assert campaign.run
    assert {entry["metric"] for entry in campaign.run.metrics} == {"comprehensiveness", "sufficiency"} | more


def test_it_is_ready_when_the_run_is_done(team: Team) -> None:
    campaign = preparing(team)
    settle(campaign)
    assert campaign.state == Campaign.State.PREPARING
    work(campaign)
    settle(campaign)
    assert campaign.state == Campaign.State.READY and campaign.notices == []


def test_a_second_click_is_told_so(team: Team) -> None:
    campaign = preparing(team)
    with pytest.raises(CampaignError, match="preparing by now"):
        prepare(campaign, None)
    assert campaign.dataset.runs.count() == 1


def test_a_failed_text_is_replaced_and_named(team: Team) -> None:
    campaign = preparing(team)
    failed = campaign.sample.filter(role="item")[0].text
    work(campaign, failing=frozenset({failed.pk}))
    settle(campaign)
    assert campaign.state == Campaign.State.PREPARING and campaign.sample.count() == 8
    assert campaign.notices == [{"text": failed.pk, "key": failed.key, "reason": "too strange"}]
    assert not campaign.sample.filter(text=failed).exists()
    work(campaign)
    settle(campaign)
    assert campaign.state == Campaign.State.READY


def test_a_failed_text_is_left_out_where_no_other_is_left(team: Team) -> None:
    campaign = preparing(team, texts=4)
    failed = campaign.sample.filter(role="item")[0].text
    work(campaign, failing=frozenset({failed.pk}))
    settle(campaign)
    work(campaign)
    settle(campaign)
    assert campaign.state == Campaign.State.READY
    assert campaign.sample.filter(role="item").count() == 5


def test_where_most_texts_fail_it_stops_and_says_why(team: Team) -> None:
    campaign = preparing(team)
    work(campaign, failing=frozenset(campaign.dataset.texts.values_list("pk", flat=True)))
    settle(campaign)
    assert campaign.state == Campaign.State.DRAFT and not campaign.sample.exists()
    assert campaign.notices[0]["reason"] == "too strange" and len(campaign.notices) == 8


def test_unevaluated_texts_are_asked_for_where_predictions_matter(team: Team) -> None:
    campaign = draft(team, only_correct=True)
    Prediction.objects.all().delete()
    with pytest.raises(CampaignError, match="evaluate it first"):
        prepare(campaign, None)


def test_a_text_that_cannot_be_predicted_does_not_stop_it(team: Team) -> None:
    campaign = draft(team, only_correct=True)
    evaluate(campaign, None)
    text = campaign.dataset.texts.first()
    assert text
    Prediction.objects.filter(text=text).delete()
    assert not is_evaluated(campaign)
    evaluate(campaign, None)
    campaign.dataset.runs.get(state=Run.State.RUNNING).failures.create(text=text, reason="too strange")
    assert is_evaluated(campaign)
    prepare(campaign, None)
    assert not campaign.sample.filter(text=text).exists()


def test_a_classifier_that_is_not_ready_is_told(team: Team) -> None:
    campaign = draft(team)
    campaign.classifier.state = "failed"
    for step in (prepare, evaluate):
        with pytest.raises(CampaignError, match="Critic is not ready"):
            campaign.classifier.save()
            step(campaign, None)


@pytest.mark.parametrize(
    ("names", "says"), [(["good", "bad"], "are not among the classifier's labels"), (["neg", "Pos"], "")]
)
def test_labels_must_agree(team: Team, names: list[str], says: str) -> None:
    campaign = draft(team)
    campaign.classifier.label_names = names
    campaign.classifier.save()
    if says:
        with pytest.raises(CampaignError, match=says):
            prepare(campaign, None)
    else:
        prepare(campaign, None)
        assert set(campaign.sample.values_list("expected", flat=True)) == {"neg", "Pos"}


@pytest.mark.parametrize(
    ("names", "says"),
    [(["neg"], "no label for workers to guess"), (["neg", "pos", "cannot_tell"], "would be taken for “Cannot tell”")],
)
def test_workers_need_answers_to_tell_apart(team: Team, names: list[str], says: str) -> None:
    campaign = draft(team)
    campaign.classifier.label_names = names
    campaign.classifier.save()
    with pytest.raises(CampaignError, match=says):
        prepare(campaign, None)


def test_too_few_texts_are_refused(team: Team) -> None:
    campaign = draft(team, texts_per_label=8)
    with pytest.raises(CampaignError, match="8 are wanted"):
        prepare(campaign, None)
    assert not campaign.sample.exists()


def test_without_gold_labels_the_prediction_must_be_judged(team: Team) -> None:
    campaign = draft(team)
    campaign.dataset.texts.update(label="")
    with pytest.raises(CampaignError, match="no gold labels"):
        prepare(campaign, None)


def test_back_to_draft_can_be_prepared_again(team: Team) -> None:
    campaign = ready(team)
    back_to_draft(campaign)
    assert campaign.state == Campaign.State.DRAFT and campaign.run is None
    assert not campaign.sample.exists() and not campaign.conditions.exists()
    prepare(campaign, None)
    assert campaign.state == Campaign.State.PREPARING


@pytest.mark.django_db
def test_practice_and_known_answers_are_as_many_as_asked_for(team: Team) -> None:
    campaign = preparing(team, practice_items=1, gold_items=3)
    roles = list(campaign.sample.order_by("role").values_list("role", flat=True))
    assert roles == ["gold"] * 3 + ["item"] * 6 + ["practice"]


@pytest.mark.django_db
def test_known_answers_become_stimuli_without_places(team: Team) -> None:
    campaign = live(team, gold_items=2)
    gold = campaign.stimuli.filter(role=SampledText.Role.GOLD)
    assert gold.count() == 2 and {one.condition.k for one in gold} == {5}
    assert not campaign.places.filter(stimulus__role="gold").exists()
