"""Leads a newcomer from /play to a match in a few taps.

One ephemeral message shows the list of games, then the card of the chosen one, then what comes of it. It is edited in
place, and each step is answered from the custom_id and the chosen values alone. `/games` shows the same list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import discord
from discord import ui

from bot.client.interactions.context import Interaction, act_of, is_ephemeral, level_of, values_of
from bot.client.interactions.custom_ids import CustomId
from bot.client.interactions.errors import Unread
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on
from bot.client.lobby import challenges
from bot.client.lobby.challenges import Challenges
from bot.client.lobby.game_picker import LABEL_LIMIT, Gallery, Sample
from bot.client.text import challenge_text, rules_text
from bot.client.views import edits, views
from bot.client.views.edits import Upload
from bot.client.views.replies import Replies
from bot.client.views.views import Control, GameButton, LessonButton
from bot.core.game.game import Game
from bot.core.game.moves import SELECT_LIMIT
from bot.core.game.two_legs import has_legs
from bot.core.library.catalogue import offered, taught
from bot.core.match.loaded_match import LoadedMatch
from bot.core.puzzle import weekend
from bot.core.values.computer_users import worded
from bot.core.values.ids import InteractionId
from bot.core.values.plural import sentences
from bot.service.rules import computer_levels

PICTURE = "board-1.png"
WHICH, COMPUTER_PLAYS, HOW_MANY = "Which game?", "Play the computer …", "Open a table for how many players? …"
NOTHING: Mapping[str, Any] = {}
LEGS = {1: "In two legs", 2: "In one leg"}
"""The button that changes the number of legs, by the number that it would be now."""
HEAD = "### Games of Leroy Quet"
FOOT = "Choose a game to see it first. Nothing starts yet."
AT_ONCE = "*Quick game* starts an easy one against the computer right away."
USUALLY = "Two people usually play this game in two legs."
WILL_TELL = "I'll tell you when the match starts, or if somebody declines: {link}"
ALL_SEATS = "I'll tell you when the match starts: {link}"
"""Neither says whom it waits for: that changes, and this answer cannot be edited for long."""
YOUR_BOARD = "Here is your board, with the buttons to move: {link}"


class WeekendButton(CustomId, template="p:weekend:{number}"):
    """Begins a match alone on the board of a weekend."""

    number: Annotated[int, "[0-9]{1,9}"]


class Onboarding:
    """Answers the buttons and selects of the list and the cards."""

    def __init__(self, challenges: Challenges, replies: Replies, gallery: Gallery) -> None:
        self._challenges = challenges
        self._replies = replies
        self._gallery = gallery

    async def show(self, interaction: Interaction) -> None:
        """Show the list of games to the asker alone."""
        await edits.answer_anew(interaction, self._listed())

    def _listed(self) -> ui.LayoutView:
        return listed(tuple(offered().values()), self._challenges.computers())

    @on(GameButton, words="pick", price=Price(2, looks=True))
    async def pick(self, interaction: Interaction, button: GameButton) -> None:
        """Show the card of the game that was chosen or that the button names; where there is none, the list again."""
        chosen = values_of(interaction) or [button.game][: bool(button.game)]
        if not chosen:
            return await edits.answer(interaction, self._listed(), [])
        if len(chosen) > 1:
            raise Unread
        return await self.show_card(interaction, chosen[0], button.legs)

    async def show_card(self, interaction: Interaction, key: str, legs: int = 0) -> None:
        """Show the card of a game, in place of a step of the asker's, or else in a message of its own."""
        game, gallery = challenges.named_game(key), self._gallery
        if gallery.samples is None:  # soon after a start the pictures are still being drawn
            await interaction.response.defer(ephemeral=True, thinking=not is_ephemeral(interaction))
        sample = (gallery.samples or await gallery.drawn()).get(game.key)
        files = [Upload(sample.png, PICTURE, sample.alt)] if sample else []
        advice = await self._challenges.advice(interaction, game)
        view = card(game, sample, game.key in taught(), self._challenges.computers(), legs, advice)
        return await edits.answer(interaction, view, files)

    @on(GameButton, words="challenge", price=Price(2))
    async def challenge(self, interaction: Interaction, button: GameButton) -> None:
        """Challenge the people who were chosen, with the usual options."""
        await self._begin(interaction, button.game, button.legs, {}, challenges.people_of(interaction))

    @on(GameButton, words="computer", price=Price(2))
    async def computer(self, interaction: Interaction, button: GameButton) -> None:
        """Play the computer, at the level that was chosen."""
        await self._begin(interaction, button.game, button.legs, {"level": level_of(values_of(interaction))})

    @on(GameButton, words="table", price=Price(2))
    async def table(self, interaction: Interaction, button: GameButton) -> None:
        """Open a table, for as many as were chosen."""
        chosen = values_of(interaction)
        if len(chosen) > 1 or not all(one.isdecimal() for one in chosen):
            raise Unread
        given = {"seats": int(chosen[0])} if chosen else {}
        await self._begin(interaction, button.game, button.legs, given)

    @on(GameButton, words="alone", price=Price(2))
    async def alone(self, interaction: Interaction, button: GameButton) -> None:
        """Begin a match alone."""
        await self._begin(interaction, challenges.solo_game(button.game).key, 0, {"seats": 1})

    @on(WeekendButton, price=Price(2))
    async def weekend(self, interaction: Interaction, button: WeekendButton) -> None:
        """Begin a match alone on the board of a weekend."""
        key, options = weekend.board(button.number)
        await self._begin(interaction, key, 0, {"seats": 1, **options})

    @on(GameButton, words="rules", price=Price(2, looks=True))
    async def rules(self, interaction: Interaction, button: GameButton) -> None:
        """Show the rules beside the card."""
        await self._replies.rules(interaction, challenges.named_game(button.game))

    @on(GameButton, words="more", price=Price(1, looks=True))
    async def further_rules(self, interaction: Interaction, button: GameButton) -> None:
        """Show what stands behind the rules page."""
        await self._replies.further_rules(interaction, challenges.named_game(button.game))

    async def _begin(
        self, interaction: Interaction, key: str, legs: int, given: Mapping[str, Any],
        guests: Sequence[challenges.Named] = (),
    ) -> None:  # fmt: skip
        """Write a challenge and say what comes of it; once it stands in its channel, with a link."""
        given = {**given, "legs": legs or None}
        game, act = challenges.named_game(key), act_on_card(interaction)
        seated = await self._challenges.write(interaction, game, given, guests, act)
        async with self._replies.showing(seated.id):
            await edits.answer(interaction, begun(seated, given), [])
        await self._challenges.linked(seated, lambda now: edits.answer(interaction, begun(now, given)))


