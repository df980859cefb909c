"""A campaign's wording in a worker's language.

What nobody has translated is said in the campaign's own language; where that wording is the one we propose, our own
translation of it stands in.
"""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, override

from campaigns.models import Campaign
from catalogue.languages import LANGUAGES, Language, nearest
from protocols import PROTOCOLS

# The fields that are one text each, as the researcher knows them.
WORDING = {
    "question": "Question",
    "instructions": "Instructions",
    "consent": "Consent",
    "content_warning": "Content warning",
    "exit_message": "Message at the end",
    "debrief": "Debriefing",
}
# Lists of questions and such: their texts are translated one by one.
LISTS = ("comprehension", "checks", "demographics", "survey", "exits")
# Within these, what is not wording.
NAMES = {"kind", "name", "code", "redirect", "key", "type"}
PHRASES = "phrases"


def languages_of(campaign: Campaign) -> list[Language]:
    """Those that a worker can choose from, the campaign's own first."""
    own = nearest(campaign.language)
    others = [code for code in LANGUAGES if code in campaign.translations and code != own]
    return [LANGUAGES[code] for code in ([own] if own else []) + others]


def worded(campaign: Campaign, language: str) -> Campaign:
    """The campaign as a worker of this language reads it: a copy, never to be saved."""
    own = nearest(campaign.language)
    if language == own == "en":
        return campaign
    given = {} if language == own else campaign.translations.get(language, {})
    phrases = _Phrases(given.get(PHRASES, {}), language)
    spoken = copy.copy(campaign)
    spoken.fallbacks = set()
    for name in WORDING:
        original = getattr(campaign, name)
        setattr(spoken, name, given.get(name) or phrases[original])
        if language != own and getattr(spoken, name) == original:
            spoken.fallbacks.add(name)
    phrases[campaign.question] = spoken.question
    spoken.phrases = phrases
    for name in LISTS:
        setattr(spoken, name, translated(getattr(campaign, name), phrases))
    return spoken


class _Phrases(dict[str, str]):
    """What a phrase is called; itself where nobody has said and we have no translation of our own."""

    def __init__(self, given: Mapping[str, str], language: str) -> None:
        super().__init__({original: wording for original, wording in given.items() if wording})
        self.language = language

    def __missing__(self, phrase: str) -> str:
        with override(self.language):
            return gettext(phrase) if phrase else phrase


def translated(value: Any, phrases: Mapping[str, str]) -> Any:
    """The same structure, with every text in it replaced; names of things stay."""
    match value:
        case str():
            return phrases[value]
        case list() | tuple():
            return [translated(each, phrases) for each in value]
        case dict():
            return {key: each if key in NAMES else translated(each, phrases) for key, each in value.items()}
    return value


def phrases_of(campaign: Campaign) -> list[str]:
    """The texts in the campaign's lists and in what its protocol was told in words, each once, in order."""
    found = [text for name in LISTS for text in _texts(getattr(campaign, name))]
    return list(dict.fromkeys([*found, *_texts(_in_words(campaign))]))


def _in_words(campaign: Campaign) -> list[Any]:
    """Of the protocol's own choices; the others are names of things."""
    protocol = PROTOCOLS.get(campaign.protocol)  # None while a new campaign's wizard is first opened.
    fields = protocol.settings.base_fields if protocol and protocol.settings else {}
    chosen = campaign.protocol_settings
    return [chosen.get(name) for name, field in fields.items() if isinstance(field, forms.CharField)]


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str() if value:
            yield value
        case list() | tuple():
            for each in value:
                yield from _texts(each)
        case dict():
            for key, each in value.items():
                if key not in NAMES:
                    yield from _texts(each)


def untranslated(campaign: Campaign) -> dict[str, list[str]]:
    """By language offered, what its workers will read in another one: names of fields, then phrases."""
    found = {}
    for language in languages_of(campaign)[1:]:
        spoken = worded(campaign, language.code)
        fields = [label for name, label in WORDING.items() if name in spoken.fallbacks and getattr(campaign, name)]
        phrases = [phrase for phrase in phrases_of(campaign) if spoken.phrases[phrase] == phrase]
        if fields or phrases:
            found[language.english] = fields + phrases
    return found


def proposed(wording: str, language: str) -> str:
    """Our own translation of wording that we propose; empty where we have none."""
    with override(language):
        found = gettext(wording) if wording else ""
    return "" if found == wording and language != "en" else found
