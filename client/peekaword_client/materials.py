"""Datasets, classifiers, runs, uploads and imports."""

import base64
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, Unpack

from peekaword_client import types
from peekaword_client.errors import ApiError, JobFailed
from peekaword_client.transport import Transport
from peekaword_client.waiting import Step, Told, say_nothing, wait

AT = "/api/v1"
LONG = 3600.0
Accuracies = list[types.Judged]
Started = list[types.FollowedRun]


class Uploads:
    """Files in parts: one that breaks off goes on where it was."""

    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def begin(self, **asked: Unpack[types.NewUploadRequest]) -> types.Upload:
        made: types.Upload = self._at.post(f"{AT}/uploads/", asked)
        return made

    def get(self, upload: str) -> types.Upload:
        found: types.Upload = self._at.get(f"{AT}/uploads/{upload}/")
        return found

    def append(self, upload: str, offset: int, part: bytes) -> types.Upload:
        """The part with its checksum. Where it has arrived already, though no answer came, that is found out."""
        digest = base64.b64encode(hashlib.sha256(part).digest()).decode()
        headers = {
            "Content-Type": "application/octet-stream",
            "Upload-Offset": str(offset),
            "Content-Digest": f"sha-256=:{digest}:",
        }
        try:
            self._at.send("PATCH", f"{AT}/uploads/{upload}/", content=part, headers=headers)
        except ApiError as error:
            if error.status != 409 or self.get(upload)["offset"] != offset + len(part):
                raise
        return self.get(upload)

    def preview(self, upload: str) -> types.Preview:
        found: types.Preview = self._at.get(f"{AT}/uploads/{upload}/preview/")
        return found

    def rejected(self, upload: str) -> bytes:
        """All rows that could not be imported, with the reasons, as CSV."""
        return self._at.read(f"{AT}/uploads/{upload}/rejected/")

    def complete(self, upload: str, **asked: Unpack[types.CompleteRequest]) -> types.Import:
        made: types.Import = self._at.post(f"{AT}/uploads/{upload}/complete/", asked)
        return made

    def discard(self, upload: str) -> None:
        self._at.delete(f"{AT}/uploads/{upload}/")

    def send(self, file: Path, progress: Told = say_nothing, **asked: Any) -> types.Upload:
        """All of a file; `asked` as in `begin`."""
        size = file.stat().st_size
        upload = self.begin(file=file.name, size=size, **asked)
        with file.open("rb") as content:
            while upload["offset"] < size:
                upload = self.append(upload["id"], upload["offset"], _part(content, upload))
                progress(Step("upload", upload["offset"], size))
        return upload


class Imports:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(self) -> Iterator[types.Import]:
        return self._at.pages(f"{AT}/imports/")

    def get(self, number: int) -> types.Import:
        found: types.Import = self._at.get(f"{AT}/imports/{number}/")
        return found

    def wait(self, number: int, progress: Told = say_nothing, timeout: float = LONG) -> types.Import:
        """JobFailed where the file cannot be imported; what is wrong with rows stands in `first`."""
        found = wait(
            lambda: self.get(number),
            lambda row: row["state"] != "waiting",
            lambda row: Step("import", row["rows_read"] or 0, row["rows"] or 0),
            progress, timeout, self._at.pause,
        )  # fmt: skip
        if found["state"] != "done":
            first = "; ".join(f"line {one['line']}: {one['reason']}" for one in found["first"][:3])
            raise JobFailed(f"{found['file']} was not imported: {found['error'] or first}")
        return found


