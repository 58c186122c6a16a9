"""Leads a newcomer from /play to a match: the games to begin with, the list of all, their cards."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import discord
from discord import ui

from bot.features.board.match_pictures import Renderer
from bot.features.board.replies import Replies
from bot.features.challenges import service, words
from bot.features.challenges.service import Challenges
from bot.games.catalogue import load_games_with_lesson, load_offered_games
from bot.games.game import Game
from bot.games.legs import has_legs
from bot.games.moves import SELECT_LIMIT
from bot.games.wording import join_sentences, join_words
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.custom_ids import CustomId
from bot.platform.edits import Upload
from bot.platform.interactions import Interaction, MalformedInput, is_private, key_of, parse_level, values_of
from bot.platform.jobs import Rank
from bot.platform.routes import on
from bot.platform.ui import Control, GameButton, LessonButton
from bot.play import challenges, puzzles
from bot.play.ids import InteractionId, describe_level, is_computer
from bot.play.lessons import load_example
from bot.play.loaded_match import LoadedMatch, mention_user

# What games are picked from: a picture of each, drawn once, and the options of a select.


LABEL_LIMIT = 100

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sample:
    """The picture of a game in the list: its file, and its alt text."""

    png: bytes
    alt: str


class Gallery:
    """The pictures of all games, drawn once and kept."""

    def __init__(self, renderer: Renderer) -> None:
        self.samples: Mapping[str, Sample] | None = None
        self._renderer = renderer
        self._drawing = asyncio.Lock()

    async def load_samples(self) -> Mapping[str, Sample]:
        """The pictures, by the keys of the games that have one."""
        async with self._drawing:
            if self.samples is None:
                found = {game.key: await self._draw_sample(game) for game in load_offered_games().values()}
                self.samples = {key: sample for key, sample in found.items() if sample}
        return self.samples

    async def load_sample(self, game: Game) -> Sample | None:
        """The picture of one game, which does not wait for those of all."""
        return await self._draw_sample(game) if self.samples is None else self.samples.get(game.key)

    async def _draw_sample(self, game: Game) -> Sample | None:
        try:
            match = await self._renderer.run(partial(load_example, game), Rank.LOOK)
            if match:
                drawing = await self._renderer.draw(game, match.position, Rank.LOOK)
                return Sample(drawing.pngs[0], platform_ui.format_alt_text(drawing.pictures[0], str(match.position)))
        except Exception:
            log.exception("%s cannot be drawn.", game.title)
        return None


def list_game_options(games: Sequence[Game]) -> list[discord.SelectOption]:
    """The games as options of a select."""
    return [
        discord.SelectOption(
            label=game.title[:LABEL_LIMIT], value=game.key, description=words.format_facts(game)[:LABEL_LIMIT]
        )
        for game in games[:SELECT_LIMIT]
    ]


# Leads a newcomer from /play to a match in a few taps.


PICTURE = "board-1.png"
WHICH, COMPUTER_PLAYS, HOW_MANY = "Which game?", "Play the computer …", "Open a table for how many players? …"
NOTHING: Mapping[str, Any] = {}
LEGS = {1: "In two legs", 2: "In one leg"}
"""The labels of the button that changes the number of legs, by the new number."""
ALL_GAMES = "All games …"
FIRST = "### Games to begin with"
HEAD = "### {number} games by {inventors}"
FOOT = "Choose a game to see it first. Nothing starts yet."
QUICK_BEGUN = "You began a quick game of {game} against {rivals}."
QUICK_OVER = "You began a quick game of {game} against {rivals}, and called it off."
"""These name no match, since *Back* calls it off."""
GONE = "Your quick game of {game} was called off: nothing had been played."
AT_ONCE = "*Quick game* starts an easy one against the computer right away."
WILL_TELL = "I'll tell you when the match starts, or if somebody declines: {link}"
ALL_SEATS = "I'll tell you when the match starts: {link}"
"""This names no players: they may change, and the answer can be edited only for a while."""
YOUR_BOARD = "Here is your board, with the buttons to move: {link}"


class WeekendButton(CustomId, template="p:weekend:{number}"):
    """Begins a solo match on the board of a weekend."""

    number: Annotated[int, "[0-9]{1,9}"]


class Onboarding:
    """Handles the buttons and selects of the list and the cards."""

    def __init__(self, challenges: Challenges, replies: Replies, gallery: Gallery) -> None:
        self._challenges = challenges
        self._replies = replies
        self._gallery = gallery

    async def show(self, interaction: Interaction) -> None:
        """Show the games to begin with, in an ephemeral message."""
        await edits.answer_anew(interaction, self._build_first_games(interaction))

    def _build_first_games(self, interaction: Interaction) -> ui.LayoutView:
        games, invite = tuple(load_offered_games().values()), service.describe_invitation(interaction)
        return build_first_games(games, self._challenges.computers(), invite=invite)

    @on(GameButton, words="first", price=Price(0.5, looks=True))
    async def show_first(self, interaction: Interaction, _button: GameButton) -> None:
        """Show the games to begin with again."""
        await edits.answer(interaction, self._build_first_games(interaction), [])

    @on(GameButton, words="all", price=Price(0.5, looks=True))
    async def show_all(self, interaction: Interaction, _button: GameButton) -> None:
        """Show the list of all games."""
        await edits.answer(interaction, build_game_list(tuple(load_offered_games().values())), [])

    @on(GameButton, words="pick", price=Price(2, looks=True))
    async def pick(self, interaction: Interaction, button: GameButton) -> None:
        """Show the card of the chosen game, or of the button's; without one, the games to begin with."""
        chosen = values_of(interaction) or [button.game][: bool(button.game)]
        if not chosen:
            return await edits.answer(interaction, self._build_first_games(interaction), [])
        if len(chosen) > 1:
            raise MalformedInput
        return await self.show_card(interaction, chosen[0], button.legs)

    async def show_card(self, interaction: Interaction, key: str, legs: int = 0) -> None:
        """Show the card of a game, in place of the ephemeral message that was used, or else in a new one."""
        game, gallery = service.find_game(key), self._gallery
        if gallery.samples is None:  # soon after a start the pictures are still being drawn
            await interaction.response.defer(ephemeral=True, thinking=not is_private(interaction))
        sample = (gallery.samples or await gallery.load_samples()).get(game.key)
        advice = await self._challenges.describe_level_advice(interaction, game)
        view = build_game_card(
            game, sample, game.key in load_games_with_lesson(), self._challenges.computers(), legs, advice,
            service.describe_invitation(interaction),
        )  # fmt: skip
        return await edits.answer(interaction, view, list_files(sample))

    @on(GameButton, words="challenge", price=Price(2))
    async def challenge(self, interaction: Interaction, button: GameButton) -> None:
        """Challenge the chosen users, with the usual options."""
        await self._begin(interaction, button.game, button.legs, {}, service.read_chosen_people(interaction))

    @on(GameButton, words="computer", price=Price(2))
    async def play_computer(self, interaction: Interaction, button: GameButton) -> None:
        """Play the computer, at the chosen level."""
        await self._begin(interaction, button.game, button.legs, {"level": parse_level(values_of(interaction))})

    @on(GameButton, words="table", price=Price(2))
    async def open_table(self, interaction: Interaction, button: GameButton) -> None:
        """Open a table for the chosen number of players."""
        chosen = values_of(interaction)
        if len(chosen) > 1 or not all(one.isdecimal() for one in chosen):
            raise MalformedInput
        given = {"seats": int(chosen[0])} if chosen else {}
        await self._begin(interaction, button.game, button.legs, given)

    @on(GameButton, words="alone", price=Price(2))
    async def play_alone(self, interaction: Interaction, button: GameButton) -> None:
        """Begin a solo match."""
        await self._begin(interaction, service.find_solo_game(button.game).key, 0, {"seats": 1})

    @on(WeekendButton, price=Price(2))
    async def play_weekend_board(self, interaction: Interaction, button: WeekendButton) -> None:
        """Begin a solo match on the board of a weekend."""
        key, options = puzzles.choose_board(button.number)
        await self._begin(interaction, key, 0, {"seats": 1, **options})

    @on(GameButton, words="rules", price=Price(2, looks=True))
    async def show_rules(self, interaction: Interaction, button: GameButton) -> None:
        """Show the rules beside the card."""
        await self._replies.show_rules(interaction, service.find_game(button.game))

    @on(GameButton, words="more", price=Price(1, looks=True))
    async def show_further_rules(self, interaction: Interaction, button: GameButton) -> None:
        """Show the further rules."""
        await self._replies.show_further_rules(interaction, service.find_game(button.game))

    async def _begin(
        self, interaction: Interaction, key: str, legs: int, given: Mapping[str, Any],
        guests: Sequence[service.NamedUser] = (),
    ) -> None:  # fmt: skip
        """Write a challenge and answer with what happens next; once its message is posted, with a link."""
        given = {**given, "legs": legs or None}
        game, act = service.find_game(key), card_key_of(interaction)
        loaded = await self._challenges.write(interaction, game, given, guests, act)
        async with self._replies.publish_afterwards(loaded.id):
            await edits.answer(interaction, build_challenge_result(loaded, given), [])
        await self._challenges.update_link_when_posted(
            loaded, lambda now: edits.answer(interaction, build_challenge_result(now, given))
        )


