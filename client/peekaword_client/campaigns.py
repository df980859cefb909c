"""Campaigns from draft to report: design, recruitment, participants, judgments, reports."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

from peekaword_client import types
from peekaword_client.errors import JobFailed
from peekaword_client.materials import Uploads
from peekaword_client.transport import Transport
from peekaword_client.waiting import Step, Told, say_nothing, wait

AT = "/api/v1/campaigns"
DRAFTS = "/api/v1/drafts"
LONG = 3600.0
Act = Literal[
    "evaluate", "prepare", "cancel", "continue", "draft", "launch", "pause", "resume", "close", "aside", "back"
]  # fmt: skip
Judgment = dict[str, str | int | float | None]
Findings = list[types.Finding]
Tickets = list[types.Ticket]
Earnings = list[types.Earning]
Files = list[types.File]


class Campaigns:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(
        self, state: str | None = None, q: str | None = None, aside: bool | None = None
    ) -> Iterator[types.Campaign]:
        """`aside`: only those that are put aside, or only the others."""
        return self._at.pages(f"{AT}/", {"state": state, "q": q, "aside": aside})

    def create(self, **design: Unpack[types.NewCampaignRequest]) -> types.Campaign:
        """A draft. What is left out is as the wizard proposes it."""
        made: types.Campaign = self._at.post(f"{AT}/", design)
        return made

    def get(self, slug: str) -> types.Campaign:
        found: types.Campaign = self._at.get(f"{AT}/{slug}/")
        return found

    def change(self, slug: str, **design: Unpack[types.PatchedDesignRequest]) -> types.Campaign:
        """Of a draft: what is left out stays."""
        changed: types.Campaign = self._at.patch(f"{AT}/{slug}/", design)
        return changed

    def delete(self, slug: str) -> None:
        self._at.delete(f"{AT}/{slug}/")

    def remove(self, slug: str, name: str) -> None:
        """Of any campaign that is over, for good, with all that was gathered in it. `name` says that it is meant."""
        self._at.post(f"{AT}/{slug}/remove/", {"name": name})

    def copy(self, slug: str) -> types.Campaign:
        made: types.Campaign = self._at.post(f"{AT}/{slug}/copy/")
        return made

    def estimate(self, slug: str) -> types.Estimate:
        """How many judgments and workers it takes, and what it costs."""
        found: types.Estimate = self._at.get(f"{AT}/{slug}/estimate/")
        return found

    def preregistration_in_words(self, slug: str) -> str:
        """As Markdown."""
        return self._at.read(f"{AT}/{slug}/preregistration/markdown/").decode()

    def live(self, slug: str) -> types.Watch:
        """Judgments by arm, workers by how far they are, times and pay."""
        found: types.Watch = self._at.get(f"{AT}/{slug}/live/")
        return found

    def plan(self, protocol: types.ProtocolEnum, **asked: str | int | float) -> types.Plan:
        """How many texts, judgments and workers a comparison needs, and what it costs."""
        found: types.Plan = self._at.get("/api/v1/plan/", {"protocol": protocol, **asked})
        return found

    def rationales(self, slug: str, percent: int | None = None, least: int | None = None) -> types.Gathered:
        """What would become of the words that workers have marked."""
        found: types.Gathered = self._at.get(f"{AT}/{slug}/rationales/", {"percent": percent, "least": least})
        return found

    def take_rationales(self, slug: str, **asked: Unpack[types.TakeRequest]) -> int:
        """Write them into the dataset. Answers how many texts have new ones."""
        told: types.Taken = self._at.post(f"{AT}/{slug}/rationales/", asked)
        return told["texts"]

    def move(self, slug: str, act: Act) -> types.Campaign:
        """On to its next state; what takes a while goes on afterwards."""
        moved: types.Campaign = self._at.post(f"{AT}/{slug}/{act}/")
        return moved

    def evaluate(self, slug: str, progress: Told = say_nothing, timeout: float = LONG) -> types.Campaign:
        """Have the classifier predict the dataset's texts, and wait."""
        self.move(slug, "evaluate")
        return self.wait(slug, "evaluate", progress, timeout)

    def prepare(self, slug: str, progress: Told = say_nothing, timeout: float = LONG) -> types.Campaign:
        """Draw the sample, have it explained, and wait until the campaign is ready."""
        self.move(slug, "prepare")
        return self.wait(slug, "prepare", progress, timeout)

    def launch(self, slug: str, progress: Told = say_nothing, timeout: float = LONG) -> types.Campaign:
        """Write down what workers will see, and wait until the campaign is live."""
        self.move(slug, "launch")
        return self.wait(slug, "launch", progress, timeout)

    def wait(
        self, slug: str, job: types.JobEnum, progress: Told = say_nothing, timeout: float = LONG
    ) -> types.Campaign:
        """Until the job is over: `judge` is over when all judgments are in. JobFailed where it cannot be done."""
        found = wait(
            lambda: self.progress(slug), lambda told: told["job"] != job or told["state"] not in ("running", "paused"),
            lambda told: Step(told["job"], told["done"], told["total"], told["step"]), progress, timeout,
            self._at.pause,
        )  # fmt: skip
        if found["job"] == job and found["state"] in ("failed", "cancelled"):
            raise JobFailed(f"{job} of {slug}: {found['error'] or found['state']}")
        campaign = self.get(slug)
        if job == "prepare" and campaign["state"] == "draft":
            first = "; ".join(f"{one['key']}: {one['reason']}" for one in campaign["notices"][:3])
            raise JobFailed(f"{slug} could not be prepared: {first}")
        return campaign

    def progress(self, slug: str) -> types.Progress:
        found: types.Progress = self._at.get(f"{AT}/{slug}/progress/")
        return found

    def findings(self, slug: str) -> Findings:
        found: Findings = self._at.get(f"{AT}/{slug}/findings/")
        return found

    def preview(self, slug: str, text: int = 1, condition: int = 1) -> types.Seen:
        seen: types.Seen = self._at.get(f"{AT}/{slug}/preview/", {"text": text, "condition": condition})
        return seen

    def preregistration(self, slug: str) -> bytes:
        """The canonical document, byte by byte: its SHA-256 is what was registered."""
        return self._at.read(f"{AT}/{slug}/preregistration/")

    def recruitment(self, slug: str) -> types.Recruitment:
        found: types.Recruitment = self._at.get(f"{AT}/{slug}/recruitment/")
        return found

    def invite(self, slug: str, count: int) -> Tickets:
        """Links for one person each, which cannot be had again."""
        made: types.Tickets = self._at.post(f"{AT}/{slug}/invitations/", {"count": count}, once=False)
        return made["invitations"]

    def invitations(self, slug: str) -> Iterator[types.WorkerInvitation]:
        return self._at.pages(f"{AT}/{slug}/invitations/")

    def revoke_invitation(self, slug: str, number: int) -> None:
        self._at.delete(f"{AT}/{slug}/invitations/{number}/")

    def codes(self, slug: str) -> Iterator[types.ClassCode]:
        return self._at.pages(f"{AT}/{slug}/codes/")

    def revoke_code(self, slug: str, code: str) -> None:
        self._at.delete(f"{AT}/{slug}/codes/{code}/")

    def add_code(self, slug: str, uses: int) -> types.ClassCode:
        made: types.ClassCode = self._at.post(f"{AT}/{slug}/codes/", {"uses": uses})
        return made

    def ask_archive(self, slug: str) -> types.Archive:
        """Have all of it written into one file."""
        asked: types.Archive = self._at.post(f"{AT}/{slug}/archive/")
        return asked

    def archive(self, slug: str) -> types.Archive:
        """How far the latest is."""
        found: types.Archive = self._at.get(f"{AT}/{slug}/archive/")
        return found

    def read_archive(self, slug: str, to: Path) -> Path:
        to.write_bytes(self._at.read(f"{AT}/{slug}/archive/zip/"))
        return to

    def export(self, slug: str, to: Path, progress: Told = say_nothing, timeout: float = LONG) -> Path:
        """Have a new archive made, wait, and write it down."""
        self.ask_archive(slug)
        _wait_for_archive(lambda: self.archive(slug), self._at, progress, timeout)
        return self.read_archive(slug, to)


