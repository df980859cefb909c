import re
from pathlib import Path

from analysis.presets.peekaword import CODEBOOK, METRIC_PREFIX, OTHER_PREFIX

PAGE = Path(__file__).resolve().parents[2] / "docs" / "export.md"


def test_every_column_of_the_export_is_documented() -> None:
    documented = re.findall(r"^\| `([a-z_.]+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert documented == [*CODEBOOK, METRIC_PREFIX + "...", OTHER_PREFIX + "..."]
