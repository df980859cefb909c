"""`sanity --record`: what passports say of known answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from catalogue.answering import answers, known_answers, record_answers
from config.management.commands import sanity
from workers.sanity import arithmetic, performing

SMALL = {"task": "arithmetic", "models": 2, "texts": 12, "record": True}


def test_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, kept = performing.perform, tmp_path / "known.json"

    def perform_less(name: str, methods: Any, *rest: Any) -> Any:
        return real(name, ["random", "lrp_lstm"], *rest)

    monkeypatch.setattr(arithmetic, "SETTINGS", arithmetic.SETTINGS[2:3])
    monkeypatch.setattr(performing, "perform", perform_less)
    monkeypatch.setattr(sanity, "record_answers", lambda record: record_answers(record, kept))
    call_command("sanity", **SMALL, out=tmp_path)
    whole = json.loads((tmp_path / "arithmetic.json").read_text())
    known = known_answers(kept)
    found = answers("lrp_lstm", {"rule": "prop"}, known)[0]
    row = next(row for row in whole["methods"] if row["variant"] == "rule = prop")
    assert (found.task, found.verdict, found.otherwise) == ("arithmetic", row["verdict"], {})
    assert found.figures and set(next(iter(found.figures.values()))) == {"corr_a", "corr_b", "squared_error"}
    assert known["arithmetic"]["meta"] == whole["meta"]


def test_single_methods_are_not_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        call_command("sanity", **SMALL, method="random", out=tmp_path)
    assert end.value.code == 2 and "leave --method out" in capsys.readouterr().err