class Archives:
    """Of whole campaigns, taken in again."""

    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def begin(self, upload: str) -> types.Archive:
        """Of a file that was uploaded."""
        asked: types.Archive = self._at.post("/api/v1/archives/", {"upload": upload})
        return asked

    def get(self, number: int) -> types.Archive:
        found: types.Archive = self._at.get(f"/api/v1/archives/{number}/")
        return found

    def wait(self, number: int, progress: Told = say_nothing, timeout: float = LONG) -> types.Archive:
        return _wait_for_archive(lambda: self.get(number), self._at, progress, timeout)

    def import_file(
        self, file: Path, team: int | None = None, progress: Told = say_nothing, timeout: float = LONG
    ) -> types.Archive:
        """Send it, have it imported and wait; the answer's `campaign` is what came of it."""
        asked = {} if team is None else {"team": team}
        upload = Uploads(self._at).send(file, progress, **asked)
        return self.wait(self.begin(upload["id"])["id"], progress, timeout)


def _wait_for_archive(ask: Callable[[], types.Archive], at: Transport, progress: Told, timeout: float) -> types.Archive:
    found = wait(
        ask, lambda job: job["state"] != "waiting",
        lambda job: Step("archive", job["done"], job["total"], job["step"]), progress, timeout, at.pause,
    )  # fmt: skip
    if found["state"] == "failed":
        raise JobFailed(f"{found['file']}: {found['error']}")
    return found


