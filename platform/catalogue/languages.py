"""The languages that workers' pages and the default wording exist in."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """`name` is its own, `english` the researcher's."""

    code: str
    name: str
    english: str
    right_to_left: bool = False


LANGUAGES = {
    language.code: language
    for language in (
        Language("en", "English", "English"),
        Language("de", "Deutsch", "German"),
        Language("ja", "日本語", "Japanese"),
        Language("es", "Español", "Spanish"),
        Language("fr", "Français", "French"),
        Language("zh-hans", "简体中文", "Simplified Chinese"),
        Language("ar", "العربية", "Arabic", right_to_left=True),
    )
}
# Chinese is written in two ways; where a tag does not say which, it is most often this one.
SIMPLIFIED = {"zh", "zh-cn", "zh-sg", "zh-my"}


def nearest(tag: str, among: Collection[str] = LANGUAGES.keys()) -> str:
    """The code of ours that serves a BCP 47 tag such as `de-AT` or `zh-Hans-CN`; empty where none does."""
    tag = tag.strip().lower().replace("_", "-")
    simplified = tag in SIMPLIFIED or tag.startswith("zh-hans")
    code = "zh-hans" if simplified else tag.split("-")[0]
    return code if code in among else ""
