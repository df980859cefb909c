"""Whatever is uploaded: it is read, or refused in words. Nothing else ever comes of it."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from accounts.models import User
from analysis.presets.reading import InputError
from analysis.presets.registry import PRESETS
from materials.checking import Columns, check
from materials.errors import FileError
from materials.maps import checking as maps
from materials.maps.reading import open_maps
from materials.previewing import preview
from materials.reading import open_table
from materials.uploading import stored_name
from tests.conftest import signed_in
from tests.security.nasty import FILES, NAMES

FEW = examples(
    max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
COLUMNS = Columns("text", "label", "id", "language", "rationale", "warning", "template", "edit_of")
KNOWN = maps.Known(1, "A fine film, with a dull end.", "en", "pos")
CRITIC = maps.Explained(1, "Critic", ["neg", "pos"])


def read_texts(path: Path) -> None:
    """As the page and the task do."""
    try:
        table = open_table(path)
        preview(table)
        for row in table.rows():
            checked = check(row, COLUMNS)
            assert checked.problem or checked.content.encode()
            assert "\0" not in "".join(map(str, checked))
    except FileError as error:
        assert "\n" not in str(error) and "Traceback" not in str(error)


def read_maps(path: Path) -> None:
    try:
        for row in open_maps(path, "mine").rows():
            checked = maps.check(row, KNOWN, CRITIC, maps.Asked("mine"))
            assert checked.problem or len(checked.scores) == len(checked.starts)
    except FileError as error:
        assert "\n" not in str(error) and "Traceback" not in str(error)


def read_judgments(path: Path) -> None:
    for name in ("crowdkit", "mturk", "schuff2022", "lu2024", "peekaword"):
        try:
            PRESETS[name].read(path)
        except InputError as error:
            assert "Traceback" not in str(error)


@pytest.mark.parametrize("name", FILES)
def test_it_works(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    FILES[name](path)
    for read in (read_texts, read_maps, read_judgments):
        read(path)


KINDS = ("a.csv", "a.tsv", "a.jsonl", "a.json", "a.parquet")
STARTS = (
    b"",
    b"text,label\n",
    b"text\tlabel\n",
    b'{"text": "a", "scores": [1], "words": ["a"], ',
    b"PAR1",
    b"\xff\xfe",
)


@FEW
@given(st.sampled_from(KINDS), st.sampled_from(STARTS), st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path: Path, name: str, start: bytes, rest: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(start + rest)
    for read in (read_texts, read_maps, read_judgments):
        read(path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "text", "label", "id", "rationale", "text_id", "method", "scores", "words", "tokens", "offsets", "target",
    "params", "special", "signed", "predicted", "probability", "source", "task", "worker", "k", "answer",
)  # fmt: skip


@FEW
@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), VALUES, min_size=1, max_size=6), min_size=1, max_size=4))
def test_any_values_are_read_or_refused(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for read in (read_texts, read_maps, read_judgments):
        read(path)


@pytest.mark.parametrize("name", NAMES)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    stored = stored_name(name)
    (tmp_path / stored).write_text("kept")
    assert (tmp_path / stored).resolve().parent == tmp_path.resolve()
    assert stored.isprintable() and len(stored.encode()) < 255 and stored not in (".", "..")


def _upload(client: Client, name: str, content: bytes) -> Any:
    return client.post(reverse("dataset_import"), {"file": SimpleUploadedFile(name, content)})


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in FILES if name not in ("deeper.json",)])
def test_the_page_says_what_is_wrong(alice: User, tmp_path: Path, settings: Any, name: str) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    FILES[name](tmp_path / name)
    client, team = signed_in(alice), str(alice.teams.get().pk)
    with (tmp_path / name).open("rb") as file:
        response = client.post(reverse("dataset_import"), {"file": file, "team": team}, follow=True)
    page = response.content.decode()
    assert response.status_code == 200 and "<script>alert" not in page and "\0" not in page


@pytest.mark.django_db
def test_a_visitors_file_is_not_even_kept_while_it_is_refused(client: Client) -> None:
    with patch("django.core.files.uploadhandler.TemporaryFileUploadHandler.new_file") as begin:
        file = SimpleUploadedFile("a.csv", b"x" * 3_000_000)
        assert client.post("/sign-in/", {"file": file}).status_code == 200
        assert client.post("/w/nowhere/no-such-token/", {"file": file}).status_code == 404
    assert not begin.called


@pytest.mark.django_db
def test_far_too_large_a_request_is_not_read(alice: User, settings: Any) -> None:
    settings.MAX_UPLOAD_MEGABYTES = 1
    client = signed_in(alice)
    assert b"larger than 1 MB" in _upload(client, "a.csv", b"x" * 1_500_000).content
    assert _upload(client, "a.csv", b"x" * 3_000_000).status_code == 413
