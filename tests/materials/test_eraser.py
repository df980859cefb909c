import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Team
from materials.eraser import with_documents
from materials.errors import FileError
from materials.models import Text
from materials.reading import open_table

DOCUMENT = "plot : none .\nthe acting is a joy , really .\n"


def evidence(start: int, end: int, text: str, docid: str = "pos_1.txt") -> dict[str, Any]:
    return {
        "text": text,
        "docid": docid,
        "start_token": start,
        "end_token": end,
        "start_sentence": 1,
        "end_sentence": 2,
    }


def annotation(**changes: Any) -> dict[str, Any]:
    return {
        "annotation_id": "pos_1.txt", "classification": "POS", "query": "What is the sentiment?", "query_type": None,
        "docids": None, "evidences": [[evidence(4, 9, "the acting is a joy")]], **changes,
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pos_1.txt").write_text(DOCUMENT, encoding="utf-8")
    return tmp_path


def written(folder: Path, *annotations: dict[str, Any]) -> Path:
    path = folder / "train.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in annotations), encoding="utf-8")
    return path


def problem(folder: Path, **changes: Any) -> str:
    return next(with_documents(open_table(written(folder, annotation(**changes)))).rows()).problem


@pytest.mark.django_db
def test_it_works(folder: Path, team: Team, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_texts", str(written(folder, annotation())), "--dataset=Movies")
    text = Text.objects.get()
    assert (text.key, text.label, text.content) == ("pos_1.txt", "POS", DOCUMENT)
    assert text.rationale is not None
    ((start, end),) = text.rationale
    assert text.content[start:end] == "the acting is a joy"
    assert "1 row taken" in capsys.readouterr().out


@pytest.mark.django_db
def test_evidence_that_does_not_fit_is_rejected_with_its_line(
    folder: Path, team: Team, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(folder, annotation(), annotation(annotation_id="2", evidences=[[evidence(4, 9, "a bad film")]]))
    with pytest.raises(SystemExit):
        call_command("import_texts", str(path), "--dataset=Movies")
    assert "line 2, rationale: holds the evidence 'a bad film', but tokens 4 to 9 are 'the" in capsys.readouterr().err


def test_other_tables_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "fine", "evidences": []}\n')
    table = open_table(path)
    assert with_documents(table) is table


def test_an_annotation_without_evidence_is_called_like_its_document(folder: Path) -> None:
    row = next(with_documents(open_table(written(folder, annotation(evidences=[])))).rows())
    assert row.columns["text"] == DOCUMENT and row.columns["rationale"] == "[]"


def test_documents_may_be_named_beside_the_evidence(folder: Path) -> None:
    assert problem(folder, annotation_id="7", evidences=[], docids=["pos_1.txt"]) == ""


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"evidences": [[evidence(0, 1, "plot"), evidence(0, 1, "plot", "b")]]}, "has evidence in 2 documents"),
        (
            {"evidences": [[evidence(0, 1, "plot", "gone")]]},
            "names the document 'gone', which is not in the folder docs",
        ),
        (
            {"evidences": [[evidence(0, 1, "plot", "../train.jsonl")]]},
            "names the document '../train.jsonl', which is not",
        ),
        ({"evidences": [[evidence(0, 1, "plot", "..")]]}, "names the document '..', which is not"),
    ],
)
def test_a_document_that_cannot_be_had_is_told(folder: Path, changes: dict[str, Any], says: str) -> None:
    assert problem(folder, **changes).startswith(says)


def test_a_document_in_another_encoding_is_told(folder: Path) -> None:
    (folder / "docs" / "pos_1.txt").write_bytes(b"caf\xe9")
    assert problem(folder).endswith("cannot be read as UTF-8")


def test_annotations_without_their_folder_are_refused(tmp_path: Path) -> None:
    table = open_table(written(tmp_path, annotation()))
    with pytest.raises(FileError, match="no folder docs with their texts is beside it"):
        with_documents(table)
