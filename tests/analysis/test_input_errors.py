from pathlib import Path

import pytest

from analysis.presets.crowdkit import read_crowdkit
from analysis.presets.reading import InputError


def test_what_a_library_says_ends_with_one_full_stop(tmp_path: Path) -> None:
    (tmp_path / "junk.parquet").write_bytes(b"no such thing")
    with pytest.raises(InputError, match=r"is not a Parquet file: .*[^.]\.$"):
        read_crowdkit(tmp_path / "junk.parquet")


def test_it_works() -> None:
    error = InputError(Path("labels.csv"), "expected a number, found 'x'.", line=3, column="label")
    assert str(error) == "labels.csv, line 3, column label: expected a number, found 'x'."