class Prolific:
    """What a campaign has there: its study, its submissions, its bonuses."""

    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def study(self, campaign: str) -> types.Study:
        found: types.Study = self._at.get(f"{AT}/{campaign}/study/")
        return found

    def link(self, campaign: str, study: str) -> types.Study:
        """A study that is there already, by its id."""
        linked: types.Study = self._at.post(f"{AT}/{campaign}/study/", {"study": study})
        return linked

    def draft(self, campaign: str, name: str, description: str, places: int) -> types.Study:
        """A new one; whom it is for is chosen on Prolific, and there it is published."""
        asked = {"name": name, "description": description, "places": places}
        made: types.Study = self._at.post(f"{AT}/{campaign}/study/draft/", asked, once=False)
        return made

    def add_places(self, campaign: str, count: int) -> types.Study:
        more: types.Study = self._at.post(f"{AT}/{campaign}/study/places/", {"more": count}, once=False)
        return more

    def submissions(self, campaign: str) -> Iterator[types.Submission]:
        return self._at.pages(f"{AT}/{campaign}/submissions/")

    def read(self, campaign: str) -> int:
        """How study and submissions are now. Answers how many submissions there are."""
        told: types.Done = self._at.post(f"{AT}/{campaign}/submissions/read/")
        return told["done"]

    def request_returns(self, campaign: str) -> types.Tally:
        """Of those who were sent away here."""
        told: types.Tally = self._at.post(f"{AT}/{campaign}/submissions/returns/", once=False)
        return told

    def bonuses(self, campaign: str) -> Iterator[types.Payment]:
        return self._at.pages(f"{AT}/{campaign}/bonuses/")

    def owed(self, campaign: str) -> dict[str, str]:
        """What is lacking to the minimum pay, by submission."""
        told: types.Owed = self._at.get(f"{AT}/{campaign}/bonuses/owed/")
        return told["owed"]

    def set_up_bonuses(self, campaign: str, amounts: dict[str, str]) -> types.Payment:
        """By submission. Nothing is paid yet."""
        made: types.Payment = self._at.post(f"{AT}/{campaign}/bonuses/", {"amounts": amounts}, once=False)
        return made

    def pay_bonuses(self, campaign: str, payment: int) -> types.Payment:
        """At most once. Where the answer gets lost, read the bonuses: their state says what is known."""
        paid: types.Payment = self._at.post(f"{AT}/{campaign}/bonuses/{payment}/pay/", once=False)
        return paid


class Drafts:
    """What is filled in of the wizard and is no campaign yet: your own."""

    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(self) -> Iterator[types.Sketch]:
        return self._at.pages(f"{DRAFTS}/")

    def begin(self, **asked: Unpack[types.NewSketchRequest]) -> types.Sketch:
        """Fields are the wizard's, each with its values."""
        made: types.Sketch = self._at.post(f"{DRAFTS}/", asked)
        return made

    def get(self, key: str) -> types.Sketch:
        found: types.Sketch = self._at.get(f"{DRAFTS}/{key}/")
        return found

    def fill_in(self, key: str, fields: Mapping[str, Sequence[str]], etag: str = "") -> types.Sketch:
        """Fields that are left out stay, and those with no value go."""
        sent = {"filled_in": {name: [*values] for name, values in fields.items()}}
        changed: types.Sketch = self._at.patch(f"{DRAFTS}/{key}/", sent, etag)
        return changed

    def estimate(self, key: str) -> types.PossibleEstimate:
        found: types.PossibleEstimate = self._at.get(f"{DRAFTS}/{key}/estimate/")
        return found

    def finish(self, key: str) -> types.Campaign:
        """Make the campaign of it, or save it as changes of the draft that it changes."""
        made: types.Campaign = self._at.post(f"{DRAFTS}/{key}/finish/")
        return made

    def delete(self, key: str) -> None:
        self._at.delete(f"{DRAFTS}/{key}/")


