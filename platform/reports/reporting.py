"""The report of a study: one dictionary, which is report.json, and what every page and table is drawn from."""

import json
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from analysis.agreement.coefficients import Agreement
from analysis.arrays import FloatArray
from analysis.bootstrap import REPLICATES, bootstrap, percentile_interval, point
from analysis.correlation.kendall import Correlation
from analysis.ranking.comparing import holm
from analysis.ranking.ordering import rank_interval, ranks
from analysis.scoring.accuracy import accuracy, mean_accuracy, wilson
from analysis.scoring.flipping import Flips, count_flips, flipped_steps_from_noise
from analysis.scoring.grid import Grid
from analysis.scoring.voting import majority_verdicts
from analysis.scoring.weighting import DEFAULT_WEIGHTING, DIFFICULTIES, weighted_accuracy
from analysis.study import NO_EXPLANATION, RANDOM, STIMULUS, TOPK_GUESS, Study
from reports.cautioning import find_warnings
from reports.detailing import (
    agreement_on_words,
    describe_displays,
    describe_marking,
    describe_pairs,
    describe_revealing,
    describe_sides,
)
from reports.excluding import describe_exclusions
from reports.measures import MEASURES
from reports.measuring import (
    Comparison,
    Scores,
    Settings,
    compare_all,
    compare_with,
    correlate,
    describe_metrics,
    describe_workers,
    human_by_explanation,
    measure_agreement,
    metric_by_explanation,
    resample,
    score_people,
    summarise_columns,
)

Section = dict[str, Any]
LIBRARIES = ("numpy", "pandas", "scipy")


def build_report(study: Study, seed: int = 0, replicates: int = REPLICATES) -> Section:
    """The whole report, ready for JSON: fractions in 0..1, undefined values None with a status that says why."""
    settings = Settings(seed, replicates)
    report: Section = {"meta": _meta(study, settings)}
    if not study.methods:
        told = {"exclusions": describe_exclusions(study), "participants": study.participants}
        report |= {"methods": []} | {name: section for name, section in told.items() if section}
        return {**report, "warnings": find_warnings(study, report)}
    scores = score_people(study)
    report |= _scored(study, scores, settings) if scores.methods else {"methods": []}
    optional = {
        "baselines": _baselines(study),
        "agreement": _agreements(study, settings),
        "marking": describe_marking(study),
        "workers": describe_workers(study),
        "exclusions": describe_exclusions(study),
        "participants": study.participants,
    }
    report.update({name: section for name, section in optional.items() if section})
    report["warnings"] = find_warnings(study, report)
    return report


def _scored(study: Study, scores: Scores, settings: Settings) -> Section:
    """What there is to say where answers score methods."""
    resampled = resample(scores, settings)
    report: Section = {"methods": _methods(study, scores, resampled, settings)}
    report["friedman"] = compare_all(scores)._asdict()
    if scores.grid is not None and len(scores.grid.ks) > 1:
        report["flips"] = _flips(study, count_flips(scores.grid.verdicts), settings)
    correlations = correlate(study, scores, resampled, settings)
    optional = {
        "correlations": [_correlation(*found) for found in correlations],
        "metrics": describe_metrics(study),
        "metric_means": _metric_means(study, scores, settings),
        "by_display": describe_displays(study, scores, settings),
        "pairs": describe_pairs(study, settings),
        "sides": describe_sides(study),
    }
    return report | {name: section for name, section in optional.items() if section}


