"""The stream forms with the clients people use: the real `openai`, `@anthropic-ai/sdk` and `ai` packages."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from build_scripts import setup

CLIENTS = setup.CLIENTS
TIMEOUT = 300


def newer_node() -> str:
    """The Node 22 that stands among the test's packages, since the newest clients ask for it."""
    found = next(iter(sorted(CLIENTS.glob("node_modules/node-linux-*/bin/node"))), None)
    if found is None:
        pytest.skip("the npm registry has a Node 22 only for Linux on x64 and arm64")
    return str(found)


def run(node: str, files: list[str], **env: str) -> None:
    command = [node, "--test", "--test-reporter=tap", *files]
    result = subprocess.run(
        command, cwd=CLIENTS, env={**os.environ, **env}, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert result.returncode == 0, result.stdout + result.stderr
    passed = re.search(r"^# pass (\d+)$", result.stdout, re.MULTILINE)
    assert passed
    assert int(passed.group(1)) >= 5 * len(files)


def test_the_client_packages_of_today_with_the_oldest_node(dist: Path) -> None:
    run("node", ["openai.test.mjs", "anthropic.test.mjs", "ai-sdk.test.mjs"])


def test_the_newest_majors_with_the_node_they_ask_for(dist: Path) -> None:
    run(newer_node(), ["openai.test.mjs", "ai-sdk.test.mjs"], EDGEGATE_OPENAI="openai-7", EDGEGATE_AI="ai-7")


TYPED = """
import Anthropic from "@anthropic-ai/sdk";
import * as AI from "ai";
import * as AI7 from "ai-7";
import OpenAI from "openai";
import OpenAI7 from "openai-7";
import { loadEdgegate, type EdgegateError, type Reply } from "edgegate";
import { guardMiddleware, guardTransform } from "edgegate/ai-sdk";
import * as anthropic from "edgegate/anthropic";
import * as openai from "edgegate/openai";
import type { ToWorker } from "edgegate/worker";

const edgegate = await loadEdgegate({ signal: AbortSignal.timeout(1000) });
const onEvent = ({ kind }: { kind: string }, part: string) => console.log(kind, part);
const options = { evidence: { memories: ["a"] }, onEvent };
const client = new OpenAI({ fetch: openai.guardFetch(edgegate, options) });
new OpenAI7({ fetch: openai.guardFetch(edgegate, ({ model }) => (model === "x" ? options : {})) });
const stream = await client.chat.completions.create({ model: "m", messages: [], stream: true });
for await (const chunk of openai.iterate(stream, openai.guardChatEvents<OpenAI.ChatCompletionChunk>(edgegate))) {
  const text: string | null | undefined = chunk.choices[0]?.delta.content;
  console.log(text);
}
const whole: OpenAI.Responses.Response = await openai.guardResponse(edgegate, {} as OpenAI.Responses.Response, options);
const message: Anthropic.Message = await anthropic.guardMessage(edgegate, {} as Anthropic.Message);
new Anthropic({ fetch: anthropic.guardFetch(edgegate) });
AI.streamText({ model: "m", prompt: "p", experimental_transform: guardTransform(edgegate, options) });
AI.wrapLanguageModel({
  model: {} as Parameters<typeof AI.wrapLanguageModel>[0]["model"],
  middleware: guardMiddleware(edgegate),
});
AI7.streamText({ model: "m", prompt: "p", experimental_transform: guardTransform(edgegate, options) });
AI7.wrapLanguageModel({
  model: {} as Parameters<typeof AI7.wrapLanguageModel>[0]["model"],
  middleware: guardMiddleware(edgegate, options, "v4"),
});
const reply: Reply = edgegate.openReply({ now: "2026-03-14T09:00:00+01:00" });
const report = await edgegate.check("source", "memory", { signal: AbortSignal.timeout(5) });
const start: ToWorker = { kind: "start", assets: null };
console.log(whole, message, reply, report, start, (error: EdgegateError) => error.code);
// @ts-expect-error: the kinds of evidence are known
guardTransform(edgegate, { evidence: { memorys: [] } });
"""


def test_the_types_fit_those_of_the_clients(dist: Path, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    (tmp_path / "node_modules").symlink_to(CLIENTS / "node_modules", target_is_directory=True)
    (tmp_path / "use.ts").write_text(TYPED, "utf-8")
    options = "--noEmit --strict --skipLibCheck --module nodenext --target es2022"
    library = "--lib es2023,dom,dom.iterable,dom.asynciterable"
    compiler = setup.WEB / "node_modules" / "typescript" / "bin" / "tsc"
    command = ["node", str(compiler), *options.split(), *library.split(), "--types", "", "use.ts"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT)
    assert result.returncode == 0, result.stdout + result.stderr
