"""Files as people have them: whatever a reader is given, it gives a study or one clear line that names the file."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.presets.mapping import read_mapping
from analysis.presets.reading import InputError
from analysis.presets.registry import PRESETS
from analysis.study import Study

FILES: dict[str, bytes] = {
    "nothing": b"",
    "blank lines": b"\n\n  \n",
    "only a byte order mark": b"\xef\xbb\xbf",
    "only a header": b"task,worker,label\n",
    "an image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "half a gzip": gzip.compress(b"task,worker,label\nt,w,l\n")[:20],
    "half a UTF-16": "task,worker,label\n".encode("utf-16")[:-1],
    "latin-1": "task,worker,label\nt,w,gr\xfcn\n".encode("latin-1"),
    "a spreadsheet": b"PK\x03\x04\x14\x00\x06\x00",
    "JSON": b'{"task": 1}',
    "a page": b"<!doctype html><title>Sign in</title>",
    "no line end": b"task,worker,label\nt,w,l",
    "lone carriage returns": b"task,worker,label\rt,w,l\r",
    "one column": b"label\nyes\nno\n",
    "too many fields": b"task,worker,label\nt,w,l,x\n",
    "an open quote": b'task,worker,label\nt,w,"l\n',
    "a header of quotes": b'"","",""\n"a","b","c"\n',
    "numbers too large": b"task,worker,label\nt,w,1e999\n",
    "a long cell": b"task,worker,label\nt,w," + b"x" * 300_000 + b"\n",
    "odd spaces": "task,worker,label\n\u00a0,\u2003,\u200b\n".encode(),
}
READERS = {name: preset for name, preset in PRESETS.items() if name not in ("ding2021", "mapping")}
MAPPING = '[columns]\ntext = "task"\nworker = "worker"\nlabel = "label"\n'


def read(folder: Path, content: bytes, preset: str) -> None:
    """A study, or an error whose first words are the file's path; nothing else."""
    path = folder / "file.csv"
    path.write_bytes(content)
    try:
        study = PRESETS[preset].read(path)
    except InputError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error).strip()
    else:
        assert isinstance(study, Study)


@pytest.mark.parametrize("preset", READERS)
@pytest.mark.parametrize("name", FILES)
def test_every_reader_takes_it_or_says_what_is_wrong(tmp_path: Path, preset: str, name: str) -> None:
    read(tmp_path, FILES[name], preset)


@pytest.mark.parametrize("name", FILES)
def test_so_does_a_mapping_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "table.csv").write_bytes(FILES[name])
    (tmp_path / "mapping.toml").write_text(MAPPING, encoding="utf-8")
    try:
        read_mapping(tmp_path / "table.csv", mapping=tmp_path / "mapping.toml")
    except InputError as error:
        assert str(error).startswith(str(tmp_path))


LINES = st.lists(
    st.sampled_from(["task", "worker", "label", '"', ",", ";", "\t", "\r", "\n", "1", "-", "NA", "x", "é"])
)
HEADS = ["task,worker,label\n", "item,w1,w2\n", "HITId,WorkerId,Answer.x\n", "Text\tLabel\tSaliency\tWords\tCorrect\n"]


@given(head=st.sampled_from([*HEADS, "sentence_id,worker_id,human_importance_rating\n", ""]), rest=LINES)
@settings(max_examples=80, deadline=None)
def test_whatever_follows_a_header_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, head: str, rest: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("f")
    for preset in READERS:
        read(folder, (head + "".join(rest)).encode(), preset)


def test_lines_may_end_as_old_spreadsheets_end_them(tmp_path: Path) -> None:
    (tmp_path / "mac.csv").write_bytes(FILES["lone carriage returns"])
    study = PRESETS["crowdkit"].read(tmp_path / "mac.csv")
    assert isinstance(study, Study) and study.judgments is not None
    assert study.judgments["label"].tolist() == ["l"]
