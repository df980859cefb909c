"""Explanations one by one: as many points as a page bears, with the text behind each."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Team, User
from reports.presenting import make_figures, make_tables
from reports.reporting import build_report
from reports.sections import explanations
from tests.conftest import signed_in
from tests.reports.campaigns import judged_campaign
from tests.reports.studies import guessing_study, rating_study

AT = "/campaigns/films-topk-guess/report/text/"


def test_it_works() -> None:
    report = build_report(guessing_study(n_texts=5), replicates=20)
    found = report["explanations"]
    assert found["n"] == len(found["rows"]) == 5 * 4
    assert set(found["rows"][0]["metrics"]) == {"comprehensiveness", "sufficiency"}
    table = next(table for table in make_tables(report) if table.name == "explanations")
    assert len(table.rows) == 20


def test_of_very_many_some_texts_are_drawn_and_the_figure_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "MOST", 20)
    report = build_report(rating_study(n_texts=15), replicates=20)
    assert report["explanations"]["n"] == 60 and len(report["explanations"]["rows"]) == 20
    figure = next(figure for figure in make_figures(report) if figure.name == "explanations")
    assert "20 of 60 explanations, one point each, coloured by method" in figure.wide["title"]["subtitle"]


def test_without_metrics_there_are_none() -> None:
    study = rating_study(n_texts=3)
    object.__setattr__(study, "metrics", None)
    assert "explanations" not in build_report(study, replicates=20)


@pytest.mark.django_db
def test_the_beginning_of_a_text_is_told_to_those_who_may_read(
    team: Team, alice: User, bob: User, charlie: User
) -> None:
    campaign = judged_campaign(team)
    campaign.dataset.texts.filter(key="001").update(content="word " * 100)
    for user in (alice, bob):
        told = signed_in(user).get(AT, {"key": "001"}).json()["beginning"]
        assert told.startswith("word word") and len(told) <= 160
    assert signed_in(alice).get(AT, {"key": "nothing"}).status_code == 404
    assert signed_in(alice).get(AT).status_code == 404
    assert signed_in(alice).post(AT).status_code == 405
    assert signed_in(charlie).get(AT, {"key": "001"}).status_code == 404
    assert Client().get(AT)["Location"].startswith(reverse("login"))
