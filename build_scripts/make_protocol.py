"""Writes web/src/protocol.ts from the record classes of edgegate/records.py.

    python build_scripts/make_protocol.py            writes the file
    python build_scripts/make_protocol.py --check    exits with 1 when the file is not up to date

The records are described by msgspec's JSON Schema, so what TypeScript believes and what Python sends can't drift apart.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # in place of this folder, whose file names would hide modules of the standard library

import msgspec  # noqa: E402

from edgegate import records  # noqa: E402

TARGET = ROOT / "web" / "src" / "protocol.ts"

# What an application writes: fields with a default may be left out. In all other records the core sends every field.
INPUTS = (records.Turn, records.Evidence)
OUTPUTS = (
    records.Verdict,
    records.Severity,
    records.Quote,
    records.Change,
    records.Report,
    records.NearestEvidence,
    records.TextShown,
    records.TextDropped,
    records.ReplyEnd,
)

HEAD = """\
// Made by build_scripts/make_protocol.py from edgegate/records.py. Don't edit: change the records and run it again.
"""


def type_of(schema: Mapping[str, Any]) -> str:
    """The TypeScript type that a piece of JSON Schema describes. Raises ValueError on what it doesn't know.

    >>> type_of({"anyOf": [{"type": "string"}, {"type": "null"}]})
    'string | null'
    >>> type_of({"type": "array", "items": {"$ref": "#/x/Quote"}})
    'readonly Quote[]'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "anyOf" in schema:
        return " | ".join(type_of(option) for option in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        item = type_of(schema["items"])
        return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
    plain = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
    if isinstance(kind, str) and kind in plain:
        return plain[kind]
    raise ValueError(f"no TypeScript type for {schema}: teach make_protocol.type_of")


def comment(text: str) -> str:
    """The first paragraph of a docstring as a TypeScript comment.

    >>> comment("One turn.\\n\\nMore.")
    '/** One turn. */'
    """
    first = text.strip().split("\n\n", 1)[0]
    lines = [line.strip().replace("*/", "* /") for line in first.splitlines()]
    if len(lines) == 1:
        return f"/** {lines[0]} */"
    return "\n".join(["/**", *(f" * {line}" for line in lines), " */"])


def declaration(name: str, schema: Mapping[str, Any], all_fields: bool) -> str:
    """One exported type. With `all_fields` every field is always there; else those with a default may be left out."""
    head = comment(schema.get("description", name))
    if "properties" not in schema:
        return f"{head}\nexport type {name} = {type_of(schema)};\n"
    required = schema.get("required", [])
    lines = [
        f"  readonly {field}{'' if all_fields or field in required else '?'}: {type_of(kind)};"
        for field, kind in schema["properties"].items()
    ]
    return "\n".join([head, f"export interface {name} {{", *lines, "}"]) + "\n"


def protocol() -> str:
    """The whole text of protocol.ts."""
    _, schemas = msgspec.json.schema_components((*INPUTS, *OUTPUTS))
    inputs = {record.__name__ for record in INPUTS}
    order = [record.__name__ for record in (*INPUTS, *OUTPUTS)]
    parts = [declaration(name, schemas[name], name not in inputs) for name in order]
    events = "/** What a reply guard says, in order. */\nexport type Event = TextShown | TextDropped | ReplyEnd;\n"
    return HEAD + "\n" + "\n".join([*parts, events])


def main() -> int:
    """Writes or checks the file; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    arguments = parser.parse_args()
    text = protocol()
    fresh = TARGET.is_file() and TARGET.read_text("utf-8") == text
    if arguments.check:
        if not fresh:
            print("web/src/protocol.ts is not up to date: run build_scripts/make_protocol.py", file=sys.stderr)
        return 0 if fresh else 1
    if not fresh:
        TARGET.write_text(text, "utf-8")
    print(f"web/src/protocol.ts: {'up to date' if fresh else 'written'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
