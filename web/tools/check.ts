/**
 * The main job once, without a browser: `node dist/check.js [RECORDING [MEMORY]]`.
 *
 * It stands beside the page in the bundle and goes through the same files: the same loader, the same Pyodide, the same
 * core. It prints what was shown, dropped and flagged and why, and exits with 1 when anything is not as the recording
 * says it should be.
 */
import { readFile } from "node:fs/promises";

import { loadEdgegate, type Edgegate, type Event } from "edgegate";

import { eventsOf, optionsOf, type MemoryExample, type Recording, streamOf } from "../page/recordings.ts";

const problems: string[] = [];

function say(text = ""): void {
  process.stdout.write(`${text}\n`);
}

function expect(what: string, wanted: unknown, found: unknown): void {
  const [left, right] = [JSON.stringify(wanted), JSON.stringify(found)];
  if (left !== right) problems.push(`${what}\n    wanted ${left}\n    found  ${right}`);
}

async function read<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`recordings/${name}.json`, import.meta.url), "utf8")) as T;
}

async function filterReply(edgegate: Edgegate, recording: Recording): Promise<void> {
  say(`Reply: ${recording.title}`);
  const events: Event[] = [];
  const guard = edgegate.replyGuard({ evidence: recording.evidence, onEvent: (event) => events.push(event) });
  let shown = "";
  for await (const text of streamOf(recording, 0).pipeThrough(guard)) shown += text;
  const { shown: stored } = await guard.end;

  say("  shown:");
  for (const line of shown.split("\n")) say(`    ${line}`);
  const dropped = eventsOf(events, "text_dropped");
  for (const { sentence, family, cue, reason, nearest_evidence: nearest } of dropped) {
    say(`  dropped: ${sentence}`);
    say(`    a claim of ${family}, by the cue ${cue}: ${reason}`);
    if (nearest) say(`    nearest evidence (${nearest.kind}): ${nearest.text}`);
  }
  expect("what was shown is what is stored", stored, shown);
  expect("what was shown", recording.expected.shown, shown);
  expect(
    "what was dropped",
    recording.expected.dropped,
    dropped.map(({ sentence }) => sentence),
  );
}

async function gateMemory(edgegate: Edgegate, example: MemoryExample): Promise<void> {
  say(`Memory: ${example.memory}`);
  for (const { speaker, text } of example.source) say(`  ${speaker}: ${text}`);
  const report = await edgegate.check(example.source, example.memory, optionsOf(example));
  say(`  verdict: ${report.verdict}${report.uncheckable ? ` (${report.uncheckable})` : ""}`);
  for (const change of report.changes) {
    say(`  ${change.severity}, ${change.check}: ${change.detail}`);
    say(`    "${change.source_quote?.text ?? ""}" became "${change.candidate_quote?.text ?? ""}" (${change.cue}, ${change.cite})`);
  }
  expect("the verdict", example.expected.verdict, report.verdict);
  const flagged = report.changes.filter(({ severity }) => severity !== "advisory").map(({ check }) => check);
  expect("the checks that fired", example.expected.checks, [...new Set(flagged)]);
}

const [reply = "night-shift", memory = "porto"] = process.argv.slice(2);
const begun = performance.now();
const edgegate = await loadEdgegate({
  onProgress: ({ stage, done, total }) => {
    if (done === total) say(`  ${stage}: ${Math.round(performance.now() - begun)} ms`);
  },
});
say(`edgegate ${edgegate.version.version}, lexicon ${edgegate.version.lexicon.slice(0, 12)}`);
say();
await filterReply(edgegate, await read<Recording>(reply));
say();
const example = (await read<MemoryExample[]>("memories")).find(({ id }) => id === memory);
if (example) await gateMemory(edgegate, example);
else problems.push(`no memory example is called ${memory}`);
edgegate.close();
say();
if (problems.length > 0) {
  say("FAILED:");
  for (const problem of problems) say(`  ${problem}`);
  process.exitCode = 1;
} else {
  say("All as it should be.");
}
