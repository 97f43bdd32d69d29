"""The package in Node, as someone who installed it would use it: README's example, and the types."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from build_scripts import setup

ROOT = Path(__file__).resolve().parent.parent.parent
SNIPPET = re.compile(r"<!-- snippet: javascript -->\n```js\n(.*?)```", re.DOTALL)


@pytest.fixture
def project(dist: Path, tmp_path: Path) -> Path:
    """An empty project that has the package under its name."""
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "edgegate").symlink_to(setup.WEB, target_is_directory=True)
    return tmp_path


def run(command: list[str], folder: Path) -> list[str]:
    """The lines that a command prints. What it complains about becomes the failure's message."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines()


def test_the_javascript_example_of_the_readme_does_what_its_comments_say(project: Path) -> None:
    found = SNIPPET.search((ROOT / "README.md").read_text("utf-8"))
    assert found, "README has no JavaScript snippet"
    code = found.group(1)
    (project / "example.mjs").write_text(code, "utf-8")
    said = re.findall(r"// (.+)$", code, re.MULTILINE)
    assert said
    # The reply may come in several pieces, one a line: what counts is its text and what follows it.
    lines = run(["node", "example.mjs"], project)
    assert "".join(lines).replace(" ", "") == "".join(said).replace(" ", "")


def test_the_package_has_types_that_a_strict_project_accepts(project: Path) -> None:
    (project / "use.ts").write_text(
        """
import { loadEdgegate, EdgegateError, type Report, type ReplyEnd, type Verdict } from "edgegate";
const edgegate = await loadEdgegate({ onProgress: ({ stage, done, total }) => console.log(stage, done / total) });
const reply = new Response("Hello.").body!.pipeThrough(new TextDecoderStream());
const guard = edgegate.replyGuard({ evidence: { memories: ["a"], history: [{ role: "user", content: "hi" }] } });
for await (const text of reply.pipeThrough(guard)) console.log(text.length);
const end: ReplyEnd = await guard.end;
const report: Report = await edgegate.check("source", "memory", { now: "2026-03-14T09:00:00+01:00" });
const verdict: Verdict | null = report.verdict;
console.log(end.shown, verdict, EdgegateError.name);
// @ts-expect-error: the kinds of evidence are known
edgegate.replyGuard({ evidence: { memorys: [] } });
new Response("Bytes too.").body!.pipeThrough(edgegate.replyGuard());
""",
        "utf-8",
    )
    options = "--noEmit --strict --module nodenext --target es2022 --lib es2023,dom,dom.iterable,dom.asynciterable"
    compiler = setup.WEB / "node_modules" / "typescript" / "bin" / "tsc"
    run(["node", str(compiler), *options.split(), "--types", "", "use.ts"], project)


def test_readings_are_kept_between_replies_until_they_are_closed(project: Path) -> None:
    (project / "example.mjs").write_text(
        """
import { loadEdgegate } from "edgegate";
const edgegate = await loadEdgegate();
const readings = edgegate.readings();
const evidence = { memories: ["The user has a sister called Nadia"] };
const reply = "Hello! Last time you told me about your boat. How is Nadia?";
for (const options of [{ evidence }, { evidence, readings }, { evidence, readings }]) {
  const one = edgegate.openReply(options);
  console.log((await one.feed(reply)) + (await one.close()));
}
const still = edgegate.openReply({ evidence, readings });
await still.feed("Hello");
readings.close();
readings.close();
console.log(await still.close());
await edgegate.openReply({ evidence, readings }).feed("Hello").catch(({ code, where }) => console.log(code, where));
edgegate.close();
await edgegate.openReply({ readings: edgegate.readings() }).feed("Hello").catch(({ code }) => console.log(code));
""",
        "utf-8",
    )
    assert run(["node", "example.mjs"], project) == [*["Hello! How is Nadia?"] * 3, "Hello", "usage readings", "usage"]


def test_the_check_of_run_py_says_what_it_did_and_fails_when_anything_is_off(dist: Path) -> None:
    lines = run(["node", str(dist / "check.js")], ROOT)
    text = "\n".join(lines)
    assert "dropped: Last time you mentioned" in text
    assert "verdict: REWRITE" in text
    assert lines[-1] == "All as it should be."
    wrong = subprocess.run(
        ["node", str(dist / "check.js"), "night-shift", "no such memory"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert wrong.returncode == 1
    assert "FAILED" in wrong.stdout