def build_first_games(
    games: Sequence[Game], computers: bool = True, gone: Game | None = None, invite: str = ""
) -> ui.LayoutView:
    """The games to begin with, each with its aim, and the ways to a quick game and to all; `computers` says whether the
    computer plays here, `gone` is the game of a quick game that was called off, `invite` says outside of servers how to
    play with friends."""
    few = challenges.choose_first_games(games)
    head = [GONE.format(game=gone.title)] if gone else []
    ways = [*([make_quick_button()] if computers else []), Control(GameButton("all"), ALL_GAMES)]
    return platform_ui.frame_view(
        platform_ui.ACCENTS[0],
        ui.TextDisplay("\n".join([*head, FIRST, *map(words.format_choice, few)])),
        platform_ui.make_row(Control(GameButton("pick"), WHICH, options=list_games(few))),
        platform_ui.make_row(*ways),
        ui.TextDisplay(f"-# {join_sentences(FOOT, AT_ONCE if computers else '', invite)}"),
    )


def build_game_list(games: Sequence[Game]) -> ui.LayoutView:
    """The list of all games, the easiest first, with a select."""
    head = HEAD.format(number=len(games), inventors=words.name_inventors(games))
    text = "\n".join([head, *words.group_by_difficulty(games)])
    easiest = sorted(games, key=words.difficulty_key)
    return platform_ui.frame_view(
        platform_ui.ACCENTS[0],
        ui.TextDisplay(text),
        platform_ui.make_row(Control(GameButton("pick"), WHICH, options=list_goals(easiest))),
        platform_ui.make_row(Control(GameButton("first"), "Back")),
        ui.TextDisplay(f"-# {FOOT}"),
    )


