"""What a pilot says of a protocol's answers: base, shares of variance, time. From any study that a preset reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from analysis.planning.answering import (
    FINE,
    MOST_SHARED,
    answer_correlation,
    latent_share,
    quantiles,
    verdict_correlation,
)
from analysis.planning.assumptions import DEFAULTS, GRADED, Assumptions
from analysis.study import MARKING, PAIRWISE, RANDOM, REVEAL, TOPK_GUESS, Study

# Together the shares leave at least so much to single answers.
LEAST_REST = 0.05
# Of Lu et al. 2024, where a file holds verdicts and not how many votes they are of.
USUAL_VOTES = 5
Pairs = tuple[float, float]  # Sum of products over pairs, and how many pairs.


class PilotError(Exception):
    """A study that tells nothing that a plan could be made from. The message says what is missing."""


@dataclass(frozen=True)
class Pilot:
    """Assumptions from a study; `reference` is the method whose score is their base, `scores` all methods' scores.

    unknown: what the study does not tell, so that the default stands: worker, seconds, votes, text, text_method.
    """

    assumptions: Assumptions
    reference: str
    scores: dict[str, float]
    n_texts: int
    n_workers: int
    n_judgments: int
    unknown: tuple[str, ...]

    @property
    def best(self) -> tuple[str, float]:
        """The method that scores highest, and by how much it does so over the reference."""
        name = max(self.scores, key=lambda one: self.scores[one])
        return name, self.scores[name] - self.scores[self.reference]


def pilot(study: Study) -> Pilot:
    """What the study says. The base is Random's score, or of the lowest method where Random is no arm.

    Shares of variance are fitted by moments: scores, standardised within method and k, correlate in pairs of one text
    and method, of one text under two methods, and of one worker on two texts; each correlation is turned into the
    share of latent variance that would give it (`answering.answer_correlation`). Where only majority verdicts are
    known their votes are taken to be five, and workers' share stands as it is by default. The effect stays that of the
    defaults: a pilot's own difference is too uncertain to plan by. Raises PilotError where there is nothing to fit.
    """
    if study.protocol not in DEFAULTS or study.protocol == MARKING:
        raise PilotError(f"A plan cannot be made from {study.protocol}: its answers score no method.")
    verdicts = study.judgments is None or study.judgments.empty
    rows = _verdicts(study) if verdicts else _judgments(study)
    if rows["text"].nunique() < 2:
        raise PilotError("The pilot has scores of fewer than two texts, so nothing can be said of how texts differ.")
    found = _scale(study, rows, verdicts)
    scores = _scores(study, rows, found.votes)
    reference = RANDOM if RANDOM in scores else min(scores, key=lambda name: scores[name])
    found = replace(found, base=0.5 if study.protocol == PAIRWISE else scores[reference])
    found, missing = _fitted(found, rows, verdicts)
    return Pilot(
        replace(found, source=_source(study, rows, verdicts)),
        reference,
        scores,
        int(rows["text"].nunique()),
        0 if verdicts else int(rows["worker"].nunique()),
        0 if verdicts else len(rows),
        missing,
    )


def _judgments(study: Study) -> pd.DataFrame:
    """Of pairs one side; guesses from all that can be read, at no k, are no arm of a method."""
    assert study.answers is not None
    rows = study.answers[study.answers["score"].notna()]
    rows = rows[rows["k"].notna()] if study.protocol == TOPK_GUESS and rows["k"].notna().any() else rows
    arms = rows["method"] + "|" + rows["other"] + "|" + rows["display"]
    return rows.assign(arm=arms, k=rows["k"].fillna(0).astype(int), ms=rows["response_ms"].astype("Float64"))


def _verdicts(study: Study) -> pd.DataFrame:
    cells = study.cells.rename(columns={"recognised": "score"})
    return cells.assign(arm=cells["method"], worker="", ms=pd.array([pd.NA] * len(cells), dtype="Float64"))


def _scale(study: Study, rows: pd.DataFrame, verdicts: bool) -> Assumptions:
    """The protocol's defaults with what is seen at once: votes, steps, the ends of the scale, spread, ties and time."""
    start = DEFAULTS[study.protocol]
    scores = rows["score"].astype(float)
    given: dict[str, object] = {"steps": max(1, int(rows["k"].nunique()))}
    if rows["ms"].notna().any():
        given["seconds"] = float(rows["ms"].median()) / 1000
    if study.protocol == TOPK_GUESS:
        counts = rows["n"] if verdicts else rows.groupby(["text", "arm", "k"]).size()
        given["votes"] = USUAL_VOTES if counts.isna().all() else max(1, round(float(counts.mean())))
    if study.protocol in GRADED:
        given["scale"] = (int(scores.min()), int(scores.max()))
    if study.protocol == PAIRWISE:
        given["ties"] = float((scores == 0.5).mean())
    found = replace(start, **given)  # type: ignore[arg-type]
    within = scores - scores.groupby(rows["arm"]).transform("mean")
    return _spread(found, float(scores.mean()), float(within.std())) if study.protocol in (*GRADED, REVEAL) else found


def _spread(found: Assumptions, level: float, deviation: float) -> Assumptions:
    """With the latent spread whose answers deviate as observed: their own is less, as scales end."""
    low, high = found.bounds

    def excess(spread: float) -> float:
        one = replace(found, spread=spread)
        return float(one.answering(one.latent(level) + quantiles(FINE)).std()) - deviation

    least, most = 0.05 * (high - low), 2.0 * (high - low)
    if excess(least) >= 0 or excess(most) <= 0:
        return replace(found, spread=least if excess(least) >= 0 else most)
    return replace(found, spread=float(brentq(excess, least, most, xtol=1e-3)))


