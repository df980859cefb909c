"""What imported judgments are of: texts, arms and stimuli, made where they are not there yet."""

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from analysis.study import Study
from campaigns.models import Campaign, Condition, SampledText, Stimulus
from materials.models import Dataset, Text
from protocols import KNOWN

BATCH = 2000
LONGEST_KEY, LONGEST_EXPECTED = 200, 200
CELL = ["method", "other", "k", "display"]


class ImportingError(Exception):
    """Why judgments cannot be imported, in a sentence."""


class Laid(NamedTuple):
    """Primary keys by what the file calls things; of stimuli, by those of text and condition."""

    texts: dict[str, int]
    conditions: dict[tuple[Any, ...], int]
    stimuli: dict[tuple[int, int], int]

    def cell(self, row: Any) -> tuple[int, int]:
        """Text and condition of a row."""
        return self.texts[row.text], self.conditions[_condition_key(row)]


def lay_out(campaign: Campaign, study: Study, rows: pd.DataFrame) -> Laid:
    """For every row, whose columns are those of `STIMULUS` and `expected`."""
    expected = _expected(rows)
    texts = _texts(campaign, study, rows)
    conditions = _conditions(campaign, rows)
    return Laid(texts, conditions, _stimuli(campaign, study, texts, conditions, expected))


def _expected(answers: pd.DataFrame) -> dict[tuple[Any, ...], str]:
    """Of each stimulus; it has one right answer, whoever judges."""
    cells = answers.drop_duplicates(["text", *CELL, "expected"])
    twice = cells.duplicated(["text", *CELL])
    if twice.any():
        text = cells.loc[twice, "text"].iloc[0]
        raise ImportingError(f"The text {text!r} has more than one expected label under one method.")
    return {_stimulus_key(row): str(row.expected)[:LONGEST_EXPECTED] for row in each(cells)}


def each(frame: pd.DataFrame) -> Iterator[Any]:
    return iter(frame.itertuples(index=False))


def _stimulus_key(row: Any) -> tuple[Any, ...]:
    return (row.text, *_condition_key(row))


def _condition_key(row: Any) -> tuple[Any, ...]:
    return (row.method, row.other, None if pd.isna(row.k) else int(row.k), row.display)


def _texts(campaign: Campaign, study: Study, answers: pd.DataFrame) -> dict[str, int]:
    """Keys by the names of the file; a text whose words are not known is kept by its name."""
    facts = {} if study.texts is None else {row.text: row for row in each(study.texts)}
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
    for row in each(answers.drop_duplicates(CELL)):
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
    known = {} if study.texts is None else {row.text: row.content for row in each(study.texts)}
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
