"""The language of the wording, and what it is in the other languages that workers may read it in."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms

from campaigns.parts.part import Part
from campaigns.translating import PHRASES, WORDING, phrases_of, proposed
from catalogue.languages import LANGUAGES, Language

LONGEST_LINE = 100
MOST_PHRASES = 500


class Wording(NamedTuple):
    """One text to translate: `name` is its input's."""

    name: str
    label: str
    original: str
    text: str

    @property
    def rows(self) -> int:
        """Of its box, one for a line."""
        return 1 if len(self.original) <= LONGEST_LINE else min(12, 2 + len(self.original) // 80)


class Tongue(NamedTuple):
    language: Language
    name: str
    chosen: bool
    wordings: list[Wording]


class TranslationsWidget(forms.Widget):
    """Reads what the part's own template asks: a box to tick for each language, and a text for each wording."""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> dict[str, Any]:
        phrases = [(n, data[f"{name}-phrase-{n}"]) for n in range(MOST_PHRASES) if f"{name}-phrase-{n}" in data]
        found = {}
        for code in LANGUAGES:
            if (box := f"{name}-{code}") in data:
                fields = {field: data.get(f"{box}-{field}", "").strip() for field in WORDING}
                given = {phrase: data.get(f"{box}-phrase-{n}", "").strip() for n, phrase in phrases}
                found[code] = {field: text for field, text in fields.items() if text}
                found[code][PHRASES] = {phrase: text for phrase, text in given.items() if text}
        return found

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Nothing ticked is an answer too."""
        return False


class LanguagesPart(Part):
    key, title, after = "languages", "Languages", "wording"
    layout = (("language",), ("translations",))
    language = forms.ChoiceField(
        label="Language of the wording above",
        choices=[(each.code, each.english) for each in LANGUAGES.values()],
        help_text="The buttons and notices of the workers' pages follow it.",
    )
    translations = forms.Field(required=False, widget=TranslationsWidget)

    class Meta(Part.Meta):
        fields = ("language", "translations")

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["translations"] = {
            code: given for code, given in (data.get("translations") or {}).items() if code != data.get("language")
        }
        for code, given in data["translations"].items():
            if len(given.get("question", "")) > 300:
                self.add_error(
                    "translations", f"{LANGUAGES[code].english}: the question is longer than 300 characters."
                )
        return data

    def tongues(self) -> Iterator[Tongue]:
        """Each other language, with what it was given or what we propose."""
        given, own = self["translations"].value() or {}, self["language"].value()
        for language in LANGUAGES.values():
            if language.code != own:
                name = f"translations-{language.code}"
                wordings = list(self._wordings(name, language.code, given.get(language.code)))
                yield Tongue(language, name, language.code in given, wordings)

    def _wordings(self, name: str, code: str, given: Mapping[str, Any] | None) -> Iterator[Wording]:
        for field, label in WORDING.items():
            if original := self._original(field):
                text = proposed(original, code) if given is None else given.get(field, "")
                yield Wording(f"{name}-{field}", label, original, text)
        for number, phrase in enumerate(self.phrases()):
            text = proposed(phrase, code) if given is None else given.get(PHRASES, {}).get(phrase, "")
            yield Wording(f"{name}-phrase-{number}", phrase, phrase, text)

    def _original(self, field: str) -> str:
        """As the wizard has it just now."""
        if self.is_bound:
            return str(self.data.get(field, ""))
        return str(self.initial.get(field) or getattr(self.instance, field))

    def phrases(self) -> list[str]:
        """Of the questions and such that the campaign has; a new one has none yet."""
        return phrases_of(self.instance)[:MOST_PHRASES]