def listed(games: Sequence[Game], computers: bool = True) -> ui.LayoutView:
    """The list of games, from which one is chosen; `computers` says whether the computer plays here."""
    quick = [views.row_of(quick_button())] if computers else []
    return views.framed(
        views.ACCENTS[0],
        ui.TextDisplay("\n".join([HEAD, *rules_text.by_difficulty(games)])),
        *quick,
        views.row_of(Control(GameButton("pick"), WHICH, options=options(games))),
        ui.TextDisplay(f"-# {sentences(FOOT, AT_ONCE if computers else '')}"),
    )


def quick_button() -> Control:
    """What begins a quick game."""
    return Control(GameButton("quick"), "Quick game", discord.ButtonStyle.primary)


def options(games: Sequence[Game]) -> list[discord.SelectOption]:
    """The games as options of the list, the easiest and shortest first; a phone cuts off their descriptions."""
    easiest = sorted(games, key=rules_text.ease)
    return [
        discord.SelectOption(
            label=game.title[:LABEL_LIMIT], value=game.key, description=rules_text.brief(game)[:LABEL_LIMIT]
        )
        for game in easiest[:SELECT_LIMIT]
    ]


def leveled(levels: Iterable[int]) -> list[discord.SelectOption]:
    """Levels of the computer as a select lists them."""
    return [discord.SelectOption(label=worded(level), value=str(level)) for level in levels]


def seated_by(counts: Iterable[int]) -> list[discord.SelectOption]:
    """Numbers of players as a select lists them."""
    return [discord.SelectOption(label=f"{count} players", value=str(count)) for count in counts]


def card(
    game: Game, sample: Sample | None, learnable: bool, rival: bool = True, legs: int = 0, advice: str = ""
) -> ui.LayoutView:
    """The card of a game: what it is, and the ways into a match. The computer comes first, since nobody else need be
    there; `rival` says whether it plays here, and `advice` which level of it suits who sees the card."""
    levels = computer_levels.usual(game)
    about = game.key, legs if has_legs(game) else 0
    items: list[ui.Item[Any]] = [ui.TextDisplay(f"{rules_text.card(game)}{legged(game, legs)}{advice}")]
    if sample:
        items.append(ui.MediaGallery(views.attached(PICTURE, sample.alt)))
    if (most := game.seats[-1] - 1) > 0:
        label = "Challenge somebody …" if most == 1 else f"Challenge 1 to {most} people …"
        if rival:
            items.append(views.row_of(Control(GameButton("computer", *about), COMPUTER_PLAYS, options=leveled(levels))))
        items.append(views.row_of(Control(GameButton("challenge", *about), label, people=most)))
    several = [seats for seats in game.seats if seats > 1]
    if len(several) > 1:
        items.append(views.row_of(Control(GameButton("table", *about), HOW_MANY, options=seated_by(several))))
    planned = legs or (2 if game.lopsided else 1)
    ways = [
        (GameButton("table", *about), "Open a table", len(several) == 1),
        (GameButton("alone", game.key), "Alone", 1 in game.seats),
        (GameButton("pick", game.key, 3 - planned), LEGS[planned], has_legs(game)),
        (LessonButton(game.key), "Learn it first", learnable),
        (GameButton("rules", game.key), "Rules", True),
        (GameButton("pick"), "Back", True),
    ]
    items.append(views.row_of(*(Control(page, label) for page, label, there in ways if there)))
    return views.framed(views.ACCENTS[0], *items)


def legged(game: Game, legs: int) -> str:
    """What a card says of legs in a game that can have two; else nothing."""
    if not has_legs(game) or not (legs or game.lopsided):
        return ""
    if legs == 1:
        return "\n-# You'll play it once, not in two legs."
    return f"\n-# {sentences('' if legs else USUALLY, challenge_text.TWO_LEGS)}"


def begun(seated: LoadedMatch, given: Mapping[str, Any] = NOTHING) -> ui.LayoutView:
    """What comes of a challenge and what happens next, for the person who made it."""
    said = sentences(challenges.announced(seated), *challenges.remarks(seated, given))
    return views.framed(views.OVER, ui.TextDisplay(f"**{said}**\n{following(seated)}"))


def following(seated: LoadedMatch) -> str:
    """What happens next, and where."""
    if seated.match:
        return YOUR_BOARD.format(link=seated.link)
    asked = any(player.invited for player in seated.players)
    return (WILL_TELL if asked else ALL_SEATS).format(link=seated.link)


def act_on_card(interaction: Interaction) -> InteractionId:
    """The idempotency key of a tap on a card: the number of its message, since a card begins one match even where it is
    tapped twice before it changes."""
    if interaction.message and is_ephemeral(interaction):
        return InteractionId(interaction.message.id)
    return act_of(interaction)