def make_quick_button() -> Control:
    return Control(GameButton("quick"), "Quick game", discord.ButtonStyle.primary)


def list_games(games: Sequence[Game]) -> list[discord.SelectOption]:
    """Games as options of a list; a phone cuts off long descriptions."""
    return [
        discord.SelectOption(
            label=game.title[:LABEL_LIMIT], value=game.key, description=words.format_brief_facts(game)[:LABEL_LIMIT]
        )
        for game in games[:SELECT_LIMIT]
    ]


def list_goals(games: Sequence[Game]) -> list[discord.SelectOption]:
    """Games as options of a list, each with its aim."""
    return [
        discord.SelectOption(label=game.title[:LABEL_LIMIT], value=game.key, description=game.goal[:LABEL_LIMIT])
        for game in games[:SELECT_LIMIT]
    ]


def list_files(sample: Sample | None) -> list[Upload]:
    """The file of a picture, if there is one."""
    return [Upload(sample.png, PICTURE, sample.alt)] if sample else []


def make_sample_items(sample: Sample | None) -> list[ui.Item[Any]]:
    """A picture in a message, if there is one."""
    return [ui.MediaGallery(platform_ui.make_gallery_item(PICTURE, sample.alt))] if sample else []


def list_levels(levels: Iterable[int]) -> list[discord.SelectOption]:
    """Levels of the computer as options of a select."""
    return [discord.SelectOption(label=describe_level(level), value=str(level)) for level in levels]


