"""A picture of every page, on a phone and on a desk, in light and in dark, in var/screenshots: to be looked at, and for
the docs. What no eye is needed for is checked on the way: every page fits, and says nothing in the console."""

from collections.abc import Iterator
from pathlib import Path
from secrets import token_urlsafe

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from accounts.api.tokens import make_token
from accounts.auditing import Act, record
from accounts.inviting import invite
from accounts.models import Membership, Team, User
from campaigns.creating import create_campaign
from campaigns.launching import launch
from campaigns.models import Campaign
from campaigns.preparing import prepare, settle
from judging.models import Judgment
from materials.models import Classifier, Import, Run, Text
from reports.models import ArchiveJob, ReportBuild
from tests.campaigns.actors import work
from tests.conftest import signed_in
from tests.reports.rehearsed import launched, rehearse
from webhooks.models import Delivery, Endpoint

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FOLDER = Path(__file__).resolve().parents[2] / "var" / "screenshots"
WIDTHS = {1440: 900, 360: 740}
SCHEMES = ("light", "dark")
WORKERS = 6


def named(*names: str, **args: object) -> list[tuple[str, str]]:
    return [(name, reverse(name, kwargs=args)) for name in names]


@pytest.fixture
def campaign(team: Team, alice: User) -> Campaign:
    """Half judged, beside one that is ready, one that is a draft, and what goes wrong now and then."""
    campaign = launched(team, "topk_guess")
    rehearse(campaign, WORKERS)
    dataset, classifier = campaign.dataset, campaign.classifier
    rated = create_campaign(
        team, "Do highlights help", "rating", dataset, classifier, methods=["gradient", "random"], texts_per_label=2,
        judgments_per_stimulus=2, completion_code="C0DE",
    )  # fmt: skip
    prepare(rated, alice)
    work(rated, failing=frozenset(rated.sample.values_list("text", flat=True)[:1]))
    settle(rated)
    create_campaign(team, "What people mark", "rationale_marking", dataset, classifier, methods=[])
    text = dataset.texts.earliest("pk")
    Text.objects.filter(pk=text.pk).update(rationale=[[0, 3], [6, 10]])
    Classifier.objects.create(team=team, name="Lost", slug="lost", source="models/lost", state="failed", error="Gone.")
    Import.objects.create(team=team, asked_by=alice, upload=f"{alice.pk}-{'x' * 22}", file="new.csv", asked={})
    people(team, alice)
    webhooks(team)
    archives(campaign, alice)
    record(alice, team, Act.LAUNCHED, campaign)
    record(alice, team, Act.IMPORTED, dataset, texts=16)
    return campaign


def people(team: Team, alice: User) -> None:
    barbara = User.objects.create_user(
        "barbara", "barbara.von.wittgenstein@linguistics.example.org", "a long pass phrase"
    )
    Membership.objects.create(team=team, user=barbara, role=Membership.Role.ANALYST)
    invite(team, alice, Membership.Role.EDITOR, "somebody@example.org")
    make_token(alice, "notebook")


def webhooks(team: Team) -> None:
    endpoint = Endpoint.objects.create(team=team, url="https://lab.example/peekaword/hooks", events=["report.ready"])
    for state in ("delivered", "failed", "waiting"):
        Delivery.objects.create(endpoint=endpoint, event="report.ready", body="{}", due_at=timezone.now(), state=state)


def archives(campaign: Campaign, alice: User) -> None:
    """One that is being made, one that is being taken in, and one that could not be."""
    common = {"team": campaign.team, "asked_by": alice, "file": "which-words-matter.zip"}
    ArchiveJob.objects.create(kind="export", campaign=campaign, token=token_urlsafe(16), **common)
    ArchiveJob.objects.create(kind="import", token=token_urlsafe(16), **common)
    error = (
        "texts.jsonl is not as the manifest says: a byte was changed, or the copy is not whole. Nothing was imported."
    )
    ArchiveJob.objects.create(kind="import", state="failed", token=token_urlsafe(16), error=error, **common)


@pytest.fixture
def researcher(chromium: Browser, live_server: LiveServer, alice: User) -> Iterator[BrowserContext]:
    with chromium.new_context(base_url=live_server.url) as context:
        value = signed_in(alice).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
        yield context


