"""Messages about matches in two legs fit Discord's limits, and pads and films show the right leg."""

from __future__ import annotations

import io
from functools import cache
from random import Random
from typing import Any

from PIL import Image

from bot.features.board import match_pictures, turn_words
from bot.features.board import views as board_views
from bot.features.board import words as board_words
from bot.features.board.match_pictures import Renderer
from bot.features.pads import drafts
from bot.features.study import films
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import LEGS, make_two_legged
from bot.platform import ui
from bot.platform.custom_ids import PadId
from bot.platform.ui import Control
from bot.play.ids import InteractionId
from bot.play.loaded_match import MatchView
from bot.play.match import Match
from bot.play.replays import Replay
from bot.sandbox import components
from tests.client.test_messages import checked
from tests.contract.playing import edge, greedy
from tests.support import pad_walks
from tests.support.loaded_matches import FIRST, begun
from tests.support.pad_walks import shown, walk
from tests.support.sampled import sampled
from tests.support.two_legs import LEGGED, legs_of, playout, started

PRIMES = load_games()["binary-primes"]
ANN, BEA = f"<@{FIRST + 1}>", f"<@{FIRST + 2}>"
BLUE, ORANGE = f"🟦\xa0{ANN}", f"🟧\xa0{BEA}"
every_game = sampled("game", LEGGED, few=3, ids=lambda game: game.key)


@cache
def moments(game: Game) -> tuple[Match, ...]:
    """Some moments of a small match, its end among them, and of the beginning of one on the largest board."""
    rng = Random(game.key)
    small = list(playout(started(game), rng))
    large = [match for match, _ in zip(playout(largest(game), rng), range(9), strict=False)]
    return small[0], small[len(small) // 2], small[-2], small[-1], large[0], large[-1], large[-1].withdraw(1)


def largest(game: Game) -> Match:
    """A match with the largest options at its start."""
    return started(game, greedy(game, edge(game.Options.bounds(), -1), 2))


@every_game
async def test_boards_of_two_legs(game: Game) -> None:
    for match in moments(game):
        for viewer in (None, *match.turn):
            sight = MatchView.of(begun(match), viewer)
            pictures = match_pictures.list_pictures(sight)
            assert len(pictures) <= components.MOST_FILES
            view = board_views.build_board(sight, pictures)
            text = str(checked(view))
            assert all(f"**Leg {leg}**" in text for leg in (1, 2))
            legs = legs_of(match)
            able = [kind for kind in match.game.moves if any(kind.when(legs, seat) for seat in match.turn)]
            if viewer is None:
                shown_ = {button.verb for button in ui.find_view_buttons(view)}
                assert {kind.single.name for kind in able if kind.single} <= shown_, "one button for both legs"
            checked(board_views.build_board(sight, pictures, closed=True))


async def test_the_leg_with_the_last_move_is_large_and_the_other_stands_beside_its_line() -> None:
    for move, large in (("1: b2", 1), ("2: b2", 2)):
        match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
        sight = MatchView.of(begun(match.play(large, move)), None)
        pictures = match_pictures.list_pictures(sight)
        (frame,) = board_views.build_board(sight, pictures).to_components()
        galleries = [one for one in frame["components"] if one["type"] == 12]
        (section,) = [one for one in frame["components"] if one["type"] == 9]
        assert [one["items"][0]["description"][:6] for one in galleries] == [f"Leg {large}."]
        assert section["components"][0]["content"].splitlines()[-1].startswith(f"-# **Leg {3 - large}** · ")
        assert section["accessory"]["media"]["url"] == f"attachment://board-{3 - large}.png"
        drawing = await Renderer(1).draw_board(sight)
        sizes = [Image.open(io.BytesIO(png)).size for png in drawing.pngs]
        assert sizes[2 - large][0] == sizes[2 - large][1], "Discord cuts what is no square"
        assert len(sizes) == len(pictures) == 2


@every_game
async def test_pads_and_forms_are_of_their_leg(game: Game) -> None:
    for match in moments(game)[:3]:
        seat = match.turn[0]
        loaded, rng = begun(match), Random(game.key)
        for kind in (kind for kind in match.game.moves if kind.parts and kind.when(match.position, seat)):
            for partial, board in walk(match.position, seat, kind, rng):
                view = shown(loaded, seat, partial, board)
                text = str(checked(view))
                assert partial.is_whole or f"Leg {kind.leg}: " in text
                pages = pad_walks.draw(match.game, match.position, seat, partial)
                assert {page.leg for page in pages} == {kind.leg} and len(pages) <= match_pictures.MOST
                pressed = [str(one.component) for one in view.walk_children() if isinstance(one, Control)]
                taps = [PadId.parse(one) for one in pressed if one != f"p:rules:{match.game.key}"]
                assert len(taps) == len(pressed) - 1 and all(taps)
                assert {tap.tap.kind for tap in taps if tap} == {kind.name}
                assert not partial.is_whole or match.play(seat, partial.line).record[-1].text.startswith(
                    f"{kind.leg}: "
                )
            form = drafts.build_form(loaded, kind, seat, InteractionId(7))
            components.check_modal(form.to_dict())
            assert form.title.startswith(f"Leg {kind.leg}: ")


def test_a_film_shows_one_leg_after_the_other() -> None:
    *_, end = playout(started(PRIMES), Random(1))
    work = films.draw_boards(Replay.of(begun(end), None))
    while True:
        try:
            next(work)
        except StopIteration as stop:
            shown = stop.value
            break
    legs = [page.leg for page in shown]
    assert legs == sorted(legs) and set(legs) == {1, 2}
    boards = end.game.pictures(end.position)
    assert [page for page in shown if page.leg == 1][-1] == next(page for page in boards if page.leg == 1)
    assert shown[-1] == next(page for page in boards if page.leg == 2)
    assert len(shown) == len(end.record) + 2


def test_sentences_say_the_leg() -> None:
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2).play(2, "2: b2")
    sight = MatchView.of(begun(match), None)
    said = turn_words.describe_last_turn(sight)
    assert said.splitlines() == [
        f"{BEA} played **b2** in leg 2.",
        "-# column b: 7 → 5 (×5 ÷7), read 101",
        "-# row 2: 7 → 5 (×5 ÷7), read 101",
    ], "as in a single match"
    assert board_words.format_leg(sight, 1) == f"**Leg 1** · {ANN} columns, {BEA} rows"
    assert board_words.format_seats(sight).splitlines() == [
        f"{BLUE} · **245** in leg 2",
        f"{ORANGE} · **245** in leg 2",
    ], "343 points from an empty board are no score"
    both = MatchView.of(begun(match.play(1, "1: b2")), None)
    equal = f"\n-# 245{board_words.TO}245"
    assert board_words.format_leg(both, 2) == f"**Leg 2** · {ANN} rows, {BEA} columns{equal}"
    assert board_words.format_leg(both, 1, small=True) == f"-# **Leg 1** · {ANN} columns{equal}"
    assert board_words.format_seats(both).splitlines() == [
        "-# the sum of both legs decides",
        f"{BLUE} · **490**",
        f"{ORANGE} · **490**",
    ]