def list_player_counts(counts: Iterable[int]) -> list[discord.SelectOption]:
    """Numbers of players as options of a select."""
    return [discord.SelectOption(label=f"{count} players", value=str(count)) for count in counts]


def build_game_card(
    game: Game, sample: Sample | None, learnable: bool, rival: bool = True, legs: int = 0, advice: str = "",
    invite: str = "",
) -> ui.LayoutView:  # fmt: skip
    """The card of a game: what it is, and the ways into a match. The computer comes first, since it needs no other
    player; `rival` says whether it plays here, and `advice` which of its levels suits the viewer. Outside of servers
    it has no ways to others, and `invite` says how to play with friends."""
    levels = challenges.list_usual_levels(game)
    about = game.key, legs if has_legs(game) else 0
    items: list[ui.Item[Any]] = [ui.TextDisplay(f"{words.format_card(game)}{describe_legs(game, legs)}{advice}")]
    items += make_sample_items(sample)
    if (most := game.seats[-1] - 1) > 0:
        label = "Challenge somebody …" if most == 1 else f"Challenge 1 to {most} people …"
        if rival:
            items.append(
                platform_ui.make_row(
                    Control(GameButton("computer", *about), COMPUTER_PLAYS, options=list_levels(levels))
                )
            )
        if not invite:
            items.append(platform_ui.make_row(Control(GameButton("challenge", *about), label, people=most)))
    several = [seats for seats in game.seats if seats > 1 and not invite]
    if len(several) > 1:
        items.append(
            platform_ui.make_row(Control(GameButton("table", *about), HOW_MANY, options=list_player_counts(several)))
        )
    planned = legs or (2 if game.lopsided else 1)
    ways = [
        (GameButton("table", *about), "Open a table", len(several) == 1),
        (GameButton("alone", game.key), "Alone", 1 in game.seats),
        (GameButton("pick", game.key, 3 - planned), LEGS[planned], has_legs(game)),
        (LessonButton(game.key), "Learn it first", learnable),
        (GameButton("rules", game.key), "Rules", True),
        (GameButton("pick"), "Back", True),
    ]
    items.append(platform_ui.make_row(*(Control(page, label) for page, label, there in ways if there)))
    items += [ui.TextDisplay[Any](f"-# {invite}")] if invite else []
    return platform_ui.frame_view(platform_ui.ACCENTS[0], *items)


def describe_legs(game: Game, legs: int) -> str:
    """The part about legs for a game that can have two; else empty."""
    if not has_legs(game) or not (legs or game.lopsided):
        return ""
    if legs == 1:
        return "\n-# You'll play it once, not in two legs."
    return f"\n-# {words.TWO_LEGS}"


def build_challenge_result(loaded: LoadedMatch, given: Mapping[str, Any] = NOTHING) -> ui.LayoutView:
    """The result of a challenge and what happens next, for its host."""
    said = join_sentences(service.describe_challenge(loaded), *service.list_remarks(loaded, given))
    return platform_ui.frame_view(platform_ui.OVER, ui.TextDisplay(f"**{said}**\n{describe_next_step(loaded)}"))


def build_quick_result(loaded: LoadedMatch) -> ui.LayoutView:
    """The line above the pad for the first move of a quick game: that it has begun, or was called off."""
    rivals = join_words([mention_user(player.user) for player in loaded.players if is_computer(player.user)])
    said = (QUICK_OVER if challenges.is_taken_away(loaded.row) else QUICK_BEGUN).format(
        game=loaded.game.title, rivals=rivals
    )
    return platform_ui.frame_view(platform_ui.OVER, ui.TextDisplay(f"**{said}**"))


def describe_next_step(loaded: LoadedMatch) -> str:
    """What happens next, and where."""
    if loaded.match:
        return YOUR_BOARD.format(link=loaded.link)
    asked = any(player.invited for player in loaded.players)
    return (WILL_TELL if asked else ALL_SEATS).format(link=loaded.link)


def card_key_of(interaction: Interaction) -> InteractionId:
    """The idempotency key of a tap on a card: the id of its message, since a card begins one match even if it is tapped
    twice before it changes."""
    if interaction.message and is_private(interaction):
        return InteractionId(interaction.message.id)
    return key_of(interaction)
