"""Every message stays within Discord's limits, for every game at every moment of many matches.

The limits are the sandbox's, which its own tests hold to Discord's description; discord.py checks only a few of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from discord import ui

from bot.features.board import match_pictures
from bot.features.board import views as board_views
from bot.features.board.match_pictures import Renderer
from bot.features.challenges import onboarding
from bot.features.challenges import words as challenges_words
from bot.features.pads import drafts
from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.games.moves import MoveKind
from bot.games.position import Position
from bot.platform import ui as platform_ui
from bot.platform.custom_ids import FormId, MatchButton
from bot.platform.ui import Control
from bot.play.ids import InteractionId, MatchId
from bot.play.lessons import load_rules_example
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Match
from bot.sandbox import commands as discords
from bot.sandbox import components as sandbox_components
from rendering.shapes import Picture
from tests.contract.playing import few
from tests.support.command_tree import command_tree
from tests.support.loaded_matches import FIRST, begun, players, row
from tests.support.sampled import sampled

SEATS = re.compile(r"\b([Ss]eat|[Pp]layer) [1-8]\b")
"""What nobody is called where people sit."""
ALL = [
    game
    for game in load_games().values()
    if game.pictures(game.start(game.configure({}, game.seats[0]), game.seats[0]))
]
"""The games that are drawn; a game whose pictures are still to come cannot be shown."""


def named(it: object) -> str:
    return getattr(it, "key", str(it))


def checked(view: ui.LayoutView) -> list[Any]:
    """The components of a message that Discord would take, all of whose pressable parts are the one button."""
    components = view.to_components()
    sandbox_components.check_message({"components": components}, v2=True)
    assert (
        view.timeout is None
        and not view.is_dispatchable()
        or all(isinstance(item, Control) for item in view.walk_children() if item.is_dispatchable())
    )
    return components


def viewers(match: Match) -> Iterator[int | None]:
    yield None
    yield from range(1, match.seats + 1)


@sampled("game", ALL, few=6, ids=named)
async def test_boards(game: Game) -> None:
    for match in few(game):
        drawn: dict[Position, Sequence[Picture]] = {}  # all who see the same see the same pictures
        for viewer in viewers(match):
            sight = MatchView.of(begun(match), viewer)
            if sight.position not in drawn:
                drawn[sight.position] = match_pictures.list_pictures(sight)
            pictures = drawn[sight.position]
            assert len(pictures) <= sandbox_components.MOST_FILES
            alts = [(platform_ui.format_alt_text(picture, str(sight.position)), picture.alt) for picture in pictures]
            assert all(alt.startswith(said) and 0 < len(alt) <= platform_ui.ALT_LIMIT for alt, said in alts)
            view = board_views.build_board(sight, pictures)
            checked(view)
            buttons = platform_ui.find_view_buttons(view)
            assert {(button.match, button.version, button.own) for button in buttons} == {
                (123456, sight.version, viewer is not None)
            }
            last = ["replay", "more"] if match.is_over else ["rules", "more"]
            assert [button.verb for button in buttons[-len(last) :]] == last
            assert len(buttons) <= 5, "they do not stand in one row"
            closed = board_views.build_board(sight, pictures, closed=True)
            checked(closed)
            assert platform_ui.find_view_buttons(closed) == []
            assert not SEATS.search(str(view.to_components())), "people sit there, and have names"


@sampled("game", ALL, few=4, ids=named)
async def test_a_board_has_a_button_for_each_kind_of_move_that_can_be_made(game: Game) -> None:
    for match in few(game):
        public = match.position.seen_by(None)
        kinds = [kind.name for kind in game.moves if any(kind.when(public, seat) for seat in match.turn)]
        further = ["board"] if game.secret and match.turn else []
        last = ["rematch", "replay", "more"] if match.is_over else [*further, "rules", "more"]
        assert [button.verb for button in platform_ui.find_view_buttons(shown(match, None))] == [*kinds, *last]
        for seat in match.turn:
            seen = match.position.seen_by(seat)
            kinds = [kind.name for kind in game.moves if kind.when(seen, seat)]
            assert [button.verb for button in platform_ui.find_view_buttons(shown(match, seat))] == [
                *kinds,
                "rules",
                "more",
            ]
            rare = [button.verb for button in platform_ui.find_view_buttons(board_views.build_more(begun(match), seat))]
            assert "tryout" in rare
            assert ("takeback" in rare) == (begun(match).could_take_back(seat) and match.seats > 1)
            assert rare[-2:] == ["calloff", "giveup"]
            if not game.secret:
                assert kinds, "the person who is to move has a button"


def shown(match: Match, viewer: int | None) -> ui.LayoutView:
    return board_views.build_board(MatchView.of(begun(match), viewer), ())


@pytest.mark.parametrize("game", load_games().values(), ids=named)
async def test_forms(game: Game) -> None:
    for match in few(game):
        loaded = begun(match)
        for seat in match.turn:
            for kind in game.moves:
                if kind.parts:
                    a_form(loaded, kind, seat)


def a_form(loaded: LoadedMatch, kind: MoveKind, seat: int) -> None:
    form = drafts.build_form(loaded, kind, seat, InteractionId(FIRST))
    data = form.to_dict()
    sandbox_components.check_modal(data)
    assert 1 <= len(data["components"]) <= 5
    assert FormId.parse(form.custom_id) == FormId(
        MatchId(123456), MatchView.of(loaded, seat).version, "", kind.name, InteractionId(FIRST)
    )
    assert form.is_finished() and form.timeout is None


@pytest.mark.parametrize("game", load_games().values(), ids=named)
@pytest.mark.parametrize("guests", [True, False])
async def test_lobbies(game: Game, guests: bool) -> None:
    for seats in {game.seats[0], game.seats[-1]} - {1}:
        loaded = LoadedMatch(row(game, seats, players=players(seats if guests else 1, invited=guests)), game, None)
        for first in (True, False):
            text = str(checked(board_views.build_lobby(loaded, first)))
            assert game.title in text and "match 123456" in text
            assert ("New here" in text) == first
        verbs = [button.verb for button in platform_ui.find_view_buttons(board_views.build_lobby(loaded, first=True))]
        early = ["begin"] if 1 in game.seats else []  # nobody but the host sits there
        asked = ["accept", "decline", *early, "rules"]
        assert verbs == (asked if guests else ["join", "leave", *early, "cancel", "rules", "computer"])


@pytest.mark.parametrize("state", ["live", "finished", "aborted", "declined", "cancelled", "expired"])
async def test_a_lobby_that_is_over_has_no_buttons(state: str) -> None:
    game = load_games()["binary-primes"]
    match = Match.start(game, {"size": 3}, 2)
    if state == "finished":
        match = match.withdraw(1)
    if state in ("live", "finished", "aborted"):
        loaded = begun(match, state=state)
    else:
        loaded = LoadedMatch(row(game, 2, state=state, players=players(2, invited=True)), game, None)
    for first in (True, False):
        view = board_views.build_lobby(loaded, first)
        assert ("New here" in str(checked(view))) == first
        assert platform_ui.find_view_buttons(view) == []


@pytest.mark.parametrize("game", load_games().values(), ids=named)
async def test_rules(game: Game) -> None:
    example = load_rules_example(game)
    assert example
    checked(board_views.build_rules(game, game.pictures(example)[:1], str(example)))
    checked(board_views.build_further_rules(game))
    page = challenges_words.format_further_rules(game)
    assert all(f"/{game.key} {kind.name}`" in page and f"*{kind.name.capitalize()}*" in page for kind in game.moves)


async def test_every_game_has_a_picture_for_its_card() -> None:
    renderer = Renderer(2)
    samples = await onboarding.Gallery(renderer).load_samples()
    renderer.close()
    assert samples.keys() == load_offered_games().keys()


async def test_buttons_are_found_again_on_a_message_of_discords() -> None:
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2)
    view = shown(match, None)
    data: Any = view.to_components()
    verbs = ["move", "rules", "more"]
    assert platform_ui.find_view_buttons(view) == [
        MatchButton(MatchId(123456), 0, False, False, verb) for verb in verbs
    ]
    container = data[0]["components"]
    assert [one["custom_id"] for one in container[-1]["components"]] == [f"m:123456:0:{verb}" for verb in verbs]


# The commands.


@pytest.fixture
async def tree() -> Any:
    """The commands of the whole bot, as Discord is told of them, by name."""
    tree = await command_tree()
    payload: list[dict[str, Any]] = [command.to_dict(tree) for command in tree.get_commands()]
    return {command["name"]: command for command in payload}


async def test_commands_are_within_discords_limits(tree: dict[str, dict[str, Any]]) -> None:
    discords.check_commands(list(tree.values()))
    assert set(tree) >= {*load_offered_games(), "games", "play", "move", "match", "matches", "leaderboard", "profile"}
    assert len(tree) < 100
