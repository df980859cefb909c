from collections.abc import Iterator
from pathlib import Path

import pytest

from reports.files.kind import File
from reports.files.manifest import NAME, digest_of, list_all
from reports.shelving import shelve


def files(**contents: str) -> list[File]:
    made = [File(name.replace("__", "/") + ".csv", content.encode()) for name, content in contents.items()]
    return [*made, list_all(digest_of(file) for file in made)]


def standing(out: Path) -> dict[str, str]:
    return {str(path.relative_to(out)): path.read_text() for path in out.rglob("*") if path.is_file()}


def test_it_works(tmp_path: Path) -> None:
    paths = shelve(files(tables__methods="a", report="b"), tmp_path / "new" / "folder")
    found = standing(tmp_path / "new" / "folder")
    assert {"tables/methods.csv": "a", "report.csv": "b"}.items() <= found.items()
    assert NAME in found and len(paths) == 3 and all(path.is_file() for path in paths)


def test_nothing_is_left_of_an_older_report(tmp_path: Path) -> None:
    shelve(files(tables__methods="old", tables__gone="old"), tmp_path)
    shelve(files(tables__methods="new"), tmp_path)
    assert set(standing(tmp_path)) == {"tables/methods.csv", NAME}
    assert standing(tmp_path)["tables/methods.csv"] == "new"


def test_what_people_put_there_or_changed_stays(tmp_path: Path) -> None:
    shelve(files(mine="as written", gone="as written"), tmp_path)
    (tmp_path / "mine.csv").write_text("with my notes")
    (tmp_path / "letter.txt").write_text("to the reviewers")
    shelve(files(report="new"), tmp_path)
    assert set(standing(tmp_path)) == {"mine.csv", "letter.txt", "report.csv", NAME}


def test_a_manifest_leads_to_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "outside.csv").write_text("a")
    out = tmp_path / "out"
    out.mkdir()
    _, digest = digest_of(File("outside.csv", b"a"))
    (out / NAME).write_text(f"{digest}  ../outside.csv\n")
    shelve(files(report="new"), out)
    assert (tmp_path / "outside.csv").exists()


def test_where_a_file_cannot_be_made_all_stands_as_it_was(tmp_path: Path) -> None:
    shelve(files(report="old"), tmp_path)
    before = standing(tmp_path)

    def breaking() -> Iterator[File]:
        yield File("report.csv", b"new")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        shelve(breaking(), tmp_path)
    assert standing(tmp_path) == before
