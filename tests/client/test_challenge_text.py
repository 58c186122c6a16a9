"""What becomes of a challenge: whose match it is, for any number of players."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.client.text import challenge_text
from bot.core.library.catalogue import games
from bot.core.match.loaded_match import LoadedMatch, person
from bot.core.match.match import Match
from bot.core.values.computer_users import computer
from bot.core.values.ids import UserId
from tests.support.loaded_matches import FIRST, begun

ANN, BEA, CEM = (person(UserId(FIRST + seat)) for seat in (1, 2, 3))


def match(seats: int, **columns: Any) -> LoadedMatch:
    started = Match.start(games()["divisors-multiples-sequence"], {}, seats)
    return begun(started, **{"thread": FIRST + 9, "state": "live", **columns})


@pytest.mark.parametrize(
    ("state", "said"),
    [("live", "is on: https://"), ("finished", "is over: [how it ended]"), ("aborted", ": The match")],
)
def test_a_match_is_that_of_all_who_play_it(state: str, said: str) -> None:
    news = {"state": state, "announcement": FIRST + 7, "host": FIRST + 2}
    two, three = (challenge_text.challenge_ended(match(seats, **news)) for seats in (2, 3))
    assert two.startswith(f"{BEA} and {ANN}'s match of **Divisors/Multiples Sequence**") and said in two
    assert three.startswith(f"{BEA}, {ANN} and {CEM}'s match of **Divisors/Multiples Sequence**") and said in three


def test_a_computer_beside_people_is_named_too() -> None:
    seated = match(3)
    changed = tuple(replace(one, user=computer(2)) if one.seat == 3 else one for one in seated.row.players)
    text = challenge_text.challenge_ended(replace(seated, row=replace(seated.row, players=changed)))
    assert text.startswith(f"{ANN}, {BEA} and the computer (level 2)'s match")
