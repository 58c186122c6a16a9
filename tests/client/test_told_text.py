"""The line that tells people what happened: what it says, that it fits a lock screen, and that the board shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.features.board import line_words, match_pictures
from bot.features.board import views as board_views
from bot.features.board.posts import make_line_nonce
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.play.claims import ABANDONED
from bot.play.ids import UserId, make_computer_user
from bot.play.league_tables import LeagueStanding
from bot.play.loaded_match import LoadedMatch, MatchView, Proposal, RefusedProposal
from bot.play.match import Match
from tests.contract.playing import few
from tests.support.loaded_matches import FIRST, begun
from tests.support.pushes import FACT, MARKUP, PERSON, SHOWN

GAMES = load_games()
ANN, BEA, CEM = (UserId(FIRST + seat) for seat in (1, 2, 3))
NAMES = {ANN: "Ann", BEA: "Bea", CEM: "Cem"}
THREAD: dict[str, Any] = {"thread": FIRST + 9}
SEQUENCE = "divisors-multiples-sequence"
FRESH: dict[str, Any] = {**THREAD, "board_message": None}


def match(*moves: tuple[int, str], key: str = "binary-primes", seats: int = 2, **options: int) -> Match:
    made = Match.start(GAMES[key], {"size": 3, **options} if key == "binary-primes" else options, seats)
    for seat, move in moves:
        made = made.enter(seat, move)
    return made


def told(loaded: LoadedMatch, *people: UserId, seen: int = 0) -> str:
    """What the line says, with people by their names."""
    line = line_words.format_line(MatchView.of(loaded, None), people, seen)
    return PERSON.sub(lambda one: NAMES.get(UserId(int(one[1])), one[1]), line).replace("\xa0", " ")


def asking(loaded: LoadedMatch, proposal: Proposal, **columns: Any) -> LoadedMatch:
    return replace(loaded, row=replace(loaded.row, proposal=str(proposal), proposed=5, **columns))


def players(loaded: LoadedMatch, whose: UserId, **columns: Any) -> LoadedMatch:
    changed = tuple(replace(one, **columns) if one.user == whose else one for one in loaded.row.players)
    return replace(loaded, row=replace(loaded.row, players=changed))


def test_a_move_is_told_with_what_it_changed() -> None:
    loaded = begun(match((1, "b2"), (2, "a1"), (1, "c1")), **THREAD)
    assert told(loaded, BEA, seen=2) == "Bea, it's your move: Ann played c1."
    assert told(begun(match((1, "b2")), **THREAD), BEA) == (
        "Bea, it's your move: Ann played b2 (the products are equal)."
    )


def test_where_several_matches_share_a_channel_the_match_is_named() -> None:
    assert told(begun(match((1, "b2"))), BEA).startswith(
        "Bea, in Binary Primes · 123456, it's your move: Ann played b2"
    )


@pytest.mark.parametrize(
    ("people", "said"),
    [
        ((ANN,), "Ann, the match begins and it's your move."),
        ((BEA,), "Bea, the match begins, and Ann moves first."),
        ((ANN, BEA), "The match begins, and Ann moves first.\nBea"),
        ((ANN, BEA, CEM), "Everybody, the match begins, and Ann moves first.\nBea Cem"),
    ],
)
def test_the_beginning(people: Sequence[UserId], said: str) -> None:
    """Of many the names stand below, so that the sentence comes first; Ann's stands in it."""
    assert told(begun(match(seats=2), **FRESH), *people) == said


def test_where_both_play_at_once_it_is_everybodys_move() -> None:
    loaded = begun(match(key="within-the-curve"), **FRESH)
    assert told(loaded, ANN, BEA) == "Ann and Bea, the match begins and it's your move."


