"""A team with one of everything that an address can name, beside another team with the same."""

from dataclasses import dataclass, field

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts import inviting as inviting_people
from accounts.api.tokens import make_token
from accounts.models import Membership, Team, User
from campaigns.asking import read_questions
from campaigns.models import Campaign, Sketch
from judging import inviting
from judging.assigning import assign_next
from judging.models import BonusPayment, Judgment, Participation
from judging.tokens import token_of
from materials import uploading
from materials.models import Classifier, Dataset, Removal, Run
from operations.models import FailedTask
from reports.archiving.asking import file_of
from reports.models import ArchiveJob
from tests.judging.building import live_campaign, worker
from tests.materials.actors import predict_right
from tests.materials.explained import explain
from webhooks.models import Delivery, Endpoint

# No page of another team may ever hold the first, nor any page for an analyst the second.
TEAMS_OWN, WORKERS_OWN = "zebrafinchplumage", "marmotworthillside"
PASSWORD = "a long enough pass phrase"


@dataclass
class World:
    """`stands` says what stands in addresses for the parts that a pattern leaves open, longest first."""

    team: Team
    campaign: Campaign
    people: dict[str, User]
    stands: dict[str, str] = field(default_factory=dict)

    @property
    def sent(self) -> dict[str, dict[str, str]]:
        """By pattern, what a form or an address has to name before there is something to get."""
        return {
            "datasets/<slug:slug>/evaluate/": {"classifier": self.campaign.classifier.slug},
            "campaigns/<slug:slug>/report/text/": {"key": self.campaign.dataset.texts.earliest("pk").key},
            "classifiers/<slug:slug>/passport.svg": {"dataset": self.campaign.dataset.slug},
        }


def build(name: str) -> World:
    """`name` tells the rows of two worlds apart."""
    team = Team.objects.create(name=f"Lab {name} {TEAMS_OWN}")
    people = {role: _person(f"{role}-{name}", team, role) for role in ("owner", "editor", "analyst")}
    campaign = _campaign(team, name)
    world = World(team, campaign, people)
    world.stands = _of_campaign(campaign) | _of_materials(campaign, people["owner"]) | _of_webhooks(team)
    world.stands |= (
        _of_accounts(team, people) | _sketch(people["owner"]) | _failed() | _archives(campaign, people["owner"])
    )
    return world


def _archives(campaign: Campaign, owner: User) -> dict[str, str]:
    """One that was made, and one that could not be taken in."""
    for kind, subject, state in (("export", campaign, "done"), ("import", None, "failed")):
        job = ArchiveJob.objects.create(
            kind=kind, team=campaign.team, asked_by=owner, campaign=subject, token=f"{kind}-{campaign.slug}"[:22],
            file=f"{TEAMS_OWN}.zip", state=state, error=TEAMS_OWN,
        )  # fmt: skip
        file_of(job).parent.mkdir(parents=True, exist_ok=True)
        file_of(job).write_text(WORKERS_OWN)
    return {"campaigns/import/<int:number>": f"campaigns/import/{job.pk}"}


def _failed() -> dict[str, str]:
    """Of the server, and no team's."""
    task, _ = FailedTask.objects.get_or_create(task_id="lost", name="workers.predict_chunk", args=[1], reason="Lost.")
    return {"queue/<int:number>": f"queue/{task.pk}"}


def _sketch(owner: User) -> dict[str, str]:
    sketch = Sketch.objects.create(user=owner, filled_in=f"name={TEAMS_OWN}", saved_at=timezone.now())
    return {"campaigns/sketches/<uuid:key>": f"campaigns/sketches/{sketch.key}"}


def _person(name: str, team: Team, role: str) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    Membership.objects.create(team=team, user=user, role=Membership.Role(role))
    return user


def _campaign(team: Team, name: str) -> Campaign:
    asked = read_questions("Where do you live? [text, optional]")
    campaign = live_campaign(
        team, slug=f"films-{name}", protocol="rationale_marking", texts=4, demographics=asked, survey=asked
    )
    for row in (campaign, campaign.dataset, campaign.classifier):
        row.name = f"Films {name} {TEAMS_OWN}"
        row.save()
    Classifier.objects.filter(pk=campaign.classifier_id).update(state=Classifier.State.READY, source="org/critic")
    return campaign


def _of_campaign(campaign: Campaign) -> dict[str, str]:
    participation, judgment = _judged(campaign)
    ((number, _),) = inviting.invite(campaign, 1)
    code = inviting.add_code(campaign, 3).code
    payment = BonusPayment.objects.create(
        campaign=campaign, reference=f"set-up-{campaign.slug}", amounts={WORKERS_OWN: "1.00"}, total_cents=120
    )
    own = f"campaigns/{campaign.slug}"
    return {
        "campaigns/<slug:slug>/participants/<int:number>": f"{own}/participants/{participation.pk}",
        "campaigns/<slug:slug>/judgments/<int:number>": f"{own}/judgments/{judgment.pk}",
        "campaigns/<slug:slug>/recruitment/invitations/<int:number>": f"{own}/recruitment/invitations/{number}",
        "campaigns/<slug:slug>/recruitment/codes/<str:code>": f"{own}/recruitment/codes/{code}",
        "campaigns/<slug:slug>/recruitment/bonuses/<int:number>": f"{own}/recruitment/bonuses/{payment.pk}",
        "campaigns/<slug:slug>": own,
        "api/v1/campaigns/<slug>": f"api/v1/{own}",
        "w/<slug:slug>/<str:token>": f"w/{campaign.slug}/{token_of(participation)}",
        "w/<slug:slug>": f"w/{campaign.slug}",
    }


