"""A campaign's wording in a worker's language, and the wizard's part that asks for it."""

from typing import Any

import pytest
from django.http import QueryDict

from accounts.models import Team, User
from campaigns.models import Campaign
from campaigns.parts.languages import LanguagesPart
from campaigns.translating import languages_of, phrases_of, proposed, translated, untranslated, worded
from protocols import PROTOCOLS
from tests.campaigns.actors import draft
from tests.conftest import signed_in

GERMAN = {
    "question": "Ist das gut?",
    "instructions": "Lies die Wörter.",
    "phrases": {"How old are you?": "Wie alt sind Sie?", "Often": "Oft"},
}
SURVEY = [{"question": "How old are you?", "kind": "choice", "choices": ["Often", "Never"], "optional": True}]


def bilingual(**fields: Any) -> Campaign:
    values: dict[str, Any] = {
        "protocol": "topk_guess",
        "question": "Is it good?",
        "instructions": "Read.",
        "consent": "We keep your answers.",
        "translations": {"de": GERMAN},
        "survey": SURVEY,
    }
    return Campaign(**(values | fields))


def test_it_works() -> None:
    spoken = worded(bilingual(), "de")
    assert spoken.question == "Ist das gut?"
    assert spoken.survey == [
        {"question": "Wie alt sind Sie?", "kind": "choice", "choices": ["Oft", "Never"], "optional": True}
    ]
    assert translated(["Is it good?"], spoken.phrases) == ["Ist das gut?"]


def test_the_campaign_itself_stays_as_it_is() -> None:
    campaign = bilingual()
    worded(campaign, "de")
    assert campaign.question == "Is it good?" and campaign.survey == SURVEY and not campaign.phrases


def test_what_nobody_has_translated_is_in_the_campaigns_own_language_and_says_so() -> None:
    spoken = worded(bilingual(), "de")
    assert spoken.consent == "We keep your answers."
    assert "consent" in spoken.fallbacks and "instructions" not in spoken.fallbacks


def test_wording_that_we_propose_is_translated_by_us() -> None:
    default = PROTOCOLS["topk_guess"].default_question
    spoken = worded(bilingual(question=default, translations={"fr": {}}), "fr")
    assert spoken.question == proposed(default, "fr") != default
    assert "question" not in spoken.fallbacks


def test_an_english_campaign_in_english_is_untouched() -> None:
    campaign = bilingual()
    assert worded(campaign, "en") is campaign


def test_a_worker_chooses_among_the_campaigns_own_language_and_those_it_was_translated_to() -> None:
    assert [each.code for each in languages_of(bilingual())] == ["en", "de"]
    assert [each.code for each in languages_of(bilingual(language="ja"))] == ["ja", "de"]


def test_names_of_things_are_no_wording() -> None:
    campaign = bilingual(exits={"returned": {"code": "BYE", "redirect": "https://x.example", "message": "Thank you."}})
    assert phrases_of(campaign) == ["How old are you?", "Often", "Never", "Thank you."]


def test_of_a_protocols_choices_only_what_is_in_words_is_wording() -> None:
    chosen = {"scale": "seven", "beside": ["useful"], "low": "Never", "own": [["How odd?", "Not", "Very"]]}
    found = phrases_of(bilingual(protocol="rating", protocol_settings=chosen))
    assert found[-3:] == ["How odd?", "Not", "Very"] and "Never" in found
    assert not {"seven", "useful"} & set(found)


def test_a_protocols_own_texts_are_wording_and_its_choices_are_not() -> None:
    settings = {"scale": "seven", "low": "Poor", "high": "Fine", "beside": ["useful"], "own": [["Clear?", "No", "Yes"]]}
    campaign = bilingual(protocol="rating", survey=[], protocol_settings=settings)
    assert phrases_of(campaign) == ["Poor", "Fine", "Clear?", "No", "Yes"]


def test_the_linter_hears_what_is_left() -> None:
    assert untranslated(bilingual()) == {"German": ["Consent", "Never"]}
    assert untranslated(bilingual(translations={})) == {}


def posted(**fields: str) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({"language": "en", "question": "Is it good?"} | fields)
    return data


def part(data: QueryDict | None = None, **fields: Any) -> LanguagesPart:
    return LanguagesPart(PROTOCOLS["topk_guess"], data, instance=bilingual(**fields), initial={})


def test_the_part_reads_what_is_ticked() -> None:
    form = part(
        posted(
            **{
                "translations-phrase-0": "Often",
                "translations-de": "on",
                "translations-de-question": " Gut? ",
                "translations-de-phrase-0": "Oft",
                "translations-fr-question": "Bon ?",
            }
        )
    )
    assert form.is_valid()
    assert form.instance.translations == {"de": {"question": "Gut?", "phrases": {"Often": "Oft"}}}


def test_a_language_is_not_translated_into_itself() -> None:
    form = part(posted(**{"language": "de", "translations-de": "on", "translations-de-question": "Gut?"}))
    assert form.is_valid() and form.instance.translations == {} and form.instance.language == "de"


def test_a_question_too_long_is_refused_by_language() -> None:
    form = part(posted(**{"translations-de": "on", "translations-de-question": "x" * 301}))
    assert not form.is_valid() and "German" in form.errors["translations"][0]


def test_an_unknown_language_is_refused() -> None:
    assert "language" in part(posted(language="xx")).errors


def test_the_part_shows_what_was_given_and_proposes_the_rest() -> None:
    default = PROTOCOLS["topk_guess"].default_question
    tongues = {each.language.code: each for each in part(question=default).tongues()}
    assert "en" not in tongues and tongues["de"].chosen and not tongues["fr"].chosen
    texts = {wording.label: wording.text for wording in tongues["de"].wordings}
    assert texts["Question"] == "Ist das gut?" and texts["Often"] == "Oft" and texts["Consent"] == ""
    assert next(iter(tongues["fr"].wordings)).text == proposed(default, "fr")


@pytest.mark.django_db
def test_the_wizard_keeps_translations(alice: User, team: Team) -> None:
    campaign = draft(team, translations={"de": GERMAN})
    page = signed_in(alice).get(f"/campaigns/{campaign.slug}/edit/").content.decode()
    assert "Ist das gut?" in page and 'name="translations-de" checked' in page and 'lang="ar"' in page