def test_the_end() -> None:
    over = match((1, "b2"), (2, "a1"), (1, "c1"), (2, "b1"))
    assert told(begun(over, **THREAD), ANN, seen=3) == "Ann, it's over: Bea beat you 245 : 27."
    left = match((1, "b2")).withdraw(1)
    assert told(begun(left, **THREAD), BEA, seen=1) == (
        "Bea, it's over: you beat Ann, who resigned. Not rated: you hadn't moved."
    )
    called_off = begun(match(), **THREAD, state="aborted")
    assert told(called_off, ANN) == "Ann, the match is over. The match was called off. It doesn't count."
    closed = begun(match(), **THREAD, state="aborted", close_reason="Everybody ran out of time.")
    assert told(closed, ANN, BEA) == "Ann and Bea, the match is over. Everybody ran out of time."


def test_the_end_says_why_it_is_not_rated_below_what_a_lock_screen_shows() -> None:
    left = begun(match((1, "b2")).withdraw(2, "timeout"), **THREAD)
    assert told(left, ANN, seen=1) == (
        "Ann, it's over: you beat Bea, who ran out of time.\nNot rated: Bea hadn't moved."
    )
    for standing in (LeagueStanding(), LeagueStanding(void="late")):
        league = replace(begun(match().withdraw(1), **THREAD), league=standing)
        assert told(league, BEA) == "Bea, it's over: you beat Ann, who resigned. Not rated: nobody had moved.", (
            "the board below it says whether the league counts it, which may change"
        )


def test_why_a_match_is_over_that_nobody_went_on_with_is_said_however_long_the_names_are() -> None:
    closed = begun(match(), **THREAD, state="aborted", close_reason=ABANDONED)
    assert told(closed, ANN) == f"Ann, the match is over. {ABANDONED}"
    assert told(closed, ANN, BEA) == (
        "Ann and Bea, the match is over. Everybody ran out of time, so the match was closed."
    )
    channel = begun(match(key="divisors-multiples-sequence"), state="aborted", close_reason=ABANDONED)
    assert told(channel, ANN, BEA).endswith(", it's over: everybody ran out of time.")


def test_who_asks_for_what() -> None:
    loaded = begun(match((1, "b2"), (2, "a1")), **THREAD)
    said = {
        kind: told(asking(loaded, Proposal(kind, 2)), ANN, seen=2) for kind in ("takeback", "draw", "pause", "resume")
    }
    assert said == {
        "takeback": "Ann, Bea asks to take back a1.",
        "draw": "Ann, Bea offers a draw.",
        "pause": "Ann, Bea asks to pause the match.",
        "resume": "Ann, Bea asks to go on with the match.",
    }
    handing = asking(loaded, Proposal("replace", 2, 2, CEM))
    assert told(handing, CEM, seen=2) == "Cem, Bea asks you to take their place."
    assert told(handing, ANN, CEM, seen=2) == "Bea asks for Cem to take their place.\nAnn"
    assert told(players(loaded, BEA, consent=True), ANN, seen=2) == "Ann, Bea wants to call the match off."
    both = told(asking(loaded, Proposal("draw", 2)), ANN, seen=1)
    assert both == "Ann, it's your move: Bea played a1. Bea offers a draw."


def test_a_takeback_names_the_answers_that_go_with_it() -> None:
    answered = match((1, "b2"), (2, "a1"))
    asked = asking(begun(answered, **THREAD), Proposal("takeback", 1))
    assert told(asked, BEA, seen=2) == "Bea, Ann asks to take back b2 and your a1."
    back = begun(answered.take_back(1), **THREAD)
    assert told(back, BEA, seen=2) == "Bea, Ann took back b2 and your a1, as agreed. Ann is to move."
    assert told(back, ANN, seen=2) == "Ann, it's your move: you took back b2 and Bea's a1, as agreed."
    again = begun(answered.take_back(2).enter(2, "c1").take_back(1), **THREAD)
    assert told(again, ANN, seen=4) == "Ann, it's your move: you took back b2 and Bea's c1, as agreed."
    three = match(*((seat, str(n)) for seat, n in ((1, 2), (2, 6), (3, 3), (1, 9))), key=SEQUENCE, seats=3)
    many = begun(three.take_back(2), **THREAD)
    assert told(many, BEA, seen=4).startswith("Bea, it's your move: you took back 6 and 2 moves played since, and ")


