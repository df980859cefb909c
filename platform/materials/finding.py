"""Texts by what they say: an index of words makes a few among hundreds of thousands quick to find."""

import re

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import QuerySet

from materials.models import WORDS_OF_TEXTS, Text

WORDS = re.compile(r"[^\W_]+")
# In scripts that write words together (Chinese, Japanese, Korean particles, Thai, Khmer, Lao, Burmese) no index of
# words helps: there, any part of a text is looked for.
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]"
)


def texts_like(texts: QuerySet[Text], asked: str) -> QuerySet[Text]:
    """The one that bears this id; else those with all these words, of each of which the beginning will do."""
    asked = asked.replace("\0", "").strip()
    named = texts.filter(key=asked)
    if not asked or named.exists():
        return named
    if UNSPACED.search(asked):
        return texts.filter(content__icontains=asked)
    words = WORDS.findall(asked)
    if not words:
        return texts.none()
    query = SearchQuery(" & ".join(f"{word}:*" for word in words), config=WORDS_OF_TEXTS, search_type="raw")
    return texts.annotate(words=SearchVector("content", config=WORDS_OF_TEXTS)).filter(words=query)
