"""Writes peekaword_client/types.py from the server's OpenAPI schema: `python client/typing_out.py schema.json`.

tests/client/test_schema.py holds what is written equal to the schema.
"""

import json
import sys
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent / "peekaword_client" / "types.py"
HEAD = '''"""What the server takes and answers, written by client/typing_out.py from its OpenAPI schema: not by hand."""

# ruff: noqa: E501
from typing import Any, Literal, NotRequired, TypedDict
'''
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def write_types(schema: dict[str, Any]) -> str:
    components = schema["components"]["schemas"]
    parts = [_written(name, one) for name, one in sorted(components.items()) if not name.startswith("Paginated")]
    return HEAD + "".join(parts)


def _written(name: str, one: dict[str, Any]) -> str:
    if "enum" in one:
        return f"\n{name} = {_literal(one['enum'])}\n"
    # An answer has all its members; of what is asked for, only those that are required have to be said.
    members = one.get("properties", {})
    required = set(one.get("required", ()) if name.endswith("Request") else members)
    lines = [_member(member, of, member in required) for member, of in members.items()]
    return f"\n\nclass {name}(TypedDict):\n" + "".join(f"    {line}\n" for line in lines or ["pass"]) + "\n"


def _member(name: str, of: dict[str, Any], required: bool) -> str:
    return f"{name}: {_type(of)}" if required else f"{name}: NotRequired[{_type(of)}]"


def _type(of: dict[str, Any]) -> str:
    if "$ref" in of:
        return f'"{of["$ref"].rpartition("/")[2]}"'
    for several in ("allOf", "oneOf", "anyOf"):
        if several in of:
            return _union(_type(one) for one in of[several])
    if "enum" in of:
        return _literal(of["enum"])
    kinds = of.get("type", [])
    return _union(_one(kind, of) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "Any"


def _one(kind: str, of: dict[str, Any]) -> str:
    if kind == "array":
        return f"list[{_type(of.get('items', {}))}]"
    if kind == "object":
        more = of.get("additionalProperties", {})
        return f"dict[str, {_type(more) if isinstance(more, dict) else 'Any'}]"
    return PLAIN[kind]


def _union(types: Any) -> str:
    """Names in quotes stand in quotes as a whole."""
    found = list(dict.fromkeys(types))
    if len(found) > 1 and any('"' in one for one in found):
        return '"' + " | ".join(one.replace('"', "") for one in found) + '"'
    return " | ".join(found)


def _literal(values: list[Any]) -> str:
    return f"Literal[{', '.join(json.dumps(value) for value in values)}]"


if __name__ == "__main__":
    OUT.write_text(write_types(json.loads(Path(sys.argv[1]).read_text())), encoding="utf-8")
