"""`python -m bot solve`: what it prints is what looking at everything finds, and bad input gets one sentence."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.__main__ import main
from bot.engine.exact import ExactSolver
from bot.games.catalogue import load_games
from bot.host.solve import solve_match
from bot.play.match import Match
from tests.arena.solved import OWN
from tests.arena.solved import rows as known
from tests.contract.sentences import is_sentence
from tests.search.test_exact import plainly
from tests.support.skips import ROOT

HOSTING = ROOT / "docs" / "hosting.md"


def record(game: str, options: dict[str, object], *moves: str, seats: int = 2) -> dict[str, Any]:
    lines = [[1 + at % seats, move] for at, move in enumerate(moves)]
    return {"game": game, "options": options, "seats": seats, "moves": lines}


@pytest.fixture
def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    def run(row: object, *options: str) -> Any:
        file = tmp_path / "record.json"
        file.write_text(json.dumps(row))
        assert main(["solve", str(file), *options]) == 0
        return json.loads(capsys.readouterr().out)

    return run


@pytest.mark.parametrize("row", [row for row in known(OWN) if row["nodes"] <= 300], ids=lambda row: row["game"])
def test_the_value_of_a_small_board_is_the_known_one(row: Any, printed: Any) -> None:
    found = printed({"game": row["game"], "options": row["options"], "seats": 2, "moves": []})
    assert (found["value"], found["exact"]) == (row["value"], True)


@pytest.mark.parametrize(
    ("key", "options", "seats"),
    [
        ("plexus", {"size": 3}, 2),
        ("another-binary-primes", {"squares": 8}, 2),
        ("palindromic-rows-columns", {"size": 4}, 2),
        ("divisors-multiples-sequence", {"r": 6}, 3),
    ],
)
def test_every_move_is_best_or_loses_what_looking_at_everything_finds(
    key: str, options: dict[str, object], seats: int, printed: Any
) -> None:
    game, rng = load_games()[key], Random(key)

    def able(match: Match) -> Sequence[str]:
        position, seat = match.position, match.turn[0]
        if position.open_to(seat):
            return ExactSolver(game.mind, 0, rng).list_candidate_moves(position, seat)
        return [*position.moves(seat)]

    states = [Match.start(game, options, seats)]
    while not states[-1].is_over:
        states.append(states[-1].play(states[-1].turn[0], rng.choice(able(states[-1]))))
    match = states[-5]
    position, seat = match.position, match.turn[0]
    worth = {move: plainly(position.play(seat, move), game.mind) for move in able(match)}
    most = max(margins[seat - 1] for margins in worth.values())
    found = printed(match.to_json())
    if seats == 2:
        assert found["value"] == (most if seat == 1 else -most)
    assert found["exact"] and set(found["best"]) == {move for move, it in worth.items() if it[seat - 1] == most}
    assert found["loses"] == {move: most - it[seat - 1] for move, it in worth.items() if it[seat - 1] < most}


def test_a_finished_match_is_worth_its_margin(printed: Any) -> None:
    over: dict[str, object] = {"value": 120, "exact": True, "best": [], "loses": {}}
    assert printed(record("binary-primes", {"size": 3}, "a3", "a2", "a1", "b1")) == over
    drawn = record("binary-primes", {"size": 3}, "a3") | {"moves": [[1, "a3"], [2, "draw"]]}
    assert printed(drawn) == over | {"value": 0}


def test_what_is_not_solved_is_not_called_exact_and_tells_nothing_of_other_moves(printed: Any) -> None:
    for options in (["--nodes", "5"], ["--level", "1"]):
        found = printed(record("plexus", {"size": 3}), *options)
        assert not found["exact"] and len(found["best"]) == 1 and found["loses"] == {}


def test_seconds_end_it() -> None:
    ticking = count(0, 0.2)
    match = Match.start(load_games()["palindromic-rows-columns"], {"size": 5}, 2)
    found = solve_match(match, None, None, 3, lambda: next(ticking))
    assert not found["exact"] and next(ticking) < 8


def test_it_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    row = json.dumps(record("plexus", {"size": 3}), indent=1).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(row)))
    assert main(["solve", "--level", "6"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == -1


GOOD = json.dumps(record("plexus", {"size": 3}))


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("", [], "one match record"),
        (f"{GOOD}\n{GOOD}", [], "one match record"),
        ("[]", [], "JSON object"),
        (json.dumps(record("chess", {})), [], "no game “chess”"),
        (json.dumps(record("plexus", {"size": 3}, "a9")), [], "isn't a segment"),
        (json.dumps(record("sums-grid", {})), [], "works alone"),
        (GOOD, ["--level", "7"], "from 1 to 6"),
        (GOOD, ["--level", "x"], "from 1 to 6"),
        (GOOD, ["--nodes=-1"], "0 or more"),
        (GOOD, ["--seconds", "0"], "above 0"),
        (GOOD, ["--seconds", "nan"], "above 0"),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    text: str, options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.json"
    file.write_text(text)
    assert main(["solve", str(file), *options]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and words in said.err and is_sentence(said.err.strip())


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "/nowhere.json"]) == 2
    assert capsys.readouterr().err == "/nowhere.json cannot be read: No such file or directory.\n"


def test_the_example_of_the_page_is_what_is_printed(printed: Any) -> None:
    row, answer = re.search(r"echo '(.*)' \| python -m bot solve\n    (.*)\n", HOSTING.read_text()).groups()  # pyright: ignore[reportOptionalMemberAccess]
    assert printed(json.loads(row)) == json.loads(answer)
