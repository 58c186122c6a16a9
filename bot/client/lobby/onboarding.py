"""Leads a newcomer from /play to a match in a few taps.

One ephemeral message shows the list of games, then the card of the chosen one, then what comes of it. It is edited in
place, and each step is answered from the custom_id and the chosen values alone. `/games` shows the same list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import discord
from discord import ui

from bot.client.interactions.context import Interaction, act_of, is_ephemeral, level_of, values_of
from bot.client.interactions.custom_ids import PageId
from bot.client.interactions.errors import Unread
from bot.client.lobby import challenges
from bot.client.lobby.challenges import Challenges
from bot.client.lobby.game_picker import LABEL_LIMIT, Gallery, Sample
from bot.client.text import challenge_text, rules_text
from bot.client.views import edits, views
from bot.client.views.edits import Upload
from bot.client.views.replies import Replies
from bot.client.views.views import Control
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

PICK, CHALLENGE, COMPUTER, TABLE = "pick", "challenge", "computer", "table"
ALONE, LEARN, RULES, QUICK, WEEKEND = "alone", "learn", "rules", "quick", "weekend"
"""The pages: the list, which is the card where a game is chosen; the buttons of the card; a quick game; the weekend."""
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

    async def pick(self, interaction: Interaction, page: PageId) -> None:
        """Show the card of the game that was chosen or that the button names; where there is none, the list again."""
        chosen = values_of(interaction) or [page.about][: bool(page.about)]
        if not chosen:
            return await edits.answer(interaction, self._listed(), [])
        if len(chosen) > 1:
            raise Unread
        return await self.show_card(interaction, *chosen)

    async def show_card(self, interaction: Interaction, about: str) -> None:
        """Show the card of a game, in place of a step of the asker's, or else in a message of its own."""
        key, legs = apart(about)
        game, gallery = challenges.named_game(key), self._gallery
        if gallery.samples is None:  # soon after a start the pictures are still being drawn
            await interaction.response.defer(ephemeral=True, thinking=not is_ephemeral(interaction))
        sample = (gallery.samples or await gallery.drawn()).get(game.key)
        files = [Upload(sample.png, PICTURE, sample.alt)] if sample else []
        advice = await self._challenges.advice(interaction, game)
        view = card(game, sample, game.key in taught(), self._challenges.computers(), legs, advice)
        return await edits.answer(interaction, view, files)

    async def challenge(self, interaction: Interaction, page: PageId) -> None:
        """Challenge the people who were chosen, with the usual options."""
        await self._begin(interaction, page, {}, challenges.people_of(interaction))

    async def computer(self, interaction: Interaction, page: PageId) -> None:
        """Play the computer, at the level that was chosen."""
        await self._begin(interaction, page, {"level": level_of(values_of(interaction))})

    async def table(self, interaction: Interaction, page: PageId) -> None:
        """Open a table, for as many as were chosen."""
        chosen = values_of(interaction)
        if len(chosen) > 1 or not all(one.isdecimal() for one in chosen):
            raise Unread
        await self._begin(interaction, page, {"seats": int(chosen[0])} if chosen else {})

    async def alone(self, interaction: Interaction, page: PageId) -> None:
        """Begin a match alone."""
        game = challenges.solo_game(page.about)
        await self._begin(interaction, PageId(page.page, game.key), {"seats": 1})

    async def weekend(self, interaction: Interaction, page: PageId) -> None:
        """Begin a match alone on the board of a weekend."""
        if not page.about.isdecimal():
            raise Unread
        key, options = weekend.board(int(page.about))
        await self._begin(interaction, PageId(page.page, key), {"seats": 1, **options})

    async def rules(self, interaction: Interaction, page: PageId) -> None:
        """Show the rules beside the card."""
        await self._replies.rules(interaction, challenges.named_game(page.about))

    async def further_rules(self, interaction: Interaction, page: PageId) -> None:
        """Show what stands behind the rules page."""
        await self._replies.further_rules(interaction, challenges.named_game(page.about))

    async def _begin(
        self, interaction: Interaction, page: PageId, given: Mapping[str, Any],
        guests: Sequence[challenges.Named] = (),
    ) -> None:  # fmt: skip
        """Write a challenge and say what comes of it; once it stands in its channel, with a link."""
        key, legs = apart(page.about)
        given = {**given, "legs": legs}
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
        views.row_of(Control(PageId(PICK), WHICH, options=options(games))),
        ui.TextDisplay(f"-# {sentences(FOOT, AT_ONCE if computers else '')}"),
    )


def quick_button() -> Control:
    """What begins a quick game."""
    return Control(PageId(QUICK), "Quick game", discord.ButtonStyle.primary)


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


def apart(about: str) -> tuple[str, int | None]:
    """The game in a card's custom_id and the number of legs chosen there; None for what is usual.

    >>> apart("plexus"), apart("sum-kind-of-game-x2")
    (('plexus', None), ('sum-kind-of-game', 2))
    """
    key, legged, legs = about.rpartition("-x")
    return (key, int(legs)) if legged and legs in ("1", "2") else (about, None)


def card(
    game: Game, sample: Sample | None, learnable: bool, rival: bool = True, legs: int | None = None, advice: str = ""
) -> ui.LayoutView:
    """The card of a game: what it is, and the ways into a match. The computer comes first, since nobody else need be
    there; `rival` says whether it plays here, and `advice` which level of it suits who sees the card."""
    levels = computer_levels.usual(game)
    about = f"{game.key}-x{legs}" if legs and has_legs(game) else game.key
    items: list[ui.Item[Any]] = [ui.TextDisplay(f"{rules_text.card(game)}{legged(game, legs)}{advice}")]
    if sample:
        items.append(ui.MediaGallery(views.attached(PICTURE, sample.alt)))
    if (most := game.seats[-1] - 1) > 0:
        label = "Challenge somebody …" if most == 1 else f"Challenge 1 to {most} people …"
        if rival:
            items.append(views.row_of(Control(PageId(COMPUTER, about), COMPUTER_PLAYS, options=leveled(levels))))
        items.append(views.row_of(Control(PageId(CHALLENGE, about), label, people=most)))
    several = [seats for seats in game.seats if seats > 1]
    if len(several) > 1:
        items.append(views.row_of(Control(PageId(TABLE, about), HOW_MANY, options=seated_by(several))))
    planned = legs or (2 if game.lopsided else 1)
    ways = [
        (PageId(TABLE, about), "Open a table", len(several) == 1),
        (PageId(ALONE, game.key), "Alone", 1 in game.seats),
        (PageId(PICK, f"{game.key}-x{3 - planned}"), LEGS[planned], has_legs(game)),
        (PageId(LEARN, game.key), "Learn it first", learnable),
        (PageId(RULES, game.key), "Rules", True),
        (PageId(PICK), "Back", True),
    ]
    items.append(views.row_of(*(Control(page, label) for page, label, there in ways if there)))
    return views.framed(views.ACCENTS[0], *items)


def legged(game: Game, legs: int | None) -> str:
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
