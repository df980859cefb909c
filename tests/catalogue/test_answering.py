import json
from pathlib import Path
from typing import Any

from catalogue.answering import NOT_SERVED, NOT_TRIED, RECORDED, answers, condense, known_answers, record_answers
from catalogue.tasks import FAILED, PASSED, TASKS

RULE = {"rule": "all", "eps": 0.001, "absent": "zero"}
RECORD: dict[str, Any] = {
    "task": "arithmetic",
    "label": "Sums",
    "pass_line": "Above .71.",
    "meta": {"seed": 0},
    "models": [{"mse": 1e-5}],
    "methods": [
        {"method": "lrp_lstm", "variant": "rule = all", "params": RULE, "verdict": PASSED, "reason": ""},
        {
            "method": "lrp_lstm",
            "variant": "rule = half",
            "params": RULE | {"rule": "half"},
            "verdict": FAILED,
            "reason": "",
        },
    ],
    "rows": [
        {"method": "lrp_lstm", "variant": "rule = half", "setting": "sums", "values": {"corr_a": {"value": 0.1}}},
        {"method": "lrp_lstm", "variant": "rule = all", "setting": "sums", "values": {"corr_a": {"value": 0.9}}},
    ],
}


def test_it_works() -> None:
    known = condense([RECORD])
    found = {one.task: one for one in answers("lrp_lstm", {"rule": "half", "eps": 0.01, "absent": "remove"}, known)}
    assert list(found) == list(TASKS)
    answer = found["arithmetic"]
    assert (answer.verdict, answer.figures, answer.otherwise) == (FAILED, {"sums": {"corr_a": 0.1}}, {"eps": 0.001})
    assert found["planted"].verdict == NOT_SERVED
    assert answers("lrp_lstm", {}, known)[0].verdict == PASSED


def test_what_is_not_recorded_was_not_tried() -> None:
    assert answers("gradient", {}, condense([RECORD]))[0].verdict == NOT_TRIED
    assert {one.verdict for one in answers("imported:mine", {}, condense([RECORD]))} == {NOT_TRIED}


def test_without_a_file_nothing_is_known(tmp_path: Path) -> None:
    assert known_answers(tmp_path / "none.json") == {}
    (tmp_path / "some.json").write_text(json.dumps(condense([RECORD])))
    assert known_answers(tmp_path / "some.json")["arithmetic"]["meta"] == {"seed": 0}


def test_a_task_takes_the_place_of_its_earlier_run(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    record_answers(RECORD | {"task": "planted"}, path)
    record_answers(RECORD, path)
    record_answers(RECORD | {"meta": {"seed": 5}}, path)
    assert {task: one["meta"] for task, one in known_answers(path).items()} == {
        "arithmetic": {"seed": 5},
        "planted": {"seed": 0},
    }


def test_what_is_recorded_is_of_tasks_that_exist() -> None:
    assert set(known_answers(RECORDED)) <= set(TASKS)
