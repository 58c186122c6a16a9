"""The record checker: its answers, and its sentence for every kind of broken record."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.games.catalogue import is_usual, load_games
from bot.play import acts
from bot.play.ids import ChannelId, GuildId
from bot.play.lessons import fold_record
from bot.play.match import NAMED, VERSION, Match, enter_line, open_record
from bot.play.records import MOST_LEGAL, TWICE, import_record, list_legal_moves, replay
from tests.contract.sentences import is_sentence

ROOT = Path(__file__).parents[2]
GAME = "binary-primes"
MALFORMED = "A move of a record is a list of a seat and a text, like [1, “a1”]."
NOT_JSON = "This line is not JSON."
LONG = "A number in this line has 5000 digits, and I read no such number."
SEATS = "The seats of a record are a whole number, like 2,"
NO_OBJECT = "A record is a JSON object with game, options, seats and moves."
NEEDED = "A record needs its seats, a number, and its moves, a list."
WHY_ODD = "On nearly every even grid the second player can force a win, as Ilmari Karonen found."
STARTED = {"to_move": [1], "scores": [343, 343], "finished": False, "ranks": None}


def record(*moves: object, **changed: object) -> dict[str, Any]:
    return {"game": GAME, "options": {"size": 3}, "seats": 2, "moves": list(moves), **changed}


def scramble(*moves: object) -> dict[str, Any]:
    return {"game": "binary-scramble", "seats": 3, "moves": list(moves)}


def alone(*moves: object) -> dict[str, Any]:
    return {"game": "sums-grid", "seats": 1, "moves": list(moves)}


def answers(*lines: bytes | dict[str, Any], every: bool = False, legal: bool = False) -> tuple[list[Any], int]:
    """What replay prints for these lines, and its exit status."""
    rows = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    out = io.StringIO()
    status = replay(load_games(), io.BytesIO(b"\n".join(rows) + b"\n"), out, every, legal)
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def test_a_position_as_the_referee_sees_it() -> None:
    assert answers(record()) == ([STARTED], 0)
    played = record([1, "A3"], [2, "a 2"], [1, "1a"], [2, " b-1 "])
    assert answers(played) == ([{"to_move": [], "scores": [147, 27], "finished": True, "ranks": [1, 2]}], 0)


def test_a_record_is_read_as_keyboards_and_editors_write_it() -> None:
    """A mark at the beginning of the file, odd spaces, full-width signs in moves, and a phone's curly quotes."""
    plain = answers(record([1, "a3"], [2, "a2"]), every=True)
    assert plain[1] == 0
    wide = record([1, "Ａ３"], [2, "\ufeffa\u200b\u00a0２。"], game="binary\u2011primes")
    curly = "{“game”: “binary-primes”,\u00a0“options”: {“size”: 3}, “seats”: 2, “moves”: [[1, “a3”], [2, “a2”]]}"
    for line in (wide, b"\xef\xbb\xbf" + json.dumps(wide).encode(), curly.encode(), f"\ufeff{curly}".encode()):
        assert answers(line, every=True) == plain, line
    variant: dict[str, Any] = {"game": "dream-math", "options": {"variant": "ｓｉｍｐｌｅ"}, "seats": 2, "moves": []}
    assert answers(variant)[1] == 0
    assert answers(scramble([1, "０"], [2, "ｒｅｓｉｇｎ"])) == answers(scramble([1, "0"], [2, "resign"]))
    # What is no JSON with plain quotes either, is none.
    assert answers("{“game”".encode(), b'{"game\t": 1, "', "‘game’".encode()) == (
        [{"error": NOT_JSON, "at": None}] * 3,
        1,
    )


def test_letters_of_another_alphabet_are_named() -> None:
    (answer,), status = answers(record([1, "В2"]))
    assert answer == {"error": "В is a Cyrillic letter. Write a Latin B. You could write a1.", "at": 0} and status == 1


def test_left_out_options_take_their_defaults() -> None:
    row = record([1, "g7"])
    del row["options"]
    (answer,), status = answers(row)
    assert (answer["to_move"], status) == ([2], 0)