def as_json(report: Section) -> str:
    """The report's one JSON form: same report, same bytes."""
    return json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def versions() -> dict[str, str]:
    """Of what the numbers come from."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {"peekaword": _own_version(), "python": platform.python_version(), **libraries}


def _meta(study: Study, settings: Settings) -> Section:
    facts = {key: value for key, value in study.meta.items() if key not in ("hashes", "excluded")}
    return {
        **facts,
        "protocol": study.protocol,
        "seed": settings.seed,
        "replicates": settings.replicates,
        "confidence": 0.95,
        "ranked_by": MEASURES[study.protocol].name + (f".{DEFAULT_WEIGHTING}" if study.protocol == TOPK_GUESS else ""),
        "n_judgments": None if study.answers is None else len(study.answers),
        "hashes": {**study.meta.get("hashes", {}), "data": study.data_hash},
        "versions": versions(),
    }


def _methods(
    study: Study, scores: Scores, resampled: tuple[FloatArray, FloatArray], settings: Settings
) -> list[Section]:
    """One row per method, best first."""
    observed, drawn = resampled
    ranked = MEASURES[study.protocol].ranked
    order = ranks(observed) if ranked else np.full(len(observed), np.nan)
    intervals = rank_interval(ranks(drawn))
    compared = {
        name: _comparisons(compare_with(arm, scores, settings), arm)
        for name, arm in (("vs_random", RANDOM), ("vs_no_explanation", NO_EXPLANATION))
    }
    details = _means(study, scores, drawn) if scores.grid is None else _verdicts(scores.grid, settings)
    revealing = describe_revealing(study, scores, settings)
    rows = []
    for column, method in enumerate(scores.methods):
        row: Section = {"method": method, "source_name": study.source_names.get(method, method)}
        row |= _counts(study, method) | details[method] | revealing.get(method, {})
        row["rank"] = None if np.isnan(order[column]) else int(order[column])
        row["rank_ci"] = None if row["rank"] is None else _pair(intervals[:, column], whole=True)
        row |= {name: found[method] for name, found in compared.items() if method in found}
        rows.append(row)
    return sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or 0, row["method"]))


def _counts(study: Study, method: str) -> Section:
    if study.judgments is None:
        cells = int((study.cells["method"] == method).sum())
        return {"n_stimuli": cells, "n_judgments": None, "n_judgments_status": "only_majority_verdicts"}
    own = study.judgments[study.judgments["method"] == method]
    return {"n_stimuli": len(own.drop_duplicates(STIMULUS)), "n_judgments": len(own)}


def _verdicts(grid: Grid, settings: Settings) -> dict[str, Section]:
    """Accuracy by k, its mean and weighted means with intervals over texts, and the flip rate of each method."""
    shares = accuracy(grid.verdicts)
    means = _with_interval(grid, lambda drawn: mean_accuracy(drawn), settings)
    weighted = {
        name: _with_interval(grid, lambda drawn, name=name: weighted_accuracy(drawn, name), settings)
        for name in DIFFICULTIES
    }
    flip_rates = count_flips(grid.verdicts).rates
    sections: dict[str, Section] = {}
    for column, method in enumerate(grid.methods):
        sections[method] = {
            "by_k": {str(k): _by_k(grid, column, layer) for layer, k in enumerate(grid.ks)},
            "mean_accuracy": _number(mean_accuracy(shares)[0, column]),
            "mean_accuracy_ci": _pair(means[:, column]),
            "weighted_accuracy": {name: _number(weighted_accuracy(shares, name)[0, column]) for name in DIFFICULTIES},
            "weighted_accuracy_ci": {name: _pair(weighted[name][:, column]) for name in DIFFICULTIES},
            "flip_rate": _number(flip_rates[column]),
        }
        if sections[method]["mean_accuracy"] is None:
            sections[method]["status"] = "not_judged_at_every_k"
    return sections


def _with_interval(grid: Grid, summary: Any, settings: Settings) -> FloatArray:
    drawn = bootstrap(
        lambda weights: summary(accuracy(grid.verdicts, weights)),
        len(grid.texts),
        replicates=settings.replicates,
        seed=settings.seed,
    )
    return percentile_interval(drawn)


def _by_k(grid: Grid, column: int, layer: int) -> Section:
    verdicts = grid.verdicts[:, column, layer]
    share = wilson(int(np.nansum(verdicts)), int(np.isfinite(verdicts).sum()))
    row: Section = {"accuracy": _number(share.value), "n": share.n, "ci": _pair(np.array([share.low, share.high]))}
    return row if share.n else row | {"status": "not_judged"}


def _means(study: Study, scores: Scores, drawn: FloatArray) -> dict[str, Section]:
    """Score of each method: the mean over texts of the text's mean, interval over texts; and its answers by kind."""
    measure = MEASURES[study.protocol].name
    observed = point(scores.summary, len(scores.texts))
    intervals = percentile_interval(drawn)
    assert study.judgments is not None
    answers = study.judgments.groupby(["method", "label"], sort=True).size().reset_index(name="n")
    sections: dict[str, Section] = {}
    for column, method in enumerate(scores.methods):
        own = answers[answers["method"] == method]
        counts = dict(zip(own["label"].astype(str), own["n"].astype(int).tolist(), strict=True))
        n_texts = int(np.isfinite(scores.by_text[:, column]).sum())
        mean = {"value": _number(observed[column]), "ci": _pair(intervals[:, column]), "n": n_texts}
        sections[method] = {measure: mean, "answers": counts}
    return sections


