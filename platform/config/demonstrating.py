"""From nothing to live example campaigns, by the same functions that the pages and commands use.

Every step looks first whether it is done already, so that a second start goes on with the data of the first.
"""

import csv
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from tqdm import tqdm

from accounts.access import found_team
from accounts.models import Team, User
from campaigns.creating import create_campaign
from campaigns.launching import launch
from campaigns.models import Campaign
from campaigns.preparing import prepare, settle
from materials import explaining
from materials.models import Classifier, Dataset, Run
from materials.registering import add_classifier

TEAM, DATASET, CLASSIFIER = "Demo team", "Movie reviews", "MiniLM fine-tuned on movie reviews"
POLL_SECONDS = 0.3


@dataclass(frozen=True)
class Example:
    """A campaign of the demo: small enough to prepare in a minute, large enough for a report.

    `fields` differ from what the wizard proposes.
    """

    name: str
    protocol: str
    judgments_per_stimulus: int
    simulated_workers: int
    fields: dict[str, Any] = field(default_factory=dict)


EXAMPLES = (
    Example("Guess from the top words (simulated workers)", "topk_guess", 3, 100),
    Example("Rate the highlights (simulated workers)", "rating", 2, 14),
    # Three methods are three pairs; eight would be 28.
    Example(
        "Choose the better of two (simulated workers)",
        "pairwise",
        3,
        12,
        {"methods": ["integrated_gradients", "lime", "random"]},
    ),
)


@dataclass(frozen=True)
class Login:
    name: str
    password: str


def researcher() -> tuple[User, Login]:
    """The demo's researcher. The password is made here once and kept beside the data."""
    path = settings.VAR / "demo" / "login.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(json.dumps({"name": "researcher", "password": secrets.token_hex(6)}))
    login = Login(**json.loads(path.read_text()))
    user, _ = User.objects.get_or_create(username=login.name)
    # A new hash of the same password would sign the researcher out at every start.
    if not user.check_password(login.password):
        user.set_password(login.password)
        user.save()
    return user, login


def team_of(user: User) -> Team:
    return Team.objects.filter(memberships__user=user, name=TEAM).first() or found_team(user, TEAM)


def classifier_folder() -> Path:
    """A real classifier that needs no hub: a packaged sentence encoder, fine-tuned on packaged reviews."""
    from workers.classifiers.demo_data import LABEL_NAMES, encoder_folder, read_reviews
    from workers.classifiers.finetuning import finetune

    folder = Path(settings.VAR / "demo" / "classifier")
    if not folder.exists():
        training, _ = read_reviews()
        texts, labels = [review.content for review in training], [review.label for review in training]
        with tqdm(total=len(texts), desc="Fine-tuning the classifier", unit=" texts") as bar:
            accuracy = finetune(encoder_folder(), texts, labels, LABEL_NAMES, folder, progress=_follower(bar))
        tqdm.write(f"It is right on {accuracy:.1%} of held-out reviews.")
    return folder


def dataset(team: Team) -> Dataset:
    """Reviews that the classifier was not trained on, through the same import as anybody's."""
    from workers.classifiers.demo_data import LABEL_NAMES, read_reviews

    if not Dataset.objects.filter(team=team, name=DATASET).exists():
        _, held_out = read_reviews()
        path = settings.VAR / "demo" / "reviews.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["text", "label"])
            writer.writerows((review.content, LABEL_NAMES[review.label]) for review in held_out)
        call_command("import_texts", path, dataset=DATASET, team=team.name, language="en", accept_rest=True)
    return Dataset.objects.get(team=team, name=DATASET)


def classifier(team: Team, folder: Path) -> Classifier:
    row = Classifier.objects.filter(team=team, name=CLASSIFIER).first()
    if row is None:
        row = add_classifier(team, CLASSIFIER, str(folder))
    while row.state == Classifier.State.LOADING:
        time.sleep(POLL_SECONDS)
        row.refresh_from_db()
    if row.state == Classifier.State.FAILED:
        raise CommandError(f"The classifier could not be loaded: {row.error}")
    return row


def campaign(example: Example, user: User, team: Team, data: Dataset, model: Classifier) -> Campaign:
    """Live, with its explanations computed by the Celery worker."""
    row = Campaign.objects.filter(team=team, name=example.name).first() or create_campaign(
        team,
        example.name,
        example.protocol,
        data,
        model,
        texts_per_label=20,
        # The same texts for all examples, so that their explanations are computed once.
        only_correct=True,
        judgments_per_stimulus=example.judgments_per_stimulus,
        pay_per_worker=Decimal("3.00"),
        completion_code="PEEK-" + secrets.token_hex(3).upper(),
        contact="the research team",
        **example.fields,
    )
    if row.state == Campaign.State.DRAFT:
        prepare(row, user)
    while row.state == Campaign.State.PREPARING and row.run:
        follow(row.run, f"Explaining for {example.protocol}")
        if row.run.state == Run.State.CANCELLED:
            raise CommandError(f"Preparing {example.name!r} was cancelled: resume it on its page.")
        settle(row, user)
    if row.state == Campaign.State.READY:
        launch(row)
    return row


def follow(run: Run, what: str) -> None:
    """A bar in the terminal until the Celery worker is done with the run."""
    state = explaining.progress(run)
    with tqdm(total=state.total, desc=what, unit=" texts") as bar:
        while state.state == Run.State.RUNNING:
            bar.update(state.done - bar.n)
            time.sleep(POLL_SECONDS)
            run.refresh_from_db()
            state = explaining.progress(run)
        bar.update(state.done - bar.n)
    run.refresh_from_db()


def evaluate(data: Dataset, model: Classifier, user: User) -> None:
    run = explaining.evaluate(data, model, user)
    if run.state == Run.State.RUNNING:
        follow(run, "Predicting all texts")


def _follower(bar: "tqdm[Any]") -> Callable[[int, int], None]:
    def follow_to(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)

    return follow_to
