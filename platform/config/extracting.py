"""Every wording that is ours to translate: of templates, of code, and what new campaigns propose."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django import forms
from django.utils.translation.template import templatize

from campaigns.creating import CONSENT
from config.environment import ROOT
from protocols import PROTOCOLS

# As the code calls them; the second of a plural's two texts is its plural.
SINGULAR = {"gettext", "gettext_lazy", "gettext_noop", "_"}
PLURAL = {"ngettext", "ngettext_lazy"}
# What `templatize` turns a template's tags into.
CALL = re.compile(r"""\bn?gettext\((?:u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w+)(?:, )?)+\)""")


class Message(NamedTuple):
    text: str
    plural: str = ""


def messages() -> dict[Message, list[str]]:
    """Each message with the files that use it, in the order of the files."""
    found: dict[Message, list[str]] = {}
    for path in sorted([*(ROOT / "templates").rglob("*.html"), *(ROOT / "platform").rglob("*.py")]):
        name = str(path.relative_to(ROOT))
        for message in _of_template(path) if path.suffix == ".html" else _of_code(path.read_text()):
            if name not in found.setdefault(message, []):
                found[message].append(name)
    for text in proposals():
        found.setdefault(Message(text), ["proposed to researchers"])
    return found


def _of_template(path: Path) -> Iterator[Message]:
    for call in CALL.finditer(templatize(path.read_text())):
        yield from _of_code(call[0])


def _of_code(source: str) -> Iterator[Message]:
    if "gettext" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if node.func.id in SINGULAR and len(texts) == 1:
            yield Message(texts[0])
        elif node.func.id in PLURAL and len(texts) >= 2:
            yield Message(*texts[:2])


def proposals() -> Iterator[str]:
    """The wording that the wizard starts from, in the researcher's hands from then on."""
    yield CONSENT
    for protocol in PROTOCOLS.values():
        yield protocol.default_question
        yield protocol.default_instructions
        for field in protocol.settings.base_fields.values() if protocol.settings else ():
            if type(field) is forms.CharField and field.initial:
                yield from str(field.initial).splitlines()
