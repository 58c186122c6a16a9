"""A match that was to be rated and is not says why, wherever its result is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.features.board import words as board_words
from bot.features.challenges import words as challenges_words
from bot.games.catalogue import load_games
from bot.play.ids import UserId
from bot.play.league_tables import LeagueStanding
from bot.play.loaded_match import MatchView
from bot.play.match import Match
from tests.support.loaded_matches import FIRST, begun

ANN, BEA = (f"<@{FIRST + seat}>" for seat in (1, 2))
BEA_NEVER = f"Not rated: {BEA} hadn't moved."


def ended(*lines: tuple[int, str], seats: int = 2, **columns: Any) -> str:
    """How a match ended in which these lines were written."""
    game = "binary-primes" if seats == 2 else "sums-grid"
    match = Match.start(load_games()[game], {"size": 3}, seats)
    for seat, text in lines:
        match = match.enter(seat, text)
    return board_words.describe_result(begun(match, **columns))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (((1, "timeout"),), f"{BEA} beat {ANN}, who ran out of time. Not rated: nobody had moved."),
        (((1, "draw"),), f"{ANN} and {BEA} agreed to a draw. Not rated: nobody had moved."),
        (((1, "b2"), (2, "timeout")), f"{ANN} beat {BEA}, who ran out of time. {BEA_NEVER}"),
        (
            ((1, "b2"), (1, "takeback"), (1, "resign")),
            f"{BEA} beat {ANN}, who resigned. Not rated: {BEA} hadn't moved.",
        ),
        (((1, "b2"), (2, "a1"), (1, "resign")), f"{BEA} beat {ANN}, who resigned."),
    ],
    ids=["lost on time before a move", "drawn before a move", "never answered", "a move taken back", "both moved"],
)
def test_who_never_moved_is_why_a_match_is_not_rated(lines: tuple[tuple[int, str], ...], said: str) -> None:
    assert ended(*lines) == said


def test_of_several_those_who_never_moved_are_named() -> None:
    said = ended((2, "resign"), (3, "resign"), seats=3)
    assert said.endswith("Not rated: nobody had moved.")


def test_what_was_not_to_be_rated_says_nothing_of_it() -> None:
    assert "ated" not in ended((1, "resign"), rated=False)


def test_a_league_counts_it_all_the_same() -> None:
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2).enter(1, "timeout")
    loaded = replace(begun(match), league=LeagueStanding())
    told = f"{BEA} beat {ANN}, who ran out of time."
    why = "Not rated, though the league counts it: nobody had moved."
    assert board_words.describe_result(loaded) == f"{told} {why}"
    struck = replace(loaded, league=LeagueStanding((UserId(-1),)))
    left = "Not rated: nobody had moved. a former player left the league, so it doesn't count this match."
    assert board_words.describe_result(struck) == f"{told} {left}"
    # In its channel the reason is a line of its own.
    assert challenges_words.describe_outcome(loaded).splitlines()[1:] == [f"-# {why}"]


LEAGUES = [
    (LeagueStanding(), ""),
    (LeagueStanding((UserId(FIRST + 2),)), f" {BEA} left the league, so it doesn't count this match."),
    (LeagueStanding(void="late"), " The league doesn't count it: it wasn't finished in time."),
    (LeagueStanding(void="off"), " The league was called off and doesn't count it."),
]
"""How a league stands to a match, and what is said where it is rated."""


@pytest.mark.parametrize(("league", "said"), LEAGUES, ids=["counts", "struck", "late", "off"])
def test_what_the_league_does_not_count_is_said_wherever_it_can_be_edited(league: LeagueStanding, said: str) -> None:
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2).enter(1, "b2").enter(2, "a1")
    live = replace(begun(match), league=league)
    over = replace(begun(match.enter(1, "resign")), league=league)
    told = f"{BEA} beat {ANN}, who resigned."
    assert board_words.describe_result(over) == f"{told}{said}"
    assert board_words.describe_lasting_result(over) == told
    small = f"-# {said.strip()}"
    assert challenges_words.describe_outcome(over).splitlines()[1:] == ([small] if said else [])
    going = f"{small} It goes on, and is still rated." if league.struck else small
    assert (going in board_words.describe_status(MatchView.of(live, None)).splitlines()) is bool(said)


def test_what_cannot_be_edited_does_not_say_whether_the_league_counts_it() -> None:
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2).enter(1, "timeout")
    for league, _ in LEAGUES:
        said = board_words.describe_lasting_result(replace(begun(match), league=league))
        assert said.endswith("who ran out of time. Not rated: nobody had moved.")
