"""What becomes of a challenge: whose match it is, for any number of players."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.features.challenges import words as challenges_words
from bot.games.catalogue import load_games
from bot.play.ids import UserId, make_computer_user
from bot.play.loaded_match import LoadedMatch, mention_user
from bot.play.match import Match
from bot.play.rows import format_decliners
from tests.support.loaded_matches import FIRST, begun

ANN, BEA, CEM = (mention_user(UserId(FIRST + seat)) for seat in (1, 2, 3))


def match(seats: int, **columns: Any) -> LoadedMatch:
    started = Match.start(load_games()["divisors-multiples-sequence"], {}, seats)
    return begun(started, **{"thread": FIRST + 9, "state": "live", **columns})


@pytest.mark.parametrize(
    ("state", "said"),
    [("live", " are playing **"), ("finished", "is over: [how it ended]"), ("aborted", ": The match")],
)
def test_a_match_is_that_of_all_who_play_it(state: str, said: str) -> None:
    news = {"state": state, "announcement": FIRST + 7, "host": FIRST + 2}
    two, three = (challenges_words.describe_ended(match(seats, **news)) for seats in (2, 3))
    for people, told in ((f"{BEA} and {ANN}", two), (f"{BEA}, {ANN} and {CEM}", three)):
        assert told.startswith(people) and said in told and "**Divisors/Multiples Sequence**" in told


def test_a_computer_beside_people_is_named_too() -> None:
    loaded = match(3)
    changed = tuple(replace(one, user=make_computer_user(2)) if one.seat == 3 else one for one in loaded.row.players)
    text = challenges_words.describe_ended(replace(loaded, row=replace(loaded.row, players=changed)))
    assert text.startswith(f"{ANN}, {BEA} and the computer (level 2) are playing")


def test_of_an_unanswered_challenge_it_is_said_who_is_away_and_how_to_ask_again() -> None:
    asked = match(2, state="expired", host=FIRST + 1, thread=None)
    players = tuple(replace(one, invited=one.user != FIRST + 1, seat=None) for one in asked.row.players)
    asked = replace(asked, row=replace(asked.row, players=players))
    because = f"because {BEA} didn't answer within 2 days."
    again = "/divisors-multiples-sequence challenge asks again."
    line = challenges_words.format_ended_line(asked, [UserId(FIRST + 1)])
    assert f"{because} {again}" in line.replace("\n", " ")
    later = replace(asked, row=replace(asked.row, refused=format_decliners([UserId(FIRST + 3)])))
    line = challenges_words.format_ended_line(later, [UserId(FIRST + 1)]).replace("\n", " ")
    assert f"because {BEA} didn't answer in time." in line, "who was asked later had less than two days"
    away = replace(asked, away=((UserId(FIRST + 1), 5), (UserId(FIRST + 2), 99)))
    line = challenges_words.format_ended_line(away, [UserId(FIRST + 1)]).replace("\n", " ")
    assert f"{because} {BEA} is away until <t:99:D>. {again}" in line and "<t:5" not in line


def table(seats: int, *people: int, invited: tuple[int, ...] = (), **columns: Any) -> LoadedMatch:
    """An open table of the first of some people, at which they sit, or are `invited` to."""
    loaded = match(3, state="open", host=FIRST + people[0], thread=None)
    known = {one.user: one for one in loaded.row.players}
    first = next(iter(known.values()))
    players = tuple(replace(first, user=UserId(FIRST + one), invited=one in invited, seat=None) for one in people)
    return replace(loaded, match=None, row=replace(loaded.row, players=players, seats=seats, **columns))


def test_free_seats_are_not_all_those_of_whoever_left() -> None:
    left = table(4, 1, 2, refused=format_decliners([], left=[UserId(FIRST + 3)]))
    said = challenges_words.describe_opening(left)
    assert said.endswith(f"{CEM} left. 2 seats are free: anybody can press *Join* to take one.")
    one = replace(left, row=replace(left.row, seats=3))
    assert challenges_words.describe_opening(one).endswith("One seat is free: anybody can press *Join* to take it.")


def test_a_challenge_of_many_addresses_nobody_who_is_not_asked() -> None:
    asked = table(4, 1, 2, 3, 4, invited=(2, 3, 4))
    told = challenges_words.describe_to_invited(asked, [UserId(FIRST + one) for one in (2, 3, 4)])
    head, names, *_ = told.splitlines()
    assert head == f"{ANN} challenges 3 people to Divisors/Multiples Sequence."
    assert names == f"{BEA} {CEM} <@{FIRST + 4}>"


def test_an_open_table_is_closed_and_a_challenge_withdrawn() -> None:
    closed = table(2, 1, state="cancelled")
    assert challenges_words.describe_ended(closed) == f"{ANN}'s table of **Divisors/Multiples Sequence** was closed."
    asked = table(2, 1, 2, invited=(2,), state="cancelled")
    assert challenges_words.describe_ended(asked) == (
        f"{ANN}'s challenge to **Divisors/Multiples Sequence** was withdrawn."
    )
