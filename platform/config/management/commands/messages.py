"""Brings locale/ up to what the templates and the code say, and compiles it. Needs polib, of the dev extra."""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import to_locale

from catalogue.languages import LANGUAGES
from config.extracting import Message, messages

if TYPE_CHECKING:
    import polib

WIDTH = 100
# The six of Arabic: none, one, two, few (3 to 10), many (11 to 99), and hundreds.
PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "ja": "nplurals=1; plural=0;",
    "es": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "zh-hans": "nplurals=1; plural=0;",
    "ar": "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
}


class Command(BaseCommand):
    requires_system_checks: list[str] = []  # Neither database nor pages.
    help = "Write what is new to translate into locale/*.po, drop what is gone, and compile the .mo files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--language", action="append", choices=list(PLURALS), help="only this one")

    def handle(self, *args: Any, **options: Any) -> None:
        if not importlib.util.find_spec("polib"):
            raise CommandError("Translations are read and written with polib: pip install 'peekaword[dev]'.")
        wanted = messages()
        for code in options["language"] or PLURALS:
            file = merged(code, wanted)
            path = po_path(code)
            path.parent.mkdir(parents=True, exist_ok=True)
            file.save(str(path))
            file.save_as_mofile(str(path.with_suffix(".mo")))
            left = len(file.untranslated_entries())
            self.stdout.write(f"{LANGUAGES[code].english}: {len(file)} messages, {left} to translate.")


def po_path(code: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / to_locale(code) / "LC_MESSAGES" / "django.po"


def merged(code: str, wanted: dict[Message, list[str]]) -> "polib.POFile":
    """The catalogue of today's messages, with the translations that there are."""
    import polib

    path = po_path(code)
    known = {Message(e.msgid, e.msgid_plural): e for e in polib.pofile(str(path))} if path.exists() else {}
    file = polib.POFile(wrapwidth=WIDTH)
    file.metadata = {
        "Language": to_locale(code),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[code],
    }
    for message, places in wanted.items():
        entry = polib.POEntry(msgid=message.text, occurrences=[(place, "") for place in places])
        old = known.get(message)
        if message.plural:
            entry.msgid_plural = message.plural
            entry.msgstr_plural = dict(old.msgstr_plural) if old else dict.fromkeys(range(forms_of(code)), "")
        else:
            entry.msgstr = old.msgstr if old else ""
        if "%(" in message.text + message.plural:
            entry.flags.append("python-format")
        file.append(entry)
    return file


def forms_of(code: str) -> int:
    return int(PLURALS[code].removeprefix("nplurals=").split(";")[0])
