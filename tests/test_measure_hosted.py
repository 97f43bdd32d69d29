"""Sets scored record by record, as a page does it: the sums are exactly what `evaluate` gives for the whole set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edgegate.bridge import call
from edgegate.errors import DataError
from edgegate.labelled import GateRecord, GuardRecord, LabelledSentence
from edgegate.measure import evaluate_gate, evaluate_guard
from edgegate.measure_hosted import add_up, score_record

CORPORA = Path(__file__).resolve().parent / "data" / "corpora"


def records(name: str, most: int = 30) -> list[dict[str, Any]]:
    lines = (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines[:most]]


def whole_of(name: str) -> dict[str, Any]:
    """What `evaluate` says of the same records."""
    if name.startswith("gate"):
        kept = ("id", "source", "memory", "label", "date", "mechanisms")
        return evaluate_gate([GateRecord(**{key: one[key] for key in kept}) for one in records(name)]).to_json()
    found = []
    for one in records(name):
        names = ("text", "label", "safety", "second")
        sentences = [LabelledSentence(**{key: each[key] for key in names if key in each}) for each in one["sentences"]]
        found.append(GuardRecord(one["id"], one["evidence"], one["reply"], sentences))
    return evaluate_guard(found).to_json()


@pytest.mark.parametrize("name", ["guard_dev2", "natural_dev2", "gate_dev2"])
def test_the_sum_of_the_records_is_the_score_of_the_set(name: str) -> None:
    scored = [score_record(record) for record in records(name)]
    job = scored[0]["job"]
    groups: dict[str, list[Any]] = {}
    for number, one in enumerate(scored):
        groups.setdefault(f"group {number % 4}", []).append(one["score"])
    whole = add_up(job, groups)["whole"]
    assert whole["rates"] == whole_of(name)
    # Adding a few at a time, as they come, leads to the same place.
    running: dict[str, Any] = add_up(job, {"all": []})["groups"]["all"]["score"]
    for one in scored:
        running = add_up(job, {"all": [running, one["score"]]})["groups"]["all"]["score"]
    assert running == whole["score"]


def reply(*sentences: tuple[str, str], **more: Any) -> dict[str, Any]:
    labelled = [{"text": text, "label": label} for text, label in sentences]
    return {"id": "x", "evidence": {}, "reply": " ".join(text for text, _ in sentences), "sentences": labelled, **more}


def test_a_sentence_says_what_the_guard_got_wrong_on_it() -> None:
    lie = "You told me you own a zeppelin."
    found = score_record(reply(("Hello.", "none"), (lie, "supported"), ("I like figs.", "fabricated")))
    assert [(each["kept"], each["errors"]) for each in found["sentences"]] == [
        (True, []),
        (False, ["preservation"]),
        (True, ["catch"]),
    ]
    assert found["errors"] == ["preservation", "catch"]
    assert found["sentences"][1]["reason"] == found["dropped"][0]["reason"]
    assert lie not in found["shown"]


def test_a_sentence_on_which_readers_differ_is_shown_and_not_scored() -> None:
    record = reply(("You told me you own a zeppelin.", "supported"))
    record["sentences"][0]["second"] = "fabricated"
    found = score_record(record)
    assert (found["sentences"][0]["scored"], found["errors"], found["score"]["left_out"]) == (False, [], 1)


@pytest.mark.parametrize(
    ("said", "memory", "label", "mechanisms", "errors"),
    [
        ("Maybe I will move to Ulm.", "The user moves to Ulm.", "bad", ["hedge"], []),
        ("Maybe I will move to Ulm.", "The user moves to Ulm.", "bad", ["unit"], ["wrong_check"]),
        ("Maybe I will move to Ulm.", "The user moves to Ulm.", "clean", [], ["false_alarm"]),
        ("I like figs.", "The user likes figs.", "bad", ["hedge"], ["missed"]),
        ("I like figs.", "The user likes figs.", "advisory", [], ["advisory"]),
        ("Me gusta mucho la casa de mi hermana.", "x y", "bad", [], ["uncheckable"]),
        ("I like figs.", "The user likes figs.", "unsure", [], []),
    ],
)
def test_a_write_says_what_the_gate_got_wrong(
    said: str, memory: str, label: str, mechanisms: list[str], errors: list[str]
) -> None:
    source = [{"speaker": "user", "text": said}]
    record = {"id": "x", "source": source, "memory": memory, "label": label, "mechanisms": mechanisms, "domain": "y"}
    assert score_record(record)["errors"] == errors


@pytest.mark.parametrize(
    ("record", "where"),
    [
        ({"id": "x"}, "record"),
        ({"id": 3, "reply": "", "sentences": [], "evidence": {}}, "id"),
        ({"id": "x", "reply": "", "sentences": []}, "evidence"),
        ({"id": "x", "reply": "", "sentences": {}, "evidence": {}}, "sentences"),
        ({"id": "x", "reply": "", "sentences": [3], "evidence": {}}, "sentences[0]"),
        ({"id": "x", "reply": "", "sentences": [{"text": "a"}], "evidence": {}}, "sentences[0].label"),
        ({"id": "x", "reply": "", "sentences": [], "evidence": {"memories": [3]}}, "evidence.memories[0]"),
        ({"id": "x", "source": [], "memory": ""}, "label"),
        ({"id": "x", "source": "", "memory": "", "label": "bad"}, "source"),
        ({"id": "x", "source": [], "memory": "", "label": "bad", "mechanisms": [1]}, "mechanisms[0]"),
    ],
)
def test_a_record_of_a_wrong_form_names_the_field(record: dict[str, Any], where: str) -> None:
    with pytest.raises(DataError) as problem:
        score_record(record)
    assert (problem.value.where or "").startswith(where)


@pytest.mark.parametrize(
    ("job", "groups", "where"),
    [
        ("poetry", {}, "job"),
        ("guard", {"a": {}}, "groups.a"),
        ("guard", {"a": [3]}, "groups.a[0]"),
        ("guard", {"a": [{"records": True}]}, "groups.a[0].records"),
        ("guard", {"a": [{"catch": {"count": "1", "total": 2}}]}, "groups.a[0].catch.count"),
        ("gate", {"a": [{"by_check": [1]}]}, "groups.a[0].by_check"),
    ],
)
def test_counts_of_a_wrong_form_are_refused(job: str, groups: Any, where: str) -> None:
    with pytest.raises(DataError) as problem:
        add_up(job, groups)
    assert problem.value.where == where


def test_a_host_scores_over_the_border() -> None:
    found = json.loads(call(json.dumps({"op": "score", "record": reply(("\ud800 Hello.", "none"))})))
    assert found["ok"]
    assert found["result"]["errors"] == []
    request = {"op": "score.sum", "job": "guard", "groups": {"a": [found["result"]["score"]]}}
    summed = json.loads(call(json.dumps(request)))
    assert summed["result"]["whole"]["rates"]["collateral"]["total"] == 1
    refused = json.loads(call('{"op": "score", "record": {}}'))
    assert refused["error"]["code"] == "data"