SETTLED: dict[str, dict[str, int | str]] = {
    "another-binary-primes": {"squares": 17},
    "binary-primes": {"size": 7},
    "binary-scramble": {"length": 8, "target": 5},
    "combining-dividing": {"length": 6, "largest": 100, "limit": 100},
    "cross-dont-cross": {"chords": 4, "rounds": 2},
    "divisor-over-sums": {"size": 4},
    "divisors-multiples-sequence": {"r": 13},
    "dream-math": {"size": 4, "variant": "dream"},
    "flipping-bits": {"squares": 7, "rounds": 4},
    "multiples-divisors-blob": {"size": 8},
    "not-divisors-not-multiples": {"size": 5},
    "palindromes-antipalindromes": {"length": 16},
    "palindromic-rows-columns": {"size": 7},
    "plexus": {"size": 7},
    "polygons-permutation-grid": {"size": 10, "rounds": 2},
    "sum-kind-of-game": {"size": 6},
    "sum-of-products": {"size": 6},
    "sums-grid": {"size": 3},
    "within-the-curve": {"size": 12},
}
"""What a record for two means that leaves out its options, in every game: other programs read records so, too."""


def test_what_a_record_leaves_out_never_changes_its_meaning() -> None:
    settled = {
        key: open_record(load_games(), {"game": key, "seats": 2, "moves": []}).options.to_record()
        for key in load_games()
    }
    assert settled == SETTLED


def test_a_record_without_a_size_is_on_the_grid_of_the_rules_and_a_challenge_on_the_usual_one() -> None:
    line: dict[str, Any] = {"game": "within-the-curve", "seats": 1, "moves": [[1, "curve b2 l2 l12 b12"]]}
    (answer,), status = answers(line)
    assert (answer.get("error"), status) == (None, 0)
    game, data = load_games()["within-the-curve"], json.dumps(line).encode()
    assert fold_record(game, line) == replay_line(line)
    assert import_record(data, GuildId(1), ChannelId(2)).match == replay_line(line)
    assert acts.configure_options(game, {}, 2) == {"size": 8}
    assert not is_usual(game, {"seats": 2, "moves": []})


def replay_line(line: dict[str, Any]) -> Match:
    match = open_record(load_games(), line)
    for at, move in enumerate(line["moves"]):
        match = enter_line(match, move, at)
    return match


@pytest.mark.parametrize("how", ["resign", "timeout"])
def test_withdrawals(how: str) -> None:
    (answer,), _ = answers(record([1, "a1"], [1, how]))
    assert (answer["to_move"], answer["finished"], answer["ranks"]) == ([], True, [2, 1])


def test_a_takeback_undoes_what_the_others_played_since() -> None:
    played = record([1, "a1"], [2, "b2"], [1, "Takeback"])
    (answer,), status = answers(played, every=True, legal=True)
    assert (answer["positions"][3], status) == (answer["positions"][0], 0)
    again = record([1, "a1"], [2, "b2"], [1, "takeback"], [1, "a1"], [2, "takeback"])
    assert answers(again) == ([{"error": "Player 2 has no move to take back.", "at": 4}], 1)


def test_a_draw_is_shared_by_all_who_stayed() -> None:
    (answer,), _ = answers(scramble([1, "0"], [2, "resign"], [3, "1"], [1, " DRAW "]), legal=True)
    assert answer == {"to_move": [], "scores": [0, 0, 0], "finished": True, "ranks": [1, 3, 1], "legal": {}}


def test_every_position_on_the_way() -> None:
    (answer,), status = answers(record([1, "a1"], [2, "b2"]), every=True)
    assert [position["to_move"] for position in answer["positions"]] == [[1], [2], [1]]
    assert answer["positions"][0] == STARTED
    assert list(answer) == ["positions"] and status == 0


