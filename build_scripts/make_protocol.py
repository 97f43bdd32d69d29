"""Writes web/src/protocol.ts from the record classes that cross the border.

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
from edgegate.gate import records as gate  # noqa: E402
from edgegate.memory.forget import ForgetPlan  # noqa: E402
from edgegate.memory.graph import Edge, Node, Picture, Sign  # noqa: E402
from edgegate.memory.hosted import AskApply, AskChoose, AskFind, AskLoad, AskRewrite, Settings  # noqa: E402
from edgegate.memory.intent import Message  # noqa: E402
from edgegate.memory.recall import Found  # noqa: E402
from edgegate.memory.writing import Item, Result, Scope  # noqa: E402
from edgegate.stores import records as stores  # noqa: E402

TARGET = ROOT / "web" / "src" / "protocol.ts"

# What an application writes: fields with a default may be left out. In all other records the core sends every field.
INPUTS = (records.Turn, records.Evidence, Scope, Settings)
OUTPUTS = (
    records.Verdict,
    records.Severity,
    records.Quote,
    records.Change,
    records.Report,
    records.Shared,
    records.NearestEvidence,
    records.TextShown,
    records.TextDropped,
    records.ClaimKept,
    records.ReplyEnd,
    gate.Loss,
    gate.Drift,
    gate.Question,
    gate.Asked,
    gate.Heard,
    gate.Repair,
    stores.Earlier,
    stores.StoredMemory,
    stores.TurnRecord,
    stores.Commit,
    stores.Applied,
    stores.Snapshot,
    Item,
    Result,
    Found,
    Message,
    ForgetPlan,
    Node,
    Edge,
    Sign,
    Picture,
    AskLoad,
    AskFind,
    AskApply,
    AskChoose,
    AskRewrite,
)
# Names that say enough inside a module of Python's and too little among all the names of a package.
RENAMED = {
    "Question": "ReaderQuestion",
    "Asked": "ReadersAsked",
    "Heard": "ReadersHeard",
    "Scope": "MemoryScope",
    "Snapshot": "StoreSnapshot",
    "Item": "MemoryItem",
    "Result": "MemoryResult",
    "Found": "FoundMemory",
    "Node": "PictureNode",
    "Edge": "PictureEdge",
    "Sign": "PictureSign",
    "Picture": "MemoryPicture",
    "Settings": "MemorySettings",
    "Message": "ReadMessage",
    "Fact": "ReadFact",
}

HEAD = """\
// Made by build_scripts/make_protocol.py from the records of edgegate. Don't edit: change the records and run it again.
"""


def type_of(schema: Mapping[str, Any]) -> str:
    """The TypeScript type that a piece of JSON Schema describes. Raises ValueError on what it doesn't know.

    >>> type_of({"anyOf": [{"type": "string"}, {"type": "null"}]})
    'string | null'
    >>> type_of({"type": "array", "items": {"$ref": "#/x/Quote"}})
    'readonly Quote[]'
    """
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return RENAMED.get(name, name)
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "anyOf" in schema:
        return " | ".join(type_of(option) for option in schema["anyOf"])
    kind = schema.get("type")
    if "prefixItems" in schema:
        return f"readonly [{', '.join(map(type_of, schema['prefixItems']))}]"
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
    order += [name for name in schemas if name not in order]  # what those are made of
    parts = [declaration(RENAMED.get(name, name), schemas[name], name not in inputs) for name in order]
    events = "/** What a reply guard says, in order. `claim_kept` only where it was asked to explain. */\n"
    events += "export type Event = TextShown | TextDropped | ClaimKept | ReplyEnd;\n"
    events += "/** What an operation of memory has to be told before it can go on. */\n"
    events += "export type MemoryQuestion = AskLoad | AskFind | AskApply | AskChoose | AskRewrite;\n"
    kept = ", ".join(f'"{verdict}"' for verdict in records.Verdict if stores.may_be_kept(verdict))
    verdicts = "/** The verdicts that a memory may have in a store. A store refuses every other. */\n"
    verdicts += f"export const KEPT_VERDICTS: readonly Verdict[] = [{kept}];\n"
    return HEAD + "\n" + "\n".join([*parts, events, verdicts])


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
