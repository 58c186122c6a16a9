"""The order of `/matches`, and what its lines say about time: pure functions of stored matches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.features.board import directory as match_directory
from bot.features.board import time_words
from bot.games.catalogue import load_games
from bot.play import loaded_match
from bot.play.clocks import DAY, HOUR
from bot.play.ids import MatchId, UserId
from bot.play.match import Match
from bot.play.rows import MatchRow
from tests.support import loaded_matches

NOW = 1_000_000_000
ANN, BEA, CEM = (UserId(loaded_matches.FIRST + seat) for seat in (1, 2, 3))
A, B = f"<@{ANN}>", f"<@{BEA}>"


def live(
    number: int, game: str = "plexus", clocks: dict[int, dict[str, Any]] | None = None, **columns: Any
) -> MatchRow:
    """A live match in which seat 1 is to move, with the columns of some seats' clocks."""
    match = Match.start(load_games()[game], {}, 2)
    row = loaded_matches.begun(match, id=MatchId(number), started=NOW - DAY, pace="7", **columns).row
    players = (replace(player, **(clocks or {}).get(player.seat or 0, {})) for player in row.players)
    return replace(row, players=tuple(players))


def ends(moment: int, **columns: Any) -> dict[str, Any]:
    return {"allotted": DAY, "seconds_left": DAY, "since": NOW - 9, "deadline": moment} | columns


def numbers(rows: list[MatchRow], user: UserId) -> list[int]:
    """The matches in the order of somebody's list."""
    return [row.id for row in sorted(rows, key=lambda row: match_directory.urgency_key(row, user, load_games()))]


def state(row: MatchRow, user: UserId | None) -> str:
    return " · ".join(match_directory.list_states(row, user))


def test_what_is_most_urgent_stands_first() -> None:
    mine = {seat: ends(NOW + seat * DAY) for seat in (1, 2)}
    theirs: dict[str, Any] = {"turn": (2,)}
    rows: list[MatchRow] = [
        live(1, clocks={2: ends(NOW - DAY, forfeit_at=NOW + DAY)}, **theirs),
        live(2, clocks={1: ends(NOW - HOUR, forfeit_at=NOW + 2 * DAY)}),
        live(3, clocks={1: ends(NOW + HOUR)}),
        live(4, clocks=mine),
        live(5, moved=NOW - 9),
        live(6, moved=NOW - 8),
        live(7, clocks={2: ends(NOW + 5)}, **theirs),
        live(8, clocks=mine, **theirs),
        live(9, moved=NOW - 99, **theirs),
        live(10, clocks={1: ends(NOW + 1)}, paused=NOW - 3),
        loaded_matches.row(load_games()["plexus"], 2, id=MatchId(11), created=5),
    ]
    assert numbers(rows[::-1], ANN) == list(range(1, 12))


def test_a_player_who_is_asked_stands_with_those_who_are_to_move_without_a_clock() -> None:
    asked = loaded_matches.row(
        load_games()["plexus"], 2, players=loaded_matches.players(2, invited=True), created=NOW - 5
    )
    rows = [live(5, moved=NOW - 9), replace(asked, id=MatchId(6)), live(7, moved=NOW - 2)]
    assert numbers(rows[::-1], BEA)[0] == 6
    theirs = [live(5, moved=NOW - 9, turn=(2,)), replace(asked, id=MatchId(6)), live(7, moved=NOW - 2, turn=(2,))]
    assert numbers(theirs[::-1], BEA) == [5, 6, 7]


def test_lines_say_until_when_there_is_time() -> None:
    row = live(1, clocks={1: ends(NOW + DAY)})
    assert state(row, ANN) == f"**Your move** · time ends <t:{NOW + DAY}:R>"
    assert state(row, BEA) == state(row, CEM) == f"{A}'s move · time ends <t:{NOW + DAY}:R>"
    assert state(live(1), ANN) == "**Your move**"
    assert state(live(1), BEA) == f"{A}'s move"
    both = live(1, "sums-grid", clocks={1: ends(NOW + DAY), 2: ends(NOW + HOUR)}, turn=(1, 2))
    assert state(both, CEM) == f"{A} and {B}'s move · the first time ends <t:{NOW + HOUR}:R>"
    assert state(replace(row, paused=NOW), ANN) == f"paused <t:{NOW}:R>"


def test_lines_say_who_ran_out_of_time_and_what_can_be_done() -> None:
    over = live(1, clocks={1: ends(NOW - HOUR, forfeit_at=NOW + DAY)})
    assert state(over, ANN) == f"**You ran out of time <t:{NOW - HOUR}:R>**: move before somebody claims the match"
    assert state(over, BEA) == f"{A} ran out of time <t:{NOW - HOUR}:R>: claim it, or give 3 more days"
    assert state(over, CEM) == f"{A} ran out of time <t:{NOW - HOUR}:R>"
    late, mine = ends(NOW - HOUR, forfeit_at=NOW + DAY), ends(NOW + DAY)
    both = live(1, "sums-grid", clocks={1: late, 2: mine}, turn=(1, 2))
    assert state(both, BEA) == (
        f"**Your move** · time ends <t:{NOW + DAY}:R> · "
        f"{A} ran out of time <t:{NOW - HOUR}:R>: claim it, or give 3 more days"
    )


