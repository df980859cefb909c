"""What the texts give away, repeat or lack."""

import re
from collections import Counter
from collections.abc import Iterator

from campaigns.covering import uncovered
from campaigns.lints.lint import Finding, Inspected, Severity, remembered
from campaigns.models import SampledText
from campaigns.rendering import render_all
from catalogue.imported import is_imported
from language.similarity import is_form_of, near_duplicates
from materials.counting import counted
from protocols import Content

# More than this share of texts that a k shows whole is told of as a fault.
WHOLE = 0.05
# Texts that hold a label's word are rendered to see whether it is shown: this many of them.
RENDERED = 20
LEFT_OUT = {"not", "non", "and", "the", "for"}


def sample(seen: Inspected) -> Finding:
    counts = Counter(sampled.expected for sampled in seen.items)
    numbers = ", ".join(f"{n} {label}" for label, n in sorted(counts.items()))
    text = f"{counted(len(seen.items), 'text')}: {numbers}."
    if set(counts.values()) == {seen.campaign.texts_per_label}:
        return Finding("Sample", Severity.GOOD, text)
    return Finding(
        "Sample",
        Severity.WARNING,
        f"{text} The labels are not even.",
        "Import more texts, or take fewer of each label.",
    )


@remembered
def lengths(seen: Inspected) -> Finding | None:
    """Whether the largest k leaves anything hidden."""
    if not seen.campaign.ks:
        return None
    largest = max(seen.campaign.ks)
    words = [len(seen.words[one.text_id]) for one in seen.items if one.text_id in seen.words]
    short = sum(n <= largest for n in words)
    if not short:
        text = f"Every text has more words ({min(words, default=0)} or more) than the largest k shows."
        return Finding("Words", Severity.GOOD, text)
    has, it = ("has", "it") if short == 1 else ("have", "them")
    text = f"{counted(short, 'text')} {has} no more than {counted(largest, 'word')}: the largest k shows {it} whole."
    if short <= WHOLE * len(words):
        return Finding("Words", Severity.GOOD, f"{text} Of {counted(len(words), 'text')}, so few hardly matter.")
    return Finding("Words", Severity.WARNING, text, _smaller(words))


def _smaller(words: list[int]) -> str:
    least = sorted(words)[int(WHOLE * len(words))]
    if least < 2:
        return "Take longer texts: some have one word alone."
    return f"Take numbers of words up to {least - 1}, or longer texts."


@remembered
def label_words(seen: Inspected) -> Finding | None:
    """Where workers choose a label, a text may say it."""
    names = label_tokens(seen.campaign.classifier.label_names)
    holding = [one for one in seen.items if any(_names(word, names) for word in seen.words.get(one.text_id, ()))]
    found = list(_shown(seen, holding[:RENDERED], names)) if holding else []
    if not found:
        return Finding("Label words", Severity.GOOD, "No text that was looked at shows the word of a label.")
    word, key = found[0]
    more = "at least " if len(holding) > RENDERED else ""
    texts = len({key for _, key in found})
    return Finding(
        "Label words",
        Severity.WARNING,
        f"In {more}{counted(texts, 'text')}{seen.looked_at} workers see the word of a label, such as “{word}” in text "
        f"{key}: they can read the answer off instead of guessing it.",
        "Leave such texts out of the dataset, or give the labels other names on the classifier's page.",
    )


def label_tokens(labels: list[str]) -> set[str]:
    """“Sci/Tech” names itself by either word."""
    tokens = {token.casefold() for label in labels for token in re.findall(r"\w+", label)}
    return {token for token in tokens if len(token) > 2 and token not in LEFT_OUT and not token.isdecimal()}


def _names(word: str, names: set[str]) -> bool:
    return any(is_form_of(word, name) for name in names)


def _shown(seen: Inspected, holding: list[SampledText], names: set[str]) -> Iterator[tuple[str, str]]:
    """(word, key of the text) of the label words that are on screen."""
    for one in render_all(seen.campaign, holding, seen.conditions):
        words = seen.words[one.sampled.text_id] if "text" in one.content else _visible(one.content)
        if "choices" in one.content:
            yield from ((word, one.sampled.text.key) for word in words if _names(word, names))


def _visible(content: Content) -> list[str]:
    return [word for word in content.get("words", ()) if isinstance(word, str)]


@remembered
def repeated(seen: Inspected) -> Finding:
    """Over all that a worker may meet: practice, examples and known answers too."""
    looked_at = [one for one in seen.sample if one.text_id in seen.words]
    groups = near_duplicates([seen.words[one.text_id] for one in looked_at])
    if not groups:
        return Finding("Near-duplicates", Severity.GOOD, "No two texts that were looked at are nearly the same.")
    first, second = (looked_at[at].text.key for at in groups[0][:2])
    return Finding(
        "Near-duplicates",
        Severity.WARNING,
        f"{counted(sum(map(len, groups)), 'text')}{seen.looked_at} are nearly the same as another, such as {first} and "
        f"{second}: a worker may meet both, in different arms, though never the same text twice.",
        "Keep one of each in the dataset, or draw with another seed.",
    )


def imported_maps(seen: Inspected) -> Finding | None:
    if not any(map(is_imported, seen.campaign.methods)):
        return None
    left_out = uncovered(seen.campaign.dataset, seen.campaign.classifier, seen.campaign.methods)
    if left_out:
        return Finding("Imported maps", Severity.WARNING, left_out, "Import the maps of the other texts too.")
    return Finding("Imported maps", Severity.GOOD, "Every text of the dataset has its imported maps.")
