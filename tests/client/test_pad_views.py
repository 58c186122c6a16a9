"""Pads as Discord takes them: on the usual and on the largest board of every game, at every step of a move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import discord
import pytest
from discord import ui

from bot.features.board import match_pictures
from bot.features.pads import keypad
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.position import Seat
from bot.platform.custom_ids import COMPONENT, PadId
from bot.platform.ui import Caption
from bot.play.ids import MatchId
from bot.play.loaded_match import Refusal
from bot.play.match import Match
from bot.play.partial_moves import Key, Keyboard, PartialMove
from bot.sandbox.components import V2, check_message
from tests.support.loaded_matches import begun
from tests.support.openapi import MISSING, SPEC, fits
from tests.support.pad_walks import BOARDS, LARGEST, flat, kinds, moments, shown, started, walk
from tests.support.sampled import sampled

PLIES, LOOKED_AT = 24, 3
"""How far the matches go whose pads are walked over, and at how many moments of each."""
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
MOST_TEXT, MOST_COMPONENTS, MOST_LABEL, MOST_ID, ACROSS = 4000, 40, 80, 100, 5

Found = tuple[Match, Seat, PartialMove, Keyboard]
EVERY = sampled("game", load_games().values(), few=6, ids=lambda game: game.key)
BOTH = pytest.mark.parametrize("board", BOARDS)


@cache
def walked(game: Game, board: str) -> tuple[Found, ...]:
    """What is chosen, and may be chosen, on pads at some moments of a match."""
    rng = Random(f"{game.key} {board}")
    played = list(moments(game, board, PLIES, rng))
    some = [played[0], *rng.sample(played[1:], min(LOOKED_AT, len(played) - 1))]
    walks = [(match, seat, walk(position, seat, kind, rng)) for match in some for seat, position, kind in kinds(match)]
    return tuple((match, seat, *step) for match, seat, steps in walks for step in steps)


def leafed(found: Found) -> Iterator[ui.LayoutView]:
    """All pages of a pad, one after the other by its own button."""
    match, seat, so_far, board = found
    loaded, page = begun(match), 0
    while True:
        view = shown(loaded, seat, so_far, board, page)
        yield view
        further = [pad.tap for pad in pressable(view) if pad.tap.does == "page" and int(pad.tap.key) > page]
        if not further:
            return
        page = int(further[0].key)


def pressable(view: ui.LayoutView) -> list[PadId]:
    """The buttons of a pad that can be pressed, read back from what is sent."""
    pressed = [item["custom_id"] for item in buttons(view) if not item.get("disabled")]
    sent = [PadId.parse(one) for one in pressed if not one.startswith("p:rules:")]
    assert all(sent) and len(sent) == len(pressed) - 1, "every pad leads to the rules"
    return [one for one in sent if one]


def buttons(view: ui.LayoutView) -> list[dict[str, Any]]:
    return [item for item in flat(view.to_components()) if item["type"] == discord.ComponentType.button.value]


def check(view: ui.LayoutView) -> None:
    """A pad is within the limits of a message, by Discord's numbers and by the sandbox's own check."""
    sent: list[dict[str, Any]] = view.to_components()
    every = list(flat(sent))
    assert len(every) <= MOST_COMPONENTS
    assert sum(len(item.get("content", "")) for item in every) <= MOST_TEXT
    assert all(1 <= len(item["components"]) <= ACROSS for item in every if item["type"] == 1)
    ids = [button["custom_id"] for button in buttons(view)]
    assert len({*ids}) == len(ids), "two buttons of a message are alike"
    assert all(len(one) <= MOST_ID and re.fullmatch(COMPONENT, one) for one in ids)
    assert all(1 <= len(button["label"]) <= MOST_LABEL for button in buttons(view))
    check_message({"components": sent, "flags": V2}, v2=True)


@EVERY
@BOTH
async def test_every_pad_is_a_message_whose_pages_show_every_key_once(game: Game, board: str) -> None:
    for found in walked(game, board)[::3]:
        (_, _, so_far, keyboard), pages = found, list(leafed(found))
        for view in pages:
            check(view)
        picked = [pad.tap for view in pages for pad in pressable(view) if pad.tap.does == "pick"]
        assert [tap.key for tap in picked] == [key.sign for key in (*keyboard.keys, *keyboard.others)]
        assert {(tap.kind, tap.step) for tap in picked} <= {(so_far.kind.name, keypad.measure_step(so_far))}
        assert all(keypad.read_partial_move(so_far.kind, [*view.walk_children()]) == so_far for view in pages)


def test_a_pad_of_an_earlier_version_is_read() -> None:
    kind = load_games()["combining-dividing"].moves[1]
    so_far, before = PartialMove(kind, ("3",), "5 "), "```yaml\nPlace: 3 · Factors: 5 …\n```"
    for text in (before, keypad.format_partial_move(so_far)):
        assert keypad.read_partial_move(kind, [ui.TextDisplay[Any](text)]) == so_far


def test_pages_of_keys_are_led_to_by_their_numbers() -> None:
    match = started(load_games()["divisors-multiples-sequence"], LARGEST)
    so_far, keyboard = (
        PartialMove(match.game.moves[0]),
        Keyboard(tuple(Key(str(key)) for key in range(1, 61))),
    )
    found = list(leafed((match, match.turn[0], so_far, keyboard)))
    labels = [[one["label"] for one in buttons(view) if one["label"].startswith("Page")] for view in found]
    assert labels == [["Page 2"], ["Page 1", "Page 3"], ["Page 2"]]


@EVERY
async def test_no_pad_of_any_kind_of_move_is_a_dead_end(game: Game) -> None:
    found = [found for board in BOARDS for found in walked(game, board)]
    assert {so_far.kind.name for _, _, so_far, _ in found} == {kind.name for kind in game.moves if kind.parts}
    stuck = [so_far for _, _, so_far, keyboard in found if not (so_far.is_whole or keyboard.done or keyboard.new_keys)]
    assert not stuck


@EVERY
@pytest.mark.skipif(not SPEC.exists(), reason=MISSING)
async def test_the_fullest_pads_fit_discords_own_description(game: Game) -> None:
    views = [shown(begun(match), seat, so_far, keys) for match, seat, so_far, keys in walked(game, LARGEST)]
    for view in sorted(views, key=lambda view: len(buttons(view)))[-2:]:
        answer = {"type": 4, "data": {"components": view.to_components(), "flags": V2 | 64}}
        assert fits(CALLBACK, "POST", None, answer) == []


@EVERY
async def test_the_longest_line_of_any_move_has_room_on_a_pad(game: Game) -> None:
    position = started(game, LARGEST).position
    for kind in game.moves:
        parts = [part.pad_part or part for part in kind.parts]
        assert sum(part.compute_max_length(position) if part.items else 20 for part in parts) < MOST_TEXT - 1000


@sampled("number", [19, 20, 21, 25, 26, 60, 100], few=3)
async def test_the_most_keys_and_the_most_pictures_have_room_together(number: int) -> None:
    """The board is of no matter: what is shown is what any game might offer."""
    match = started(load_games()["sums-grid"], LARGEST)
    so_far = PartialMove(match.game.moves[0], (), "1 ")
    keyboard = Keyboard(tuple(Key(str(value)) for value in range(number)), done=True)
    for pictures in range(1, match_pictures.MOST + 1):
        for page in range(6):
            captions = [Caption("A board.")] * pictures
            check(
                keypad.build_pad(
                    so_far,
                    keyboard,
                    captions,
                    "",
                    0,
                    lambda tap: PadId("k", match_id(), 999_999_999, tap),
                    where="",
                    page=page,
                )
            )


def test_a_move_that_is_longer_than_a_message_is_refused() -> None:
    """Discord would refuse the message; the bot says so in a sentence."""
    _, _, so_far, keyboard = walked(next(iter(load_games().values())), "usual")[0]
    long = replace(so_far, open="1" * MOST_TEXT)
    with pytest.raises(Refusal, match="too long for the buttons"):
        keypad.build_pad(long, keyboard, [], "", 0, lambda tap: PadId("k", match_id(), 1, tap), where="")


def match_id() -> MatchId:
    """The highest number that a match may have."""
    return MatchId(10**15 - 1)
