import pytest

from accounts.models import Team
from campaigns.models import Campaign
from campaigns.rendering import render_all
from materials.models import Explanation, Prediction
from tests.campaigns.actors import ready


@pytest.fixture
def campaign(team: Team) -> Campaign:
    return ready(team)


def test_it_works(campaign: Campaign) -> None:
    sample, conditions = list(campaign.sample.select_related("text")), list(campaign.conditions.all())
    made = list(render_all(campaign, sample, conditions))
    assert [(one.sampled, one.condition) for one in made] == [(text, cell) for text in sample for cell in conditions]
    for one in made:
        assert sum(word is not None for word in one.content["words"]) == one.condition.k
        assert one.content["choices"] == ["neg", "pos"] and one.content["question"] == campaign.question


def test_what_a_worker_is_to_find_out_is_nowhere_in_it(campaign: Campaign) -> None:
    for one in render_all(campaign, campaign.sample.select_related("text"), campaign.conditions.all()):
        shown = str({name: value for name, value in one.content.items() if name not in ("choices", "words")})
        assert not any(secret in shown for secret in ("gradient", "random", "expected", "label"))


def test_the_language_is_the_text_s_or_the_dataset_s(campaign: Campaign) -> None:
    sampled = campaign.sample.select_related("text")[0]
    sampled.text.language = "cy"
    (one,) = render_all(campaign, [sampled], campaign.conditions.all()[:1])
    assert one.content["language"] == "cy"
    sampled.text.language = ""
    (one,) = render_all(campaign, [sampled], campaign.conditions.all()[:1])
    assert one.content["language"] == "en"


def test_an_explanation_of_another_label_is_not_shown(campaign: Campaign) -> None:
    """Only what explains the prediction."""
    sampled = campaign.sample.select_related("text")[0]
    prediction = Prediction.objects.get(text=sampled.text, classifier=campaign.classifier)
    other = next(name for name in campaign.classifier.label_names if name != prediction.label)
    Prediction.objects.filter(pk=prediction.pk).update(label=other)
    assert list(render_all(campaign, [sampled], campaign.conditions.all())) == []


def test_an_explanation_by_other_parameters_is_not_shown(team: Team) -> None:
    campaign = ready(team, methods=["lime"])
    sampled = campaign.sample.select_related("text")[0]
    assert len(list(render_all(campaign, [sampled], campaign.conditions.all()))) == 2
    found = Explanation.objects.get(text=sampled.text, method="lime")
    found.delete()
    found.pk, found.params = None, {"samples": 7, "kernel_width": 0.25, "ridge": 1.0}
    found.save(force_insert=True)
    assert list(render_all(campaign, [sampled], campaign.conditions.all())) == []


def test_a_text_without_a_prediction_is_left_out(campaign: Campaign) -> None:
    Prediction.objects.all().delete()
    assert list(render_all(campaign, campaign.sample.select_related("text"), campaign.conditions.all())) == []
