"""Judgments from elsewhere become a campaign of their own: closed, marked as imported, never to be launched.

What the database cannot know stays empty: what workers saw, when they came, what became of them. Workers are known by
keyed hashes of the ids in the file, as any others. The same rows again change nothing.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import pandas as pd
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction
from django.utils import timezone

from accounts.models import Team
from analysis.study import Study
from campaigns.models import Campaign, Condition, Place, SampledText, Stimulus
from catalogue.baselines import BASELINES
from catalogue.methods import METHODS
from judging.arriving import worker_hash
from judging.models import Assignment, Judgment, Participation
from materials.models import Classifier, Dataset, Text
from materials.naming import insert_named
from protocols import KNOWN
from protocols.elsewhere import COUNTED

BATCH = 2000
LONGEST_KEY, LONGEST_EXPECTED = 200, 200
LONGEST_RESPONSE_MS = 86_400_000
UNKNOWN = "elsewhere"
CELL = ["method", "other", "k", "display"]


class ImportingError(Exception):
    """Why judgments cannot be imported, in a sentence."""


@dataclass(frozen=True)
class Outcome:
    """`known` are the judgments that were there before."""

    campaign: Campaign
    added: int
    known: int


def import_study(study: Study, slug: str, team: Team) -> Outcome:
    """All judgments or none. ImportingError where they cannot go into this campaign, or are none."""
    if study.answers is None:
        raise ImportingError("The file holds verdicts, not judgments of workers. Make their report with analyse.")
    with transaction.atomic():
        campaign = _find(study, slug) or _make(study, slug, team)
        added = _write(campaign, study, study.answers)
        known = len(study.answers) - added
        if added:
            _note(campaign, study, added)
    return Outcome(campaign, added, known)


def _find(study: Study, slug: str) -> Campaign | None:
    """The imported campaign that the judgments are to be added to, locked; None where it is to be made."""
    campaign = Campaign.objects.select_for_update().filter(slug=slug).first()
    if campaign is None:
        return None
    if not campaign.imported:
        raise ImportingError(f"In the campaign {slug} workers judge here; judgments from elsewhere need another slug.")
    level = campaign.imported["level"]
    if (campaign.protocol, level) != (study.protocol, _level(study)):
        has = f"holds judgments of the protocol {campaign.protocol}, level {level}"
        raise ImportingError(f"The campaign {slug} {has}; these are {study.protocol}, level {_level(study)}.")
    return campaign


def _level(study: Study) -> str:
    return study.level or KNOWN[study.protocol].level


def _make(study: Study, slug: str, team: Team) -> Campaign:
    try:
        validate_slug(slug)
    except ValidationError:
        raise ImportingError(f"{slug!r} is no slug: letters, numbers, hyphens and underscores, please.") from None
    if len(slug) > 80:
        raise ImportingError(f"A slug has at most 80 characters; this has {len(slug)}.")
    answers = study.answers
    assert answers is not None
    ks = answers["k"].dropna()
    return Campaign.objects.create(
        team=team,
        name=slug.replace("-", " ").replace("_", " ").capitalize(),
        slug=slug,
        state=Campaign.State.CLOSED,
        closed_at=timezone.now(),
        protocol=study.protocol,
        dataset=_dataset(team, slug),
        classifier=_classifier(team),
        methods=[name for name in study.methods if name in METHODS],
        baselines=[name for name in study.methods if name in BASELINES],
        metrics=[],
        ks=sorted({int(k) for k in ks}),
        displays=sorted(set(answers["display"]) - {""}),
        practice_items=0,
        imported={"preset": study.meta.get("preset", ""), "level": _level(study), "files": [], "notices": []},
    )


def _dataset(team: Team, slug: str) -> Dataset:
    """A new one: texts that are here already may have other ids."""
    name = f"Judged elsewhere: {slug}"
    taken = Dataset.objects.filter(team=team, name=name).count()
    dataset = Dataset(team=team, name=f"{name} {taken + 1}" if taken else name)
    insert_named(dataset)
    return dataset


def _classifier(team: Team) -> Classifier:
    """One a team stands for all that are not known; nobody can choose it."""
    known = Classifier.objects.filter(team=team, source=UNKNOWN, kind="").first()
    if known:
        return known
    classifier = Classifier(
        team=team,
        name="Not known",
        source=UNKNOWN,
        kind="",
        state=Classifier.State.FAILED,
        error="It was explained elsewhere; which classifier it is, the imported judgments do not say.",
    )
    insert_named(classifier)
    return classifier


def _note(campaign: Campaign, study: Study, added: int) -> None:
    """Where the judgments come from, and what reading them had to tell."""
    assert campaign.imported is not None
    file = {"name": study.meta.get("source", ""), "sha256": study.meta.get("hashes", {}).get("file", "")}
    campaign.imported["files"].append(file | {"judgments": added, "at": timezone.now().isoformat(timespec="seconds")})
    told = campaign.imported["notices"]
    told += [list(notice) for notice in study.notices if list(notice) not in told]
    most = max(campaign.places.values_list("number", flat=True).order_by("-number")[:1], default=1)
    campaign.judgments_per_stimulus = most
    campaign.save(update_fields=["imported", "judgments_per_stimulus"])


class _Cells(NamedTuple):
    """Primary keys by what the file calls things."""

    texts: dict[str, int]
    conditions: dict[tuple[Any, ...], int]
    stimuli: dict[tuple[int, int], int]
    workers: dict[str, int]


def _write(campaign: Campaign, study: Study, answers: pd.DataFrame) -> int:
    """How many judgments are new."""
    expected = _expected(answers)
    texts = _texts(campaign, study, answers)
    conditions = _conditions(campaign, answers)
    stimuli = _stimuli(campaign, study, texts, conditions, expected)
    cells = _Cells(texts, conditions, stimuli, _workers(campaign, answers))
    known = set(
        Assignment.objects.filter(participation__campaign=campaign).values_list("participation_id", "stimulus_id")
    )
    numbers = dict(campaign.places.order_by("number").values_list("stimulus_id", "number"))
    added = 0
    new = (one for one in _rows(answers, study, cells) if (one.worker, one.stimulus) not in known)
    while batch := list(islice(new, BATCH)):
        _insert(campaign, batch, numbers)
        added += len(batch)
    return added


def _expected(answers: pd.DataFrame) -> dict[tuple[Any, ...], str]:
    """Of each stimulus; it has one right answer, whoever judges."""
    cells = answers.drop_duplicates(["text", *CELL, "expected"])
    twice = cells.duplicated(["text", *CELL])
    if twice.any():
        text = cells.loc[twice, "text"].iloc[0]
        raise ImportingError(f"The text {text!r} has more than one expected label under one method.")
    return {_stimulus_key(row): str(row.expected)[:LONGEST_EXPECTED] for row in _each(cells)}


def _each(frame: pd.DataFrame) -> Iterator[Any]:
    return iter(frame.itertuples(index=False))


def _stimulus_key(row: Any) -> tuple[Any, ...]:
    return (row.text, *_condition_key(row))


def _condition_key(row: Any) -> tuple[Any, ...]:
    return (row.method, row.other, None if pd.isna(row.k) else int(row.k), row.display)


def _texts(campaign: Campaign, study: Study, answers: pd.DataFrame) -> dict[str, int]:
    """Keys by the names of the file; a text whose words are not known is kept by its name."""
    facts = {} if study.texts is None else {row.text: row for row in _each(study.texts)}
    names = list(dict.fromkeys(answers["text"]))
    there = dict(campaign.dataset.texts.values_list("key", "pk"))
    hashes = set(campaign.dataset.texts.values_list("content_hash", flat=True))
    new = []
    for name in names:
        if _key(name) not in there:
            new.append(_text(campaign.dataset, name, facts.get(name), hashes))
    start = campaign.sample.count()
    made = Text.objects.bulk_create(new, batch_size=BATCH)
    SampledText.objects.bulk_create(
        [
            SampledText(campaign=campaign, text=text, role=SampledText.Role.ITEM, position=start + place)
            for place, text in enumerate(made)
        ],
        batch_size=BATCH,
    )
    there |= {text.key: text.pk for text in made}
    return {name: there[_key(name)] for name in names}


def _key(name: str) -> str:
    if len(name) <= LONGEST_KEY:
        return name
    return f"{name[: LONGEST_KEY - 18]}\N{HORIZONTAL ELLIPSIS} {hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _text(dataset: Dataset, name: str, facts: Any, hashes: set[str]) -> Text:
    """Elsewhere two items may be the same words; then the hash is of the name too, so that both can be here."""
    content = (facts.content if facts is not None else "") or name
    digest = hashlib.sha256(content.encode()).hexdigest()
    if digest in hashes:
        digest = hashlib.sha256(f"{name}\n{content}".encode()).hexdigest()
    hashes.add(digest)
    language = facts.language if facts is not None else ""
    return Text(dataset=dataset, key=_key(name), content=content, content_hash=digest, language=language[:35])


def _conditions(campaign: Campaign, answers: pd.DataFrame) -> dict[tuple[Any, ...], int]:
    there = {(one.method, one.other, one.k, one.display): one.pk for one in campaign.conditions.all()}
    for row in _each(answers.drop_duplicates(CELL)):
        key = _condition_key(row)
        if key not in there:
            named = dict(zip(CELL, key, strict=True))
            there[key] = Condition.objects.create(campaign=campaign, position=len(there), **named).pk
    return there


def _stimuli(
    campaign: Campaign,
    study: Study,
    texts: dict[str, int],
    conditions: dict[tuple[Any, ...], int],
    expected: dict[tuple[Any, ...], str],
) -> dict[tuple[int, int], int]:
    there = {(one.text_id, one.condition_id): one for one in campaign.stimuli.all()}
    known = {} if study.texts is None else {row.text: row.content for row in _each(study.texts)}
    version = KNOWN[campaign.protocol].version
    new = []
    for place, (key, right) in enumerate(expected.items()):
        text, condition = texts[key[0]], conditions[key[1:]]
        old = there.get((text, condition))
        if old is not None and old.expected != right:
            raise ImportingError(f"For the text {key[0]!r} {right!r} is expected, and {old.expected!r} was before.")
        if old is None:
            content = {"text": known.get(key[0], "")}
            kinds = {"role": SampledText.Role.ITEM, "position": place, "expected": right, "version": version}
            new.append(Stimulus(campaign=campaign, text_id=text, condition_id=condition, content=content, **kinds))
    made = Stimulus.objects.bulk_create(new, batch_size=BATCH)
    return {cell: one.pk for cell, one in there.items()} | {(one.text_id, one.condition_id): one.pk for one in made}


def _workers(campaign: Campaign, answers: pd.DataFrame) -> dict[str, int]:
    """By their names in the file. No link leads back to one: the hash is not that of somebody who comes by a link."""
    names = list(dict.fromkeys(answers["worker"]))
    hashes = {name: worker_hash(campaign, f"{UNKNOWN} {name}") for name in names}
    there = dict(campaign.participations.values_list("worker_hash", "pk"))
    new = [
        Participation(
            campaign=campaign,
            worker_hash=hashes[name],
            named=True,
            state=Participation.State.ELSEWHERE,
            quota=int((answers["worker"] == name).sum()),
        )
        for name in names
        if hashes[name] not in there
    ]
    made = Participation.objects.bulk_create(new, batch_size=BATCH)
    there |= {one.worker_hash: one.pk for one in made}
    return {name: there[hashes[name]] for name in names}


class _Row(NamedTuple):
    worker: int
    stimulus: int
    text: int
    condition: int
    answer: dict[str, Any]
    presentation: dict[str, str]
    shown: dict[str, Any]
    response_ms: int | None
    late: bool


def _rows(answers: pd.DataFrame, study: Study, cells: _Cells) -> Iterator[_Row]:
    for row in _each(answers):
        text, condition = cells.texts[row.text], cells.conditions[_condition_key(row)]
        milliseconds = None if pd.isna(row.response_ms) else int(row.response_ms)
        facts = {name: _plain(getattr(row, name)) for name in study.covariates}
        yield _Row(
            cells.workers[row.worker],
            cells.stimuli[text, condition],
            text,
            condition,
            _answer(row),
            _presentation(row),
            {UNKNOWN: facts} if facts else {},
            milliseconds if milliseconds is not None and 0 <= milliseconds <= LONGEST_RESPONSE_MS else None,
            bool(row.late),
        )


def _answer(row: Any) -> dict[str, Any]:
    counted = {name: int(getattr(row, name)) for name in COUNTED if not pd.isna(getattr(row, name))}
    return {"answer": row.label, "score": _plain(row.score), **counted}


def _presentation(row: Any) -> dict[str, str]:
    """Which side of a pair stood on the left, where a side was preferred and that is known."""
    if pd.isna(row.left):
        return {}
    return {"left": row.label if row.left else "second" if row.label == "first" else "first"}


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if pd.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value


def _insert(campaign: Campaign, batch: Iterable[_Row], numbers: dict[int, int]) -> None:
    """Each judgment fills a place of its own: as many were wanted as there are."""
    batch, now = list(batch), timezone.now()
    places = []
    for one in batch:
        numbers[one.stimulus] = numbers.get(one.stimulus, 0) + 1
        places.append(
            Place(
                campaign=campaign,
                stimulus_id=one.stimulus,
                condition_id=one.condition,
                text_id=one.text,
                number=numbers[one.stimulus],
                rank=0,
                state=Place.State.FILLED,
            )
        )
    Place.objects.bulk_create(places)
    assignments = Assignment.objects.bulk_create(
        Assignment(participation_id=one.worker, stimulus_id=one.stimulus, place=place, leased_at=now, deadline=now)
        for one, place in zip(batch, places, strict=True)
    )
    Judgment.objects.bulk_create(
        Judgment(
            assignment=assignment,
            place=place,
            answer=one.answer,
            presentation=one.presentation,
            shown=one.shown,
            response_ms=one.response_ms,
            late=one.late,
        )
        for one, place, assignment in zip(batch, places, assignments, strict=True)
    )