def _baselines(study: Study) -> list[Section]:
    """Guesses from all that can be read: the share that was right, which no k bounds."""
    if study.protocol != TOPK_GUESS or study.answers is None:
        return []
    unbounded = study.answers[study.answers["k"].isna()]
    rows = []
    for method, own in unbounded.groupby("method", sort=True):
        verdicts = majority_verdicts(own.assign(k=0))
        share = wilson(int(verdicts["recognised"].sum()), len(verdicts))
        ci = _pair(np.array([share.low, share.high]))
        rows.append({"method": str(method), "accuracy": _number(share.value), "n": share.n, "ci": ci})
    return rows


def _comparisons(comparisons: dict[str, Comparison], reference: str) -> dict[str, Section]:
    """Each comparison as a section, p values adjusted by Holm over the methods."""
    clustered = np.array([c.p_clustered for c in comparisons.values()])
    main = np.array([c.p_clustered if c.mcnemar is None else c.mcnemar.p for c in comparisons.values()])
    rows = {}
    for (method, c), adjusted, adjusted_clustered in zip(comparisons.items(), holm(main), holm(clustered), strict=True):
        row: Section = {"difference": c.difference, "ci": _pair(c.ci)}
        row["test"] = "sign_flip_by_text" if c.mcnemar is None else "mcnemar_exact_pooled"
        row["p"] = c.p_clustered if c.mcnemar is None else c.mcnemar.p
        row["p_adjusted"] = float(adjusted)
        if c.mcnemar is not None:
            row |= {"method_only": c.mcnemar.first_only, f"{reference}_only": c.mcnemar.second_only}
            row |= {"p_clustered": c.p_clustered, "p_clustered_adjusted": float(adjusted_clustered)}
        rows[method] = row
    return rows


def _flips(study: Study, flips: Flips, settings: Settings) -> Section:
    section: Section = {
        "steps": flips.steps,
        "flipped_steps": flips.flipped_steps,
        "sequences": flips.sequences,
        "flipped_sequences": flips.flipped_sequences,
    }
    if study.judgments is not None:
        section["flipped_steps_from_noise"] = flipped_steps_from_noise(study.judgments, seed=settings.seed)
    return section


def _agreements(study: Study, settings: Settings) -> list[Section]:
    """Over stimuli; of marked words over words, where it is known how many there were."""
    if on_words := agreement_on_words(study, settings):
        return [_agreement(one) | {"units": "words"} for one in on_words]
    return [_agreement(one) for one in measure_agreement(study, settings)]


def _agreement(found: Agreement) -> Section:
    return {
        "coefficient": found.coefficient,
        "level": found.level,
        "value": found.value,
        "ci": None if found.ci is None else list(found.ci),
        "n_units": found.n_units,
        "n_raters": found.n_raters,
        "n_pairable": found.n_pairable,
        "status": found.status,
    }


def _correlation(metric: str, over: str, found: Correlation) -> Section:
    return {
        "metric": metric,
        "over": over,
        "coefficient": "kendall_tau_b",
        "value": found.value,
        "ci": None if found.ci is None else list(found.ci),
        "p": found.p,
        "n": found.n,
        "status": found.status,
    }


def _metric_means(study: Study, scores: Scores, settings: Settings) -> list[Section]:
    """Per metric and method the means that the scatter shows: people's score and the metric's value."""
    human = human_by_explanation(study, scores)
    rows = []
    for metric, values in metric_by_explanation(study, scores).items():
        both = np.isfinite(human) & np.isfinite(values)
        people, machine = (summarise_columns(np.where(both, x, np.nan), settings) for x in (human, values))
        for column, method in enumerate(scores.methods):
            if n := int(both[:, column].sum()):
                row: Section = {"method": method, "metric": metric, "n": n}
                row |= {"human": _number(people[0][column]), "human_ci": _pair(people[1][:, column])}
                row |= {"value": _number(machine[0][column]), "value_ci": _pair(machine[1][:, column])}
                rows.append(row)
    return rows


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _pair(interval: FloatArray, *, whole: bool = False) -> list[float] | None:
    if not np.isfinite(interval).all():
        return None
    return [int(bound) if whole else float(bound) for bound in interval]


def _own_version() -> str:
    try:
        return version("peekaword")
    except PackageNotFoundError:
        return "not installed"