def _scores(study: Study, rows: pd.DataFrame, votes: int) -> dict[str, float]:
    """By method, as reports count: the mean over texts, of verdicts where there are votes."""
    if study.protocol == PAIRWISE and study.judgments is not None:
        rows = study.judgments[study.judgments["score"].notna()]
    if votes:
        cells = study.cells.assign(score=study.cells["recognised"].astype(float))
        return {str(name): float(own.mean()) for name, own in cells.groupby("method", sort=True)["score"]}
    means = rows.groupby(["method", "text"], sort=True)["score"].mean().groupby("method").mean()
    return {str(name): float(value) for name, value in means.items()}


def _fitted(start: Assumptions, rows: pd.DataFrame, verdicts: bool) -> tuple[Assumptions, tuple[str, ...]]:
    """With the shares of variance, as far as the pilot has pairs to tell them from; and the names of the others."""
    standard = _standardised(rows)
    level = float(rows["score"].astype(float).mean())
    cell, text, worker = _pairs(rows, standard, verdicts)
    share = _by_verdicts(start, level) if verdicts else _by_answers(start, level)
    unknown = []
    cells = share(_correlation(cell), MOST_SHARED, None) if cell[1] else start.cell
    texts = share(_correlation(text), cells, cells) if text[1] else min(start.text, cells)
    workers = share(_correlation(worker), MOST_SHARED, None) if worker[1] and not verdicts else start.worker
    unknown += [name for name, pairs in (("text_method", cell), ("text", text)) if not pairs[1]]
    unknown += [] if worker[1] and not verdicts else ["worker"]
    unknown += [] if rows["ms"].notna().any() else ["seconds"]
    unknown += ["votes"] if verdicts and rows["n"].isna().all() else []
    scale = min(1.0, (1 - LEAST_REST) / max(cells + workers, 1e-9))
    fitted = replace(start, text=texts * scale, text_method=max(0.0, cells - texts) * scale, worker=workers * scale)
    return fitted, tuple(unknown)


# From a correlation, the most that it may be, and for pairs of one text the share of a cell, to a share.
Share = Callable[[float, float, float | None], float]


def _by_answers(start: Assumptions, level: float) -> Share:
    one = replace(start, votes=0)
    mu = one.latent(level)
    return lambda observed, most, _: latent_share(lambda s: answer_correlation(one.answering, mu, s), observed, most)


def _by_verdicts(start: Assumptions, level: float) -> Share:
    def mean_of(cell: float) -> float:
        return replace(start, text=0.0, text_method=cell).latent(level)

    def share(observed: float, most: float, cell: float | None) -> float:
        if cell is None:
            return latent_share(lambda s: verdict_correlation(mean_of(s), s, s, start.votes), observed, most)
        mu = mean_of(cell)
        return latent_share(lambda s: verdict_correlation(mu, s, cell, start.votes), observed, most)

    return share


def _standardised(rows: pd.DataFrame) -> pd.Series:
    """Scores with mean 0 and variance 1 within each arm and k, 0 where they do not vary there."""
    groups = rows["score"].astype(float).groupby([rows["arm"], rows["k"]])
    spread = groups.transform(lambda own: own.std(ddof=0))
    centred = rows["score"].astype(float) - groups.transform("mean")
    return (centred / spread.where(spread > 0, np.inf)).fillna(0.0)


def _pairs(rows: pd.DataFrame, standard: pd.Series, verdicts: bool) -> tuple[Pairs, Pairs, Pairs]:
    """Of one text and arm, of one text under two arms, and of one worker on two texts; never one worker on one text."""

    def over(*keys: str) -> Pairs:
        return _products(standard, [rows[key] for key in keys])

    if verdicts:
        cell = over("text", "arm")
        return cell, _minus(over("text"), cell), (0.0, 0.0)
    same = over("text", "arm", "worker")
    cell = _minus(over("text", "arm"), same)
    text = _minus(_minus(over("text"), over("text", "arm")), _minus(over("text", "worker"), same))
    return cell, text, _minus(over("worker"), over("text", "worker"))


def _products(values: pd.Series, keys: Sequence[pd.Series]) -> Pairs:
    """Sum over ordered pairs within groups: (sum)^2 - sum of squares, and n (n - 1)."""
    groups = values.groupby(list(keys))
    sizes = groups.size().to_numpy(dtype=float)
    sums, squares = groups.sum().to_numpy(), (values**2).groupby(list(keys)).sum().to_numpy()
    return float((sums**2 - squares).sum()), float((sizes * (sizes - 1)).sum())


def _minus(all_pairs: Pairs, some: Pairs) -> Pairs:
    return all_pairs[0] - some[0], all_pairs[1] - some[1]


def _correlation(pairs: Pairs) -> float:
    return pairs[0] / pairs[1]


def _source(study: Study, rows: pd.DataFrame, verdicts: bool) -> str:
    name = study.meta.get("source", "the pilot")
    what = "verdicts" if verdicts else "judgments"
    return f"pilot {name}: {len(rows):,} {what} on {rows['text'].nunique():,} texts; the effect is not from it"
