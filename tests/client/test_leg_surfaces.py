"""Messages about matches in two legs fit Discord's limits, and pads and films show the right leg."""

from __future__ import annotations

import io
from functools import cache
from random import Random
from typing import Any

from PIL import Image

from bot.client.interactions.custom_ids import PadId
from bot.client.moves import pad_actions
from bot.client.study import replay_film
from bot.client.text import match_chart, match_text, turn_text
from bot.client.views import match_views, modals, pad_picture, views
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control
from bot.core.game.game import Game
from bot.core.game.legs import LEGS
from bot.core.game.two_legs import in_legs
from bot.core.library.catalogue import games
from bot.core.match.loaded_match import Sight
from bot.core.match.match import Match
from bot.core.values.ids import InteractionId
from bot.sandbox.world import limits
from bot.service.analysis.replay_steps import Replay
from tests.client.test_messages import checked
from tests.contract.playing import edge, greedy
from tests.support.loaded_matches import FIRST, begun
from tests.support.pad_walks import shown, walk
from tests.support.sampled import sampled
from tests.support.two_legs import LEGGED, legs_of, playout, started

PRIMES = games()["binary-primes"]
ANN, BEA = f"🟦\xa0<@{FIRST + 1}>", f"🟧\xa0<@{FIRST + 2}>"
every_game = sampled("game", LEGGED, few=3, ids=lambda game: game.key)


