import re
from pathlib import Path

from reports.statuses import REASONS, reason

ANALYSIS = Path(__file__).resolve().parents[2] / "platform" / "analysis"
OF_FRIEDMAN = {"too_few_texts", "all_tied"}
OF_MODELS = {"constant", "follows_from_others", "not_known", "too_many_labels"}
OF_DIFFERENCES = {"never_on_one_text", "nothing_differs", "no_two_who_mark"}


def test_it_works() -> None:
    assert reason("unanimous") == "everybody gave the same answer"


def test_unknown_statuses_are_still_words() -> None:
    assert reason("some_new_status") == "some new status"


def test_every_status_that_the_analysis_documents_has_a_reason() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(ANALYSIS.rglob("*.py")))
    lists = re.findall(r"^ +status: ok, ([\w\s,]+)\.$", re.sub(r" \([^)]*\)", "", text), re.MULTILINE)
    elsewhere = OF_FRIEDMAN | OF_MODELS | OF_DIFFERENCES
    assert {name for found in lists for name in re.split(r",\s+", found)} == set(REASONS) - elsewhere
