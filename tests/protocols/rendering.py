from typing import Any

from django.template.loader import render_to_string

from protocols import Content, Presentation, Protocol


def rendered(
    protocol: Protocol, content: Content, presentation: Presentation | None = None, step: int = 0, **more: Any
) -> str:
    shown = protocol.context(content, presentation or {}, step)
    return render_to_string(protocol.template, {"content": content, **shown, **more})
