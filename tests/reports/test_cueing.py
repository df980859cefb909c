import json
from typing import Any

import numpy as np
import pytest

from analysis.arrays import FloatArray
from analysis.plausibility.cues import CueStudy, ModelSaliency, Prefix
from reports.cue_wording import open_cue_report
from reports.cueing import build_cue_report
from reports.filing import make_files, pack
from reports.presenting import draw_figures, explain_methods, make_tables, summarise
from reports.reporting import as_json
from reports.tabulating import as_csv, as_latex

WORDS = ("the", "keys", "to", "the", "cabinet")
PREFIX = Prefix(WORDS, ((1, 1),), ((4, 4),))


def model(name: str, passing: list[bool], expected: list[bool], length: int = 5) -> ModelSaliency:
    """On the lines that pass, the maps of both classes point at the word that the case asks for."""
    maps: list[FloatArray] = []
    for line, (passes, prefers) in enumerate(zip(passing, expected, strict=True)):
        scores = np.linspace(0.1, 0.2 + line / 10, length)
        scores[1 if passes == prefers else 4] = 2.0
        maps.append(scores)
    return ModelSaliency(name, maps, [scores * 0.5 + 0.01 for scores in maps], expected)


def study(**changes: Any) -> CueStudy:
    models = [
        model("large", [True, True, False, True], [True, True, False, False]),
        model("small", [True, False, False, True], [True, False, True, False]),
    ]
    whole: dict[str, Any] = {
        "prefixes": [PREFIX] * 4, "models": models, "groups": [[0, 1], [2, 3]],
        "meta": {"source": "s", "preset": "ding2021", "set": "s", "n_prefixes": 4, "hashes": {"s.tag.txt": "0" * 64}},
    }  # fmt: skip
    return CueStudy(**whole | changes)


def report(**changes: Any) -> dict[str, Any]:
    return build_cue_report(study(**changes), replicates=100)


def test_it_works() -> None:
    large, small = report()["plausibility"]
    assert (large["model"], large["passed"], large["n"]) == ("large", 3, 4)
    assert (large["expected"], large["alternative"]) == ([2, 2], [1, 2])
    assert (small["expected"], small["alternative"]) == ([1, 2], [1, 2])
    assert (large["rate"], large["expected_rate"], large["alternative_rate"]) == (0.75, 1.0, 0.5)
    assert large["ci"][0] < 0.75 < large["ci"][1] and large["expected_ci"][1] == 1.0


def test_consistency_compares_models_and_lines_of_a_template() -> None:
    rows = report()["consistency"]
    assert [(row["kind"], row["models"], row["target"], row["n"]) for row in rows] == [
        ("model", ["large", "small"], "verum", 4),
        ("model", ["large", "small"], "malum", 4),
        ("input", ["large"], "verum", 2),
        ("input", ["large"], "malum", 2),
        ("input", ["small"], "verum", 2),
        ("input", ["small"], "malum", 2),
    ]


def test_one_model_without_templates_has_no_consistency() -> None:
    alone = report(models=study().models[:1], groups=None)
    assert "consistency" not in alone
    assert set(draw_figures(alone)) == {"pass_rates", "pass_rates_narrow"}


def test_lines_that_fail_are_listed_with_what_was_compared() -> None:
    first = report()["failed_lines"][0]
    assert (first["model"], first["line"], first["case"]) == ("large", 2, "alternative")
    assert first["cue"] > first["attractor"] and first["prefix"] == "the keys to the cabinet"


def test_a_set_without_cues_has_no_rate_and_says_why() -> None:
    bare = report(prefixes=[Prefix(WORDS, (), ())] * 4)
    row = bare["plausibility"][0]
    assert (row["passed"], row["n"], row["rate"], row["ci"], row["chance"]) == (0, 0, None, None, None)
    assert (row["undefined"], row["status"]) == (4, "no_cue_or_attractor")
    assert [warning["code"] for warning in bare["warnings"]] == ["no_cue_or_attractor"]
    assert "is undefined: no prefix has both a cue and an attractor" in summarise(bare)[0]


def test_maps_of_odd_lengths_are_told_and_skipped() -> None:
    odd = [study().models[0], model("long", [True] * 4, [True] * 4, length=6)]
    found = report(models=odd)
    assert {warning["code"] for warning in found["warnings"]} == {"not_one_score_a_word", "skipped_pairs"}
    assert found["consistency"][0]["status"] == "no_comparable_pair" and found["consistency"][0]["skipped"] == 4
    assert "no defined r (no two maps can be compared)" in " ".join(summarise(found))


def test_constant_maps_are_told() -> None:
    flat = ModelSaliency("flat", [np.ones(5)] * 4, [np.ones(5)] * 4, [True] * 4)
    found = report(models=[study().models[0], flat])
    assert [warning["code"] for warning in found["warnings"]] == ["undefined_pairs", "undefined_pairs"]
    assert found["plausibility"][1]["passed"] == 0


def test_same_study_same_bytes() -> None:
    assert as_json(report()) == as_json(report())
    json.loads(as_json(report()), parse_constant=pytest.fail)


def test_sentences_name_measure_interval_and_n() -> None:
    opening, said, notes = open_cue_report(report()), summarise(report()), " ".join(explain_methods(report()))
    assert opening.endswith("2 models, 4 prefixes.")
    assert said[0].startswith("large passes 3 of 4 prefixes, 75.0 % (95")
    assert "2 of 2 where it prefers the expected class, 1 of 2 where it prefers the other" in said[0]
    assert said[2].startswith("Maps of large and small on the same prefix correlate by r = ")
    assert len(said) == 5 and "100 resamples, seed 0" in notes


def test_tables_come_as_csv_and_latex() -> None:
    tables = {table.name: table for table in make_tables(report())}
    assert list(tables) == ["pass_rates", "consistency", "failed_lines"]
    assert as_csv(tables["pass_rates"]).splitlines()[1].startswith("large,all,3,4,0.75,")
    assert "large and small & expected class (verum)" in as_latex(tables["consistency"])


def test_the_page_shows_figures_tables_and_finding() -> None:
    found = report()
    files = {file.name: file.content for file in make_files(pack(found, draw_figures(found)))}
    assert {f"figures/{name}.svg" for name in ("pass_rates", "consistency")} < set(files)
    for part in ("large passes 3 of 4", "Cues against attractors", "Prefixes that do not pass", "keys to the"):
        assert part in files["report.html"].decode()
