"""The laws of the design that a reader of the source can check: imports, word lists, who may do what."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "edgegate"
MODULES = sorted(path for path in CORE.rglob("*.py"))

# Each layer may import those before it in this list, and itself. `gate` and `guard` stand side by side.
LAYERS = [
    {"errors"},
    {"records"},
    {"policy"},
    {"language"},
    {"gate", "guard"},
    {"stores"},  # a store knows nothing of language or of what is planned; memory plans on its records and protocol
    {"memory"},
    {"labelled"},
    {"measure", "adapters"},
    {"measure_hosted"},
    {"bridge", "measure_memory", "measure_bench"},
    {"measure_pictures"},
    {"command_bench"},
    {"", "__main__"},  # "" is the package's own __init__
]
INSIDE_LANGUAGE = ["lexicon", "text", "values", "cues", "align", "compare"]


def layer_of(name: str) -> int:
    for number, names in enumerate(LAYERS):
        if name in names:
            return number
    raise AssertionError(f"no layer for edgegate.{name}: name its place in LAYERS")


def part_of(path: Path) -> str:
    first = path.relative_to(CORE).parts[0]
    return first.removesuffix(".py").replace("__init__", "") if first.endswith(".py") else first


def imports_of(path: Path, top_level_only: bool = False) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    nodes = tree.body if top_level_only else list(ast.walk(tree))
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_imports_point_one_way(path: Path) -> None:
    own = part_of(path)
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] != "edgegate" or len(parts) < 2 or (own in ("bridge",) and parts[1] == "__version__"):
            continue
        other = parts[1]
        if not (CORE / other).is_dir() and not (CORE / f"{other}.py").is_file():
            continue  # a public name of the package itself
        assert layer_of(other) <= layer_of(own), f"{path.name} imports edgegate.{other}, which stands above it"
        if layer_of(other) == layer_of(own):
            assert other == own, f"edgegate.{own} and edgegate.{other} stand side by side and never import each other"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_nothing_imports_an_adapter_and_an_adapter_imports_no_library_by_itself(path: Path) -> None:
    import sys

    if part_of(path) != "adapters":
        assert not any(name.startswith("edgegate.adapters") for name in imports_of(path)), f"{path.name}: an adapter"
        return
    for name in imports_of(path, top_level_only=True):
        top = name.split(".")[0]
        assert top == "edgegate" or top in sys.stdlib_module_names, f"{path.name} imports {top} when it is imported"


@pytest.mark.parametrize("name", INSIDE_LANGUAGE)
def test_language_is_read_in_one_direction(name: str) -> None:
    path = CORE / "language" / f"{name}.py"
    later = INSIDE_LANGUAGE[INSIDE_LANGUAGE.index(name) + 1 :]
    for imported in imports_of(path, top_level_only=True):
        for other in later:
            assert imported != f"edgegate.language.{other}", f"language.{name} imports language.{other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_the_core_is_pure_and_needs_only_the_standard_library(path: Path) -> None:
    if path.name in ("__main__.py", "command_bench.py"):
        return  # the command line has an extra of its own
    if part_of(path) == "adapters":
        return  # these stand outside the core: they keep deadlines and talk to servers, and nothing imports them
    impure = {"time", "random", "socket", "http", "urllib", "asyncio", "threading", "subprocess", "secrets", "uuid"}
    import sys

    for name in imports_of(path):
        top = name.split(".")[0]
        assert top == "edgegate" or top in sys.stdlib_module_names, f"{path.name} imports {top}"
        assert top not in impure, f"{path.name} imports {top}: the core has no clock, network, thread or chance"
    source = path.read_text("utf-8")
    assert not re.search(r"\b(datetime|date)\.(now|utcnow|today)\(", source), "`now` comes in as data"


def words_in(node: ast.AST) -> list[str]:
    """Lower-case English-looking words among the constants that stand directly in a list, tuple, set or dict."""
    if isinstance(node, ast.Dict):
        parts = [part for part in [*node.keys, *node.values] if part is not None]
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        parts = list(node.elts)
    else:
        return []
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return [text for text in texts if re.fullmatch(r"[a-z]+(?:['’ ][a-z]+)*", text)]


# Names of our own (fields, checks, families, ops), not English to be looked up in a text.
OUR_NAMES = set()
for module in MODULES:
    for found in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(found, ast.arg):
            OUR_NAMES.add(found.arg)
        elif isinstance(found, ast.AnnAssign) and isinstance(found.target, ast.Name):
            OUR_NAMES.add(found.target.id)
        elif isinstance(found, (ast.FunctionDef, ast.ClassDef)):
            OUR_NAMES.add(found.name)


def lexicon_families() -> set[str]:
    import tomllib

    names: set[str] = set()
    for path in (CORE / "language" / "data").rglob("*.toml"):
        data = tomllib.loads(path.read_text("utf-8"))
        names.add(data.get("family", ""))
        names.add(data.get("effect", ""))
        names |= {cue.get("effect", "") for cue in data.get("cue", [])}
        names |= set(data.get("tables", {})) | set(data.get("class", {}))
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_words_are_data(path: Path) -> None:
    """Law 5: no list of four or more English words stands in Python; they live in the lexicon files."""
    ours = OUR_NAMES | lexicon_families() | {module.stem for module in MODULES}
    tree = ast.parse(path.read_text("utf-8"))
    endings = {  # parts of words for str.endswith are morphology, not a word list
        argument
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "endswith"
        for argument in call.args
    }
    for node in ast.walk(tree):
        if node in endings:
            continue
        words = [word for word in words_in(node) if word not in ours]
        assert len(words) < 4, f"{path.name}, line {node.lineno}: {words[:6]} belong in language/data"  # type: ignore[attr-defined]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "|" in node.value:
            alternatives = [part.strip("()?:\\b ") for part in node.value.split("|")]
            found = [part for part in alternatives if re.fullmatch(r"[a-z]{2,}", part) and part not in ours]
            assert len(found) < 4, f"{path.name}, line {node.lineno}: a word list inside a pattern: {found[:6]}"


TYPESCRIPT = sorted(path for folder in ("web", "worker") for path in (ROOT / folder).rglob("*.ts"))
TYPESCRIPT = [path for path in TYPESCRIPT if "node_modules" not in path.parts and "dist" not in path.parts]


@pytest.mark.parametrize("path", TYPESCRIPT, ids=lambda path: str(path.relative_to(ROOT)))
def test_javascript_holds_no_rule(path: Path) -> None:
    """Law 9: JavaScript moves text and draws. No list of English words, no verdict made, no sentence split."""
    source = path.read_text("utf-8")
    for found in re.finditer(r"\[([^\[\]]{0,400})\]", source):
        words = re.findall(r"[\"']([a-z]+)[\"']", found.group(1))
        assert len([word for word in words if word not in OUR_NAMES]) < 8, f"{path.name}: a word list {words[:6]}"
    assert not re.search(r"Intl\.Segmenter|\.split\(/[^/\n]*\[\.!\?\]", source), "sentences are split by the core"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_only_policy_names_a_verdict(path: Path) -> None:
    """Law 6: detectors return changes. Only `policy` makes a verdict (records define it, measure and hosts read it)."""
    if part_of(path) not in ("language", "gate", "guard", "memory"):
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Verdict":
            raise AssertionError(f"{path.name}, line {node.lineno} names the verdict {node.attr}")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_only_the_door_makes_a_commit(path: Path) -> None:
    """Law 8: one door for writes. Nothing but memory/door.py may construct a Commit."""
    if path.relative_to(CORE).as_posix() == "memory/door.py":
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert name != "Commit", f"{path.name}, line {node.lineno} makes a Commit"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_modules_stay_readable(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    assert lines <= 450, f"{path.name} has {lines} lines: split it by idea"