class Participants:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(self, campaign: str, state: str | None = None) -> Iterator[types.Participant]:
        return self._at.pages(f"{AT}/{campaign}/participants/", {"state": state})

    def get(self, campaign: str, number: int) -> types.Participant:
        found: types.Participant = self._at.get(f"{AT}/{campaign}/participants/{number}/")
        return found

    def exclude(self, campaign: str, number: int, reason: str) -> types.Participant:
        told: types.Participant = self._at.post(f"{AT}/{campaign}/participants/{number}/exclude/", {"reason": reason})
        return told

    def readmit(self, campaign: str, number: int) -> types.Participant:
        told: types.Participant = self._at.post(f"{AT}/{campaign}/participants/{number}/readmit/")
        return told

    def approve(self, campaign: str) -> int:
        """On Prolific, everybody who completed and is not excluded. Answers how many."""
        told: types.Done = self._at.post(f"{AT}/{campaign}/participants/approve/")
        return told["done"]

    def pay(self, campaign: str) -> Earnings:
        found: Earnings = self._at.get(f"{AT}/{campaign}/pay/")
        return found

    def settlement(self, campaign: str, kind: Literal["approve", "review", "bonus"]) -> types.Settlement:
        """Whom the recruiter is to approve, to look at again, or to pay more."""
        found: types.Settlement = self._at.get(f"{AT}/{campaign}/settlement/{kind}/")
        return found


class Judgments:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(
        self, campaign: str, page_size: int = 1000, worker: str | None = None, text: str | None = None
    ) -> Iterator[Judgment]:
        """By pages, each with a request of its own: goes on after a broken connection."""
        asked = {"page_size": page_size, "worker": worker, "text": text}
        return self._at.pages(f"{AT}/{campaign}/judgments/", asked)

    def get(self, campaign: str, number: int) -> types.Replay:
        """What was on screen, and what was answered. `number` is the judgment's `id`."""
        found: types.Replay = self._at.get(f"{AT}/{campaign}/judgments/{number}/")
        return found

    def stream(self, campaign: str) -> Iterator[Judgment]:
        """All in one answer, as they are read."""
        return self._at.lines(f"{AT}/{campaign}/judgments/all/")


class Reports:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def get(self, campaign: str) -> types.Build:
        """How far the latest that was asked for is."""
        found: types.Build = self._at.get(f"{AT}/{campaign}/report/")
        return found

    def ask(self, campaign: str) -> types.Build:
        asked: types.Build = self._at.post(f"{AT}/{campaign}/report/")
        return asked

    def build(self, campaign: str, progress: Told = say_nothing, timeout: float = LONG) -> types.Build:
        """Have it made with all its files, and wait."""
        self.ask(campaign)
        found = wait(
            lambda: self.get(campaign), lambda told: told["state"] in ("done", "failed"),
            lambda told: Step("report", told["done"], told["total"], told["step"]), progress, timeout,
            self._at.pause,
        )  # fmt: skip
        if found["state"] == "failed":
            raise JobFailed(f"The report of {campaign}: {found['error']}")
        return found

    def json(self, campaign: str, method: Sequence[str] | None = None, **part: str) -> dict[str, Any]:
        """Of all judgments; or of those of some methods, of a `label`, a `language`, an `output` of the model, or with
        the `excluded` counted in."""
        found: dict[str, Any] = self._at.get(f"{AT}/{campaign}/report/json/", {"method": method, **part})
        return found

    def compare(self, campaign: str, other: str) -> types.Contrast:
        """Each method's score in both campaigns, and the difference."""
        found: types.Contrast = self._at.get(f"{AT}/{campaign}/comparison/", {"with": other})
        return found

    def files(self, campaign: str) -> Files:
        found: Files = self._at.get(f"{AT}/{campaign}/report/files/")
        return found

    def file(self, campaign: str, name: str) -> bytes:
        return self._at.read(f"{AT}/{campaign}/report/file/", {"name": name})

    def archive(self, campaign: str, to: Path) -> Path:
        """All its files, as a ZIP."""
        to.write_bytes(self._at.read(f"{AT}/{campaign}/report/zip/"))
        return to
