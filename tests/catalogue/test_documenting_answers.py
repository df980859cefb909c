from pathlib import Path
from typing import Any

from catalogue.answering import known_answers
from catalogue.documenting_answers import document_answers
from catalogue.tasks import TASKS

DOCS = Path(__file__).resolve().parents[2] / "docs"
META = {"date": "2026-11-30", "seconds": 61.4, "parameters": {"texts": 6, "seed": 0}, "versions": {"torch": "2.13.0"}}


def row(figures: dict[str, dict[str, float | None]], **changes: Any) -> dict[str, Any]:
    return {"method": "random", "variant": "", "verdict": "failed", "figures": figures, **changes}


def test_the_page_says_what_is_recorded() -> None:
    assert (DOCS / "known_answers.md").read_text(encoding="utf-8") == document_answers(known_answers()), (
        "make docs writes it anew"
    )
    assert set(known_answers()) == set(TASKS)


def test_it_works() -> None:
    models = [{"setting": "number", "model": "a copy", "as_said": 40, "model_fall_ci": [0.123, None]}]
    rules = row({}, method="lrp_lstm", variant="rule = abs", verdict="undefined")
    methods = [row({"number": {"pass_rate": 0.456, "expected": None}}), rules]
    page = document_answers({"agreement": {"meta": META, "models": models, "methods": methods}})
    assert "## Agreement" in page and "Run of 2026-11-30 with texts 6, seed 0; torch 2.13.0; 61 seconds." in page
    assert "- number, a copy: as said 40, model fall ci 0.12 / -" in page
    assert "**Number**" in page and "| prefixes that pass | pass, model prefers the expected class |" in page
    assert "| Random | 0.46 | - | - | - | - | failed |" in page
    assert "| LRP (LSTM), abs | - | - | - | - | - | undefined |" in page


def test_a_task_of_one_setting_has_one_table_without_a_name() -> None:
    record = {"meta": META, "models": [{"texts": 3}], "methods": [row({"": {"accuracy": 1.0, "above_random": 0.0}})]}
    page = document_answers({"representations": record})
    assert "- texts 3" in page and "| Random | 1.00 | 0.00 | failed |" in page and "**" not in page
