"""A start for whoever has never played here: from /play to a match in a few taps, of which each shows the next.

One message, which its asker alone sees: the list of games, then the card of the one that was chosen, at last what comes
of it. It is edited in place and kept nowhere; each step is answered from the custom_id and the chosen values alone.
"""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import aiohttp
import discord
from discord import ui

from bot.client.interactions.context import Interaction, act_of, client_of, level_of, values_of
from bot.client.interactions.custom_ids import PageId
from bot.client.interactions.errors import Unread
from bot.client.lobby import challenges
from bot.client.lobby.game_picker import LABEL_LIMIT, Sample
from bot.client.text import match_text, rules_text
from bot.client.views import views
from bot.client.views.replies import show_rules, showing
from bot.client.views.views import Control
from bot.core.game.game import Game
from bot.core.game.moves import SELECT_LIMIT
from bot.core.game.two_legs import has_legs
from bot.core.library.catalogue import offered, taught
from bot.core.match.loaded_match import Refusal, Seated, person, together
from bot.core.values.computer_users import worded
from bot.core.values.ids import InteractionId
from bot.service.rules import computer_levels
from data.engine.database_errors import Unavailable

PICK, CHALLENGE, COMPUTER, TABLE = "pick", "challenge", "computer", "table"
ALONE, LEARN, RULES = "alone", "learn", "rules"
"""The pages: the list or, with a game chosen in it, its card; and what stands on the card."""
PICTURE = "board-1.png"
WHICH, COMPUTER_PLAYS = "Which game?", "Play the computer …"
NOTHING: Mapping[str, Any] = {}
LEGS = {1: "In two legs", 2: "In one leg"}
"""The button that changes in how many legs it is to be played, by how many it would be now."""
HEAD = (
    "### Which game?\n"
    "The easiest and shortest stand first. Choosing one shows it; nothing begins yet. Nobody else here? Every game can "
    "be played against the computer.\n"
    "-# Minutes are those of a match in one go; here it may take as long as you like."
)
POSTED_WITHIN = 10.0
"""Seconds in which a challenge must stand in its channel for the answer, which is there by then, to link to it."""
USER = discord.AppCommandOptionType.user.value


async def show(interaction: Interaction) -> None:
    """Show the list of games to the asker alone."""
    await interaction.response.send_message(view=listed(tuple(offered().values())), ephemeral=True)


def listed(games: Sequence[Game]) -> ui.LayoutView:
    """The list of games, from which one is chosen."""
    return views.framed(
        views.ACCENTS[0],
        ui.TextDisplay(HEAD),
        views.row_of(Control(PageId(PICK), WHICH, options=options(games))),
    )


def options(games: Sequence[Game]) -> list[discord.SelectOption]:
    """The games as the list has them, the easiest and shortest first; a phone shows half of each description."""
    easiest = sorted(games, key=lambda game: (game.difficulty, game.minutes, game.title))
    return [
        discord.SelectOption(
            label=game.title[:LABEL_LIMIT], value=game.key, description=rules_text.brief(game)[:LABEL_LIMIT]
        )
        for game in easiest[:SELECT_LIMIT]
    ]


async def pick(interaction: Interaction, page: PageId) -> None:
    """Show the card of the game that was chosen or that the button names; where there is none, the list again."""
    client = client_of(interaction)
    chosen, gallery = values_of(interaction) or [page.about][: bool(page.about)], client.gallery
    if not chosen:
        return await _edit(interaction, listed(tuple(offered().values())), [])
    if len(chosen) > 1:
        raise Unread
    key, legs = apart(*chosen)
    game = challenges.named_game(key)
    if gallery.samples is None:
        # Soon after a start the pictures are being drawn; then the answer is promised for later.
        await interaction.response.defer(ephemeral=True, thinking=not _own(interaction))
    sample = (gallery.samples or await gallery.drawn()).get(game.key)
    files = [discord.File(io.BytesIO(sample.png), PICTURE, description=sample.alt)] if sample else []
    view = card(game, sample, game.key in taught(), client.searchers.many > 0, legs)
    await _edit(interaction, view, files)
    return None


def leveled(levels: Iterable[int]) -> list[discord.SelectOption]:
    """Levels of the computer as a select lists them."""
    return [discord.SelectOption(label=worded(level), value=str(level)) for level in levels]


def apart(about: str) -> tuple[str, int | None]:
    """The game that a button of a card is about, and in how many legs it is to be played; None for what is usual.

    >>> apart("plexus"), apart("sum-kind-of-game-x2")
    (('plexus', None), ('sum-kind-of-game', 2))
    """
    key, legged, legs = about.rpartition("-x")
    return (key, int(legs)) if legged and legs in ("1", "2") else (about, None)


