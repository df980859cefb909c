"""What an archive must not do: be taken for whole when it is not, fill a disk, or leave half of itself behind."""

import json
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from accounts.models import Team
from campaigns.models import Campaign, Registration
from judging.models import Judgment
from materials.models import Classifier, Dataset, Text
from reports.archiving.loading import import_campaign
from reports.archiving.manifest import MANIFEST, ArchiveError
from reports.archiving.parts import BY_MODEL, OUTSIDE, PARTS, Part, links, plain_fields
from tests.reports.archiving.moving import exported, manifest_of, repacked, rows_of
from tests.reports.campaigns import judged_campaign

pytestmark = pytest.mark.django_db
COUNTED = (Dataset, Text, Classifier, Campaign, Judgment)


@pytest.fixture
def archive(team: Team, tmp_path: Path) -> Path:
    return exported(judged_campaign(team), tmp_path)


def refused(path: Path, team: Team, match: str, slug: str = "") -> None:
    """With one line, and nothing of it there."""
    before = [model.objects.count() for model in COUNTED]
    with pytest.raises(ArchiveError, match=match) as told:
        import_campaign(path, team, slug)
    assert "\n" not in str(told.value)
    assert [model.objects.count() for model in COUNTED] == before


def rewritten(path: Path, name: str, rows: list[dict[str, Any]]) -> Path:
    """With a manifest that fits: as somebody would who wants it to be taken."""
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    return refilled(path, f"{name}.jsonl", content)


def refilled(path: Path, name: str, content: bytes) -> Path:
    files = manifest_of(path)["files"]
    files[name] |= {"rows": content.count(b"\n"), "bytes": len(content), "sha256": sha256(content).hexdigest()}
    return repacked(path, {name: content}, {"files": files})


def test_every_foreign_key_leads_into_the_archive_or_stays_behind() -> None:
    """A new one makes this fail until somebody has said which it is; so does a column of another name."""
    for part in PARTS:
        for field in part.model._meta.concrete_fields:
            if field.is_relation:
                assert field.name in OUTSIDE or field.related_model in BY_MODEL, f"{part.name}.{field.name}"
        assert all(field.column == field.name for field in plain_fields(part))
        assert all(PARTS.index(to) < PARTS.index(part) or to is part for to in links(part).values())


def test_a_changed_byte_is_told_of_with_its_file(archive: Path, team: Team) -> None:
    with zipfile.ZipFile(archive) as opened:
        content = opened.read("judgments.jsonl")
    changed = content.replace(b"cannot_tell", b"cannot_tall", 1)
    assert len(changed) == len(content) and changed != content
    refused(repacked(archive, {"judgments.jsonl": changed}), team, r"^judgments.jsonl is not as the manifest says")


