"""The report of saliency on prefixes with cues and attractors: what passes, and how alike maps are. Pure."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from analysis.bootstrap import REPLICATES
from analysis.consistency.saliency import Consistency, Pair, mean_likeness
from analysis.plausibility.cues import CueStudy, ModelSaliency, Verdict, chance_of_passing, judge_cues
from analysis.scoring.accuracy import wilson
from reports.reporting import versions

Section = dict[str, Any]
TARGETS = ("verum", "malum")


def build_cue_report(study: CueStudy, seed: int = 0, replicates: int = REPLICATES) -> Section:
    """The whole report, ready for JSON: fractions in 0..1, undefined values None with a status that says why."""
    verdicts = [(model, judge_cues(study, model)) for model in study.models]
    consistency = list(_consistency(study, {"seed": seed, "replicates": replicates}))
    failed = [row for model, found in verdicts for row in _failed(study, model, found)]
    optional = {"consistency": consistency, "failed_lines": failed}
    report: Section = {
        "meta": _meta(study, seed, replicates),
        "plausibility": [_plausibility(study, model, found) for model, found in verdicts],
        **{name: section for name, section in optional.items() if section},
    }
    return report | {"warnings": list(_warnings(study, report))}


def _meta(study: CueStudy, seed: int, replicates: int) -> Section:
    return {
        **study.meta,
        "models": [model.model for model in study.models],
        "seed": seed,
        "replicates": replicates,
        "confidence": 0.95,
        "versions": versions(),
    }


def _plausibility(study: CueStudy, model: ModelSaliency, verdicts: Sequence[Verdict]) -> Section:
    judged = [verdict for verdict in verdicts if verdict.status == "ok"]
    expected = [verdict for verdict in judged if verdict.expected]
    alternative = [verdict for verdict in judged if not verdict.expected]
    overall = _rate(judged)
    return {
        "model": model.model,
        "passed": overall["passed"],
        "n": overall["n"],
        "expected": _counts(expected),
        "alternative": _counts(alternative),
        "rate": overall["rate"],
        "ci": overall["ci"],
        "expected_rate": _rate(expected)["rate"],
        "expected_ci": _rate(expected)["ci"],
        "alternative_rate": _rate(alternative)["rate"],
        "alternative_ci": _rate(alternative)["ci"],
        "chance": chance_of_passing(study.prefixes, model.prefers_expected),
        "undefined": len(verdicts) - len(judged),
        "status": "ok" if judged else "no_cue_or_attractor",
    }


def _rate(verdicts: Sequence[Verdict]) -> Section:
    passed, n = _counts(verdicts)
    share = wilson(passed, n)
    return {
        "passed": passed,
        "n": n,
        "rate": share.value if n else None,
        "ci": [share.low, share.high] if n else None,
    }


def _counts(verdicts: Sequence[Verdict]) -> list[int]:
    return [sum(verdict.passed is True for verdict in verdicts), len(verdicts)]


def _failed(study: CueStudy, model: ModelSaliency, verdicts: Sequence[Verdict]) -> Iterator[Section]:
    for verdict in verdicts:
        if verdict.passed is False:
            yield {
                "model": model.model,
                "line": verdict.line,
                "case": "expected" if verdict.expected else "alternative",
                "cue": verdict.cue,
                "attractor": verdict.attractor,
                "prefix": " ".join(study.prefixes[verdict.line].words),
            }


def _consistency(study: CueStudy, options: dict[str, int]) -> Iterator[Section]:
    """Every pair of models on the same prefixes, then every model over the prefixes of one template."""
    for first, second in combinations(study.models, 2):
        for target in TARGETS:
            maps: list[Pair] = list(zip(getattr(first, target), getattr(second, target), strict=True))
            found = mean_likeness(maps, range(len(maps)), **options)
            yield _row("model", [first.model, second.model], target, found)
    pairs = [(unit, group[0], line) for unit, group in enumerate(study.groups or []) for line in group[1:]]
    for model in study.models if pairs else []:
        for target in TARGETS:
            scores = getattr(model, target)
            maps = [(scores[reference], scores[line]) for _, reference, line in pairs]
            found = mean_likeness(maps, [unit for unit, _, _ in pairs], **options)
            yield _row("input", [model.model], target, found)


def _row(kind: str, models: list[str], target: str, found: Consistency) -> Section:
    return {
        "kind": kind,
        "models": models,
        "target": target,
        "pearson": found.value,
        "ci": None if found.ci is None else list(found.ci),
        "n": found.n,
        "skipped": found.skipped,
        "undefined": found.undefined,
        "status": found.status,
    }


def _warnings(study: CueStudy, report: Section) -> Iterator[dict[str, str]]:
    bare = sum(not (prefix.cues and prefix.attractors) for prefix in study.prefixes)
    if bare:
        message = f"{bare:,} of {len(study.prefixes):,} prefixes have no cue or no attractor, and enter no pass rate."
        yield {"code": "no_cue_or_attractor", "message": message}
    for model in study.models:
        odd = sum(
            len(prefix.words) != len(scores)
            for maps in (model.verum, model.malum)
            for prefix, scores in zip(study.prefixes, maps, strict=True)
        )
        if odd:
            message = (
                f"{odd:,} maps of {model.model} have not one score a word; their words were counted from the start."
            )
            yield {"code": "not_one_score_a_word", "message": message}
    # The maps of both classes are as long, so that mostly one message serves both.
    yield from {message: {"code": code, "message": message} for code, message in _lost_pairs(report)}.values()


def _lost_pairs(report: Section) -> Iterator[tuple[str, str]]:
    for row in report.get("consistency", []):
        total = row["n"] + row["skipped"] + row["undefined"]
        of = f"of {total:,} pairs of maps in the {row['kind']} consistency of {' and '.join(row['models'])}"
        if row["skipped"]:
            yield "skipped_pairs", f"{row['skipped']:,} {of} have unequal lengths and were not compared."
        if row["undefined"]:
            why = "a map is constant, or has fewer than two words"
            yield "undefined_pairs", f"{row['undefined']:,} {of} have no correlation: {why}."