class Datasets:
    def __init__(self, transport: Transport) -> None:
        self._at = transport
        self._uploads, self._imports = Uploads(transport), Imports(transport)

    def list(self, q: str | None = None) -> Iterator[types.Dataset]:
        """`q` stands in the name."""
        return self._at.pages(f"{AT}/datasets/", {"q": q})

    def create(self, **asked: Unpack[types.NewDatasetRequest]) -> types.Dataset:
        made: types.Dataset = self._at.post(f"{AT}/datasets/", asked)
        return made

    def get(self, slug: str) -> types.Dataset:
        found: types.Dataset = self._at.get(f"{AT}/datasets/{slug}/")
        return found

    def change(self, slug: str, **changes: Unpack[types.PatchedDatasetChangesRequest]) -> types.Dataset:
        """Another name or language; the slug stays."""
        changed: types.Dataset = self._at.patch(f"{AT}/datasets/{slug}/", changes)
        return changed

    def rename_labels(self, slug: str, names: Mapping[str, str]) -> types.Dataset:
        """By the label as it is: what it is to be called. Until a campaign with them is prepared."""
        renamed: types.Dataset = self._at.post(f"{AT}/datasets/{slug}/labels/", {"names": {**names}})
        return renamed

    def delete(self, slug: str) -> None:
        self._at.delete(f"{AT}/datasets/{slug}/")

    def classifiers(self, slug: str) -> Accuracies:
        """How many texts each classifier has predicted, and how many rightly."""
        found: Accuracies = self._at.get(f"{AT}/datasets/{slug}/classifiers/")
        return found

    def texts(
        self, slug: str, label: str | None = None, language: str | None = None, key: str | None = None,
        has_rationale: bool | None = None, q: str | None = None, prediction: str | None = None,
    ) -> Iterator[types.Text]:  # fmt: skip
        """`q` is words of the text; `prediction` such as `critic:wrong`, or `:right`, or `:missing`."""
        asked = {"label": label, "language": language, "key": key, "has_rationale": has_rationale, "q": q}
        return self._at.pages(f"{AT}/datasets/{slug}/texts/", asked | {"prediction": prediction})

    def text(self, slug: str, number: int) -> types.PredictedText:
        found: types.PredictedText = self._at.get(f"{AT}/datasets/{slug}/texts/{number}/")
        return found

    def figure(self, slug: str, number: int, **asked: str) -> bytes:
        """A text's heat maps as SVG; of a `classifier`, a `target` label, or of one `map` alone."""
        return self._at.read(f"{AT}/datasets/{slug}/texts/{number}/svg/", asked)

    def typeset(self, slug: str, number: int, **asked: str) -> bytes:
        """The same for LaTeX."""
        return self._at.read(f"{AT}/datasets/{slug}/texts/{number}/tex/", asked)

    def explanations(
        self, slug: str, classifier: str | None = None, method: str | None = None, text: str | None = None
    ) -> Iterator[types.Map]:
        asked = {"classifier": classifier, "method": method, "text": text}
        return self._at.pages(f"{AT}/datasets/{slug}/explanations/", asked)

    def stream_explanations(
        self, slug: str, classifier: str | None = None, method: str | None = None, text: str | None = None
    ) -> Iterator[types.Map]:
        """The same in one answer, a map a line, in little memory."""
        asked = {"classifier": classifier, "method": method, "text": text}
        return self._at.lines(f"{AT}/datasets/{slug}/explanations/stream/", asked)

    def scores(
        self, slug: str, classifier: str | None = None, method: str | None = None, metric: str | None = None,
        text: str | None = None,
    ) -> Iterator[types.Score]:  # fmt: skip
        asked = {"classifier": classifier, "method": method, "metric": metric, "text": text}
        return self._at.pages(f"{AT}/datasets/{slug}/scores/", asked)

    def import_file(
        self, file: str | os.PathLike[str], name: str, progress: Told = say_nothing, timeout: float = LONG, **asked: Any
    ) -> types.Dataset:
        """Sends the file in parts, has it imported, and waits. `asked` as in `Uploads.complete`."""
        upload = self._uploads.send(Path(file), progress)
        made = self._uploads.complete(upload["id"], dataset=name, **asked)
        done = self._imports.wait(made["id"], progress, timeout)
        if done["dataset"] is None:
            raise JobFailed(f"{file} was not imported.")
        return self.get(done["dataset"])

    def add_maps(self, slug: str, **asked: Unpack[types.NewMapsRequest]) -> types.MapsOutcome:
        """Saliency maps made elsewhere, of an upload."""
        outcome: types.MapsOutcome = self._at.post(f"{AT}/datasets/{slug}/maps/", asked)
        return outcome

    def import_maps(
        self, file: str | os.PathLike[str], slug: str, progress: Told = say_nothing, **asked: Any
    ) -> types.MapsOutcome:
        """Sends the file in parts and has its maps imported. `asked` as in `add_maps`."""
        upload = self._uploads.send(Path(file), progress, dataset=slug)
        return self.add_maps(slug, upload=upload["id"], **asked)


