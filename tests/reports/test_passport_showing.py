"""Passports in words: from plain data whose every number is written here."""

from typing import Any

from reports.passport_showing import findings, matrix_reasons, overview, panels

UNDEFINED: dict[str, Any] = {
    "value": None, "ci": None, "n": 0, "undefined": {}, "rank": None, "rank_ci": None, "status": "not_computed"
}  # fmt: skip


def value(mean: float, rank: int, ends: list[int] | None = None) -> dict[str, Any]:
    spread = {"ci": [mean - 0.1, mean + 0.1], "rank_ci": ends or [rank, rank]}
    return {"value": mean, "n": 9, "undefined": {}, "rank": rank, "status": "ok", **spread}


def method(name: str, mean_rank: float | None, **metrics: dict[str, Any]) -> dict[str, Any]:
    return {
        "method": name,
        "settings": {},
        "n_texts": 9,
        "status": "ok",
        "metrics": metrics,
        "mean_rank": mean_rank,
        "mean_rank_ci": [1.25, 2.75],
        "mean_rank_by_family": {"faithfulness": mean_rank},
        "completeness": {"median": 0.012, "share_large": 0.25, "n": 8, "status": "ok"},
        "stability": {"value": None, "ci": None, "n": 0, "status": "one_seed"},
        "model_consistency": [{"classifier": "copy", "value": -0.5, "ci": [-0.6, -0.4], "n": 9, "status": "ok"}],
        "input_consistency": {
            "value": 0.75,
            "ci": None,
            "n": 3,
            "skipped": 2,
            "undefined": 0,
            "other_label": 1,
            "status": "ok",
        },
        "cost": {"seconds": 1.26, "passes": 48.0, "status": "ok"},
        "known_answers": [
            {
                "task": "planted",
                "label": "Planted word",
                "verdict": "failed",
                "reason": "",
                "otherwise": {"samples": 5},
            },
            {"task": "agreement", "label": "Agreement", "verdict": "passed", "reason": "", "otherwise": {}},
            {"task": "arithmetic", "label": "Sums", "verdict": "not_served", "reason": "", "otherwise": None},
        ],
    }


def passport() -> dict[str, Any]:
    measures: list[dict[str, Any]] = [
        {"key": "aopc", "metric": "aopc", "better": "higher", "n_ranked": 3},
        {"key": "sufficiency (absent = mask)", "metric": "sufficiency", "better": "lower", "n_ranked": 3},
        {"key": "tau_loo", "metric": "tau_loo", "better": "higher", "n_ranked": 0},
    ]
    second = measures[1]["key"]
    rows = [("random", 2.0, 2, 2), ("lime", 2.5, 3, 2), ("gradient", 1.5, 1, 2)]
    ok = {"n": 3, "status": "ok"}
    taus: list[list[float | None]] = [[1.0, -0.5, None], [-0.5, 1.0, None], [None, None, None]]
    none = {"value": None, "n": 0, "status": "too_few_methods"}
    return {
        "meta": {"n_texts": 9, "n_metrics_of_mean_rank": 2},
        "metrics": measures,
        "methods": [
            method(name, rank, aopc=value(0.1, a), **{second: value(-0.2, b, [1, 3])}, tau_loo=UNDEFINED)
            for name, rank, a, b in rows
        ],
        "agreement": {"cells": [[none if tau is None else ok | {"value": tau} for tau in row] for row in taus]},
    }


def test_findings_say_the_best_the_worse_than_random_and_the_disagreement() -> None:
    assert findings(passport()) == [
        "Gradient ranks best of 3 methods: mean rank 1.5 over 2 metrics, on 9 texts.",
        "Worse than Random on average: LIME.",
        "The metrics rank methods alike by a median tau-b of "
        "\N{MINUS SIGN}0.50 (AOPC and Sufficiency (absent = mask)).",
    ]


def test_without_ranks_nothing_is_found() -> None:
    nothing = passport() | {"agreement": {"cells": []}, "metrics": []}
    for row in nothing["methods"]:
        row["mean_rank"] = None
    assert findings(nothing) == []


def test_the_overview_sorts_by_mean_rank_and_cells_by_number() -> None:
    lines = overview(passport())
    assert [line.label for line in lines] == ["Gradient", "Random", "LIME"]
    assert [line.is_random for line in lines] == [False, True, False]
    shown = [(cell.text, cell.note) for cell in lines[0].cells]
    assert shown == [
        ("1.5", ""), ("1", "0.100"), ("2", "\N{MINUS SIGN}0.200"), ("\N{EN DASH}", ""),
        ("1.2 %", ""), ("\N{EN DASH}", ""), ("1.3 s", ""), ("1 of 2 passed", ""),
    ]  # fmt: skip
    assert lines[0].cells[3].value == 9999


def test_a_method_s_section_has_everything() -> None:
    panel = panels(passport())[0]
    facts = {fact.name: (fact.text, fact.note) for fact in panel.facts}
    assert facts["Adds up within"] == ("1.2 %", "above 10 % on 25 % of 8 texts")
    assert facts["Alike under seeds"] == ("\N{EN DASH}", "no text was explained under a second seed")
    minus = "\N{MINUS SIGN}"
    assert facts["Alike in copy"] == (
        f"{minus}0.50",
        f"mean Pearson's r of 9 pairs of maps, 95 %: {minus}0.60 to {minus}0.40",
    )
    assert facts["Alike in texts of a template"] == (
        "0.75",
        "mean Pearson's r of 3 pairs of maps; 2 of unequal length left out; 1 of different labels left out",
    )
    assert facts["Time a text"] == ("1.3 s", "48 forward passes")
    assert panel.verdicts == [
        ("Planted word", "failed (with samples = 5)", "failed"),
        ("Agreement", "passed", "done"),
    ]
    assert facts["Mean rank"] == ("1.5", "95 %: 1.2 to 2.8; faithfulness 1.5")
    assert panel.metrics[0] == ("AOPC", "0.100", "0.000 to 0.200", "9", "1 of 3", "")
    assert panel.metrics[1][4] == "2 (1\N{EN DASH}3) of 3"
    assert panel.metrics[2][-1] == "not computed yet"


def test_undefined_agreement_has_its_reason() -> None:
    assert matrix_reasons(passport()) == ["there are too few methods"]