def test_moves_in_one_leg_say_it_once() -> None:
    match = (
        Match.start(make_two_legged(load_games()["cross-dont-cross"]), {"chords": 2}, 2)
        .play(1, "1: 0-90")
        .play(1, "1: 180-270")
    )
    said = turn_words.describe_last_turn(MatchView.of(begun(match), None))
    assert said.splitlines()[0] == f"{ANN} drew **chord 0-90** and **chord 180-270** in leg 1."
    again = match.play(2, "1: 1-3").play(2, "2: 0-90")
    assert read_foot(again) == [
        f"{BEA} drew **segment 1-3** in leg 1: +1\xa0→\xa01.",
        f"{BEA} drew **chord 0-90** in leg 2.",
        "-# segments count after 1 more chord",
        f"{BEA} is to move in both legs.",
    ]
    named = board_words.format_moves(begun(match), ["1: 0-90", "2: 1-3", "2: 2-4"])
    assert named == "**0-90** in leg 1 and **1-3** and **2-4** in leg 2"


def read_foot(match: Match) -> list[str]:
    """What happened last on a board, and who is to move."""
    sight = MatchView.of(begun(match), None)
    (frame,) = board_views.build_board(sight, match_pictures.list_pictures(sight)).to_components()
    return [one["content"] for one in frame["components"] if one["type"] == 10][-1].splitlines()


def test_a_result_in_its_channel_says_whose_square_is_whose() -> None:
    sight = MatchView.of(begun(first_leg().withdraw(1)), None)
    (frame,) = board_views.build_announcement(sight, match_pictures.list_pictures(sight)).to_components()
    assert frame["components"][0]["content"].startswith(f"**{BEA} beat {ANN}, who resigned · Binary Primes, two legs**")


def legs_told(match: Match, **columns: Any) -> list[str]:
    """What stands above the boards of a match in two legs."""
    sight = MatchView.of(begun(match, **columns), None)
    return [board_words.format_leg(sight, leg) for leg in LEGS]


def first_leg() -> Match:
    """A match of which the first leg alone was played, and won by the rows."""
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
    for seat, move in ((1, "1: b2"), (2, "1: a1"), (1, "1: c1"), (2, "1: b1")):
        match = match.play(seat, move)
    return match


WON = f"**Leg 1** · {ANN} columns, {BEA} rows\n-# 27{board_words.TO}245"


def test_a_leg_that_nobody_played_is_won_by_nobody() -> None:
    match = first_leg()
    for ended in (match.withdraw(2), match.withdraw(1, "timeout"), match.agree_draw(1)):
        assert legs_told(ended) == [WON, "**Leg 2** · not played"]
        assert board_words.format_seats(MatchView.of(begun(ended), None)).splitlines() == [
            f"{BLUE} · **27** in leg 1",
            f"{ORANGE} · **245** in leg 1",
        ], "343 points from an empty board are no result"
    assert legs_told(match, state="aborted") == [WON, "**Leg 2** · not played"]
    ended = match.withdraw(2)
    pictures = ended.game.pictures(ended.position)
    assert [page.leg for page in pictures] == [1, 1, 1, 2], "lists of what was never played explain nothing"
    details = board_views.build_details(MatchView.of(begun(ended), None), pictures)
    assert "343" not in " ".join(
        text for text in ui.list_contents(details.to_components()) if not text.startswith("Leg ")
    )


