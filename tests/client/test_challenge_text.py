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
    [("live", "is on: https://"), ("finished", "is over: [how it ended]"), ("aborted", ": The match")],
)
def test_a_match_is_that_of_all_who_play_it(state: str, said: str) -> None:
    news = {"state": state, "announcement": FIRST + 7, "host": FIRST + 2}
    two, three = (challenges_words.describe_ended(match(seats, **news)) for seats in (2, 3))
    assert two.startswith(f"{BEA} and {ANN}'s match of **Divisors/Multiples Sequence**") and said in two
    assert three.startswith(f"{BEA}, {ANN} and {CEM}'s match of **Divisors/Multiples Sequence**") and said in three


def test_a_computer_beside_people_is_named_too() -> None:
    loaded = match(3)
    changed = tuple(replace(one, user=make_computer_user(2)) if one.seat == 3 else one for one in loaded.row.players)
    text = challenges_words.describe_ended(replace(loaded, row=replace(loaded.row, players=changed)))
    assert text.startswith(f"{ANN}, {BEA} and the computer (level 2)'s match")


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
