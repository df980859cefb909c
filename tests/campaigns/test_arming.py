import pytest

from accounts.models import Team
from campaigns.arming import arms, described, families, field_name, read_params, settled, values_of
from campaigns.preregistering import design
from campaigns.rendering import render_all
from catalogue.methods import METHODS
from materials.resolving import params_of
from tests.campaigns.actors import draft, live, preparing

LIME, SMOOTH = METHODS["lime"], METHODS["smoothgrad"]


def test_it_works() -> None:
    data = {field_name("lime", "samples"): " 500 ", field_name("lime", "ridge"): "1.0", "param-gradient-x": "?"}
    assert read_params([LIME], data) == {"lime": {"samples": 500}}


def test_what_is_left_empty_is_the_default() -> None:
    assert read_params([LIME, SMOOTH], {}) == {}
    assert params_of(settled(LIME, {})) == params_of(LIME)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("samples", "many", "LIME: samples is 'many'; give a value like 200."),
        ("samples", "2.5", "LIME: samples is '2.5'"),
        ("samples", "1", "the least is 2"),
        ("ridge", "nan", "ridge is 'nan'"),
    ],
)
def test_values_that_cannot_be_are_named(field: str, value: str, said: str) -> None:
    with pytest.raises(ValueError, match="LIME") as refusal:
        read_params([LIME], {field_name("lime", field): value})
    assert said in str(refusal.value)


def test_a_choice_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="it may be gradient, input_x_gradient"):
        read_params([SMOOTH], {field_name("smoothgrad", "of"): "random"})


def test_parameters_may_give_scores_their_sign() -> None:
    assert (settled(SMOOTH, {}).signed, settled(SMOOTH, {"of": "input_x_gradient"}).signed) == (False, True)


def test_an_arm_is_described_by_what_is_not_usual() -> None:
    assert described(settled(LIME, {"samples": 500})) == "LIME (samples = 500)"
    assert described(settled(LIME, {})) == "LIME"


def test_methods_are_grouped_without_loss() -> None:
    found = families(METHODS.values(), ["lime"], values_of({"lime": {"samples": 500}}), {})
    choices = [choice for _, members in found for choice in members]
    assert sorted(choice.method.name for choice in choices) == sorted(METHODS)
    assert [choice.method.name for choice in choices if choice.chosen] == ["lime"]
    assert [choice.method.name for choice in choices if choice.is_set] == ["lime"]


def test_a_campaign_asks_for_its_parameters_and_shows_their_maps(team: Team) -> None:
    campaign = preparing(team, methods=["lime", "random"], method_params={"lime": {"samples": 50}})
    assert campaign.run
    asked = {entry["method"]: entry["params"] for entry in campaign.run.methods}
    assert asked["lime"]["samples"] == 50 and asked["lime"] == params_of(arms(campaign)["lime"])


def test_maps_by_other_parameters_are_not_shown(team: Team) -> None:
    campaign = live(team, methods=["lime", "random"], method_params={"lime": {"samples": 50}})
    shown = [one.explanation for one in campaign.stimuli.select_related("explanation")]
    assert {one.params.get("samples") for one in shown if one} == {50, None}
    campaign.method_params = {"lime": {"samples": 60}}
    made = render_all(campaign, campaign.sample.all(), campaign.conditions.all())
    assert {one.condition.method for one in made} == {"random"}


def test_parameters_are_part_of_the_design(team: Team) -> None:
    assert design(draft(team, method_params={"random": {"seed": 3}}))["method_params"] == {"random": {"seed": 3}}