@cache
def moments(game: Game) -> tuple[Match, ...]:
    """Some moments of a small match, its end among them, and of the beginning of one on the largest board."""
    lots = Random(game.key)
    small = list(playout(started(game), lots))
    large = [match for match, _ in zip(playout(largest(game), lots), range(9), strict=False)]
    return small[0], small[len(small) // 2], small[-2], small[-1], large[0], large[-1], large[-1].withdraw(1)


def largest(game: Game) -> Match:
    """A match with the largest options at its start."""
    return started(game, greedy(game, edge(game.Options.bounds(), -1), 2))


@every_game
async def test_boards_of_two_legs(game: Game) -> None:
    for match in moments(game):
        for viewer in (None, *match.turn):
            sight = Sight.of(begun(match), viewer)
            pictures = match_chart.pictures(sight)
            assert len(pictures) <= limits.MOST_FILES
            view = match_views.board(sight, pictures)
            text = str(checked(view))
            assert all(f"**Leg {leg}**" in text for leg in (1, 2)) and "two legs" in text
            legs = legs_of(match)
            able = [kind for kind in match.game.moves if any(kind.when(legs, seat) for seat in match.turn)]
            if viewer is None:
                shown_ = {button.verb for button in views.buttons_of(view)}
                assert {kind.once.name for kind in able if kind.once} <= shown_, "one button for both legs"
            checked(match_views.board(sight, pictures, closed=True))


async def test_the_leg_with_the_last_move_is_large_and_the_other_stands_beside_its_line() -> None:
    for move, large in (("1: b2", 1), ("2: b2", 2)):
        match = Match.start(in_legs(PRIMES), {"size": 3}, 2)
        sight = Sight.of(begun(match.play(large, move)), None)
        pictures = match_chart.pictures(sight)
        (frame,) = match_views.board(sight, pictures).to_components()
        galleries = [one for one in frame["components"] if one["type"] == 12]
        (section,) = [one for one in frame["components"] if one["type"] == 9]
        assert [one["items"][0]["description"][:6] for one in galleries] == [f"Leg {large}."]
        assert section["components"][0]["content"].startswith(f"**Leg {3 - large}** · ")
        assert section["accessory"]["media"]["url"] == f"attachment://board-{3 - large}.png"
        drawing = await Renderer(1).board(sight)
        sizes = [Image.open(io.BytesIO(png)).size for png in drawing.pngs]
        assert sizes[2 - large][0] == sizes[2 - large][1], "Discord cuts what is no square"
        assert len(sizes) == len(pictures) == 2


@every_game
async def test_pads_and_forms_are_of_their_leg(game: Game) -> None:
    for match in moments(game)[:3]:
        seat = match.turn[0]
        seated, lots = begun(match), Random(game.key)
        for kind in (kind for kind in match.game.moves if kind.parts and kind.when(match.position, seat)):
            for partial, board in walk(match.position, seat, kind, lots):
                view = shown(seated, seat, partial, board)
                text = str(checked(view))
                assert partial.whole or f"Leg {kind.leg}: " in text
                pages = pad_picture.pictures(match.game, match.position, seat, pad_actions.marked(partial))
                assert {page.leg for page in pages} == {kind.leg} and len(pages) <= pad_picture.MOST
                pressed = [one.component for one in view.walk_children() if isinstance(one, Control)]
                taps = [PadId.parse(str(one)) for one in pressed]
                assert all(taps) and {tap.tap.kind for tap in taps if tap} == {kind.name}
                assert not partial.whole or match.play(seat, partial.line).record[-1].text.startswith(f"{kind.leg}: ")
            form = modals.form(seated, kind, seat, InteractionId(7))
            limits.check_modal(form.to_dict())
            assert form.title.startswith(f"Leg {kind.leg}: ")


def test_a_film_shows_one_leg_after_the_other() -> None:
    *_, end = playout(started(PRIMES), Random(1))
    work = replay_film.pictured(Replay.of(begun(end), None))
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
    match = Match.start(in_legs(PRIMES), {"size": 3}, 2).play(2, "2: b2")
    sight = Sight.of(begun(match), None)
    said = turn_text.last_turn(sight)
    assert said.endswith("played **b2** in leg 2: columns ×5 ÷7, rows ×5 ÷7."), "the line of the leg has the totals"
    assert "-# leg 2 · " in turn_text.last_turn(sight, whole=True)
    assert match_text.leg(sight, 1) == "**Leg 1** · 🟦 columns 343 · 🟧 rows 343"
    assert match_text.leg(sight, 2) == "**Leg 2** · 🟧 columns 245 · 🟦 rows 245"
    assert match_text.seats(sight) == f"Total: {ANN} **588** · {BEA} **588**"
    assert match_text.headline(sight.seated).endswith("· two legs")


def legs_told(match: Match, **columns: Any) -> list[str]:
    """What stands above the boards of a match in two legs."""
    sight = Sight.of(begun(match, **columns), None)
    return [match_text.leg(sight, leg) for leg in LEGS]


def first_leg() -> Match:
    """A match of which the first leg alone was played, and won by the rows."""
    match = Match.start(in_legs(PRIMES), {"size": 3}, 2)
    for seat, move in ((1, "1: b2"), (2, "1: a1"), (1, "1: c1"), (2, "1: b1")):
        match = match.play(seat, move)
    return match


WON = f"**Leg 1** · {ANN} columns 27 · {BEA} rows 245, won"


def test_a_leg_that_nobody_played_is_won_by_nobody() -> None:
    match = first_leg()
    for ended in (match.withdraw(2), match.withdraw(1, "timeout"), match.agree_draw(1)):
        assert legs_told(ended) == [WON, "**Leg 2** · not played"]
        assert match_text.seats(Sight.of(begun(ended), None)) == "", "343 points from an empty board are no result"
    assert legs_told(match, state="aborted") == [WON, "**Leg 2** · not played"]
    ended = match.withdraw(2)
    pictures = ended.game.pictures(ended.position)
    assert [page.leg for page in pictures] == [1, 1, 1, 2], "lists of what was never played explain nothing"
    details = match_views.details(Sight.of(begun(ended), None), pictures)
    assert "343" not in " ".join(text for text in views.said(details.to_components()) if not text.startswith("Leg "))


def test_a_leg_that_was_broken_off_is_won_by_nobody() -> None:
    match = first_leg().play(2, "2: b2")
    for ended in (match.withdraw(2), match.withdraw(1, "timeout"), match.agree_draw(1)):
        second = legs_told(ended)[1]
        assert second.startswith("**Leg 2** · not finished · ") and "won" not in second
    assert "won" not in legs_told(match)[1] and legs_told(match)[1].startswith("**Leg 2** · ")


def test_what_came_before_the_end_is_not_called_unfinished() -> None:
    replay = Replay.of(begun(first_leg().play(2, "2: b2").withdraw(2)), None)
    early, late = replay.sight(1), replay.sight(replay.length)
    assert match_text.leg(early, 2).startswith("**Leg 2** · ")
    assert match_text.leg(late, 2).startswith("**Leg 2** · not finished · ")


def test_a_leg_without_points_that_was_given_up_is_won_by_nobody() -> None:
    game = games()["combining-dividing"]
    match = Match.start(in_legs(game), {}, 2).withdraw(1)
    assert not [line for line in match.position.working() if "wins" in line]
    assert legs_told(match) == ["**Leg 1** · not played", "**Leg 2** · not played"]
    began = Match.start(in_legs(game), {}, 2)
    assert legs_told(began)[0] == f"**Leg 1** · {ANN}, first · {BEA}, second"


def test_it_is_said_in_which_leg_somebody_is_to_move() -> None:
    begins = Match.start(in_legs(PRIMES), {"size": 3}, 2)
    told = {
        begins: f"{ANN} is to move in leg 1, and {BEA} in leg 2.",
        begins.play(2, "2: b2"): f"{ANN} is to move in both legs.",
        first_leg(): f"{BEA} is to move in leg 2.",
    }
    assert [match_text.status(Sight.of(begun(match), None)) for match in told] == [*told.values()]


@every_game
def test_a_board_of_two_legs_says_each_thing_once(game: Game) -> None:
    for match in moments(game):
        sight = Sight.of(begun(match), None)
        text = str(match_views.board(sight, match_chart.pictures(sight)).to_components())
        lines = [line for leg in LEGS for line in match_text.leg(sight, leg).splitlines()]
        assert len(set(lines)) == len(lines) and all(repr(line)[1:-1] in text for line in lines)
        wins = sum(line.endswith(" · won") for line in lines)
        assert wins <= sum(legs_of(match).played_out(leg) for leg in LEGS)


def test_a_round_of_a_leg_is_said_to_be_over() -> None:
    game = games()["flipping-bits"]
    for match in playout(started(game, {}), Random(4)):
        sight = Sight.of(begun(match), None)
        if sight.before and sight.before.round < sight.position.round:
            assert " of leg " in turn_text.last_turn(sight) and " is over.**" in turn_text.last_turn(sight)
            return
    raise AssertionError("no round has ended")