def test_of_many_answers_that_go_too_only_the_number_is_said() -> None:
    seats = match((1, "2"), (2, "6"), (3, "3"), (4, "9"), key=SEQUENCE, seats=4).take_back(1)
    said = told(begun(seats, **THREAD), ANN, seen=4)
    assert said == "Ann, it's your move: you took back 2 and 3 moves played since, and everybody agreed."


def test_what_time_does() -> None:
    loaded = begun(match((1, "b2")), **THREAD, pace="7")
    late = players(loaded, BEA, forfeit_at=9, deadline=5)
    assert told(late, ANN, seen=1) == "Ann, Bea ran out of time. You can claim the match until they move."
    assert told(players(late, ANN, forfeit_at=9), ANN, BEA, seen=1) == (
        "Ann and Bea, everybody ran out of time. The match goes on as soon as somebody moves."
    )
    assert told(players(loaded, BEA, extra_time_count=1), BEA, seen=1) == "Bea, Ann gave you 3 more days for your move."
    paused = replace(loaded, row=replace(loaded.row, paused=5))
    assert told(paused, ANN, seen=1) == "Ann, the match is paused."
    assert told(loaded, ANN, seen=1) == "Ann, the match goes on."
    assert told(loaded, BEA, seen=1) == "Bea, it's your move."


def test_whoever_ran_out_of_time_is_told_in_the_line_of_those_who_wait() -> None:
    late = players(begun(match((1, "b2")), **THREAD, pace="7"), BEA, forfeit_at=9, deadline=5)
    said = "Bea, your time ran out. Ann can claim the match until you move."
    assert told(late, ANN, BEA, seen=1) == said
    assert told(late, BEA, seen=1) == said, "who slept is told the same"
    three = players(
        begun(match((1, "2"), key="divisors-multiples-sequence", seats=3), **THREAD, pace="7"),
        BEA,
        forfeit_at=9,
        deadline=5,
    )
    assert told(three, ANN, BEA, CEM, seen=1) == (
        "Bea, your time ran out. Ann and Cem can claim the match until you move."
    )
    assert told(three, ANN, CEM, seen=1) == "Ann and Cem, Bea ran out of time. You can claim the match until they move."


def test_nobody_who_is_spoken_to_is_named_again() -> None:
    """Somebody alone is "you"; of several the names stand where they belong, and the others below."""
    taken = match((1, "b2"), (2, "a1")).take_back(2)
    back = begun(taken, **THREAD)
    assert told(back, BEA, seen=2) == "Bea, it's your move: you took back a1, and Ann agreed."
    assert told(back, ANN, seen=2) == "Ann, Bea took back a1, and you agreed. Bea is to move."
    over = begun(match((1, "b2"), (2, "a1"), (1, "c1"), (2, "b1")), **THREAD)
    assert told(over, ANN, BEA, seen=3) == "It's over: Bea beat Ann 245 : 27."
    alone = begun(match((1, "b2"), (2, "a1"), (1, "c1"), (2, "b1")))
    assert told(alone, ANN, BEA, seen=3) == "In Binary Primes · 123456, it's over: Bea beat Ann 245 : 27."
    left = begun(match((1, "2"), key="divisors-multiples-sequence", seats=3).withdraw(2).withdraw(3), **THREAD)
    assert told(left, ANN, seen=3).startswith("Ann, it's over: you won")
    assert (
        told(left, BEA, seen=3)
        == "Bea, it's over: Ann won. You and Cem resigned.\nNot rated: you and Cem hadn't moved."
    )
    drawn = begun(match((1, "b2")).agree_draw(2), **THREAD)
    assert told(drawn, ANN, BEA, seen=1) == "It's over: Ann and Bea agreed to a draw.\nNot rated: Bea hadn't moved."
    assert told(drawn, ANN, seen=1) == "Ann, it's over: you and Bea agreed to a draw.\nNot rated: Bea hadn't moved."
    assert told(drawn, BEA, seen=1) == "Bea, it's over: Ann and you agreed to a draw. Not rated: you hadn't moved."


