"""Records as AbstractPlay's programs read them: every recorded match of every game, and who is named in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bot.features.study.replays import UNFINISHED, build_abstract_play_records
from bot.games.catalogue import load_games
from bot.games.legs import make_two_legged
from bot.play.ids import UserId
from bot.play.loaded_match import Refusal
from bot.play.match import Match
from tests.support.loaded_matches import FIRST, begun
from tests.support.sampled import sampled

PLAYED = sorted((Path(__file__).parents[2] / "cogs").glob("*/played.jsonl"))
ANN, BEA, NOW = UserId(FIRST + 1), UserId(FIRST + 2), 1_800_000_000
SITE: dict[str, Any] = {"type": "object", "required": ["name"], "additionalProperties": False}
PLAYER: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "score": {"type": "number"}, "result": {"type": "integer"}},
    "required": ["name", "result"],
}
HEADER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "game": {
            "properties": {"name": {"type": "string"}, "variants": {"type": "array", "uniqueItems": True}},
            "required": ["name"],
            "additionalProperties": False,
        },
        "site": {**SITE, "properties": {"name": {"type": "string"}, "gameid": {"type": ["string", "number"]}}},
        "unrated": {"type": "boolean"},
        "players": {"type": "array", "minItems": 1, "uniqueItems": True, "items": PLAYER},
        **{f"date-{when}": {"type": "string", "format": "date-time"} for when in ("start", "end", "generated")},
    },
    "required": ["game", "site", "date-start", "date-end", "date-generated", "players"],
}
ROUNDS = {"type": "array", "items": {"type": "array", "items": {"type": ["string", "null"]}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"header": HEADER, "moves": ROUNDS},
    "required": ["header", "moves"],
    "additionalProperties": False,
}
"""What the schema of AbstractPlay's records (github.com/AbstractPlay/recranks) asks of ours."""


def replayed(line: str) -> Match:
    """A recorded match."""
    record = json.loads(line)
    match = Match.start(load_games()[record["game"]], record.get("options", {}), record["seats"])
    for seat, text in record["moves"]:
        match = match.enter(seat, text)
    return match


@sampled("file", PLAYED, few=3, ids=lambda file: file.parent.name)
def test_every_finished_match_keeps_to_the_schema_and_its_moves_can_be_read_from_the_rounds(file: Path) -> None:
    checked: Any = jsonschema.Draft202012Validator(SCHEMA)
    for match in filter(lambda match: match.is_over, map(replayed, file.read_text().splitlines())):
        loaded = begun(match, started=NOW - 9, ended=NOW)
        (record,) = build_abstract_play_records(loaded, ANN, NOW, None)
        checked.validate(record)
        assert all(len(one) == match.seats for one in record["moves"])
        told = [(seat, text) for one in record["moves"] for seat, text in enumerate(one, 1) if text is not None]
        assert [one for one in told if one[1] != "draw"] == [(line.seat, line.text) for line in match.standing]
        results, ranks = [one["result"] for one in record["header"]["players"]], match.ranks or ()
        assert [(a > b) for a in results for b in results] == [(a < b) for a in ranks for b in ranks]


def test_only_who_asks_can_have_a_name_in_it() -> None:
    match = replayed(PLAYED[1].read_text().splitlines()[0])
    loaded = begun(match, started=NOW - 9, ended=NOW)
    names = [[one["name"] for one in build_abstract_play_records(loaded, user, NOW, name)[0]["header"]["players"]]
             for user, name in ((ANN, None), (BEA, "Bea"))]  # fmt: skip
    assert names == [["Player 1", "Player 2"], ["Player 1", "Bea"]]
    with pytest.raises(Refusal, match="You didn't play this match"):
        build_abstract_play_records(loaded, UserId(5), NOW, "Cem")


def test_the_legs_of_a_match_are_records_of_their_own_in_their_own_seats() -> None:
    match = (
        Match.start(make_two_legged(load_games()["binary-primes"]), {"size": 3}, 2)
        .play(1, "1: a1")
        .play(2, "2: c3")
        .withdraw(2)
    )
    one, two = build_abstract_play_records(begun(match, started=1, ended=2), ANN, NOW, "Ann")
    assert (one["header"]["site"]["gameid"], two["header"]["site"]["gameid"]) == ("123456-1", "123456-2")
    assert [player["name"] for player in two["header"]["players"]] == ["Player 1", "Ann"]
    assert one["moves"] == [["a1", "resign"]] and two["moves"] == [["c3", None], ["resign", None]]


def test_what_is_not_over_is_refused() -> None:
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2).play(1, "a1")
    with pytest.raises(Refusal) as refused:
        build_abstract_play_records(begun(match), ANN, NOW, None)
    assert str(refused.value) == UNFINISHED