def test_where_several_wait_time_is_offered_once_a_turn() -> None:
    late = ends(NOW - HOUR, forfeit_at=NOW + DAY, extra_time_count=1)
    two = live(1, clocks={1: late})
    assert state(two, BEA).endswith(": claim it, or give 3 more days")
    three = replace(two, players=(*two.players, replace(two.players[1], user=CEM, seat=3, joined=3)))
    assert state(three, BEA) == f"{A} ran out of time <t:{NOW - HOUR}:R>: claim it"


def test_a_player_who_is_asked_to_take_over_a_seat_finds_the_match_in_their_list() -> None:
    asked = live(6, moved=NOW - 5, proposal=f"replace 1 2 {CEM} 5", paused=NOW)
    assert state(asked, CEM) == "you are asked to take over a seat"
    assert state(asked, ANN) == f"paused <t:{NOW}:R>"
    assert state(live(6, proposal=f"replace 1 2 {CEM} 5 yes"), CEM) == f"{A}'s move"
    assert numbers([live(7, turn=(1,)), asked], CEM)[0] == 6


def test_lines_say_who_is_not_there() -> None:
    row = live(1)
    away = match_directory.Absences(away={ANN: NOW + DAY, BEA: NOW + DAY})
    assert match_directory.format_line(row, load_games()["plexus"], BEA, away).endswith(
        f" · {A} is away until <t:{NOW + DAY}:D>"
    )
    gone = match_directory.Absences(gone={ANN, BEA})
    assert match_directory.format_line(row, load_games()["plexus"], BEA, gone).endswith(f" · {A} has left this server")
    both = live(1, "sums-grid", turn=(1, 2))
    assert match_directory.format_line(both, load_games()["sums-grid"], CEM, gone).endswith(
        f" · {A} and {B} have left this server"
    )
    assert (
        match_directory.format_line(replace(row, state="finished", ended=1), load_games()["plexus"], BEA, gone).count(
            "left"
        )
        == 0
    )


def test_a_line_begins_with_whose_move_it_is_and_names_its_game_once_and_nobody_twice() -> None:
    row, theirs, link = live(1), live(1, turn=(2,)), loaded_match.link_to(live(1))
    said = {user: match_directory.format_line(row, load_games()["plexus"], user) for user in (ANN, BEA, CEM)}
    assert said[ANN] == f"**Your move** · **[Plexus · 1]({link})** against {B}"
    assert said[BEA] == f"{A}'s move · **[Plexus · 1]({link})**"
    assert said[CEM] == f"{A}'s move · **[Plexus · 1]({link})** · {A} – {B}"
    assert match_directory.format_line(theirs, load_games()["plexus"], ANN) == f"{B}'s move · **[Plexus · 1]({link})**"
    assert (
        match_directory.format_match_question("Which?", [row], load_games(), ANN)
        == f"Which?\n1 · Your move · Plexus against {B} {link}"
    )


def test_choices_say_what_a_match_asks_of_the_person_who_chooses() -> None:
    def name(row: MatchRow, user: UserId) -> str:
        return match_directory.describe_choice(row, load_games()[row.game], user, NOW)

    row = live(1, clocks={1: ends(NOW + 5 * HOUR)})
    assert name(row, ANN) == f"1 · Plexus · {B} · move 1 · your move · 5 hours left"
    assert name(row, BEA) == f"1 · Plexus · {A} · move 1 · {A} is to move"
    assert name(live(1), ANN) == f"1 · Plexus · {B} · move 1 · your move"
    over = live(1, clocks={1: ends(NOW - HOUR, forfeit_at=NOW + DAY)})
    assert name(over, ANN) == f"1 · Plexus · {B} · move 1 · your time ran out"
    assert name(over, BEA) == f"1 · Plexus · {A} · move 1 · {A} ran out of time"
    assert name(replace(row, paused=NOW), ANN) == f"1 · Plexus · {B} · move 1 · paused"
    assert name(replace(row, state="aborted"), ANN) == f"1 · Plexus · {B} · called off"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "1 minute"),
        (89, "1 minute"),
        (600, "10 minutes"),
        (HOUR, "1 hour"),
        (7 * DAY - 9, "7 days"),
        (DAY, "1 day"),
    ],
)
def test_a_stretch_of_time_in_words(seconds: int, said: str) -> None:
    assert time_words.format_duration(seconds) == said


def test_free_seats_are_listed_with_the_pace() -> None:
    row = loaded_matches.row(load_games()["plexus"], 2, players=loaded_matches.players(1), pace="bank", expires=9)
    assert " · 1 of 2 seats free · 10 days, and 1 more with each move · closes <t:9:R>" in match_directory.format_table(
        row, load_games()["plexus"]
    )
