"""Texts under study, names and answers are anybody's: wherever they stand, they are shown and do nothing."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import lxml.etree
import lxml.html
import pytest
from django.db import connection
from django.test import Client

from accounts.models import Team, User
from analysis.presets.escaping import escape_cell, unescape_cell
from campaigns.models import Campaign
from judging.models import Judgment, Participation
from materials.models import Dataset
from reports.building import drawn_of
from reports.exporting import WRITERS, columns_of, judgment_rows
from reports.filing import make_files, pack
from tests.conftest import signed_in
from tests.judging.building import live_campaign, worker
from tests.judging.walking import page_of, press
from tests.materials.actors import judge, sha256
from tests.materials.explained import explain
from tests.reports import campaigns as judged
from tests.security.nasty import TEXTS

pytestmark = pytest.mark.django_db
NAME = f"{TEXTS['script']}{TEXTS['attribute']}{TEXTS['latex']}"[:110]
ACTIVE = (
    "script:not([src]):not([type='application/json']), iframe:not([sandbox]), object, embed, base, style, "
    "form[action^='http']"
)
SCRIPTED = re.compile(r"\s*(javascript|data:text|vbscript)", re.IGNORECASE)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@pytest.fixture
def campaign(team: Team, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Judged, with every nasty text among the texts, and nasty names and answers besides."""
    monkeypatch.setattr(judged, "CONTENTS", list(TEXTS.values()))
    made = judged.judged_campaign(team)
    with connection.cursor() as cursor:  # Within the test's own transaction: a launched design never changes.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE campaigns_campaign DISABLE TRIGGER USER")
    Campaign.objects.filter(pk=made.pk).update(
        name=NAME, question=TEXTS["image"], instructions=TEXTS["markdown"], contact=TEXTS["url"], hypotheses=NAME
    )
    Dataset.objects.filter(pk=made.dataset_id).update(name=NAME)
    made.classifier.name, made.classifier.label_names = NAME, [TEXTS["svg"], TEXTS["formula"]]
    made.classifier.save()
    Participation.objects.filter(campaign=made).update(exclusion_reason=TEXTS["formula"], language="en")
    return Campaign.objects.get(pk=made.pk)


def active(page: str) -> list[str]:
    """What in a page would act; one that only shows has none."""
    tree = lxml.html.document_fromstring(page)
    found = [lxml.html.tostring(element).decode()[:200] for element in tree.cssselect(ACTIVE)]
    for element in tree.iter(lxml.etree.Element):
        found += [f"{element.tag} {name}" for name in element.attrib if name.lower().startswith("on")]
        found += [
            f"{element.tag} {name}={value[:80]}"
            for name, value in element.attrib.items()
            if name in ("href", "src", "action")
            and re.match(r"\s*(javascript|data:text|vbscript)", value, re.IGNORECASE)
        ]
    return found


PAGES = ("", "preregistration/", "live/", "report/", "judgments/", "participants/", "recruitment/", "edit/")


def test_it_works(campaign: Campaign, alice: User) -> None:
    client, here = signed_in(alice), f"/campaigns/{campaign.slug}/"
    judgment = Judgment.objects.earliest("pk")
    classifier = f"/classifiers/{campaign.classifier.slug}/"
    others = (
        f"/datasets/{campaign.dataset.slug}/", classifier, f"{classifier}passport/", "/campaigns/", "/datasets/",
        "/classifiers/", "/campaigns/plan/", f"{here}judgments/{judgment.pk}/",
    )  # fmt: skip
    for where in (*(here + page for page in PAGES), *others):
        response = client.get(where, follow=True)
        assert response.status_code in (200, 404), where
        assert not active(response.content.decode()), where


PICTURED = ("script", "attribute", "template", "override", "controls", "latex", "markdown", "json", "lines", "arabic")


