"""A campaign's longer wording is Markdown. HTML in it is text; what comes out is cleaned once more, by nh3.

Rendered once a process and wording: workers ask for the same few pages again and again.
"""

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

KEPT = 512
TAGS = {"p", "br", "strong", "em", "ul", "ol", "li", "a", "blockquote", "code", "pre", "hr"}
# No page of ours sends anybody to a script, or to a file of their own.
SCHEMES = {"http", "https", "mailto", "tel"}

_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable("image")
# The pages have headings of their own, and wording stands at any depth below them.
_markdown.add_render_rule("heading_open", lambda *_: "<p><strong>")
_markdown.add_render_rule("heading_close", lambda *_: "</strong></p>\n")


@lru_cache(maxsize=KEPT)
def as_html(wording: str) -> SafeString:
    cleaned = nh3.clean(
        _markdown.render(wording),
        tags=TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
        # Whoever follows a link comes back to where they stood.
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return mark_safe(cleaned.strip())
