"""The stores of JavaScript in a real Chromium: the contract, and what only a browser can do to a database."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from build_scripts import setup
from tests.web.conftest import CHROMIUM_FLAGS

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parent.parent.parent
CASES = json.loads((ROOT / "tests/data/host/store.json").read_text("utf-8"))["cases"]
CONTRACT = (ROOT / "web/test/contract.mjs").read_text("utf-8").replace("export ", "")
QUIET = "/edgegate/NOTICE.txt"  # a page of the same origin that starts nothing

# What a page is given before it is asked anything: short ways to a store, a memory, and one commit after another.
HELPERS = """
const { IndexedDbStore } = await import(new URL("/edgegate/indexeddb.js", location.href).href);
const { InMemoryStore } = await import(new URL("/edgegate/index.js", location.href).href);
const memory = (id, text, ...terms) => ({
  id, text, kind: "fact", verdict: "PASS", flags: [], path: "", about: null, at: null, seen: null,
  terms: terms.length > 0 ? terms : text.toLowerCase().split(" "), lexicon: "", history: [],
});
const commit = (base, put, gone = [], turn = null) => ({ base, put, delete: gone, turn });
const failure = async (work) => {
  try { await work(); return null; } catch ({ name, code, message, where }) { return { name, code, message, where }; }
};
const raw = (name, version, upgrade) => new Promise((resolve, reject) => {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => upgrade?.(request.result, request.transaction);
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  request.onblocked = () => reject(new Error("blocked"));
});
const rows = (database, table) => new Promise((resolve) => {
  const request = database.transaction(table).objectStore(table).getAll();
  request.onsuccess = () => resolve(request.result);
});
"""


def ask(page: Any, script: str, argument: Any = None) -> Any:
    """What a piece of JavaScript returns in the page, with the helpers above at hand."""
    return page.evaluate(f"async (given) => {{ {HELPERS} {script} }}", argument)


@contextmanager
def tab(context: Any, site: str) -> Iterator[Any]:
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(site + QUIET)
    yield page
    with suppress(Exception):
        page.close()


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    made = chromium.new_context()
    yield made
    made.close()


@pytest.fixture
def page(context: Any, site: str) -> Iterator[Any]:
    with tab(context, site) as made:
        yield made


@pytest.mark.parametrize("store", ["new IndexedDbStore(name)", "new InMemoryStore()"])
def test_the_contract_of_every_store(page: Any, store: str) -> None:
    assert ask(page, f"{CONTRACT} return runContract(given, async (name) => {store});", CASES) == []


def test_what_was_kept_is_there_after_a_reload_and_in_another_tab(page: Any, context: Any, site: str) -> None:
    kept = ask(page, 'return new IndexedDbStore().apply(commit(0, [memory("1.0", "The user rows")]))')
    assert kept == {"revision": 1, "put": ["1.0"], "deleted": [], "erased": True}
    page.reload()
    held = "const found = await new IndexedDbStore().load(); return found.memories.map(({ text }) => text);"
    assert ask(page, held) == ["The user rows"]
    with tab(context, site) as other:
        assert ask(other, held) == ["The user rows"]


def test_a_forgotten_memory_is_nowhere_but_perhaps_on_the_disk(page: Any) -> None:
    gone = ask(
        page,
        """const store = new IndexedDbStore();
        await store.apply(commit(0, [memory("1.0", "the zanzibar locker"), memory("1.1", "kept")]));
        const applied = await store.apply(commit(1, [], ["1.0"]));
        const database = await raw(store.name);
        const found = await store.find(["zanzibar"]);
        return { applied, found: found.memories, rows: JSON.stringify(await rows(database, "memories")) };""",
    )
    assert gone["applied"] == {"revision": 2, "put": [], "deleted": ["1.0"], "erased": False}
    assert gone["found"] == []
    assert "zanzibar" not in gone["rows"]
    assert "kept" in gone["rows"]


def test_two_tabs_that_write_at_once_lose_nothing_and_double_nothing(context: Any, site: str) -> None:
    write = """const store = new IndexedDbStore();
        let stale = 0;
        for (let number = 0; number < given.count; number++) {
          for (;;) {
            const { revision } = await store.load();
            try {
              await store.apply(commit(revision, [memory(`${given.tab}.${number}`, `fact ${number} of ${given.tab}`)]));
              break;
            } catch (error) {
              if (error.code !== "stale") throw error;
              stale += 1;
            }
          }
        }
        globalThis.stale = stale;"""
    with tab(context, site) as one, tab(context, site) as other:
        for number, each in enumerate((one, other)):
            ask(each, f"globalThis.done = (async () => {{ {write} }})();", {"tab": number, "count": 60})
        stale = [each.evaluate("async () => { await done; return globalThis.stale; }") for each in (one, other)]
        held = ask(one, "return new IndexedDbStore().load();")
    assert held["revision"] == len(held["memories"]) == 120
    assert len({each["text"] for each in held["memories"]}) == 120
    assert sum(stale) > 0, "they never met: nothing was tested"


def test_memory_in_two_tabs_keeps_the_same_fact_once(context: Any, site: str) -> None:
    start = """trustedTypes.createPolicy("default", { createScriptURL: (url) => url });
        const { loadEdgegate } = await import(new URL("/edgegate/index.js", location.href).href);
        globalThis.started = await loadEdgegate();
        globalThis.memory = started.memory({ store: new IndexedDbStore() });"""
    with tab(context, site) as one, tab(context, site) as other:
        for each in (one, other):
            ask(each, start)
            ask(each, 'globalThis.done = globalThis.memory.turn("remember that the gate code is 4820");')
        outcomes = [each.evaluate("async () => (await done).items[0].outcome") for each in (one, other)]
        assert sorted(outcomes) == ["known", "new"]
        said = other.evaluate("async () => (await memory.forget('forget the gate code')).words")
        assert said == "Deleted: “The gate code is 4820”."
        assert one.evaluate("async () => (await memory.forget('forget the gate code')).writes") == []
        assert ask(one, "return (await new IndexedDbStore().load()).memories") == []


def test_a_newer_schema_is_refused_untouched(page: Any) -> None:
    seen = ask(
        page,
        """const newer = await raw("newer", 2, (database) => database.createObjectStore("memories").put("x", 1));
        newer.close();
        const store = new IndexedDbStore("newer");
        const write = () => store.apply(commit(0, [memory("1", "a")]));
        const errors = [await failure(() => store.load()), await failure(write)];
        const after = await raw("newer");
        const tables = [...after.objectStoreNames];
        return { errors, version: after.version, tables, rows: await rows(after, "memories") };""",
    )
    for error in seen["errors"]:
        assert error["code"] == "store"
        assert "newer schema" in error["message"]
        assert error["where"] == "newer"
    assert (seen["version"], seen["tables"], seen["rows"]) == (2, ["memories"], ["x"])


def test_a_database_of_another_program_is_refused_untouched(page: Any) -> None:
    seen = ask(
        page,
        """(await raw("strange", 1, (database) => database.createObjectStore("recipes").put("soup", 1))).close();
        const error = await failure(() => new IndexedDbStore("strange").apply(commit(0, [])));
        const after = await raw("strange");
        return { error, tables: [...after.objectStoreNames], rows: await rows(after, "recipes") };""",
    )
    assert "another program" in seen["error"]["message"]
    assert (seen["tables"], seen["rows"]) == (["recipes"], ["soup"])


@pytest.mark.parametrize(
    "damage",
    ['table.delete("state")', 'table.put({ revision: "x" }, "state")', 'table.put({ revision: 7 }, "state")'],
)
def test_a_database_that_lost_its_revision_is_refused_untouched(page: Any, damage: str) -> None:
    seen = ask(
        page,
        f"""const store = new IndexedDbStore();
        await store.apply(commit(0, [memory("1.0", "kept")]));
        const database = await raw(store.name);
        const change = database.transaction("state", "readwrite");
        ((table) => {damage})(change.objectStore("state"));
        await new Promise((resolve) => (change.oncomplete = resolve));
        const before = JSON.stringify([await rows(database, "state"), await rows(database, "memories")]);
        const errors = [];
        for (const work of [() => store.load(), () => store.find(["kept"]), () => store.apply(commit(1, []))]) {{
          errors.push(await failure(work));
        }}
        const after = JSON.stringify([await rows(database, "state"), await rows(database, "memories")]);
        return {{ errors, same: before === after, after }};""",
    )
    assert all("damaged" in error["message"] for error in seen["errors"]), seen
    assert seen["same"]
    assert "kept" in seen["after"]


def test_a_full_disk_keeps_nothing_and_says_so(page: Any, context: Any, site: str) -> None:
    browser = context.new_cdp_session(page)
    browser.send("Storage.overrideQuotaForOrigin", {"origin": site.rstrip("/"), "quotaSize": 4_000_000})
    # The browser looks only now and then how much room is left: the first commits may still get through.
    seen = ask(
        page,
        """const store = new IndexedDbStore();
        const kept = [];
        for (let base = 0; base < 200; base++) {
          const noise = String.fromCharCode(...crypto.getRandomValues(new Uint16Array(30_000)));
          const rows = [0, 1].map((n) => memory(`${base}.${n}`, `${n}${noise}`, "big"));
          const error = await failure(async () => kept.push(...(await store.apply(commit(base, rows))).put));
          if (error) return { error, kept, held: await store.load({ turns: 9 }) };
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return { kept };""",
    )
    assert seen["error"]["code"] == "store", seen
    assert "nothing was kept" in seen["error"]["message"]
    assert "no room" in seen["error"]["message"]
    assert [each["id"] for each in seen["held"]["memories"]] == seen["kept"]
    assert seen["held"]["revision"] == len(seen["kept"]) / 2
    browser.send("Storage.overrideQuotaForOrigin", {"origin": site.rstrip("/")})
    again = ask(
        page,
        """const store = new IndexedDbStore();
        for (let tries = 0; ; tries++) {
          const { revision } = await store.load({ ids: [] });
          const error = await failure(() => store.apply(commit(revision, [memory("after", "and it goes on")])));
          if (!error || tries === 100) return { error, held: (await store.load()).memories.at(-1).text };
          await new Promise((resolve) => setTimeout(resolve, 100));
        }""",
    )
    assert again == {"error": None, "held": "and it goes on"}


def test_a_row_that_cannot_be_written_takes_its_commit_with_it(page: Any) -> None:
    seen = ask(
        page,
        """const store = new IndexedDbStore();
        const odd = { ...memory("1.1", "odd"), extra: () => 1 };
        const error = await failure(() => store.apply(commit(0, [memory("1.0", "first"), odd])));
        return { error, held: await store.load() };""",
    )
    assert "nothing was kept" in seen["error"]["message"]
    assert seen["held"] == {"revision": 0, "memories": [], "turns": []}


def test_a_store_gives_way_to_a_newer_page_and_comes_back_after_a_clearing(page: Any, context: Any, site: str) -> None:
    ask(page, 'globalThis.store = new IndexedDbStore(); await store.apply(commit(0, [memory("1.0", "kept")]))')
    browser = context.new_cdp_session(page)
    browser.send("Storage.clearDataForOrigin", {"origin": site.rstrip("/"), "storageTypes": "indexeddb"})
    assert page.evaluate("async () => (await store.load()).revision") == 0
    seen = ask(
        page,
        """const newer = await raw(store.name, 2);
        newer.close();
        return failure(() => store.load());""",
    )
    assert "newer schema" in seen["message"]


def test_a_closed_store_answers_nothing(page: Any) -> None:
    seen = ask(
        page,
        """const store = new IndexedDbStore();
        await store.load();
        await store.close();
        return failure(() => store.load());""",
    )
    assert "closed" in seen["message"]


def test_without_indexeddb_it_says_so(page: Any) -> None:
    seen = ask(
        page,
        """Object.defineProperty(globalThis, "indexedDB", { value: undefined });
        return failure(() => new IndexedDbStore().load());""",
    )
    assert (seen["code"], "no IndexedDB" in seen["message"]) == ("store", True)


COMMITTING = """
globalThis.acknowledged = [];
globalThis.writing = (async () => {
  const store = new IndexedDbStore();
  for (;;) {
    const base = (await store.load({ ids: [] })).revision;
    const pair = [0, 1].map((n) => memory(`${base}.${n}`, `pair ${base} ${n} ${"x".repeat(2000)}`, "pair"));
    const { revision } = await store.apply(commit(base, pair, [`${base - 1}.0`]));
    acknowledged.push(revision);
    console.log(`acknowledged ${revision}`);
  }
})();
"""


def check_whole(held: dict[str, Any], acknowledged: list[int]) -> None:
    """What was acknowledged is there, and no commit is halved."""
    assert acknowledged
    revision = held["revision"]
    assert revision >= acknowledged[-1]
    expected = {f"{base}.{n}" for base in range(revision) for n in (0, 1)}
    expected -= {f"{base}.0" for base in range(revision - 1)}
    assert {each["id"] for each in held["memories"]} == expected


def write_on(page: Any, heard: list[int], wait: int) -> None:
    """Lets it write until a commit was acknowledged, however busy the machine is, and for `wait` milliseconds more."""
    for _ in range(600):
        if heard:
            break
        page.wait_for_timeout(50)
    page.wait_for_timeout(wait)


def listen(page: Any) -> list[int]:
    heard: list[int] = []
    page.on(
        "console",
        lambda message: heard.append(int(message.text.split()[1])) if "acknowledged" in message.text else None,
    )
    return heard


@pytest.mark.parametrize("end", ["crash", "close", "leave"])
def test_a_page_that_ends_in_the_middle_of_its_commits(context: Any, site: str, end: str) -> None:
    for wait in (150, 400):
        with tab(context, site) as page:
            heard = listen(page)
            ask(page, COMMITTING)
            write_on(page, heard, wait)
            if end == "crash":
                with suppress(Exception):  # it never gets there
                    page.goto("chrome://crash", wait_until="commit", timeout=3000)
            elif end == "close":
                page.close()
            else:
                page.goto(site + "/icon.svg")
        with tab(context, site) as after:
            check_whole(ask(after, "return new IndexedDbStore().load();"), heard)


@contextmanager
def own_chromium(chromium: Any, profile: Path) -> Iterator[tuple[Any, Callable[[], None]]]:
    """A Chromium of its own with a profile on disk, and a way to kill all of it at once."""
    program = setup.find_chromium()
    assert program
    port_file = profile / "DevToolsActivePort"
    port_file.unlink(missing_ok=True)
    flags = [*CHROMIUM_FLAGS, "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        [program, *flags, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )

    def kill() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)

    try:
        for _ in range(600):
            if port_file.exists() and port_file.read_text().strip():
                break
            time.sleep(0.05)
        browser = chromium.browser_type.connect_over_cdp(f"http://127.0.0.1:{port_file.read_text().split()[0]}")
        yield browser.contexts[0], kill
        with suppress(Exception):
            browser.new_browser_cdp_session().send("Browser.close")
            process.wait(20)
    finally:
        kill()


@pytest.mark.slow
def test_a_browser_that_is_killed_in_the_middle_of_its_commits(chromium: Any, site: str, tmp_path: Path) -> None:
    heard: list[int] = []
    for wait in (200, 350, 700):
        with own_chromium(chromium, tmp_path / "profile") as (context, kill), tab(context, site) as page:
            if heard:
                check_whole(ask(page, "return new IndexedDbStore().load();"), heard)
            heard = listen(page)
            ask(page, COMMITTING)
            write_on(page, heard, wait)
            kill()
    with own_chromium(chromium, tmp_path / "profile") as (context, _), tab(context, site) as page:
        check_whole(ask(page, "return new IndexedDbStore().load();"), heard)


@pytest.mark.slow
def test_a_database_that_is_damaged_on_disk_is_never_taken_for_an_empty_one(
    chromium: Any, site: str, tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    with own_chromium(chromium, profile) as (context, _), tab(context, site) as page:
        ask(page, 'await new IndexedDbStore().apply(commit(0, [memory("1.0", "kept " + "y".repeat(50000))]))')
    folders = list(profile.glob("**/IndexedDB/*.leveldb"))
    assert folders
    for folder in folders:
        for path in folder.iterdir():
            if path.name.startswith(("MANIFEST", "CURRENT")):
                path.write_bytes(os.urandom(64))
    with own_chromium(chromium, profile) as (context, _), tab(context, site) as page:
        error = ask(page, "return failure(() => new IndexedDbStore().load());")
    assert error is not None
    assert error["code"] == "store"
    assert "damaged" in error["message"] or "can't be opened" in error["message"]
    shutil.rmtree(profile, ignore_errors=True)


@pytest.mark.slow
def test_ten_thousand_commits_are_all_there(page: Any) -> None:
    held = ask(
        page,
        """const store = new IndexedDbStore();
        for (let base = 0; base < 10_000; base++) {
          await store.apply(commit(base, [memory(`${base}.0`, `number ${base}`, "number", `n${base}`)]));
        }
        await store.close();
        const again = new IndexedDbStore();
        const { revision, memories } = await again.load();
        const one = await again.find(["n7777"]);
        const many = await again.find(["number", "n42"], 3);
        return { revision, kept: new Set(memories.map(({ text }) => text)).size, one: one.memories[0].text,
          first: many.memories[0].text, count: many.memories.length };""",
    )
    assert held == {"revision": 10_000, "kept": 10_000, "one": "number 7777", "first": "number 42", "count": 3}
