"""Files of a campaign tell its design's own numbers."""

import json

import pytest

from accounts.models import Team
from reports.aggregating import study_of
from reports.filing import find_file, pack
from reports.reporting import build_report
from tests.reports.rehearsed import launched, rehearse

pytestmark = pytest.mark.django_db


def test_it_works(team: Team) -> None:
    campaign = launched(team, "topk_guess", rules={"too_fast": {}}, gold_items=1)
    rehearse(campaign, workers=5)
    study = study_of(campaign)
    parcel = pack(build_report(study, replicates=20), {}, study)
    methods, sheet, references = (find_file(parcel, name) for name in ("methods.txt", "heds.json", "references.bib"))
    assert methods and sheet and references
    text = methods.content.decode()
    for said in (
        "The 3 arms: Full text, Gradient",
        "Texts were shown with 2 and 5 words.",
        "4 texts under 5 conditions made 20 stimuli; 2 judgments of each were planned, 40 in all.",
        f"“{campaign.question}”",
        "Workers came by a link. Each was paid 2.00 USD.",
        "2 practice texts and 1 item with a known answer",
        "read at least 50 % of the items faster than 600 words a minute",
        f"(SHA-256 {study.registration and study.registration['hash']})",
    ):
        assert said in text, said
    answers = {row["question"]: row["answer"] for row in json.loads(sheet.content)["questions"]}
    assert answers["4.3.4"] == "neg, pos, cannot tell" and answers["4.3.3"] == "3"
    assert answers["3.2.2.2"].endswith("2.00 USD each.") and answers["4.3.7"] == campaign.question
    assert answers["3.3.1"].startswith("1. Yes") and answers["3.3.3.1"].startswith("2. Automatic quality checking")
    assert answers["2.4"] in (None, "English")
    assert "simonyan2014deep" in references.content.decode()
