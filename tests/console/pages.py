"""Every page of the console, in a world with something on each, for who looks at them all."""

import errno
from secrets import token_urlsafe

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from accounts.api.tokens import make_token
from accounts.auditing import Act, record
from accounts.inviting import invite
from accounts.models import Membership, Team, User
from campaigns.creating import create_campaign
from campaigns.models import Campaign
from campaigns.preparing import prepare, settle
from judging.models import Judgment
from materials import uploading
from materials.models import Classifier, Import, Removal, Run, Text
from reports.models import ArchiveJob
from tests.campaigns.actors import work
from tests.reports.rehearsed import launched, rehearse
from tests.security.table import API, TABLE
from tests.security.table import WORKERS as WORKERS_PAGES
from webhooks.models import Delivery, Endpoint

Pages = list[tuple[str, str]]
WORKERS = 6
READY = "Do highlights help"
# Names are as long as people make them.
DRAFT = "What people mark when nobody tells them how many words they may take, and whether they agree on them"


def named(*names: str, **args: object) -> Pages:
    return [(name, reverse(name, kwargs=args)) for name in names]


def everything(team: Team, alice: User) -> Campaign:
    """Half judged, beside one that is ready, one that is a draft, and what goes wrong now and then."""
    campaign = launched(team, "topk_guess")
    rehearse(campaign, WORKERS)
    dataset, classifier = campaign.dataset, campaign.classifier
    rated = create_campaign(
        team, READY, "rating", dataset, classifier, methods=["gradient", "random"], texts_per_label=2,
        judgments_per_stimulus=2, completion_code="C0DE",
    )  # fmt: skip
    prepare(rated, alice)
    work(rated, failing=frozenset(rated.sample.values_list("text", flat=True)[:1]))
    settle(rated)
    create_campaign(team, DRAFT, "rationale_marking", dataset, classifier, methods=[])
    text = dataset.texts.earliest("pk")
    Text.objects.filter(pk=text.pk).update(rationale=[[0, 3], [6, 10]])
    Classifier.objects.create(team=team, name="Lost", slug="lost", source="models/lost", state="failed", error="Gone.")
    imports(team, alice)
    removals(team, alice)
    people(team, alice)
    webhooks(team)
    archives(campaign, alice)
    record(alice, team, Act.LAUNCHED, campaign)
    record(alice, team, Act.IMPORTED, dataset, texts=16)
    return campaign


def imports(team: Team, alice: User) -> None:
    """One that is under way, one with rows that cannot be taken, one that failed."""
    rejection = [4, "label", "is none of the labels that you allowed", "A long, slow film about a long, slow river"]
    asked: dict[str, object] = {
        "dataset": "Reviews", "language": "en", "columns": ["text", "label", "", "", "", "", "", ""], "labels": [],
    }  # fmt: skip
    tries: dict[str, dict[str, object]] = {
        "new.csv": {"state": "waiting", "rows": 120},
        "reviews-of-the-autumn.csv": {"state": "rejected", "taken": 41, "rejected": 1, "first": [rejection]},
        "broken.csv": {"state": "failed", "error": "The queue of tasks cannot be reached."},
    }
    for name, tried in tries.items():
        file = SimpleUploadedFile(name, b"text,label\nA fine film,pos\nA dull film,neg\n")
        upload = uploading.keep(alice, None, {"file": file, "team": team, "encoding": "", "plain_quotes": False})
        fixed = {"team": team, "asked_by": alice, "upload": upload.name, "file": name, "asked": asked}
        Import.objects.create(**fixed, **tried)


def removals(team: Team, alice: User) -> None:
    """One of each kind, and one in each state."""
    common = {"team": team, "asked_by": alice, "total": 48_210}
    Removal.objects.create(kind="dataset", key=10**6, name="Reviews of the year before last", done=17_400, **common)
    Removal.objects.create(kind="campaign", key=10**6, name="Pilot", state="done", done=48_210, **common)
    error = "It could not be deleted: the database had no room left."
    Removal.objects.create(kind="classifier", key=10**6, name="Old critic", state="failed", error=error, **common)


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


def console_pages(campaign: Campaign, team: Team) -> Pages:
    return [*_around(team), *_materials(campaign), *_campaigns(campaign), *_results(campaign)]


def _around(team: Team) -> Pages:
    return [
        *named("home", "styleguide", "queue", "team_list", "account_settings", "token_list", "usersessions_list"),
        *named("account_email", "account_change_password", "mfa_index", "webhook_list", "webhook_add"),
        *named("webhook", number=Endpoint.objects.latest("pk").pk),
        *named("team", "team_log", pk=team.pk),
        ("search", f"{reverse('search')}?q=word"),
        ("search_nothing", f"{reverse('search')}?q=nowhere"),
    ]