def test_a_draw_of_two_is_one_in_the_shortest_line_too() -> None:
    drawn = begun(match((1, "b2")).agree_draw(2))
    lines = list(line_words.iterate_wordings(MatchView.of(drawn, None), line_words.format_address, [ANN, BEA], 1))
    assert not any("share first place" in one for one in lines) and any("drew." in one for one in lines)


def test_who_has_taken_over_a_seat() -> None:
    loaded = begun(match((1, "b2")), **THREAD, substitutions=f"2 {CEM} 1 4 1", shown_version=3)
    assert told(loaded, ANN, CEM, seen=1) == "Bea took over from Cem.\nAnn"


def test_who_refuses() -> None:
    loaded = begun(match((1, "b2"), (2, "a1")), **THREAD, refused=str(RefusedProposal(Proposal("draw", 1), 2, 5, 2, 1)))
    assert told(loaded, ANN, seen=2) == "Ann, Bea doesn't want a draw."


def test_a_computer_is_named_without_a_mention() -> None:
    loaded = players(begun(match((1, "b2"), (2, "a1")), **THREAD), BEA, user=make_computer_user(2))
    assert told(loaded, ANN, seen=1).startswith("Ann, it's your move: the computer (level 2) played a1 (")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_it_fits_a_lock_screen_and_the_board_shows_it(game: Game) -> None:
    """In every game, with names as long as they can be."""
    for one in few(game):
        loaded = begun(one, **THREAD)
        sight = MatchView.of(loaded, None)
        board = board_views.build_board(sight, match_pictures.list_pictures(sight))
        parts = list(board.walk_children())
        texts = [part.content for part in parts if isinstance(part, ui.TextDisplay)]
        alts = [str(item.description) for part in parts if isinstance(part, ui.MediaGallery) for item in part.items]
        shown = "\n".join((*texts, *alts)).replace("**", "")
        for people in ([ANN], [BEA], [ANN, BEA]):
            line = line_words.format_line(sight, people[: one.seats], max(0, sight.version - 1))
            whole = line.partition("\nNot rated")[0]  # that stands below what such a screen shows
            assert len(PERSON.sub("_" * 32, whole)) <= SHOWN and line.partition("\n")[0].endswith("."), line
            assert not MARKUP.search(line), line
            facts = FACT.findall(PERSON.sub("", line))
            assert [fact for fact in facts if fact not in shown] == [], (line, shown)
            assert {*PERSON.findall(line)} <= {*re.findall("<@([0-9]+)>", shown), *map(str, people)}


def nonce_of(loaded: LoadedMatch, *people: UserId) -> str:
    return make_line_nonce(MatchView.of(loaded, None), people)


def test_processes_that_know_of_other_boards_tell_of_one_move_in_one_line() -> None:
    played = begun(match((1, "a1")), version=2, **THREAD)
    known = [begun(match((1, "a1")), version=2, **THREAD, **one) for one in (
        {"board_message": None}, {"board_message": FIRST + 5, "shown_version": 1, "shown_plies": 1},
        {"told_message": FIRST + 6, "told_version": 1},
    )]  # fmt: skip
    assert {nonce_of(one, BEA) for one in known} == {nonce_of(played, BEA)}


def test_another_act_and_other_people_are_told_in_another_line() -> None:
    lines = [
        nonce_of(begun(match((1, "a1")), version=2, **THREAD), BEA),
        nonce_of(begun(match((1, "a1")), version=3, **THREAD), BEA),
        nonce_of(begun(match((1, "a1")), version=2, **THREAD), ANN, BEA),
        nonce_of(begun(match((1, "a1")), version=2, thread=FIRST + 10), BEA),
    ]
    assert len(set(lines)) == len(lines)


def test_no_line_counts_what_others_have_done_in_secret() -> None:
    start = match(key="sums-grid", size=3)
    filled = start.enter(1, "grid 1 2 3 / 4 5 6 / 7 8 9")
    before, after = begun(start, version=1, **THREAD), begun(filled, version=2, **THREAD)
    assert MatchView.of(after, None).version == 0, "nobody sees it"
    assert nonce_of(before, BEA) == nonce_of(after, BEA)