def test_the_legal_moves_are_listed_sorted() -> None:
    (answer,), _ = answers(record([1, "a1"]), legal=True)
    assert answer["legal"] == {"2": ["a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]}
    (answer,), _ = answers(record([1, "a1"], [1, "resign"]), legal=True, every=True)
    assert [list(position["legal"]) for position in answer["positions"]] == [["1"], ["2"], []]


def test_too_many_legal_moves_are_null() -> None:
    class Wide:
        def open_to(self, seat: int) -> bool:
            return False

        def moves(self, seat: int) -> map[str]:
            return map(str, range(MOST_LEGAL + seat))

    wide: Any = Wide()
    assert len(list_legal_moves(wide, 0) or ()) == MOST_LEGAL
    assert list_legal_moves(wide, 1) is None


DEEP = b"[" * 100_000
BROKEN: tuple[tuple[bytes | dict[str, Any], str, int | None], ...] = (
    (b"{", NOT_JSON, None),
    (b"\xff\xfe\x00", NOT_JSON, None),
    (b'{"game": "caf\xe9"}', NOT_JSON, None),
    (DEEP, NOT_JSON, None),
    (b'{"game": ' + DEEP + b"]" * 100_000 + b"}", NOT_JSON, None),
    (b'{"game": "binary-primes", "seats": ' + b"9" * 5000 + b', "moves": []}', LONG, None),
    (b"[]", NO_OBJECT, None),
    (b"null", NO_OBJECT, None),
    (b"NaN", NOT_JSON, None),
    (b'{"game": "binary-primes", "seats": 2, "moves": [], "note": -Infinity}', NOT_JSON, None),
    (b'"binary-primes"', NO_OBJECT, None),
    ({"seats": 2, "moves": []}, f"A record needs its game, a text like “binary-primes”. {NAMED}", None),
    (record(game=None), f"A record needs its game, a text like “binary-primes”. {NAMED}", None),
    (record(game=[GAME]), f"A record needs its game, a text like “binary-primes”. {NAMED}", None),
    (record(game="chess"), f"There is no game “chess”. Write its key, like “binary-primes”. {NAMED}", None),
    ({"game": GAME, "moves": []}, NEEDED, None),
    ({"game": GAME, "seats": 2}, NEEDED, None),
    (record(moves={}), NEEDED, None),
    (record(moves="a1"), NEEDED, None),
    (record(seats=True), f"{SEATS} not true.", None),
    (record(seats=None), f"{SEATS} not null.", None),
    (record(seats=2.0), f"{SEATS} not 2.0.", None),
    (record(seats="2"), f"{SEATS} not “2”.", None),
    (record(seats=3), "Binary Primes is for 2 players, not 3.", None),
    (record(seats=0), "Binary Primes is for 2 players, not 0.", None),
    (record(seats=10**4000), "Binary Primes is for 2 players, not 10000000000000000000….", None),
    (record(seats=[2]), f"{SEATS} not a list.", None),
    (record(seats={"of": 2}), f"{SEATS} not an object.", None),
    (record(version=99), VERSION.format(version=99, game="Binary Primes", known=1), None),
    (record(version="1"), VERSION.format(version="“1”", game="Binary Primes", known=1), None),
    (b'{"game": "binary-primes", "seats": 2, "moves": [[1, "a1"]], "moves": []}', TWICE.format(key="“moves”"), None),
    (b'{"game": "plexus", "game": "binary-primes", "seats": 2, "moves": []}', TWICE.format(key="“game”"), None),
    (
        b'{"game": "binary-primes", "options": {"size": 3, "size": 5}, "seats": 2, "moves": []}',
        TWICE.format(key="“size”"),
        None,
    ),
    (record(options=[]), "The options of a record are a JSON object.", None),
    (record(options=None), "The options of a record are a JSON object.", None),
    (record(options={"sise": 3}), "There is no option sise. This game has these options: size.", None),
    (record(options={"size": 4}), f"size must be an odd number from 3 to 11, not 4. {WHY_ODD}", None),
    (record(options={"size": 13}), f"size must be an odd number from 3 to 11, not 13. {WHY_ODD}", None),
    (record(options={"size": "7"}), f"size must be an odd number from 3 to 11, not “7”. {WHY_ODD}", None),
    (record(options={"size": True}), f"size must be an odd number from 3 to 11, not true. {WHY_ODD}", None),
    (record(options={"size": 7.0}), f"size must be an odd number from 3 to 11, not 7.0. {WHY_ODD}", None),
    (record(options={"size": None}), f"size must be an odd number from 3 to 11, not null. {WHY_ODD}", None),
    (record("a1"), MALFORMED, 0),
    (record([1, "a1"], None), MALFORMED, 1),
    (record([1, "a1"], [2]), MALFORMED, 1),
    (record([1, "a1"], [2, "b1", "c1"]), MALFORMED, 1),
    (record([1, "a1"], [2, 7]), MALFORMED, 1),
    (record(["1", "a1"]), MALFORMED, 0),
    (record([True, "a1"]), MALFORMED, 0),
    (record([1.0, "a1"]), MALFORMED, 0),
    (record({"seat": 1, "move": "a1"}), MALFORMED, 0),
    (record([3, "a1"]), "There is no player 3 in a match of 2.", 0),
    (record([0, "a1"]), "There is no player 0 in a match of 2.", 0),
    (record([-1, "resign"]), "There is no player -1 in a match of 2.", 0),
    (record([10**4000, "a1"]), "There is no player 10000000000000000000… in a match of 2.", 0),
    (record([2, "a1"]), "It isn't player 2's turn. Player 1 is to move.", 0),
    (record([1, "a1"], [2, "a1"]), "Player 1 has already filled a1. Choose an empty square.", 1),
    (
        record([1, "a1"], [2, "d1"]),
        "d1 is off the board. Its columns are a to c, its rows 1 to 3. You could write b1.",
        1,
    ),
    (record([1, ""]), "Write a move first.", 0),
    (record([1, "x" * 5000]), "That's 5000 characters. A move can have at most 4000.", 0),
    (record([1, "resign"], [2, "a1"]), "The match is over, so nothing can be played any more.", 1),
    (record([1, "resign"], [2, "timeout"]), "The match is over, so nobody can leave it any more.", 1),
    (record([1, "draw"], [2, "a1"]), "The match is over, so nothing can be played any more.", 1),
    (record([1, "draw"], [2, "resign"]), "The match is over, so nobody can leave it any more.", 1),
    (record([1, "draw"], [2, "draw"]), "The match is over, so no draw can be agreed on any more.", 1),
    (record([1, "a1"], [1, "resign"], [1, "takeback"]), "The match is over, so nothing can be taken back any more.", 2),
    (record([1, "takeback"]), "Player 1 has no move to take back.", 0),
    (record([3, "draw"]), "There is no player 3 in a match of 2.", 0),
    (
        alone([1, "takeback"]),
        "Nothing can be taken back in Sums Grid, because its moves are secret until the end.",
        0,
    ),
    (
        scramble([1, "0"], [2, "resign"], [1, "takeback"]),
        "Player 2 has left since that move, so it can't be taken back.",
        2,
    ),
    (
        scramble([2, "resign"], [2, "draw"]),
        "Player 2 has left the match and can't ask for that any more.",
        1,
    ),
)


@pytest.mark.parametrize(("line", "sentence", "at"), BROKEN, ids=[str(case[1])[:40] for case in BROKEN])
def test_a_broken_record_is_answered_by_the_rule_it_breaks(
    line: bytes | dict[str, Any], sentence: str, at: int | None
) -> None:
    assert answers(line) == ([{"error": sentence, "at": at}], 1)
    assert is_sentence(sentence, ("size",))
    (answer,), _ = answers(line, every=True)
    assert len(answer["positions"]) == (0 if at is None else at + 1)


def test_the_other_lines_are_still_done() -> None:
    rows, status = answers(record(), b"nonsense", record([1, "a1"]), record([1, "b9"]))
    assert [row.get("to_move") or row["error"][:2] for row in rows] == [[1], "Th", [2], "b9"]
    assert status == 1


def test_blank_lines_are_no_records() -> None:
    assert answers(b"", record(), b"  ", b"\r", record([1, "a1"]), b"") == (
        [STARTED, answers(record([1, "a1"]))[0][0]],
        0,
    )
    assert answers(b"", b"\t") == ([], 0)


def test_a_record_of_the_version_of_today_is_read() -> None:
    assert answers(record(version=1)) == ([STARTED], 0)


def test_no_lines_no_answers() -> None:
    out = io.StringIO()
    assert replay(load_games(), io.BytesIO(b""), out, every=False, legal=False) == 0
    assert out.getvalue() == ""


def command(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    program = [sys.executable, "-m", "bot", "replay", *arguments]
    return subprocess.run(program, cwd=ROOT, input=given, capture_output=True, check=False)


def test_the_command_reads_a_file_or_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(record()))
    from_file = command(str(file), "--legal")
    assert (from_file.returncode, from_file.stderr) == (0, b"")
    assert json.loads(from_file.stdout)["legal"]["1"][0] == "a1"
    from_input = command("-", "--every", given=json.dumps(record([2, "a1"])).encode())
    assert from_input.returncode == 1
    assert json.loads(from_input.stdout)["positions"] == [STARTED]


@pytest.mark.long
def test_who_has_read_enough_may_leave(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(f"{json.dumps(record())}\n" * 2000)
    program = [sys.executable, "-m", "bot", "replay", str(file), "--legal"]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout and running.stderr
        running.stdout.readline()
        running.stdout.close()
        assert (running.stderr.read(), running.wait()) == (b"", 1)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    missing = command(str(tmp_path / "none.jsonl"))
    assert (missing.returncode, missing.stdout) == (2, b"")
    assert missing.stderr.decode() == f"{tmp_path}/none.jsonl cannot be read: No such file or directory.\n"
