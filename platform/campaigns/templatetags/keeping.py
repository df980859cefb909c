"""Parts of pages that are the same for many workers: each process renders them once."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = Library()
KEPT = 512


@register.simple_tag
def kept(template: str, **shown: Any) -> SafeString:
    """As `include` with these alone, in the language of the page."""
    values = ((name, tuple(value) if isinstance(value, list) else value) for name, value in shown.items())
    return _rendered(template, get_language(), tuple(values))


@lru_cache(maxsize=KEPT)
def _rendered(template: str, language: str, shown: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return render_to_string(template, dict(shown))
