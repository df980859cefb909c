"""The main job as people do it, in a browser: from a file of texts to a report of human scores.

Everything is real: the server, Postgres, the queue, a Celery worker, Chromium, and a classifier with trained weights.
"""

import csv
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.access import found_team
from accounts.models import User
from campaigns.models import Campaign, Place
from judging.models import Judgment, Participation
from tests.conftest import PASSWORD
from workers.classifiers.demo_data import LABEL_NAMES, encoder_folder, read_reviews
from workers.classifiers.finetuning import finetune

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATIENCE = 120_000  # milliseconds: a loaded machine computes explanations slowly
TRAINED_ON, BROUGHT = 480, 14


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's classifier, trained on a sixteenth of its texts."""
    folder = tmp_path_factory.mktemp("classifier") / "reviews"
    training, _ = read_reviews()
    some = training[:TRAINED_ON]
    finetune(encoder_folder(), [r.content for r in some], [r.label for r in some], LABEL_NAMES, folder)
    return folder


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    _, held_out = read_reviews()
    chosen = [review for label in (0, 1) for review in [r for r in held_out if r.label == label][: BROUGHT // 2]]
    path = tmp_path / "reviews.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([["review", "sentiment"], *([r.content, LABEL_NAMES[r.label]] for r in chosen)])
    return path


@pytest.fixture
def researcher(chromium: Browser, live_server: LiveServer) -> Page:
    found_team(User.objects.create_user("alice", password=PASSWORD), "Saliency lab")
    page = chromium.new_page(base_url=live_server.url)
    page.set_default_timeout(PATIENCE)
    page.goto("/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Campaigns", exact=True)).to_be_visible()
    return page


def no_faults(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


@pytest.mark.long
def test_from_a_file_of_texts_to_a_report(
    celery_process: None, researcher: Page, chromium: Browser, live_server: LiveServer, classifier: Path, reviews: Path
) -> None:
    import_texts(researcher, reviews)
    add_classifier(researcher, classifier)
    campaign = launch_campaign(researcher)
    for name in ("wanda", "walter"):
        with chromium.new_context(base_url=live_server.url, viewport={"width": 360, "height": 740}) as context:
            judge_everything(context, campaign, name)
    assert Judgment.objects.count() == Place.objects.filter(state="filled").count() == 8
    read_report(researcher, campaign)


def import_texts(page: Page, path: Path) -> None:
    page.goto("/datasets/import/")
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Look at the file").click()
    no_faults(page)
    page.locator("select[name=text]").select_option("review")
    page.locator("select[name=label]").select_option("sentiment")
    page.locator("input[name=dataset]").fill("Reviews")
    page.get_by_role("button", name="Import all rows").click()
    expect(page.get_by_text(f"{BROUGHT} texts imported")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("heading", name="Reviews")).to_be_visible()
    no_faults(page)


def add_classifier(page: Page, folder: Path) -> None:
    page.goto("/classifiers/new/")
    page.locator("input[name=name]").fill("Fine-tuned MiniLM")
    page.locator("input[name=source]").fill(str(folder))
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_label("Output 0")).to_have_value("negative", timeout=PATIENCE)
    no_faults(page)


def launch_campaign(page: Page) -> Campaign:
    page.goto("/campaigns/new/?protocol=topk_guess&dataset=reviews&classifier=fine-tuned-minilm")
    if page.get_by_role("button", name="Continue").is_visible():
        page.get_by_role("button", name="Continue").click()
    page.locator("input[name=name]").fill("Which words help")
    page.locator("input[name=texts_per_label]").fill("2")
    page.locator("input[name=ks]").fill("3")
    page.locator("input[name=judgments_per_stimulus]").fill("1")
    page.locator("input[name=most_per_worker]").fill("4")
    page.locator("input[name=completion_code]").fill("PEEK-1")
    for box in page.locator("input[name=methods]").all():
        box.set_checked(box.get_attribute("value") in {"gradient", "random"})
    no_faults(page)
    page.get_by_role("button", name="Make the draft").click()
    page.get_by_role("button", name="Prepare", exact=True).click()
    launch = page.get_by_role("button", name="Launch", exact=True)
    expect(launch).to_be_visible(timeout=PATIENCE)
    no_faults(page)
    launch.click()
    expect(page.locator("#worker-link")).to_have_text(re.compile(r"/w/which-words-help/$"), timeout=PATIENCE)
    return Campaign.objects.get(slug="which-words-help", state=Campaign.State.LIVE)


def judge_everything(context: BrowserContext, campaign: Campaign, name: str) -> None:
    """With number keys alone, on a phone's screen; a reload half way loses nothing."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"/w/{campaign.slug}/?worker={name}")
    no_faults(page)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Start the practice").click()
    for number in (1, 2):
        expect(page.get_by_text(f"Practice {number} of 2")).to_be_visible()
        answer(page, "2")
        expect(page.get_by_text("whole text is").last).to_be_visible()
        page.locator("form button").last.click()
    for number in range(1, 5):
        expect(page.locator("#count")).to_have_text(f"{number} of 4")
        if number == 2:
            page.reload()
        no_faults(page)
        assert "PEEK-1" not in page.content() and "gradient" not in page.locator("main").inner_html()
        answer(page, "1")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    expect(page.locator("#code")).to_have_text("PEEK-1")
    no_faults(page)
    participation = Participation.objects.latest("pk")
    assert participation.state == Participation.State.COMPLETED and name not in str(participation.parameters)


def answer(page: Page, key: str) -> None:
    """A number chooses, Enter sends."""
    page.keyboard.press(key)
    page.keyboard.press("Enter")


def read_report(page: Page, campaign: Campaign) -> None:
    page.goto(f"/campaigns/{campaign.slug}/live/")
    expect(page.get_by_text("100 %").first).to_be_visible()
    no_faults(page)
    page.goto(f"/campaigns/{campaign.slug}/report/")
    expect(page.get_by_role("heading", name="Finding")).to_be_visible()
    expect(page.get_by_role("figure").first).to_be_visible()
    expect(page.locator(".finding").get_by_text("Random").first).to_be_visible()
    no_faults(page)
