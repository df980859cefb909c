"""docs/examples/from_csv_to_report.py as it stands there: a real server, a real worker, simulated workers."""

import csv
import importlib.util
import io
import json
import time
import zipfile
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any, get_args

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.access import found_team
from accounts.api.tokens import make_token
from accounts.models import User
from campaigns.models import Campaign
from judging.filling import facts_of
from judging.rehearsing import rehearsal_links
from judging.simulating import Kind
from judging.walking import walk_all
from materials.models import Classifier, Dataset
from peekaword_client import ApiError, Peekaword, verify
from peekaword_client.types import EventsEnum
from tests.reports.rehearsed import lexicon_of
from tests.webhooks.receiving import Receiver, receive
from tests.workers.tiny import save_tiny

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "from_csv_to_report.py"
WORDS = {"negative": "awful bad boring", "positive": "good great really"}


@pytest.fixture
def example(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Any:
    alice = User.objects.create_user("alice")
    found_team(alice, "Saliency lab")
    monkeypatch.setenv("PEEKAWORD_URL", live_server.url)
    monkeypatch.setenv("PEEKAWORD_TOKEN", make_token(alice, "example")[1])
    spec = importlib.util.spec_from_file_location("from_csv_to_report", EXAMPLE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    path = tmp_path / "Reviews.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["text", "label"])
        rows.writerows(
            [f"the film {number} is {words}", label] for number in range(6) for label, words in WORDS.items()
        )
    return path


def _walk(link: str) -> None:
    """Simulated workers, through the real pages, until nothing is left to do."""
    campaign = Campaign.objects.select_related("dataset").get()
    kinds: list[Kind] = ["honest"] * 6
    links = rehearsal_links(campaign, link.partition("?")[0], 0, len(kinds))
    walks = walk_all(links, campaign.protocol, lexicon_of(campaign.dataset), kinds, 0, 2, facts_of(campaign))
    assert sum(walk.judgments for walk in walks) == 16


class _Unplugged(Exception):
    pass


def _unplug(_link: str) -> None:
    raise _Unplugged


@pytest.fixture(scope="module")
def _into_this_machine() -> Iterator[None]:
    """Worker processes that are started now send webhooks to it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEBHOOK_NETWORKS", "127.0.0.0/8")
        yield


@pytest.fixture
def hooked(example: Any, settings: Any) -> Iterator[tuple[Receiver, str]]:
    """A server that is told of everything, and the secret that all of it is signed with."""
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with receive() as receiver, Peekaword() as peekaword:
        made = peekaword.webhooks.create(url=receiver.url, events=list(get_args(EventsEnum)))
        yield receiver, made["secret"]


@pytest.mark.long
def test_it_works(
    _into_this_machine: None, celery_process: None, example: Any, hooked: tuple[Receiver, str], reviews: Path,
    tmp_path: Path,
) -> None:  # fmt: skip
    source, archive = str(save_tiny(tmp_path / "classifier")), tmp_path / "report.zip"
    with pytest.raises(_Unplugged):
        example.main(reviews, source, archive, _unplug)
    told = example.main(reviews, source, archive, _walk)
    assert (Dataset.objects.count(), Classifier.objects.count(), Campaign.objects.count()) == (1, 1, 1)
    _heard(*hooked)
    assert set(told) == {"integrated_gradients", "random"} and all(0 <= share <= 1 for share in told.values())
    with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith("/report.json")]
        report = json.loads(packed.read(name))
    assert {method["method"]: method["n_judgments"] for method in report["methods"]} == dict.fromkeys(told, 8)
    _read_all(report)


def _heard(receiver: Receiver, secret: str) -> None:
    """Every message is signed, and had arrived or is on its way when what it tells of was seen."""
    wanted = ["campaign.closed", "campaign.launched", "explanations.completed", "report.ready"]
    until = time.monotonic() + 60
    while len(receiver.got) < len(wanted) and time.monotonic() < until:
        time.sleep(0.1)
    for message in receiver.got:
        verify(secret, message.headers, message.body)
    assert sorted(json.loads(message.body)["event"] for message in receiver.got) == wanted


def _read_all(report: dict[str, Any]) -> None:
    """What else the client reads of a campaign that is over."""
    with Peekaword() as peekaword:
        (campaign,) = peekaword.campaigns.list(state="closed")
        slug = campaign["slug"]
        streamed = list(peekaword.judgments.stream(slug))
        assert len(streamed) == 16 and streamed == list(peekaword.judgments.list(slug, page_size=5))
        names = {one["name"] for one in peekaword.reports.files(slug)}
        assert {"report.json", "report.html"} <= names
        assert json.loads(peekaword.reports.file(slug, "report.json")) == report
        people = list(peekaword.participants.list(slug, state="completed"))
        assert people and all(one["simulated"] for one in people)
        excluded = peekaword.participants.exclude(slug, people[0]["number"], "A test")
        assert excluded["excluded_at"] and excluded["counted"] == 0
        assert peekaword.participants.readmit(slug, people[0]["number"])["excluded_at"] is None
        with pytest.raises(ApiError, match="The campaign is closed already"):
            peekaword.campaigns.move(slug, "pause")
        assert json.loads(peekaword.campaigns.preregistration(slug))["campaign"] == slug
        assert peekaword.campaigns.preview(slug)["total"] == 4
