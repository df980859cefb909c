import csv
import io
from typing import Any

import pandas as pd
import pytest

from analysis.presets.escaping import LineFeeds, csv_writer, escape_cell, unescape_cell
from tests.security.nasty import TEXTS


def test_it_works() -> None:
    assert [escape_cell(cell) for cell in ("=1", "a", "'=1", "'tis")] == ["'=1", "a", "''=1", "'tis"]


@pytest.mark.parametrize("text", TEXTS.values())
def test_a_row_is_read_as_the_row_that_it_was(text: str) -> None:
    out = io.StringIO(newline="")
    csv_writer(out).writerows([["a", escape_cell(text)], [escape_cell(text), "b"]])
    # As a browser's download is opened: without a word on line ends.
    read = list(csv.reader(io.StringIO(out.getvalue())))
    assert [[unescape_cell(cell) for cell in row] for row in read] == [["a", text], [text, "b"]]
    assert out.getvalue().endswith("\n") and not out.getvalue().endswith("\r\n")


def test_pandas_writes_the_same() -> None:
    out = io.StringIO(newline="")
    lines: Any = LineFeeds(out)
    pd.DataFrame({"a": ["four\rfive"], "n": [1]}).to_csv(lines, index=False, lineterminator="\r\n")
    assert out.getvalue() == 'a,n\n"four\rfive",1\n'
