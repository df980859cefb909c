"""What is made of texts, campaigns and files that were refused, as files."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from accounts.models import Team, User
from campaigns.preregistering import document_of
from campaigns.reading_out import as_markdown
from materials import resuming, uploading
from tests.api.reaching import Speaker
from tests.campaigns.actors import draft
from tests.conftest import signed_in
from tests.materials.actors import films, judge, predict_right
from tests.materials.explained import explain

pytestmark = pytest.mark.django_db


def test_a_text_s_figures_are_the_page_s(team: Team, bob: User) -> None:
    dataset, classifier = films(team, {"good": 1}), judge(team, ["bad", "good"])
    predict_right(dataset, classifier)
    text = dataset.texts.get()
    made = explain(classifier, text, "gradient")
    speaker, page = Speaker(bob), signed_in(bob)
    for kind in ("svg", "tex"):
        answer = speaker.get(f"/api/v1/datasets/films/texts/{text.pk}/{kind}/?classifier=critic&map={made.pk}")
        wanted = page.get(f"/datasets/films/texts/{text.pk}/figure.{kind}?classifier=critic&map={made.pk}")
        assert answer.status_code == 200 and answer.content == wanted.content
        assert speaker.get(f"/api/v1/datasets/films/texts/{text.pk}/{kind}/?map=none").status_code == 404


def test_a_preregistration_is_read_in_words(team: Team, bob: User) -> None:
    campaign = draft(team)
    answer = Speaker(bob).get(f"/api/v1/campaigns/{campaign.slug}/preregistration/markdown/")
    assert answer.headers["Content-Type"].startswith("text/markdown")
    assert answer.content.decode() == as_markdown(document_of(campaign), None)


def test_all_rejected_rows_are_told(team: Team, alice: User, settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    token = resuming.begin(alice, team, None, "films.csv", 3, "", True).token
    address = f"/api/v1/uploads/{token}/rejected/"
    assert Speaker(alice).get(address).status_code == 404
    uploading.find(alice, token).rejected.write_text("line,reason\n2,empty\n")
    answer = Speaker(alice).get(address)
    assert b"".join(answer.streaming_content) == b"line,reason\n2,empty\n"


def test_lists_are_searched_by_name(team: Team, bob: User) -> None:
    campaign, speaker = draft(team), Speaker(bob)
    for area, name in (("datasets", campaign.dataset.name), ("classifiers", campaign.classifier.name),
                       ("campaigns", campaign.name)):  # fmt: skip
        assert [one["name"] for one in speaker.get(f"/api/v1/{area}/?q={name[1:4]}").json()["results"]] == [name]
        assert speaker.get(f"/api/v1/{area}/?q=nowhere").json()["results"] == []
    assert speaker.get("/api/v1/campaigns/?aside=true").json()["results"] == []
    assert len(speaker.get("/api/v1/campaigns/?aside=false").json()["results"]) == 1
