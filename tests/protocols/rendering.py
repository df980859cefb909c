from typing import Any

from django.template.loader import render_to_string

from protocols import Content, Protocol


def rendered(protocol: Protocol, content: Content, **more: Any) -> str:
    return render_to_string(protocol.template, {"content": content, **protocol.context(content, {}, 0), **more})