def _judged(campaign: Campaign) -> tuple[Participation, Judgment]:
    """Somebody half way, with all that a worker may tell of themselves."""
    told = {"before": [WORKERS_OWN], "after": [WORKERS_OWN]}
    wanda = worker(
        campaign, f"{WORKERS_OWN}-{campaign.slug}", parameters={"SESSION_ID": WORKERS_OWN}, answers=told,
        consented_at=timezone.now(), started_at=timezone.now(), exclusion_reason=WORKERS_OWN,
    )  # fmt: skip
    turn = assign_next(wanda)
    held = wanda.assignments.get(pk=turn.assignment or 0)
    judgment = Judgment.objects.create(
        assignment=held, place=held.place, answer={"answer": "marked", "words": [0]}, position=1, response_ms=900
    )
    return wanda, judgment


def _of_materials(campaign: Campaign, owner: User) -> dict[str, str]:
    dataset, classifier = campaign.dataset, campaign.classifier
    run = Run.objects.create(
        kind=Run.Kind.PREDICT, dataset=dataset, classifier=classifier, started_by=owner, state=Run.State.RUNNING
    )
    token = _upload(owner, dataset)
    predict_right(dataset, classifier)
    for text in dataset.texts.all():
        target = classifier.label_names.index(text.label)
        for method, value in (("gradient", 0.4), ("random", 0.1)):
            explain(classifier, text, method, values={"comprehensiveness": value + text.pk % 7 / 100}, target=target)
    text = dataset.texts.earliest("pk")
    removal = Removal.objects.create(team=dataset.team, kind="dataset", key=run.pk, name="Gone", total=9)
    return {
        "datasets/import/<upload:token>": f"datasets/import/{token}",
        "datasets/<slug:slug>/texts/<int:pk>": f"datasets/{dataset.slug}/texts/{text.pk}",
        "datasets/<slug:slug>": f"datasets/{dataset.slug}",
        "classifiers/<slug:slug>": f"classifiers/{classifier.slug}",
        "removals/<int:number>": f"removals/{removal.pk}",
        "runs/<int:pk>": f"runs/{run.pk}",
        "explanations/<int:pk>": f"explanations/{run.pk}",
        "api/v1/datasets/<slug>": f"api/v1/datasets/{dataset.slug}",
        "api/v1/classifiers/<slug>": f"api/v1/classifiers/{classifier.slug}",
    }


def _upload(owner: User, dataset: Dataset) -> str:
    file = SimpleUploadedFile("texts.csv", f"text,label\n{TEAMS_OWN},positive\n".encode())
    data = {"file": file, "team": dataset.team, "encoding": "", "plain_quotes": False}
    upload = uploading.keep(owner, None, data)
    upload.rejected.write_text(f"line,column,reason,excerpt\n1,text,odd,{TEAMS_OWN}\n")
    return upload.token


def _of_webhooks(team: Team) -> dict[str, str]:
    endpoint = Endpoint.objects.create(team=team, url=f"https://{TEAMS_OWN}.example/", events=["ping"])
    delivery = Delivery.objects.create(endpoint=endpoint, event="ping", body="{}", due_at=timezone.now())
    return {
        "settings/webhooks/<int:number>/deliveries/<int:delivery>": f"settings/webhooks/{endpoint.pk}"
        f"/deliveries/{delivery.pk}",
        "settings/webhooks/<int:number>": f"settings/webhooks/{endpoint.pk}",
    }


def _of_accounts(team: Team, people: dict[str, User]) -> dict[str, str]:
    member = Membership.objects.get(team=team, user=people["analyst"])
    invitation, _ = inviting_people.invite(team, people["owner"], Membership.Role.EDITOR)
    _, token = inviting_people.invite(team, people["owner"], Membership.Role.EDITOR)
    api_token, _ = make_token(people["owner"], TEAMS_OWN)
    own = f"teams/{team.pk}"
    return {
        "settings/tokens/<int:number>": f"settings/tokens/{api_token.pk}",
        "teams/<int:pk>/members/<int:number>": f"{own}/members/{member.pk}",
        "teams/<int:pk>/invitations/<int:number>": f"{own}/invitations/{invitation.pk}",
        "teams/<int:pk>": own,
        "invitations/<str:token>": f"invitations/{token}",
    }


def browsers(world: World, stranger: User) -> dict[str, Client]:
    """One for each way of being somebody."""
    found = {"anonymous": Client(), "stranger": Client()}
    found["stranger"].force_login(stranger)
    for role in ("analyst", "editor", "owner"):
        found[role] = Client()
        found[role].force_login(world.people[role])
    return found
