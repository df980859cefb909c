"""A dataset's texts are anybody's: nothing in them becomes a part of the page, whatever the protocol and display."""

from typing import Any

import lxml.html
import pytest

from language.words import segment
from protocols import PROTOCOLS, Edited, Map
from tests.protocols.rendering import rendered
from tests.protocols.sources import source

EVIL = "<script>alert(1)</script> <img src=x onerror=alert(2)> {{ question }} \u202eevil\u0007 </p> &amp; \"x' 🙂 end."
SHOWN = [(name, display) for name, protocol in PROTOCOLS.items() for display in protocol.displays or ("colour",)]


@pytest.mark.parametrize(("name", "display"), SHOWN)
def test_it_works(name: str, display: str) -> None:
    protocol, count = PROTOCOLS[name], len(segment(EVIL))
    given = [at / count for at in range(count)]
    changes: dict[str, Any] = {
        "maps": [Map(given, True), Map(given[::-1], True)][: protocol.maps],
        "labels": ["<blink>no</blink>", "<script>yes</script>"],
        "predicted": "<script>yes</script>",
        "expected": "<blink>no</blink>",
        "question": "<script>q</script>?",
        "edited": Edited(EVIL.replace("end", "<style>"), "<blink>no</blink>"),
        "display": display,
        "settings": protocol.complete_settings({}),
    }
    content = protocol.stimulus(source(EVIL, given, **changes))
    contents = [content, protocol.example(source(EVIL, given, **changes))] if protocol.example else [content]
    for one in contents:
        page = lxml.html.document_fromstring(f"<form>{rendered(protocol, one)}</form>")
        assert page.cssselect("script, img, style, blink, [onerror]") == []
