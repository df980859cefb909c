"""Two campaigns side by side, by numbers and on the page."""

import re
from dataclasses import replace

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from analysis.study import RANDOM, Study
from campaigns.models import Campaign
from reports.comparing import compare, contrast_figure, contrast_table
from reports.drawing import draw_all
from reports.measuring import Settings
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign, odd_campaign
from tests.reports.studies import guessing_study, rating_study

AT = "/campaigns/compare/"
SETTINGS = Settings(0, 400)


def of_dataset(study: Study, dataset: str) -> Study:
    return replace(study, meta=study.meta | {"dataset": dataset})


def raised(study: Study, by: float) -> Study:
    assert study.judgments is not None
    return replace(study, judgments=study.judgments.assign(score=study.judgments["score"] + by))


def test_it_works() -> None:
    """The same texts, each rated half a point higher: differences are exact, and so are their intervals."""
    one = of_dataset(rating_study(), "films")
    found = compare(one, raised(one, 0.5), SETTINGS)
    assert (found.status, found.paired) == ("ok", 20)
    assert [row["method"] for row in found.rows] == ["gradient", "integrated_gradients", "lime", RANDOM]
    for row in found.rows:
        assert row["difference"] == pytest.approx(0.5) and row["ci"] == pytest.approx([0.5, 0.5])
        assert row["other"] - row["one"] == pytest.approx(0.5) and row["n_one"] == row["n_other"] == 20


def test_texts_of_other_datasets_are_drawn_on_their_own() -> None:
    """The same numbers then have a difference with a width, about as wide as the two means' widths together."""
    one, other = of_dataset(rating_study(), "films"), of_dataset(raised(rating_study(), 0.5), "books")
    found = compare(one, other, SETTINGS)
    assert found.paired is None
    for row in found.rows:
        widths = [np.ptp(row[name]) for name in ("one_ci", "other_ci")]
        assert row["difference"] == pytest.approx(0.5)
        assert np.ptp(row["ci"]) == pytest.approx(float(np.hypot(*widths)), rel=0.25)


def test_only_common_texts_count_where_there_are_some() -> None:
    one, other = (
        of_dataset(guessing_study(n_texts=12), "films"),
        of_dataset(guessing_study(n_texts=20, seed=1), "films"),
    )
    found = compare(one, other, SETTINGS)
    assert found.paired == 12 and {row["n_other"] for row in found.rows} == {12}


def test_what_cannot_be_compared_has_a_status() -> None:
    ratings, guesses = rating_study(), guessing_study()
    assert compare(ratings, guesses, SETTINGS).status == "other_measure"
    assert ratings.judgments is not None
    mine = replace(ratings, judgments=ratings.judgments.assign(method="mine"))
    assert compare(ratings, mine, SETTINGS).status == "no_common_method"
    nothing = replace(ratings, judgments=ratings.judgments.head(0))
    assert compare(ratings, nothing, SETTINGS).status == "nothing_scored"


def test_table_and_figure_name_both() -> None:
    found = compare(of_dataset(guessing_study(), "a"), of_dataset(guessing_study(seed=1), "b"), SETTINGS)
    table = contrast_table(found, ("First", "Second"))
    assert [column.label for column in table.columns][1:5:3] == ["First", "Second"]
    (figure,) = contrast_figure(found, ("First", "Second"))
    assert figure.title == "Second less First: difference of each method"
    assert {row["label"] for row in figure.wide["data"]["values"]} >= {"LIME", "Random"}


@pytest.fixture
def both(team: Team) -> tuple[Campaign, Campaign]:
    return judged_campaign(team), odd_campaign(team, "rating")


@pytest.mark.django_db
def test_the_page_works(team: Team, both: tuple[Campaign, Campaign], alice: User, bob: User) -> None:
    one, _ = both
    copy = Campaign.objects.create(
        team=team, name="Again", slug="again", protocol="topk_guess", dataset=one.dataset, state="closed",
        classifier=one.classifier, methods=["random"], question="?", instructions="", consent="",
    )  # fmt: skip
    page = signed_in(alice).get(AT).content.decode()
    assert "Films" in page and "Again" in page
    for user in (alice, bob):
        answer = signed_in(user).get(AT, {"a": one.slug, "b": copy.slug})
        assert answer.status_code == 200 and "no judgments that score a method" in answer.content.decode()


@pytest.mark.django_db
def test_the_page_says_what_has_no_common_measure(both: tuple[Campaign, Campaign], alice: User) -> None:
    page = signed_in(alice).get(AT, {"a": both[0].slug, "b": both[1].slug}).content.decode()
    assert "no common measure" in page


@pytest.mark.django_db
def test_the_page_shows_scores_of_both(team: Team, alice: User) -> None:
    """Of one name, so that they are told apart by their slugs."""
    one, other = (judged_campaign(team, protocol=f"{kind}_simulation") for kind in ("forward", "counterfactual"))
    page = signed_in(alice).get(AT, {"a": one.slug, "b": other.slug}).content.decode()
    assert f"{other.slug} less {one.slug}: difference of each method" in page and "no texts in common" in page
    assert "spec-contrast" in page and f"Report: {one.slug}" in page


@pytest.mark.django_db
def test_one_campaign_twice_and_large_ones_are_refused(
    both: tuple[Campaign, Campaign], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (campaign.slug for campaign in both)
    answer = signed_in(alice).get(AT, {"a": one, "b": one})
    assert answer.status_code == 400 and "these are one" in answer.content.decode()
    monkeypatch.setattr("reports.contrasting.is_too_large", lambda _campaign: True)
    answer = signed_in(alice).get(AT, {"a": one, "b": other})
    assert answer.status_code == 400 and "too many judgments to compare" in answer.content.decode()


@pytest.mark.django_db
def test_campaigns_of_others_are_not_known(both: tuple[Campaign, Campaign], alice: User, charlie: User) -> None:
    one, other = (campaign.slug for campaign in both)
    assert signed_in(charlie).get(AT, {"a": one, "b": other}).status_code == 404
    assert signed_in(alice).get(AT, {"a": one, "b": "nothing"}).status_code == 404
    assert one not in signed_in(charlie).get(AT).content.decode()


@pytest.mark.django_db
def test_it_is_for_reading_and_for_those_who_signed_in(alice: User) -> None:
    assert signed_in(alice).post(AT).status_code == 405
    assert Client().get(AT)["Location"].startswith(reverse("login"))


def test_the_axis_of_shares_is_in_points_as_the_table_is() -> None:
    contrast = compare(guessing_study(n_texts=12), guessing_study(n_texts=12, seed=1), SETTINGS)
    svg = draw_all(contrast_figure(contrast, ("One", "Other")))["contrast"]
    assert ">points<" in svg and ">+0<" in svg and not re.search(r">[+\u2212-]0\.\d+<", svg)