class Classifiers:
    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(self, q: str | None = None) -> Iterator[types.Classifier]:
        """`q` stands in the name."""
        return self._at.pages(f"{AT}/classifiers/", {"q": q})

    def add(self, **asked: Unpack[types.NewClassifierRequest]) -> types.Classifier:
        made: types.Classifier = self._at.post(f"{AT}/classifiers/", asked)
        return made

    def get(self, slug: str) -> types.Classifier:
        found: types.Classifier = self._at.get(f"{AT}/classifiers/{slug}/")
        return found

    def rename(self, slug: str, name: str) -> types.Classifier:
        """The slug stays."""
        changed: types.Classifier = self._at.patch(f"{AT}/classifiers/{slug}/", {"name": name})
        return changed

    def name_labels(self, slug: str, label_names: Sequence[str]) -> types.Classifier:
        changed: types.Classifier = self._at.patch(f"{AT}/classifiers/{slug}/", {"label_names": [*label_names]})
        return changed

    def delete(self, slug: str) -> None:
        self._at.delete(f"{AT}/classifiers/{slug}/")

    def datasets(self, slug: str) -> Accuracies:
        """Those that it has predicted, and how often rightly."""
        found: Accuracies = self._at.get(f"{AT}/classifiers/{slug}/datasets/")
        return found

    def passport(self, slug: str, dataset: str | None = None, method: str | None = None) -> types.Passport:
        """What methods are worth for it, of what is computed so far; `agreement` is there for all methods alone."""
        asked = {"dataset": dataset, "method": method}
        found: types.Passport = self._at.get(f"{AT}/classifiers/{slug}/passport/", asked)
        return found

    def compute_passport(self, slug: str, **asked: Unpack[types.NewPassportRequest]) -> Started:
        """Have computed what the passport lacks; `Runs.wait` waits for what is started."""
        started: types.Runs = self._at.post(f"{AT}/classifiers/{slug}/passport/", asked)
        return started["runs"]

    def passport_figure(self, slug: str, dataset: str | None = None) -> bytes:
        """As SVG."""
        return self._at.read(f"{AT}/classifiers/{slug}/passport/svg/", {"dataset": dataset})

    def reload(self, slug: str) -> types.Classifier:
        asked: types.Classifier = self._at.post(f"{AT}/classifiers/{slug}/reload/")
        return asked

    def wait(self, slug: str, progress: Told = say_nothing, timeout: float = LONG) -> types.Classifier:
        """Until a worker process has loaded it. JobFailed where it cannot be."""
        found = wait(
            lambda: self.get(slug), lambda row: row["state"] != "loading", lambda row: Step("load", 0, 0),
            progress, timeout, self._at.pause,
        )  # fmt: skip
        if found["state"] == "failed":
            raise JobFailed(f"{slug} cannot be loaded: {found['error']}")
        return found


class Runs:
    """Predictions, and explanations with their metrics."""

    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(
        self, dataset: str | None = None, classifier: str | None = None, state: str | None = None,
        kind: Literal["predict", "explain"] | None = None,
    ) -> Iterator[types.Run]:  # fmt: skip
        asked = {"dataset": dataset, "classifier": classifier, "state": state, "kind": kind}
        return self._at.pages(f"{AT}/runs/", asked)

    def start(self, **asked: Unpack[types.NewRunRequest]) -> types.FollowedRun:
        made: types.FollowedRun = self._at.post(f"{AT}/runs/", asked)
        return made

    def get(self, number: int) -> types.FollowedRun:
        found: types.FollowedRun = self._at.get(f"{AT}/runs/{number}/")
        return found

    def cancel(self, number: int) -> types.FollowedRun:
        stopped: types.FollowedRun = self._at.post(f"{AT}/runs/{number}/cancel/")
        return stopped

    def resume(self, number: int) -> types.FollowedRun:
        resumed: types.FollowedRun = self._at.post(f"{AT}/runs/{number}/resume/")
        return resumed

    def retry(self, number: int) -> types.FollowedRun:
        """A new run, over the texts that still fail."""
        again: types.FollowedRun = self._at.post(f"{AT}/runs/{number}/retry/")
        return again

    def failures(self, number: int) -> Iterator[types.Failure]:
        return self._at.pages(f"{AT}/runs/{number}/failures/")

    def wait(self, number: int, progress: Told = say_nothing, timeout: float = LONG) -> types.FollowedRun:
        """Until it is done or cancelled; single texts may have failed."""
        return wait(lambda: self.get(number), lambda run: run["state"] != "running", _ran, progress, timeout,
                    self._at.pause)  # fmt: skip


class Removals:
    """What is being deleted, and is in no other list any more."""

    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def list(self) -> Iterator[types.Removal]:
        return self._at.pages(f"{AT}/removals/")

    def get(self, number: int) -> types.Removal:
        found: types.Removal = self._at.get(f"{AT}/removals/{number}/")
        return found

    def retry(self, number: int) -> types.Removal:
        again: types.Removal = self._at.post(f"{AT}/removals/{number}/retry/")
        return again


class Catalogue:
    """What there is to choose from."""

    def __init__(self, transport: Transport) -> None:
        self._at = transport

    def methods(self) -> list[types.Method]:
        found: list[types.Method] = self._at.get(f"{AT}/catalogue/methods/")
        return found

    def metrics(self) -> list[types.Metric]:
        found: list[types.Metric] = self._at.get(f"{AT}/catalogue/metrics/")
        return found

    def protocols(self) -> list[types.Protocol]:
        found: list[types.Protocol] = self._at.get(f"{AT}/catalogue/protocols/")
        return found


def _part(content: IO[bytes], upload: types.Upload) -> bytes:
    content.seek(upload["offset"])
    return content.read(upload["part_bytes"])


def _ran(run: types.FollowedRun) -> Step:
    return Step(run["kind"], run["progress"]["done"], run["progress"]["total"])