def test_a_leg_that_was_broken_off_is_won_by_nobody() -> None:
    match = first_leg().play(2, "2: b2")
    for ended in (match.withdraw(2), match.withdraw(1, "timeout"), match.agree_draw(1)):
        second = legs_told(ended)[1]
        assert second.startswith("**Leg 2** · not finished · ") and "won" not in second
    assert "won" not in legs_told(match)[1] and legs_told(match)[1].startswith("**Leg 2** · ")


def test_what_came_before_the_end_is_not_called_unfinished() -> None:
    replay = Replay.of(begun(first_leg().play(2, "2: b2").withdraw(2)), None)
    early, late = replay.make_view(1), replay.make_view(replay.line_count)
    assert board_words.format_leg(early, 2).startswith("**Leg 2** · ")
    assert board_words.format_leg(late, 2).startswith("**Leg 2** · not finished · ")


def test_a_leg_without_points_that_was_given_up_is_won_by_nobody() -> None:
    game = load_games()["combining-dividing"]
    match = Match.start(make_two_legged(game), {}, 2).withdraw(1)
    assert not [line for line in match.position.working() if "wins" in line]
    assert legs_told(match) == ["**Leg 1** · not played", "**Leg 2** · not played"]
    began = Match.start(make_two_legged(game), {}, 2)
    assert legs_told(began)[0] == f"**Leg 1** · number 1 of 6 · {ANN} goes first"


def test_it_is_said_in_which_leg_somebody_is_to_move() -> None:
    begins = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
    told = {
        begins: f"To move: {ANN} in leg 1, {BEA} in leg 2.",
        begins.play(2, "2: b2"): f"{ANN} is to move in both legs.",
        first_leg(): f"{BEA} is to move in leg 2.",
    }
    assert [board_words.describe_status(MatchView.of(begun(match), None)) for match in told] == [*told.values()]


@every_game
def test_a_board_of_two_legs_says_each_thing_once(game: Game) -> None:
    for match in moments(game):
        sight = MatchView.of(begun(match), None)
        text = str(board_views.build_board(sight, match_pictures.list_pictures(sight)).to_components())
        assert [text.count(f"**Leg {leg}**") for leg in LEGS] == [1, 1]
        large = match_pictures.find_large_leg(sight)
        for line in (board_words.format_leg(sight, large), board_words.format_leg(sight, 3 - large, small=True)):
            assert repr(line)[1:-1] in text


@every_game
def test_the_leg_in_which_somebody_is_to_move_is_large(game: Game) -> None:
    for match in playout(started(game), Random(game.key)):
        sight, legs = MatchView.of(begun(match), None), legs_of(match)
        live = [leg for leg, position in legs.numbered_legs if position.turn]
        large = match_pictures.find_large_leg(sight)
        assert large in (live or LEGS)
        sizes = {page.leg: page.small for page in match_pictures.list_pictures(sight)}
        assert sizes == {large: False, 3 - large: True}
        for seat in match.turn:
            own = match_pictures.find_large_leg(MatchView.of(begun(match), seat))
            assert own == match.order_waiting_legs(seat)[0], "on a board of one's own, where one is to move"


def test_both_legs_are_told_in_the_words_of_one_match() -> None:
    game = load_games()["dream-math"]
    single = Match.start(game, {"size": 3}, 2).play(1, "b2").play(2, "b1")
    alone = turn_words.describe_last_turn(MatchView.of(begun(single), None)).splitlines()[0]
    match = Match.start(make_two_legged(game), {"size": 3}, 2)
    for seat, move in ((1, "1: b2"), (2, "2: b2"), (1, "2: a1"), (2, "1: b1"), (2, "2: c3")):
        match = match.play(seat, move)
    sight = MatchView.of(begun(match), None)
    told = turn_words.describe_last_turn(sight)
    assert [one for one in told.splitlines() if not one.startswith("-#")] == [
        alone.replace("b1**", "b1** in leg 1"),
        f"{BEA} placed **3 at c3** in leg 2.",
    ]
    assert " in leg 1: +" in told
    assert board_words.describe_status(sight) == f"{ANN}, place your 3 in leg 1 and your 4 in leg 2."


def test_a_number_to_place_has_its_leg() -> None:
    match = Match.start(make_two_legged(load_games()["dream-math"]), {"size": 3}, 2)
    told = {
        match: f"To place 1: {ANN} in leg 1, {BEA} in leg 2.",
        match.play(1, "1: b2"): f"{BEA}, place your 2 in leg 1 and your 1 in leg 2.",
    }
    assert [board_words.describe_status(MatchView.of(begun(one), None)) for one in told] == [*told.values()]