def _materials(campaign: Campaign) -> Pages:
    dataset, classifier = campaign.dataset.slug, campaign.classifier.slug
    removals = Removal.objects.order_by("pk")
    tried = Import.objects.order_by("pk")
    return [
        *named("dataset_list", "dataset_import", "classifier_list", "classifier_add", "explanation_list"),
        *((f"removal_{row.state}", row.get_absolute_url()) for row in removals),
        *((f"import_{row.state}", reverse("dataset_mapping", args=[row.token])) for row in tried),
        *named("dataset", "dataset_maps", "dataset_settings", "dataset_add", slug=dataset),
        *named("dataset_text", slug=dataset, pk=campaign.sample.filter(role="item")[0].text_id),
        ("dataset_filtered", f"{reverse('dataset', args=[dataset])}?q=word&rationale=marked"),
        *named("classifier", "classifier_passport", "classifier_settings", slug=classifier),
        *named("explanation_run", pk=Run.objects.latest("pk").pk),
    ]


def _campaigns(campaign: Campaign) -> Pages:
    ready, draft = Campaign.objects.get(name=READY), Campaign.objects.get(state="draft")
    under_way, failed = ArchiveJob.objects.filter(kind="import").order_by("pk")
    start = f"protocol=topk_guess&dataset={campaign.dataset.slug}&classifier={campaign.classifier.slug}"
    return [
        *named("campaign_list", "campaign_plan", "campaign_compare", "campaign_new", "archive_import"),
        *named("archive_importing", number=under_way.pk),
        ("archive_failed", reverse("archive_importing", args=[failed.pk])),
        *named("campaign", "campaign_preview", "campaign_archive", "campaign_remove", slug=campaign.slug),
        *named("campaign_preregistration", slug=campaign.slug),
        ("campaign_ready", ready.get_absolute_url()),
        ("campaign_draft", draft.get_absolute_url()),
        *named("campaign_edit", "campaign_rationales", slug=draft.slug),
        ("campaign_wizard", f"{reverse('campaign_new')}?{start}"),
    ]


def _results(campaign: Campaign) -> Pages:
    return [
        *named("campaign_live", "campaign_participants", "campaign_pay", "campaign_recruitment", slug=campaign.slug),
        *named("campaign_judgment_list", "campaign_report", slug=campaign.slug),
        *named("campaign_judgment", slug=campaign.slug, number=Judgment.objects.latest("pk").pk),
    ]


def entrance(team: Team, alice: User) -> Pages:
    """For whoever is not signed in."""
    _, token = invite(team, alice, Membership.Role.EDITOR)
    guessed = {"uidb36": "1", "key": "guessed"}
    return [
        *named("login", "account_inactive", "account_reset_password", "account_reset_password_done"),
        *named("account_reset_password_from_key_done"),
        ("join", reverse("invitation", args=[token])),
        *named("account_reset_password_from_key", **guessed),
        *named("account_confirm_email", key="guessed"),
    ]


def to_be_confirmed() -> Pages:
    return named("account_reauthenticate")


def confirmed() -> Pages:
    """For whoever has said the password a moment ago."""
    return named("token_new", "mfa_activate_totp")


def two_step() -> Pages:
    """The same, once the second step is on."""
    return named("mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_deactivate_totp", "mfa_reauthenticate")


# Parts of pages, which a script asks for; pages of other tests' own; what only leads on.
NOT_PICTURED = {
    "datasets/import/<upload:token>/progress/",
    "runs/<int:pk>/",
    "classifiers/<slug:slug>/state/",
    "campaigns/<slug:slug>/launching/",
    "campaigns/<slug:slug>/progress/",
    "campaigns/<slug:slug>/report/text/",
    "campaigns/<slug:slug>/report/ready/",
    "campaigns/<slug:slug>/report/build/",
    "campaigns/<slug:slug>/judgments/<int:number>/seen/",
    "classifiers/<slug:slug>/passport/estimate/",
    "invitations/<str:token>/",
    "sign-in/code/",
    "settings/password/first/",
    "healthz",
    "readyz",
    "metrics",
}


def to_be_pictured() -> set[str]:
    """The patterns of all pages of the console. Those of workers have tests/judging/test_accessibility.py."""
    others = {*WORKERS_PAGES, *API, *NOT_PICTURED}
    patterns = {pattern for pattern, row in TABLE.items() if "GET" in row and pattern not in others}
    return {pattern for pattern in patterns if pattern.endswith("/") or not pattern}


# By what breaks before a view is found: where, the status of the answer, and what was raised.
FAILURES: dict[str, tuple[str, int, Exception]] = {
    "too_large": ("/datasets/import/", 413, RequestDataTooBig()),
    "no_room": ("/datasets/import/", 507, OSError(errno.ENOSPC, "No space left on device")),
    "no_database": ("/teams/", 503, OperationalError("the connection is closed")),
    "no_database_worker": ("/w/films/", 503, OperationalError("the connection is closed")),
    "broken": ("/teams/", 500, RuntimeError("a secret")),
    "refused": ("/teams/", 403, PermissionDenied()),
    "nothing": ("/teams/", 404, Http404()),
}
