"""The flow of participants: what is left at each step, and who was lost after it."""

from django.template.loader import render_to_string

from reports.sections.participants import SECTION, draw_flow

FLOW = {
    "arrived": 12, "simulated": 2, "consented": 11, "declined": 1, "screened_out": 3,
    "screened_out_by": {"practice": 2, "comprehension": 1}, "returned": 1, "timed_out": 0, "at_work": 0, "completed": 7,
    "erased": 0, "excluded": 0, "excluded_by_rules": 2, "by_rule": {"failed_checks": 2, "too_fast": 0},
}  # fmt: skip


def test_it_works() -> None:
    steps = draw_flow({"participants": FLOW, "workers": [{}] * 5})
    assert steps is not None
    assert [(step["label"], step["n"]) for step in steps] == [
        ("Arrived", 12), ("Agreed to take part", 11), ("Completed", 7), ("In this report", 5),
    ]  # fmt: skip
    assert [[(loss["label"], loss["n"]) for loss in step["lost"]] for step in steps] == [
        [("Declined", 1)],
        [("Screened out", 3), ("Returned half way", 1)],
        [("Excluded by the rules", 2)],
        [],
    ]
    assert len(steps[2]["lost"][0]["reasons"]) == 1 and steps[0]["note"] == "of these simulated: 2"


def test_it_is_drawn_with_its_reasons() -> None:
    steps = draw_flow({"participants": FLOW, "workers": [{}] * 5})
    drawn = " ".join(render_to_string("reports/flow.html", {"section": SECTION, "own": steps}).split())
    assert "Screened out <strong>3</strong> (in practice 2, by the questions about the instructions 1)" in drawn


def test_files_tell_of_nobody_but_those_who_judged() -> None:
    assert draw_flow({"workers": [{}]}) is None