def take(page: Page, name: str) -> list[str]:
    """Four pictures of the page as it stands; what is wrong with it."""
    faults = []
    for width, height in WIDTHS.items():
        page.set_viewport_size(ViewportSize(width=width, height=height))
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            faults.append(f"{name} is {wide} pixels wide on a screen of {width}")
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png", full_page=True, animations="disabled")
    return faults


def heard(page: Page, faults: list[str]) -> None:
    page.on("console", lambda message: faults.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))


def console_pages(campaign: Campaign, team: Team) -> list[tuple[str, str]]:
    slug, dataset, classifier = campaign.slug, campaign.dataset.slug, campaign.classifier.slug
    ready = Campaign.objects.get(name="Do highlights help")
    judgment = Judgment.objects.latest("pk")
    under_way, failed = ArchiveJob.objects.filter(kind="import").order_by("pk")
    start = f"{reverse('campaign_new')}?protocol=topk_guess&dataset={dataset}&classifier={classifier}"
    return [
        *named("home", "styleguide", "dataset_list", "dataset_import", "classifier_list", "classifier_add"),
        *named("explanation_list", "campaign_list", "campaign_plan", "campaign_compare", "campaign_new"),
        *named("team_list", "account_settings", "token_list", "webhook_list", "webhook_add", "archive_import"),
        *named("webhook", number=Endpoint.objects.latest("pk").pk),
        *named("archive_importing", number=under_way.pk),
        ("archive_failed", reverse("archive_importing", args=[failed.pk])),
        *named("team", "team_log", pk=team.pk),
        *named("dataset", "dataset_maps", "dataset_settings", "dataset_add", slug=dataset),
        *named("dataset_text", slug=dataset, pk=campaign.sample.filter(role="item")[0].text_id),
        *named("classifier", "classifier_passport", "classifier_settings", slug=classifier),
        *named("explanation_run", pk=Run.objects.latest("pk").pk),
        *named("campaign", "campaign_preview", "campaign_live", "campaign_participants", slug=slug),
        *named("campaign_recruitment", "campaign_judgment_list", "campaign_report", "campaign_archive", slug=slug),
        *named("campaign_judgment", slug=slug, number=judgment.pk),
        ("campaign_ready", ready.get_absolute_url()),
        ("campaign_edit", reverse("campaign_edit", args=[Campaign.objects.get(state="draft").slug])),
        ("campaign_wizard", start),
        ("search", f"{reverse('search')}?q=word"),
        ("dataset_filtered", f"{reverse('dataset', args=[dataset])}?q=word&rationale=marked"),
    ]


@pytest.mark.long
def test_every_page_of_the_console_fits_and_is_quiet(
    researcher: BrowserContext, campaign: Campaign, team: Team, alice: User
) -> None:
    ReportBuild.objects.create(campaign=campaign, key="k", state="failed", error="No room.", created_at=timezone.now())
    FOLDER.mkdir(parents=True, exist_ok=True)
    page, faults = researcher.new_page(), list[str]()
    heard(page, faults)
    for name, address in console_pages(campaign, team):
        response = page.goto(address, wait_until="load")
        assert response is not None and response.status == 200, address
        faults += take(page, name)
    assert faults == []


def test_every_page_of_a_worker_fits_and_is_quiet(
    chromium: Browser, live_server: LiveServer, campaign: Campaign
) -> None:
    rated = Campaign.objects.get(name="Do highlights help")
    launch(rated)
    FOLDER.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    for study in (campaign, rated):
        with chromium.new_context(base_url=live_server.url) as context:
            page = context.new_page()
            heard(page, faults)
            page.goto(f"/w/{study.slug}/?PROLIFIC_PID=wanda")
            faults += take(page, f"worker_{study.protocol}_consent")
            page.get_by_role("button", name="I agree").click()
            faults += take(page, f"worker_{study.protocol}_instructions")
            page.get_by_role("button", name="Start the practice").click()
            page.locator(".item").wait_for()
            faults += take(page, f"worker_{study.protocol}_item")
    assert faults == []
