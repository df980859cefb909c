import re
from pathlib import Path

from reports.building import LARGE
from reports.files import FILES
from reports.files.manifest import ABOUT, NAME
from reports.sections import preregistration

PAGE = Path(__file__).resolve().parents[3] / "docs" / "report_files.md"


def test_every_kind_of_file_is_documented_in_its_own_words() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    documented = {tuple(re.findall(r"`([^`]+)`", names)): about for names, about in rows}
    kinds = {kind.names: kind.about for kind in FILES} | {(NAME,): ABOUT}
    assert {names: documented.get(names) for names in kinds} == kinds


def test_every_deviation_is_documented() -> None:
    source = Path(preregistration.__file__).read_text(encoding="utf-8")
    codes = set(re.findall(r'caution\("(\w+)"', source))
    documented = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert codes and codes <= documented


def test_it_says_of_how_many_judgments_a_report_is_large() -> None:
    assert f"more than {LARGE:,} judgments" in PAGE.read_text(encoding="utf-8")
