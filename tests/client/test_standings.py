"""How a match stands, in words that people can compare: units, what is better, ratios, and what is counted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from discord import ui

from bot.features.board import turn_words, views, words
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.game import Game
from bot.games.legs import has_legs, make_two_legged
from bot.play.loaded_match import MatchView
from bot.play.match import Match
from tests.client.test_turn_text import ANN, BEA
from tests.support.loaded_matches import begun

BLUE, ORANGE = f"🟦\xa0{ANN}", f"🟧\xa0{BEA}"
GAMES = load_games()
EACH = 9
LOWEST = [game for game in GAMES.values() if game.lowest_wins]


def sights(game: Game) -> Iterator[MatchView]:
    """Some moments of each recorded match, and its last."""
    for row in read_recorded_matches(game):
        match = Match.start(game, row.get("options", {}), row["seats"])
        for number, (seat, text) in enumerate(row["moves"], 1):
            match = match.enter(seat, text)
            if number % EACH and number < len(row["moves"]):
                continue
            yield MatchView.of(begun(match), None)


def after(key: str, *moves: str, seats: int = 2, **options: int) -> MatchView:
    match = Match.start(GAMES[key], options, seats)
    for move in moves:
        match = match.enter(match.turn[0], move)
    return MatchView.of(begun(match), None)


@pytest.mark.parametrize("game", LOWEST, ids=lambda game: game.key)
def test_where_less_is_better_the_headline_says_it_once(game: Game) -> None:
    for one in (game, *([make_two_legged(game)] if has_legs(game) else [])):
        loaded = begun(Match.start(one, {}, game.seats[0]))
        assert words.format_headline(loaded).endswith(f" · {game.wins}") and re.search("fewest|lowest", game.wins)


def test_segments_are_counted_as_such() -> None:
    sight = after("cross-dont-cross", "0-90", "180-270", "1-3", chords=2)
    assert words.format_seats(sight).splitlines() == [
        BLUE,
        f"{ORANGE} ·\xa0**1 segment**",
    ]


def test_of_several_players_the_lowest_wins_in_words() -> None:
    won = after("divisors-multiples-sequence", "2", "4", "1 3", "1 5", seats=3, r=5)
    assert "lowest score wins" in words.describe_result(won.loaded)


def test_huge_products_are_compared_and_not_shown() -> None:
    sight = after("binary-primes", "a1")
    assert words.format_seats(sight).splitlines() == [
        f"{BLUE} · columns ·\xa0**4.2 trillion**",
        f"{ORANGE} · rows ·\xa0**4.2 trillion**",
    ]
    sight = after("binary-primes", "a1", "b1")
    told = turn_words.describe_last_turn(sight).splitlines()[0]
    assert re.search(r": <@[0-9]+> (still )?has [0-9.\u202f]+ times <@[0-9]+>'s product", told), told
    for sight in sights(GAMES["binary-primes"]):
        text = f"{words.format_seats(sight)} {words.describe_result(sight.loaded)}"
        numbers = [int(found.replace("\u202f", "")) for found in re.findall("(?<![@0-9])[0-9\u202f]+(?!>)", text)]
        assert max(numbers, default=0) < 10**6, text


def test_details_show_the_products_and_their_factors() -> None:
    row = next(
        row
        for row in read_recorded_matches(GAMES["binary-primes"])
        if len(row["moves"]) == GAMES["binary-primes"].plies
    )
    match = Match.start(GAMES["binary-primes"], row.get("options", {}), 2)
    for seat, text in row["moves"]:
        match = match.enter(seat, text)
    told = turn_words.describe_last_turn(MatchView.of(begun(match), None), whole=True)
    assert re.search("-# columns: [0-9\u202f]+ × .* = [0-9\u202f]+", told), told
    assert "-# counting 1: " in told


def test_a_score_that_is_not_open_yet_is_not_shown() -> None:
    moves = ["c1", "a3", "a2", "a4", "d3", "c4", "d2", "a1", "b1", "d1", "b2", "b4", "d4", "b3", "c3", "c2"]
    before, one = after("divisor-over-sums", *moves), after("divisor-over-sums", *moves, "4")
    assert "**" not in words.format_seats(before)
    assert words.format_seats(one).splitlines() == [f"{BLUE} · rows ·\xa0**12**", f"{ORANGE} · columns"]


@pytest.mark.parametrize(
    ("key", "moves", "counted"),
    [
        ("not-divisors-not-multiples", ["c3 7"], "4 squares open · last to write wins"),
        ("combining-dividing", ["2", "4", "10", "4", "1", "10", "add 5"], "change 2 of 100"),
        ("combining-dividing", ["2"], "number 2 of 6"),
        ("flipping-bits", [], "round 1 of 4"),
        ("binary-scramble", [], "digit 1 of 8"),
        ("plexus", [], "47 dots left"),
        ("sums-grid", [], "best possible 26"),
        ("divisors-multiples-sequence", ["2"], "11 numbers left · lowest wins"),
    ],
)
def test_the_headline_says_what_is_counted_and_the_foot_which_match_it_is(
    key: str, moves: list[str], counted: str
) -> None:
    sight = after(key, *moves)
    shown = views.build_board(sight, []).walk_children()
    head, *_, foot = [item.content for item in shown if isinstance(item, ui.TextDisplay)]
    assert head.splitlines()[0] == f"### {GAMES[key].title}\xa0· {counted}"
    assert foot.endswith(f"match {sight.loaded.id}")


def test_where_nothing_is_counted_the_headline_says_which_match_it_is() -> None:
    sight = after("dream-math", "a1")
    assert words.format_headline(sight.loaded) == f"### Dream Math\xa0· match\xa0{sight.loaded.id}"


def test_the_best_score_is_told_as_possible_only_where_it_is_certain() -> None:
    told = {size: after("sums-grid", size=size).position.progress for size in (2, 3, 4, 5)}
    assert told == {2: "best possible 8", 3: "best possible 26", 4: "best known 56", 5: "best known 95"}
    across = Match.start(GAMES["sums-grid"], {"diagonals": "yes"}, 2)
    assert across.position.progress == ""