def card(
    game: Game, sample: Sample | None, learnable: bool, rival: bool = True, legs: int | None = None
) -> ui.LayoutView:
    """What a game is, and the ways into it, first of all the one for which nobody else need be there: the computer,
    where it is a `rival`."""
    levels = computer_levels.offered(game, {}, 2 if 2 in game.seats else game.seats[-1])
    about = f"{game.key}-x{legs}" if legs and has_legs(game) else game.key
    items: list[ui.Item[Any]] = [ui.TextDisplay(f"{rules_text.card(game)}{legged(game, legs)}")]
    if sample:
        items.append(ui.MediaGallery(views.attached(PICTURE, sample.alt)))
    if (most := game.seats[-1] - 1) > 0:
        label = "Challenge somebody …" if most == 1 else f"Challenge 1 to {most} people …"
        if rival:
            items.append(views.row_of(Control(PageId(COMPUTER, about), COMPUTER_PLAYS, options=leveled(levels))))
        items.append(views.row_of(Control(PageId(CHALLENGE, about), label, people=most)))
    planned = legs or (2 if game.lopsided else 1)
    ways = [
        (PageId(TABLE, about), "Open a table", game.seats[-1] > 1),
        (PageId(ALONE, game.key), "Alone", 1 in game.seats),
        (PageId(PICK, f"{game.key}-x{3 - planned}"), LEGS[planned], has_legs(game)),
        (PageId(LEARN, game.key), "Learn it first", learnable),
        (PageId(RULES, game.key), "Rules", True),
        (PageId(PICK), "Back", True),
    ]
    items.append(views.row_of(*(Control(page, label) for page, label, there in ways if there)))
    return views.framed(views.ACCENTS[0], *items)


def legged(game: Game, legs: int | None) -> str:
    """What a card says of legs where it matters: there are two, or are so usually."""
    if not has_legs(game) or not (legs or game.lopsided):
        return ""
    if legs == 1:
        return "\n-# It will be played once, not in two legs."
    usually = "" if legs else "Rated matches of two people are usually in two legs. "
    return f"\n-# {usually}{match_text.TWO_LEGS}"


async def challenge(interaction: Interaction, page: PageId) -> None:
    """Challenge those who were chosen, with the usual options."""
    await _begin(interaction, page, {}, people(interaction))


async def computer(interaction: Interaction, page: PageId) -> None:
    """Play the computer, at the level that was chosen."""
    await _begin(interaction, page, {"level": level_of(values_of(interaction))})


async def table(interaction: Interaction, page: PageId) -> None:
    """Open a table for whoever comes."""
    await _begin(interaction, page, {})


async def alone(interaction: Interaction, page: PageId) -> None:
    """Begin a match alone."""
    game = challenges.solo_game(page.about)
    await _begin(interaction, PageId(page.page, game.key), {"seats": 1})


async def rules(interaction: Interaction, page: PageId) -> None:
    """Show the rules beside the card."""
    await show_rules(client_of(interaction), interaction, challenges.named_game(page.about))


STEPS: Mapping[str, Callable[[Interaction, PageId], Awaitable[None]]] = {
    PICK: pick, CHALLENGE: challenge, COMPUTER: computer, TABLE: table, ALONE: alone, RULES: rules,
}  # fmt: skip


def people(interaction: Interaction) -> list[challenges.Named]:
    """Those who were chosen in a list of people, read as those are that a command names."""
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    chosen: Any = [{"type": USER, "name": str(at), "value": one} for at, one in enumerate(values_of(interaction))]
    try:
        return [one for _, one in discord.app_commands.Namespace(interaction, data.get("resolved", {}), chosen)]
    except (KeyError, TypeError, ValueError) as fault:
        raise Unread from fault


async def _begin(
    interaction: Interaction, page: PageId, given: Mapping[str, Any], guests: Sequence[challenges.Named] = ()
) -> None:
    """Write a challenge and say what comes of it; and once that stands in its channel, where."""
    client, (key, legs) = client_of(interaction), apart(page.about)
    given = {**given, "legs": legs}
    seated = await challenges.written(interaction, challenges.named_game(key), given, guests, _act(interaction))
    async with showing(client, interaction, seated.id):
        await _edit(interaction, begun(seated, given), [])
    with suppress(Refusal, Unavailable, discord.HTTPException, aiohttp.ClientError, OSError):
        await client.publisher.schedule.turn(seated.id, POSTED_WITHIN)
        posted = await client.umpire.load(seated.id)
        if posted.link != seated.link:
            await interaction.edit_original_response(view=begun(posted, given))


def begun(seated: Seated, given: Mapping[str, Any] = NOTHING) -> ui.LayoutView:
    """What comes of a challenge, for the one who made it, and what happens next."""
    said = f"{challenges.announced(seated)}{challenges.remarks(seated, given)}"
    head = f"**Match {seated.id} of {seated.game.title}{said}**"
    return views.framed(views.OVER, ui.TextDisplay(f"{head}\n{following(seated)} {seated.link}"))


def following(seated: Seated) -> str:
    """What happens next."""
    if seated.match:
        return "Your board, with the buttons to move, is here:"
    asked = [person(player.user) for player in seated.players if player.invited]
    if asked and len(seated.players) == seated.row.seats:
        who = f"{together(asked)} {'accepts' if len(asked) == 1 else 'have accepted'}"
    else:
        who = "the last seat is taken"
    return f"As soon as {who} the match begins, and you are told when it is your move. Until then it waits here:"


async def _edit(interaction: Interaction, view: ui.LayoutView, files: list[discord.File]) -> None:
    """Show the next step in place of the one before; on a message that others see too, beside it."""
    if interaction.response.is_done():
        await interaction.edit_original_response(view=view, attachments=files)
    elif _own(interaction):
        await interaction.response.edit_message(view=view, attachments=files)
    else:
        await interaction.response.send_message(view=view, files=files, ephemeral=True)


def _act(interaction: Interaction) -> InteractionId:
    """The number by which an act on a card is known: that of its message, since a card begins one match, even where it
    is tapped twice before it has changed."""
    return InteractionId(interaction.message.id) if interaction.message and _own(interaction) else act_of(interaction)


def _own(interaction: Interaction) -> bool:
    """Whether this was done on a message that nobody else sees, as all of ours are; what is forged may not be."""
    return interaction.message is not None and interaction.message.flags.ephemeral
