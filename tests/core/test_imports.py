"""Records that somebody brings: every good one comes back as it was, and a hundred damaged ones are refused."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.games.catalogue import load_games
from bot.play.ids import ChannelId, GuildId
from bot.play.loaded_match import Refusal, mention_user
from bot.play.match import Match
from bot.play.records import MOST_BYTES, MOST_STEPS, choose_record, import_record
from tests.contract.playing import playout
from tests.contract.sentences import is_sentence
from tests.support.sampled import sampled

HERE = GuildId(1), ChannelId(2)
RECORDS, DAMAGED = 200, 100
COGS = Path(__file__).parents[2] / "cogs"
PLAYED = [line for file in sorted(COGS.glob("*/played.jsonl")) for line in file.read_bytes().splitlines()]
GOOD: dict[str, Any] = {"game": "binary-primes", "options": {"size": 3}, "seats": 2, "moves": [[1, "a2"], [2, "c1"]]}
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 9, 10**400, 1.5, "", "x" * 9_000, "\ud800", [], [[[]]], {}, {"a": []}, [1, "a1"], [[1]],
)  # fmt: skip


def taken(record: Any) -> Any:
    """What comes of a record, as JSON or as bytes."""
    return import_record(choose_record(record if isinstance(record, bytes) else json.dumps(record).encode(), 1), *HERE)


def refusal(record: Any) -> str:
    """Why a record is refused."""
    with pytest.raises(Refusal) as refused:
        taken(record)
    return str(refused.value)


@sampled("seed", range(RECORDS), few=4)
def test_what_was_exported_comes_back_as_it_was(seed: int) -> None:
    rng = Random(seed)
    game = rng.choice([*load_games().values()])
    *_, match = playout(Match.start(game, {}, rng.choice([*game.seats][:3])), rng, leaving=0.01)
    loaded = taken(match.to_json())
    assert (loaded.begun_match, loaded.row.record) == (match, match.record)
    assert loaded.begun_match.to_json() == match.to_json() and loaded.row.state == "finished"


def test_its_people_are_numbered_and_its_computers_named() -> None:
    loaded = taken({**GOOD, "computers": [[2, 3]]})
    assert [mention_user(loaded.user_at(seat)) for seat in (1, 2)] == ["Player 1", "the computer (level 3)"]


def test_a_hundred_damaged_records_are_refused_with_a_sentence_each() -> None:
    rng, refused = Random(7), 0
    while refused < DAMAGED:
        record = damaged(rng)
        try:
            taken(record)
        except Refusal as fault:
            refused += 1
            assert is_sentence(str(fault)) and len(str(fault)) < 1_000, fault


def damaged(rng: Random) -> bytes:
    """A recorded match with a fault in it, which may still be a record."""
    line = rng.choice(PLAYED)
    record = json.loads(line)
    match rng.randrange(6):
        case 0:
            at = rng.randrange(len(line))
            return line[:at] + bytes([rng.randrange(256)]) + line[at + 1 :]
        case 1:
            return line[: rng.randrange(len(line))]
        case 2:
            record[rng.choice(["game", "options", "seats", "moves", "computers"])] = rng.choice(VALUES)
        case 3:
            record["moves"].insert(rng.randrange(len(record["moves"]) + 1), rng.choice(VALUES))
        case 4:
            record["moves"][rng.randrange(len(record["moves"]))][rng.randrange(2)] = rng.choice(VALUES)
        case _:
            del record[rng.choice(["game", "seats", "moves"])]
    return json.dumps(record).encode()


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (b"", "There is no record in this file."),
        (b"\n \n", "There is no record in this file."),
        (b"[" * 9_000, "This line is not JSON."),
        (b'{"moves": ' + b"[" * 700 + b"]" * 700 + b"}", "A record needs its game, a text like"),
        (b"\xff\xfe\x00", "This line is not JSON."),
        (b" " * (MOST_BYTES + 1), "A record is a small text file, at most 64 KiB"),
        (
            {**GOOD, "game": "chess"},
            "There is no game “chess”. Write its key, like “binary-primes”. "
            "A game's key is what its commands begin with.",
        ),
        ({**GOOD, "seats": "2"}, "The seats of a record are a whole number, like 2, not “2”."),
        ({**GOOD, "options": {"size": None}}, "size must be an odd number from 3 to 11, not null."),
        ({**GOOD, "version": 99}, "This record is of version 99 of Binary Primes, and I know version 1."),
        (b'{\n"game": "plexus",\n"game": "binary-primes"}', "The key “game” stands twice in the same place"),
        (b'{\n"seats": ' + b"9" * 5000 + b"}", "A number in this line has 5000 digits"),
        ({**GOOD, "seats": 3}, "Binary Primes is for 2 players, not 3."),
        ({**GOOD, "veiled": True}, "This record was taken while the match was going on"),
        ({**GOOD, "computers": [[2, 99]]}, "The computers of a record are a list of seats with levels"),
        ({**GOOD, "moves": [[1, "a2"], [2, "a2"]]}, "Line 2 of the record can't be played: "),
        ({**GOOD, "moves": [[1, "a2"], [1, "c1"]]}, "Line 2 of the record can't be played: It isn't player 1's turn"),
        (
            {**GOOD, "moves": [[1, "a2"], [1, "takeback"]] * 2_000},
            f"This record is too long for me: I go through {MOST_STEPS}",
        ),
    ],
    ids=lambda one: "" if not isinstance(one, str) else one[:30],
)
def test_why_a_record_is_refused(record: Any, why: str) -> None:
    assert refusal(record).startswith(why)


def test_a_file_is_read_as_keyboards_and_editors_write_it() -> None:
    plain, text = taken(GOOD), json.dumps(GOOD)
    for changed in (
        f"\ufeff{text}",
        text.replace('"', "”"),
        text.replace(" ", "\u00a0"),
        text.replace("a2", "Ａ\u200b２"),
    ):
        assert taken(changed.encode()).match.record == plain.match.record, changed
    two = "\ufeff{0}\r\n\r\n{0}\r\n".format(text.replace('"', "“"))
    assert import_record(choose_record(two.encode(), 2), *HERE).begun_match.record == plain.match.record


def test_one_of_several_records_is_chosen() -> None:
    one, two = json.dumps(GOOD).encode(), json.dumps({**GOOD, "moves": []}).encode()
    assert choose_record(one + b"\n\n" + two + b"\n", 2) == two
    assert choose_record(json.dumps(GOOD, indent=1).encode(), 1).count(b"\n") > 3
    with pytest.raises(Refusal, match="This file has 2 records, so there is no record 3"):
        choose_record(one + b"\n" + two, 3)