def test_a_texts_own_page_and_pictures_show_it(team: Team, alice: User) -> None:
    client, critic = signed_in(alice), judge(team, [TEXTS["svg"], TEXTS["latex"]], name="Critic")
    dataset = Dataset.objects.create(team=team, name=NAME, slug="nasty")
    for name in PICTURED:
        content = TEXTS[name]
        text = dataset.texts.create(
            key=name, content=content, content_hash=sha256(content), label=content[:90], warning=content[:90],
            rationale=[[0, 1]],
        )  # fmt: skip
        explain(critic, text, "gradient")
        here = f"/datasets/nasty/texts/{text.pk}/"
        assert not active(client.get(here).content.decode()), name
        for kind, check in (("svg", harmless_svg), ("tex", harmless_tex)):
            response = client.get(f"{here}figure.{kind}")
            assert response["Content-Disposition"].startswith("attachment"), name
            check(response.content.decode(), name)


def harmless_svg(content: str, what: str) -> None:
    """Well formed, whatever control characters a text holds, and a picture alone."""
    tree = lxml.etree.fromstring(content.encode())
    for element in tree.iter(lxml.etree.Element):
        assert lxml.etree.QName(element).localname not in ("script", "foreignObject", "iframe", "a", "image"), what
        assert not [name for name in element.attrib if name.lower().startswith("on")], what


def harmless_tex(content: str, what: str) -> None:
    for command in ("\\input", "\\write18", "\\include", "\\openin", "\\immediate"):
        assert command not in content, what


def test_a_reports_files_hold_them_as_text(campaign: Campaign) -> None:
    drawn = drawn_of(campaign)
    assert drawn is not None
    for file in make_files(pack(drawn.report, drawn.figures)):
        kind = Path(file.name).suffix
        if kind == ".csv":
            for row in csv.reader(io.StringIO(file.content.decode())):
                assert all(_opens_safely(cell) for cell in row), (file.name, row)
        elif kind == ".svg":
            harmless_svg(file.content.decode(), file.name)
        elif kind == ".tex":
            harmless_tex(file.content.decode(), file.name)
        elif kind == ".json":
            json.loads(file.content)
        elif kind == ".html":
            page = file.content.decode()
            assert "<script>alert" not in page and "<img src=x" not in page and "<svg/onload" not in page
        elif kind == ".pdf":
            assert file.content.startswith(b"%PDF") and b"root:" not in file.content


def _opens_safely(cell: str) -> bool:
    """Numbers may be below zero; nothing else may begin as a formula does."""
    if not cell.startswith(FORMULA):
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("kind", ["csv", "crowdkit", "mturk"])
def test_no_cell_of_an_export_is_a_formula_and_every_text_comes_back(
    campaign: Campaign, tmp_path: Path, kind: str
) -> None:
    path, columns = tmp_path / "a.csv", columns_of(campaign)
    WRITERS[kind][1](path, columns, judgment_rows(campaign, columns))
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and all(_opens_safely(cell) for row in rows for cell in row.values())
    if kind == "csv":
        assert {unescape_cell(row["text"]) for row in rows} == set(TEXTS.values())


def test_what_participants_said_opens_safely(campaign: Campaign, alice: User) -> None:
    client = signed_in(alice)
    for name in ("participants/participants.csv", "participants/pay.csv", "report/judgments.csv"):
        response: Any = client.get(f"/campaigns/{campaign.slug}/{name}")
        lines = b"".join(response.streaming_content) if response.streaming else response.content
        for row in csv.reader(io.StringIO(lines.decode())):
            assert all(_opens_safely(cell) for cell in row), (name, row)


@pytest.mark.parametrize("cell", [*TEXTS.values(), "", "'", "''=x", "'-", "\u00a0=x", "=", "\ufeff=1"])
def test_escaping_loses_nothing(cell: str) -> None:
    assert unescape_cell(escape_cell(cell)) == cell and _opens_safely(escape_cell(cell))


def test_workers_pages_and_replays_show_them_too(client: Client, team: Team, alice: User) -> None:
    campaign = live_campaign(team, slug="nasty", question=TEXTS["image"], contact=TEXTS["attribute"])
    for state in Participation.State:
        page = client.get(page_of(worker(campaign, state.value, state=state))).content.decode()
        assert not active(page), state
    press(client, client.get(page_of(worker(campaign))), answer="positive")
    replay = signed_in(alice).get(f"{campaign.get_absolute_url()}judgments/{Judgment.objects.get().pk}/seen/")
    assert replay.status_code == 200 and not active(replay.content.decode())