def test_a_byte_changed_on_the_way_is_told_of(archive: Path, team: Team) -> None:
    """In the middle of what is packed, where the ZIP's own sum notices it or the hash does."""
    packed = bytearray(archive.read_bytes())
    with zipfile.ZipFile(archive) as opened:
        entry = opened.getinfo("stimuli.jsonl")
    packed[entry.header_offset + 100 + entry.compress_size // 2] ^= 1
    archive.write_bytes(packed)
    refused(archive, team, "is no whole ZIP file|not as the manifest says")


@pytest.mark.parametrize("name", ["texts.jsonl", "verdicts.jsonl", MANIFEST])
def test_a_missing_file_is_named(archive: Path, team: Team, name: str) -> None:
    refused(repacked(archive, {name: None}), team, f"^It has no {name}")


@pytest.mark.parametrize("name", ["../../etc/cron.d/x", "/etc/passwd", "texts.jsonl/../x", "C:\\x.jsonl", "new.jsonl"])
def test_other_names_are_refused(archive: Path, team: Team, name: str) -> None:
    refused(repacked(archive, {name: b"x"}), team, "^It holds .*which no archive of this version does")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_stands_there_twice_is_refused(archive: Path, team: Team) -> None:
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr("texts.jsonl", b"{}\n")
    refused(archive, team, "^It holds 'texts.jsonl', which no archive of this version does, or does twice")


@pytest.mark.parametrize(
    ("manifest", "match"),
    [
        ({"format": "peekaword-campaign/2"}, "^Its format is 'peekaword-campaign/2'; this Peekaword takes"),
        ({"format": None}, "^Its format is 'None'"),
        ({"files": []}, "does not say rows, bytes, sha256 and keys of every file"),
        ({"files": {"texts.jsonl": {"rows": 4, "bytes": True}}}, "does not say rows, bytes, sha256 and keys"),
    ],
)
def test_another_version_or_another_manifest_is_refused(
    archive: Path, team: Team, manifest: dict[str, Any], match: str
) -> None:
    refused(repacked(archive, {}, manifest), team, match)


def test_an_archive_of_a_newer_version_names_what_is_not_known_here(archive: Path, team: Team) -> None:
    files = manifest_of(archive)["files"]
    files["texts.jsonl"]["keys"].append("mood")
    refused(repacked(archive, {}, {"files": files}), team, "^texts.jsonl: this Peekaword knows no 'mood'; .* newer")


def test_an_archive_of_an_older_version_gets_what_new_rows_start_with(archive: Path, team: Team) -> None:
    rows = [{key: row[key] for key in row if key != "warning"} for row in rows_of(archive, "texts")]
    path = rewritten(archive, "texts", rows)
    files = manifest_of(path)["files"]
    files["texts.jsonl"]["keys"].remove("warning")
    campaign = import_campaign(repacked(path, {}, {"files": files}), team)
    assert set(campaign.dataset.texts.values_list("warning", flat=True)) == {""}


def test_what_unpacks_to_more_than_it_may_is_not_unpacked(
    archive: Path, team: Team, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.archiving.reading.NEVER_A_BOMB", 10_000)
    bomb = rewritten(archive, "verdicts", [{"x": "0" * 2_000_000}])
    refused(bomb, team, "^verdicts.jsonl unpacks to more than 300 times its size")
    settings.MAX_ARCHIVE_MEGABYTES = 1
    refused(bomb, team, "^It unpacks to 2 MB; MAX_ARCHIVE_MEGABYTES allows 1")


def test_a_size_that_is_not_true_is_told_of(archive: Path, team: Team) -> None:
    files = manifest_of(archive)["files"]
    files["texts.jsonl"]["bytes"] += 1
    refused(repacked(archive, {}, {"files": files}), team, "^texts.jsonl has [0-9,]+ bytes; the manifest says")


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04" + b"\0" * 100])
def test_what_is_no_archive_is_told_so(team: Team, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    refused(path, team, "^It is no whole ZIP file")
    refused(tmp_path / "missing.zip", team, "^It cannot be read: No such file or directory")


@pytest.mark.parametrize(
    ("part", "change", "match"),
    [
        ("campaign", {"protocol": "telepathy"}, "campaign.jsonl: this Peekaword knows no protocol 'telepathy'"),
        ("campaign", {"state": "on fire"}, "campaign.jsonl: this Peekaword knows no state 'on fire'"),
        ("campaign", {"recruitment": "press gang"}, "knows no recruitment 'press gang'"),
        ("judgments", {"assignment": 999}, "judgments.jsonl: 49 rows name a assignment that is not in assignments"),
        ("judgments", {"response_ms": -5}, "^It does not fit together: "),
        ("judgments", {"received_at": "soon"}, "^It does not fit together: "),
        ("judgments", {"assignment": 1}, "^It does not fit together: duplicate key value"),
        ("judgments", {"answer": None}, "^It does not fit together: null value"),
        ("texts", {"content": ""}, "^It does not fit together: .*text_is_not_empty"),
        ("places", {"stimulus": "x"}, "^It does not fit together: invalid input syntax"),
    ],
)
def test_content_that_cannot_be_is_refused(
    archive: Path, team: Team, part: str, change: dict[str, Any], match: str
) -> None:
    refused(rewritten(archive, part, [row | change for row in rows_of(archive, part)]), team, match)


def test_lines_that_are_no_json_are_told_of(archive: Path, team: Team) -> None:
    path = refilled(archive, "texts.jsonl", b'{"key": \n')
    refused(path, team, "^texts.jsonl is no JSON in each line: invalid input syntax for type json")


def test_a_registration_that_was_changed_is_refused(team: Team, tmp_path: Path) -> None:
    campaign = judged_campaign(team)
    document = '{"hypotheses":"A beats B"}'
    digest = sha256(document.encode()).hexdigest()
    Registration.objects.create(campaign=campaign, document=document, digest=digest, registered_at=campaign.created_at)
    path = exported(campaign, tmp_path)
    rows = [row | {"document": document.replace("A beats B", "B beats A")} for row in rows_of(path, "registration")]
    refused(rewritten(path, "registration", rows), team, "^The registration is not what its hash was made of")


@pytest.mark.parametrize(
    ("slug", "match"),
    [
        ("films-topk-guess", "There is a campaign films-topk-guess already"),
        ("no slug", "is no slug"),
        ("new", "cannot be a slug"),
        ("x" * 81, "cannot be a slug"),
    ],
)
def test_a_slug_that_cannot_be_is_refused(archive: Path, team: Team, slug: str, match: str) -> None:
    refused(archive, team, match, slug)


def test_the_command_says_one_line_and_ends_with_one(
    archive: Path, team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    archive.write_bytes(archive.read_bytes()[:-200])
    with pytest.raises(SystemExit) as ended:
        call_command("import_campaign", archive, verbosity=0)
    told = capsys.readouterr().err
    assert ended.value.code == 1 and told.endswith("Nothing was imported.\n") and told.count("\n") == 1


def test_who_reads_the_parts_finds_every_table_once() -> None:
    assert len({part.file for part in PARTS}) == len(PARTS) == len(BY_MODEL) and isinstance(PARTS[0], Part)
