"""The start for newcomers: the list of games, the card of each, and what is said when a match comes of it.

All of it is a function of the games and of a match alone, and within what Discord takes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.features.challenges import handlers, onboarding
from bot.features.challenges import words as challenges_words
from bot.features.challenges.handlers import build_welcome_card, find_quickest_game
from bot.features.challenges.onboarding import HOW_MANY, Sample
from bot.features.settings import handlers as settings_handlers
from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.games.legs import has_legs
from bot.games.moves import SELECT_LIMIT
from bot.platform.ui import Control, GameButton, LessonButton
from bot.play import challenges
from bot.play.loaded_match import LoadedMatch
from bot.play.rows import Preferences, ServerSettings
from tests.client.test_messages import checked, named
from tests.contract.playing import sampled
from tests.support.loaded_matches import begun, players, row
from tests.support.routes import ROUTES

GAMES = [*load_offered_games().values()]
SAMPLE = Sample(b"", "What it shows.")
ACROSS = 45
"""The letters of a list that a phone shows."""


def controls(view: ui.LayoutView) -> list[Control]:
    """All that can be used in a message."""
    return [item for item in view.walk_children() if isinstance(item, Control)]


def labels(view: ui.LayoutView) -> list[str]:
    items: list[Any] = [one.item for one in controls(view)]
    return [getattr(item, "label", None) or item.placeholder for item in items]


def read_texts(view: ui.LayoutView) -> str:
    return "\n".join(one.content for one in view.walk_children() if isinstance(one, ui.TextDisplay))


async def test_it_begins_with_five_games_and_their_aims() -> None:
    """Those that a newcomer learns fastest; the rest stand behind a button."""
    view = onboarding.build_first_games(GAMES)
    checked(view)
    assert labels(view) == [onboarding.WHICH, "Quick game", onboarding.ALL_GAMES]
    assert labels(onboarding.build_first_games(GAMES, computers=False)) == [onboarding.WHICH, onboarding.ALL_GAMES]
    found: Any = controls(view)[0].item
    few = [load_offered_games()[option.value] for option in found.options]
    text = read_texts(view)
    assert len(few) == 5 and few[0] == find_quickest_game()
    assert all(game.difficulty == 1 and not game.secret and 2 in game.seats for game in few)
    assert all(re.search(rf"\*\*{re.escape(game.title)}\*\* · .+\n-# {re.escape(game.goal)}", text) for game in few)
    assert not any(game.title in text for game in GAMES if game not in few)


async def test_the_list_has_every_game_the_easiest_first() -> None:
    view = onboarding.build_game_list(GAMES)
    assert labels(view) == [onboarding.WHICH, "Back"]
    text = str(checked(view))
    assert all(game.title in text for game in GAMES)
    (select,) = (one for one in controls(view) if one.component == GameButton("pick"))
    found: Any = select.item
    assert sorted(option.value for option in found.options) == sorted(load_offered_games())
    difficulties = [load_offered_games()[option.value].difficulty for option in found.options]
    assert difficulties == sorted(difficulties)
    for option in found.options:
        game = load_offered_games()[option.value]
        assert option.label == game.title and option.description == game.goal


async def test_a_welcome_has_a_way_to_play_with_and_without_the_computer() -> None:
    for computers, buttons in ((True, ["Quick game", "Play"]), (False, ["Play"])):
        view = build_welcome_card(computers)
        checked(view)
        assert labels(view) == buttons
        assert ("*Quick game*" in read_texts(view)) == computers, "both ways are told apart"
    game = find_quickest_game()
    assert game.difficulty == 1 and len(game.moves[0].parts) == 1


async def test_whose_games_they_are_follows_from_their_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    quets = [replace(game, inventor="Leroy Quet") for game in GAMES]
    games = [*quets, replace(GAMES[0], key="new", inventor="Ada Lovelace")]
    monkeypatch.setattr(handlers, "load_offered_games", lambda: {game.key: game for game in games})
    for there, names in (quets, "Leroy Quet"), (games, "Leroy Quet and Ada Lovelace"):
        assert f"### {len(there)} games by {names}\n" in str(checked(onboarding.build_game_list(there))).replace(
            "\\n", "\n"
        )
    said = f"{len(games)} pencil-and-paper games by Leroy Quet and Ada Lovelace."
    assert said in str(checked(build_welcome_card(computers=True)))


async def test_a_welcome_shows_a_board_of_a_game_to_begin_with() -> None:
    view = build_welcome_card(computers=True, sample=SAMPLE)
    assert "attachment://board-1.png" in str(checked(view))
    assert handlers.find_shown_game() in challenges.choose_first_games(GAMES)


async def test_a_welcome_names_a_few_commands_and_help_the_rest() -> None:
    """Managers read in both what the bot does by itself, and where that is changed."""
    welcome, helping = (
        read_texts(build_welcome_card(True, True)),
        read_texts(build_welcome_card(True, True, asked=True)),
    )
    commands = ("/play", "/matches", "/learn")
    assert all(f"`{one}`" in text for one in commands for text in (welcome, helping))
    rest = ("/leaderboard", "/profile", "/daily", "/league", "/preferences", "/away", "/privacy")
    assert all(f"`{one}`" in helping and one not in welcome for one in rest) and "`/help`" in welcome
    assert all(re.search(r"open a thread .* `/settings`", text) for text in (welcome, helping))
    assert "/settings" not in read_texts(build_welcome_card(True))


async def test_no_list_is_cut_off_on_a_phone() -> None:
    """Discord shows some 45 letters of what is chosen in a list, or of its placeholder."""
    server = ServerSettings(zone="America/Argentina/ComodRivadavia", threads=False, takebacks=False)
    views = [
        onboarding.build_first_games(GAMES),
        onboarding.build_game_list(GAMES),
        *(onboarding.build_game_card(game, SAMPLE, learnable=True) for game in GAMES),
        *(settings_handlers.build_settings_card(one) for one in (ServerSettings(), server)),
        settings_handlers.build_posts_card(ServerSettings()),
        *(
            settings_handlers.build_preferences_card(Preferences(zone=server.zone), one, 0)
            for one in (ServerSettings(), server)
        ),
    ]
    for control in (one for view in views for one in controls(view)):
        item: Any = control.item
        options = getattr(item, "options", [])
        lines = [getattr(item, "placeholder", "") or "", *(option.label for option in options)]
        if getattr(item, "max_values", 1) > 1 and options:
            lines.append(", ".join(option.label for option in options))
        assert max(map(len, lines)) <= ACROSS, lines


async def test_each_setting_says_what_it_does_in_a_line_and_nothing_is_said_twice() -> None:
    cards = [
        settings_handlers.build_settings_card(ServerSettings()),
        settings_handlers.build_posts_card(ServerSettings()),
        settings_handlers.build_preferences_card(Preferences(), ServerSettings(), 0),
    ]
    for view in cards:
        checked(view)
        texts = [one.content for one in view.walk_children() if isinstance(one, ui.TextDisplay)]
        selects = [one for one in controls(view) if not isinstance(one.item, ui.Button)]
        assert texts[0].startswith("### ") and all(text.startswith("-# ") for text in texts[1:])
        assert len(texts) - 1 in (len(selects), len(selects) + 1), "a line for each, and perhaps a last one"
        sentences = [one for text in texts for one in re.split(r"(?<=[.:]) |\n", text)]
        assert len({*sentences}) == len(sentences)
    assert "wait for an answer" not in read_texts(cards[0]), "limits stand behind a button"
    assert "wait for an answer" in read_texts(settings_handlers.build_limits_card(ServerSettings()))
    mine = read_texts(cards[2])
    assert "`/preferences zone:Europe/Rome`" in mine and "`/away`" in mine


@pytest.mark.parametrize("game", GAMES, ids=named)
@pytest.mark.parametrize("learnable", [True, False])
async def test_a_card_says_what_the_game_is_and_offers_what_it_allows(game: Game, learnable: bool) -> None:
    for sample in (SAMPLE, None):
        view = onboarding.build_game_card(game, sample, learnable)
        text = str(checked(view))
        assert game.title in text and game.goal in text and challenges_words.format_facts(game) in text
        assert ("attachment://board-1.png" in text) == (sample is not None)
        alone, together = 1 in game.seats, game.seats[-1] > 1
        several = [count for count in game.seats if count > 1]
        legs = {"In one leg": game.lopsided, "In two legs": has_legs(game) and not game.lopsided}
        ways = {
            "Open a table": len(several) == 1,
            "Alone": alone,
            **legs,
            "Learn it first": learnable,
            "Rules": True,
            "Back": True,
        }
        buttons: list[Any] = [one.item for one in controls(view) if isinstance(one.item, ui.Button)]
        assert [one.label for one in buttons] == [way for way, there in ways.items() if there]
        tables: list[Any] = [one.item for one in controls(view) if getattr(one.item, "placeholder", "") == HOW_MANY]
        asked = [[option.value for option in one.options] for one in tables]
        assert asked == ([[str(count) for count in several]] if len(several) > 1 else [])
        lists: list[Any] = [one.item for one in controls(view) if isinstance(one.item, ui.UserSelect)]
        assert [one.max_values for one in lists] == [game.seats[-1] - 1] * together


async def test_every_control_of_a_start_leads_to_a_step() -> None:
    views = [
        onboarding.build_first_games(GAMES),
        onboarding.build_game_list(GAMES),
        build_welcome_card(computers=True),
        *(onboarding.build_game_card(game, SAMPLE, learnable=True) for game in GAMES),
    ]
    for control in (one for view in views for one in controls(view)):
        assert ROUTES.parse(str(control.component)) == control.component
        assert isinstance(control.component, GameButton | LessonButton)
        assert control.component.game in ("", *load_offered_games())


@pytest.mark.parametrize("game", [game for game in GAMES if has_legs(game)], ids=named)
async def test_a_card_goes_on_with_the_legs_that_were_chosen(game: Game) -> None:
    for legs in (1, 2):
        view = onboarding.build_game_card(game, None, True, legs=legs)
        assert ("You play two games at once" in str(checked(view))) == (legs == 2)
        ways = {one.component.verb: one.component for one in controls(view) if isinstance(one.component, GameButton)}
        for verb in ("challenge", "table", "computer"):
            assert ways[verb] == GameButton(verb, game.key, legs)
        other = [one.component for one in controls(view) if getattr(one.item, "label", "") in onboarding.LEGS.values()]
        assert other == [GameButton("pick", game.key, 3 - legs)]


async def test_a_game_for_one_alone_is_challenged_by_nobody() -> None:
    view = onboarding.build_game_card(replace(load_games()["sums-grid"], seats=range(1, 2)), None, learnable=True)
    assert labels(view) == ["Alone", "Learn it first", "Rules", "Back"]


@pytest.mark.parametrize("game", GAMES, ids=named)
async def test_what_happens_next_is_said(game: Game) -> None:
    most = game.seats[-1]
    seats = most if most == 2 else 3
    told = [(seats, True, "or if somebody declines:"), (1, False, "I'll tell you when the match starts:")]
    for come, invited, said in told:
        loaded = LoadedMatch(row(game, seats, players=players(come, invited=invited)), game, None)
        text = str(checked(onboarding.build_challenge_result(loaded)))
        assert said in text and game.title in text and "https://discord.com/channels/" in text
    for match in sampled(game)[:1]:
        assert "to move: https://discord.com/channels/" in str(checked(onboarding.build_challenge_result(begun(match))))


def test_descriptions_fit_a_line_of_the_list() -> None:
    for game in GAMES:
        assert (
            len(challenges_words.format_brief_facts(game)) <= onboarding.LABEL_LIMIT
            and len(game.title) <= onboarding.LABEL_LIMIT
        )
    assert len(GAMES) <= SELECT_LIMIT, "the list has room for so many games"
