"""The page and the schema of records say what the program writes and reads: over the recorded matches of all games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bot.games.catalogue import load_games
from bot.games.legs import make_two_legged
from bot.play.match import Match, make_records
from bot.play.records import replay_record

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "records.md").read_text()
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "records.schema.json").read_text())
RECORD: Any = jsonschema.Draft202012Validator(SCHEMA)
ANSWER: Any = RECORD.evolve(schema={"$ref": "#/$defs/answer", "$defs": SCHEMA["$defs"]})
PLAYED = sorted(ROOT.glob("cogs/*/played.jsonl"))
NO_RECORDS: tuple[dict[str, Any], ...] = (
    {"game": "plexus", "seats": 2},
    {"game": "Plexus", "seats": 2, "moves": []},
    {"game": "plexus", "seats": 0, "moves": []},
    {"game": "plexus", "seats": 2, "moves": [["1", "b2-b3"]]},
    {"game": "plexus", "seats": 2, "moves": [[1, "b2-b3", 3]]},
    {"game": "plexus", "seats": 2, "moves": [], "leg": 3},
    {"game": "plexus", "seats": 2, "moves": [], "computers": [[1, 7]]},
)


@pytest.mark.long
@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.parent.name)
def test_recorded_matches_and_what_replay_says_of_them_are_as_the_schema_says(file: Path) -> None:
    found = file.read_bytes().splitlines()
    for line in found:
        RECORD.validate(json.loads(line))
        for every, legal in ((False, False), (True, False)):
            ANSWER.validate(replay_record(load_games(), line, every, legal))
    ANSWER.validate(
        replay_record(load_games(), found[0].replace(b'"moves": [[', b'"moves": [[1, "no move"], ['), True, True)
    )


def test_legs_are_written_in_their_own_seats_and_replay_by_themselves() -> None:
    match = (
        Match.start(make_two_legged(load_games()["binary-primes"]), {"size": 3}, 2).play(1, "1: a1").play(2, "2: c3")
    )
    found = make_records(match)
    assert [(one["leg"], one["moves"]) for one in found] == [(1, [[1, "a1"]]), (2, [[1, "c3"]])]
    for one in found:
        RECORD.validate(one)
        ANSWER.validate(replay_record(load_games(), json.dumps(one).encode(), every=False, legal=True))


def test_a_veiled_record_is_refused_with_a_sentence_about_that() -> None:
    veiled: dict[str, Any] = {"game": "sums-grid", "options": {}, "seats": 2, "moves": [[1, "a grid"]], "veiled": True}
    RECORD.validate(veiled)
    answer = replay_record(load_games(), json.dumps(veiled).encode(), every=False, legal=False)
    ANSWER.validate(answer)
    assert answer["at"] is None and "veiled" in answer["error"] and "/match record" in answer["error"]


@pytest.mark.parametrize("record", NO_RECORDS, ids=json.dumps)
def test_what_is_no_record_is_none_by_the_schema(record: dict[str, Any]) -> None:
    assert not RECORD.is_valid(record)


def test_the_page_names_every_key_and_every_word() -> None:
    keys = {line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `")}
    assert keys == SCHEMA["properties"].keys()
    answers = SCHEMA["$defs"]["position"]["properties"].keys()
    for word in (*answers, "positions", "error", "at", "resign", "timeout", "takeback", "draw"):
        assert f"`{word}`" in PAGE or f'"{word}"' in PAGE, word
