"""Texts, names and files that have broken programs before; all made here."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pyarrow.parquet

# Texts that a page, a picture, a table or a typesetter could take for something else than a text.
TEXTS = {
    "script": "</script><script>alert(1)</script>",
    "image": '"><img src=x onerror=alert(1)>',
    "svg": "<svg/onload=alert(1)>",
    "entity": "&lt;b&gt; &amp;amp; &#x3c;script&#x3e;",
    "attribute": "' onmouseover='alert(1)",
    "comment": "<!-- --><![CDATA[ ]]>",
    "template": "{{ 7|add:7 }}{% now %}${7*7}#{7*7}<%= 7 %>",
    "formula": '=HYPERLINK("http://evil.example","go")',
    "command": "=cmd|' /C calc'!A0",
    "plus": "+1+1",
    "minus": "-2+3",
    "at": "@SUM(1+1)",
    "tab": "\t=1+1",
    "quoted": "'=1+1",
    "override": "abc\u202egnp.exe\u202c",
    "isolates": "\u2066\u2067left\u2069 and right\u2068",
    "zero width": "p\u200ba\u200cs\u200ds\ufeff",
    "controls": "bell\x07 escape\x1b[31m back\x08 delete\x7f",
    "lines": "one\u2028two\u2029three\x85four\rfive",
    "surrogates in pairs": "\U0001f600\U0001f469\u200d\U0001f4bb",
    "combining": "Z\u0351\u036b\u0343a\u0344\u0325l\u0363\u036bg\u0350o",
    "latex": r"\input{/etc/passwd}\write18{id} $x_1^2$ % # & ~ ^ { }",
    "typst": '#read("/etc/passwd") #eval("1") $ x $ *b* _i_ @ref <label> `raw` = Heading',
    "markdown": "[go](javascript:alert(1)) ![x](http://evil.example/x.png) <b>b</b> # head",
    "vega": "datum['constructor'].constructor('alert(1)')()",
    "json": '"}],"x":[{"y":"</script>',
    "url": "javascript:alert(document.cookie)",
    "path": "../../../etc/passwd",
    "percent": "%00%0a%0d%2e%2e%2f%s%n",
    "newline": "header\r\nSet-Cookie: x=1",
    "long word": "w" * 5000,
    "arabic": "\u0645\u0631\u062d\u0628\u0627 =1+1",
}
# What no database row and no page in UTF-8 can hold.
UNSTORABLE = {"nul": "a\0b", "half a pair": "a\ud800b", "the other half": "\udfff"}

NAMES = [
    "../../etc/passwd", "..", ".", "/etc/passwd", "C:\\Windows\\win.ini", "..\\..\\a.csv", "a.c\0sv", "a\0.csv", ".csv",
    "a" * 500 + ".csv", "\U0001f4a5.csv", "a.csv\n", "a.csv\r\nX: 1", "<script>.csv", "a.csv.exe", "CON.csv", " .csv",
    "a.\u202egnp", "~/.ssh/id_rsa", "$(id).csv", "a;b.csv", "a.csv/../../x", "x." + "y" * 300, "%2e%2e%2fa.csv",
]  # fmt: skip

Make = Callable[[Path], object]


def _bytes(content: bytes) -> Make:
    return lambda path: path.write_bytes(content)


def _lines(*rows: object) -> Make:
    return _bytes("".join(f"{json.dumps(row)}\n" for row in rows).encode("utf-8", "surrogatepass"))


def _table(columns: dict[str, object]) -> Make:
    return lambda path: pyarrow.parquet.write_table(pyarrow.table(columns), path)


# Each by the name that it is uploaded under.
FILES: dict[str, Make] = {
    "empty.csv": _bytes(b""),
    "only a mark.csv": _bytes(b"\xef\xbb\xbf"),
    "marked twice.csv": _bytes(b"\xef\xbb\xbf\xef\xbb\xbftext,label\na,b\n"),
    "nul.csv": _bytes(b"text,label\na\x00b,pos\n"),
    "only nul.csv": _bytes(b"\0" * 1000),
    "bad utf-8.csv": _bytes(b"text,label\n\xff\xfe\xfd,pos\n\xc3\x28,neg\n"),
    "overlong utf-8.csv": _bytes(b"text,label\n\xc0\xaf\xe0\x80\xaf,pos\n"),
    "utf-16 cut.csv": _bytes("text,label\na,b\n".encode("utf-16")[:-1]),
    "utf-32.csv": _bytes("text,label\na,b\n".encode("utf-32")),
    "utf-7.csv": _bytes(b"text,label\n+ADw-script+AD4-,pos\n"),
    "quote.csv": _bytes(b'text,label\n"a,b\n'),
    "quotes.csv": _bytes(b'text,label\n"a""b"c,b\n'),
    "ragged.csv": _bytes(b"text,label\na\na,b,c\n,,,,\n"),
    "twins.csv": _bytes(b"text,text\na,b\n"),
    "odd names.csv": _bytes("<script>alert(1)</script>,=1+1,\u202ex,__class__\na,b,c,d\n".encode()),
    "returns.csv": _bytes(b"text,label\ra,b\rc,d\r"),
    "page.csv": _bytes(b"<html><script>alert(1)</script></html>\n<b>,</b>\n"),
    "picture.csv": _bytes(b"GIF89a/*<script>alert(1)</script>*/=1;\n"),
    "zip.csv": _bytes(b"PK\x03\x04" + b"\0" * 100),
    "gzip.csv": _bytes(b"\x1f\x8b\x08" + b"\0" * 100),
    "pdf.csv": _bytes(b"%PDF-1.7\n"),
    "excel.xls": _bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600),
    "parquet.csv": _table({"text": ["a"], "label": ["b"]}),
    "no parquet.parquet": _bytes(b"text,label\na,b\n"),
    "marks alone.parquet": _bytes(b"PAR1PAR1"),
    "cut.parquet": _bytes(b"PAR1" + b"\x15\x04" * 50 + b"\xff\xff\xff\x7fPAR1"),
    "odd.parquet": _table({"text": [None, "", "a"], "label": [float("nan"), 1e308, -0.0]}),
    "bytes.parquet": _table({"text": [b"\xff\xfe", b"a"], "label": [b"b", b"\0"]}),
    "deep.jsonl": _bytes(b'{"text": ' + b"[" * 50_000 + b"]" * 50_000 + b"}\n"),
    "deeper.json": _bytes(b"[" * 200_000),
    "numbers.jsonl": _bytes(b'{"text": 1e999999, "label": NaN, "id": -Infinity}\n{"text": ' + b"9" * 10_000 + b"}\n"),
    "halves.jsonl": _bytes(b'{"text": "\\ud800", "label": "\\udfff"}\n{"\\ud800": "a"}\n'),
    "nul.jsonl": _bytes(b'{"text": "a\\u0000b", "label": "\\u0000"}\n{"te\\u0000xt": "a"}\n'),
    "twin keys.jsonl": _bytes(b'{"text": "a", "text": "b"}\n'),
    "no objects.jsonl": _bytes(b'1\n"a"\nnull\ntrue\n[]\n[{"text": "a"}]\n'),
    "classes.jsonl": _lines({"text": "a", "__class__": "x", "__proto__": {"y": 1}, "constructor": 1}),
    "maps.jsonl": _lines(
        {"text_id": "1", "method": "m", "scores": [1e400, "x", None], "words": [1, 2, 3]},
        {"text_id": {"a": 1}, "method": [], "scores": {}, "words": "abc"},
        {"text_id": True, "method": "\0", "scores": [float("nan")], "offsets": [[-1, 5]]},
        {"text_id": "1", "method": "m", "scores": [1.0], "offsets": [[10**30, 2]]},
        {"text_id": "1", "method": "m", "scores": [[1.0]], "tokens": [None]},
        {"text_id": "1", "method": "m", "scores": [0.5], "tokens": ["a"], "target": 10**40, "params": {"a": [{}]}},
    ),
}
