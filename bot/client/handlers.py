"""What an interaction does to a match: a button, a form, a command. Act first, answer, then have it shown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import discord

from bot.client import drafts, forms, texts, views
from bot.client.ids import ButtonId, FormId
from bot.client.interaction import Interaction, act_of, channel_of, user_of
from bot.core.catalogue import rules_example
from bot.core.game import Game, MoveError, Position
from bot.core.ids import MatchId, MessageId, UserId
from bot.core.match import Match
from bot.core.moves import MoveKind
from bot.core.seats import Seat, Viewer
from bot.service import decisions
from bot.service.refusals import NotYourTurn, Returned, Stale, expect_live, expect_seat, to_move
from bot.service.seated import Refusal, Seated, Sight, person, together
from bot.service.umpire import Done
from data.store import Transaction

if TYPE_CHECKING:
    from bot.client.client import GraphPaper

steps = logging.getLogger("graphpaper.steps")

MOVED_ON = "The match went on while you wrote, and nothing was played: send this again if it still fits."

Act = Callable[["GraphPaper", Interaction, ButtonId], Awaitable[None]]


@asynccontextmanager
async def showing(client: GraphPaper, match: MatchId) -> AsyncGenerator[None]:
    """Answer an act that is committed, while there is time, and have the match shown whatever becomes of the answer."""
    try:
        async with asyncio.timeout(client.settings.answer_within):
            yield
    finally:
        client.publisher.soon(match)


async def pressed(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """A button under a challenge or a board."""
    act = LOBBY.get(button.verb)
    if act:
        await act(client, interaction, button)
    elif button.verb == "stay":
        await interaction.response.edit_message(view=views.notice("Nothing was changed."))
    elif button.verb in CONFIRMED:
        await _confirmed(client, interaction, button)
    elif button.verb == "rematch":
        await _rematch(client, interaction, button)
    elif button.verb == "board":
        seated = await client.umpire.load(button.match)
        expect_seat(seated, user_of(interaction))
        own = interaction.message is not None and interaction.message.flags.ephemeral
        await show_own_board(client, interaction, seated, "Only you see this board.", edit=own)
    elif button.verb == "rules":
        await show_rules(client, interaction, (await client.umpire.load(button.match)).game)
    else:
        seated = await client.umpire.load(button.match)
        if not await _mended(interaction, seated, button):
            await _board_pressed(client, interaction, seated, button)


async def show_rules(client: GraphPaper, interaction: Interaction, game: Game) -> None:
    """Show the rules page of a game to the asker alone, with the board of its example as a picture."""
    example = rules_example(game)
    if example is None:
        await interaction.response.send_message(view=views.rules(game, (), ""), ephemeral=True)
        return
    drawing, board = await client.renderer.draw(game, example.position), str(example.position)
    view, files = views.rules(game, drawing.pictures, board), drawing.files(board)
    await interaction.response.send_message(view=view, files=files, ephemeral=True)


async def _rematch(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Ask for the same match again with the seats passed on, or agree to it."""
    seated = await client.umpire.rematch(act_of(interaction), button.match, user_of(interaction))
    async with showing(client, seated.id):
        line = (
            f"The rematch is on, match {seated.id}" if seated.match else "The rematch begins when all have agreed to it"
        )
        await interaction.response.send_message(f"{line}: {seated.link}", ephemeral=True)


async def _board_pressed(client: GraphPaper, interaction: Interaction, seated: Seated, button: ButtonId) -> None:
    """A button for a move: open its form, or play a move that has no parts."""
    seat = expect_seat(seated, user_of(interaction))
    if seated.folded.has_moved_on(seat, seat if button.own else None, button.version):
        raise Stale("That board has moved on, and nothing was played: this is how it stands now.", seated)
    if seat not in seated.turn:
        raise NotYourTurn(f"It is not your turn: {to_move(seated)} is to move.")
    sure = button.verb.startswith(drafts.SURE)
    kind = kind_of(seated, button.verb.removeprefix(drafts.SURE))
    if sure and (values := drafts_of(interaction, kind)) is not None:
        await played(client, interaction, seated, kind.write(values), button.version)
    elif kind.parts:
        await interaction.response.send_modal(forms.form(seated, kind, seat, act_of(interaction)))
    else:
        await entered(client, interaction, seated, kind, {}, seated.folded.version_for(seat))


def drafts_of(interaction: Interaction, kind: MoveKind) -> dict[str, str] | None:
    """What was written on the message whose button was pressed; a move without parts takes no writing."""
    if not kind.parts:
        return {}
    return drafts.read(kind, interaction.message.components) if interaction.message else None


async def _mended(interaction: Interaction, seated: Seated, button: ButtonId) -> bool:
    """Open the form with what a draft holds, however the match has gone on: nothing is played yet."""
    kind = next((kind for kind in seated.game.moves if kind.name == button.verb and kind.parts), None)
    values = drafts_of(interaction, kind) if kind else None
    seat = seated.seat_of(user_of(interaction))
    if kind is None or values is None or seat not in seated.turn:
        return False
    await interaction.response.send_modal(forms.form(seated, kind, seat, act_of(interaction), values))
    return True


async def not_ours() -> NoReturn:
    """A button or a form that no version of this program has made."""
    raise Refusal("That button or form leads nowhere any more: /match board shows the board with its buttons.")


async def submitted(client: GraphPaper, interaction: Interaction, form: FormId | None) -> None:
    """A form for a move, opened before or after the last restart."""
    if form is None:
        await not_ours()
    seated = await client.umpire.load(form.match)
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    kind, given = kind_of(seated, form.verb), forms.submitted(data)
    values = {part.name: given.get(part.name, "") for part in kind.parts}
    await entered(client, interaction, seated, kind, values, form.version, by_form=True)


async def entered(
    client: GraphPaper,
    interaction: Interaction,
    seated: Seated,
    kind: MoveKind,
    values: Mapping[str, str],
    seen: int | None = None,
    by_form: bool = False,
) -> None:
    """Play a move that somebody wrote, ask first where nobody can undo it, or hand it back to be mended."""
    text = kind.write(values)
    try:
        if not (kind.final and await asked(client, interaction, seated, kind, values)):
            await played(client, interaction, seated, text, seen)
    except (MoveError, Stale) as fault:
        seated = await client.umpire.load(seated.id)
        seat = seated.seat_of(user_of(interaction))
        lengthy = any(part.is_line for part in kind.parts)
        if seat not in seated.turn or not (lengthy or (by_form and isinstance(fault, MoveError))):
            raise
        if not kind.when(Sight.of(seated, seat).position, seat) or not drafts.fits(kind, values):
            raise
        raise Returned(MOVED_ON if isinstance(fault, Stale) else str(fault), seated, seat, kind, values) from fault


async def asked(
    client: GraphPaper, interaction: Interaction, seated: Seated, kind: MoveKind, values: Mapping[str, str]
) -> bool:
    """Ask whoever makes a move that nobody can undo whether they mean it; a move that is refused raises instead."""
    seat = expect_seat(seated, user_of(interaction))
    if seat not in seated.turn:
        return False
    text = kind.write(values)
    seated.folded.play(seat, text)
    position = imagined(seated, seat, text) if kind.parts else None
    drawing = await client.renderer.draw(seated.game, position) if position else None
    shown = views.galleries(drawing.pictures, str(position)) if drawing else []
    files = drawing.files(str(position)) if drawing else []
    view = drafts.asked(seated, seat, kind, values, shown)
    if interaction.message and interaction.message.flags.ephemeral:
        await interaction.response.edit_message(view=view, attachments=files)
    else:
        await interaction.response.send_message(view=view, files=files, ephemeral=True)
    return True


def imagined(seated: Seated, seat: Seat, text: str) -> Position | None:
    """What a move would look like by itself, before all others: nothing that others hide is in it."""
    folded = seated.folded
    try:
        match = Match.start(seated.game, folded.options.record(), folded.seats).play(seat, text)
    except MoveError:
        return None
    return match.position.seen_by(seat)


async def hand_back(interaction: Interaction, refusal: Returned, sentence: str) -> None:
    """Refuse a move with the way to mend it; what has been handed back before is refused in place."""
    view = drafts.refused(refusal.seated, refusal.seat, refusal.kind, refusal.values, sentence)
    if interaction.message and drafts.read(refusal.kind, interaction.message.components) is not None:
        await interaction.response.edit_message(view=view, attachments=[])
    else:
        await interaction.response.send_message(view=view, ephemeral=True)


def kind_of(seated: Seated, name: str) -> MoveKind:
    """The kind of move that a button or a form names."""
    kind = next((kind for kind in seated.game.moves if kind.name == name), None)
    if kind is None:
        raise Refusal(f"{seated.game.title} has no move called {name}: use the buttons under the board.")
    return kind


async def played(
    client: GraphPaper, interaction: Interaction, seated: Seated, text: str, seen: int | None = None
) -> None:
    """Play a move in a match that was just read, answer, and show the board."""
    done = await client.umpire.move(act_of(interaction), seated.id, user_of(interaction), text, seen, start=seated)
    asking = " and still ask to call the match off" if decisions.asks(done.after, user_of(interaction)) else ""
    await answered(client, interaction, done, f"You played {last_text(done)}{asking}")


def last_text(done: Done) -> str:
    """The move just played, in canonical notation, short enough for a line."""
    text = done.after.folded.record[-1].text if done.after.folded.record else ""
    return f"**{discord.utils.escape_markdown(text[:100])}**"


async def answered(client: GraphPaper, interaction: Interaction, done: Done, line: str) -> None:
    """Answer an act and have the match shown, whatever becomes of the answer."""
    if done.repeated:
        return
    async with showing(client, done.after.id):
        await _answer(client, interaction, done, line)
        steps.debug("answered %d", done.after.id)


async def _answer(client: GraphPaper, interaction: Interaction, done: Done, line: str) -> None:
    """On the public board, the answer takes the buttons off it; on an own board, or where there are secrets, it is
    the own board as it stands now; elsewhere it is a line with a link."""
    after, message = done.after, interaction.message
    own = message is not None and message.flags.ephemeral
    if after.row.parked:
        await unparked(client, interaction, after)
    elif own or (after.game.secret and after.row.state == "live"):
        await show_own_board(client, interaction, after, f"{line}.", edit=own)
    elif message and message.id == done.before.row.board_message:
        await _answer_on_board(client, interaction, done)
    else:
        elsewhere = "" if channel_of(interaction) == after.place else f" {after.link}"
        await interaction.response.send_message(f"{line}.{elsewhere}", ephemeral=True)


async def _answer_on_board(client: GraphPaper, interaction: Interaction, done: Done) -> None:
    """Take the buttons off a board that a new one follows; a board that is edited in place is left to the publisher."""
    before, after = done.before, done.after
    assert interaction.message
    if after.row.state == "live" and not after.untold:
        await interaction.response.defer()
        return
    view = await client.publisher.closed_board(before, before.row.plies)
    await interaction.response.edit_message(view=view)
    client.publisher.closed.add(interaction.message.id)


# What cannot be undone asks first.


async def resign(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Ask somebody who would leave a match whether they mean it."""
    seat = expect_seat(seated, user_of(interaction))
    await _asked(interaction, seated, seat, texts.resigning(seated, seat), ("resign", "Resign"))


async def call_off(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Ask for a match to be called off; whoever would end it with that is asked whether they mean it."""
    user, manager = user_of(interaction), interaction.permissions.manage_guild
    change, seat = decisions.aborting(seated, user, manager), seated.seat_of(user)
    asked = [person(other) for other in decisions.still_asked(seated, user)]
    waiting = f"{together(asked)} {'agrees' if len(asked) == 1 else 'agree'}" if asked else ""
    if change.ends:
        await _asked(interaction, seated, seat, texts.calling_off(seated, user), ("abort", "Call it off"))
    elif decisions.asks(seated, user):
        sentence = f"You have asked for that already: match {seated.id} ends as soon as {waiting} too."
        await _asked(interaction, seated, seat, sentence, ("playon", "Take it back"), ("stay", "Leave it so"))
    else:
        done = await client.umpire.abort(act_of(interaction), seated.id, user, manager)
        line = f"You ask to call match {seated.id} off: it ends as soon as {waiting} with /match abort"
        await answered(client, interaction, done, line)


async def _asked(
    interaction: Interaction, seated: Seated, seat: Viewer, sentence: str, yes: tuple[str, str],
    no: tuple[str, str] = ("stay", "Play on"),
) -> None:  # fmt: skip
    view = views.question(seated, seat, sentence, yes, no)
    await interaction.response.send_message(view=view, ephemeral=True)


async def _confirmed(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """The answer to a question; the match must still stand as it did when it was asked."""
    seated = await client.umpire.load(button.match)
    expect_live(seated)
    seat = seated.seat_of(user_of(interaction)) if button.own else None
    if button.version != Sight.of(seated, seat).version:
        raise Stale(
            "The match went on since you were asked, and nothing was done: ask again if you still mean it.", seated
        )
    await CONFIRMED[button.verb](client, interaction, button)


async def _resigned(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    done = await client.umpire.resign(act_of(interaction), button.match, user_of(interaction))
    await answered(client, interaction, done, "You resigned")


async def _called_off(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    manager = interaction.permissions.manage_guild
    done = await client.umpire.abort(act_of(interaction), button.match, user_of(interaction), manager)
    await answered(client, interaction, done, "The match is called off")


async def _plays_on(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    done = await client.umpire.play_on(act_of(interaction), button.match, user_of(interaction))
    await answered(client, interaction, done, "You play on")


CONFIRMED: Mapping[str, Act] = {"resign": _resigned, "abort": _called_off, "playon": _plays_on}


async def unparked(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Explain why the board could not be shown, and have it tried again."""
    await client.umpire.store.do(Transaction.park, seated.id, None)
    text = f"That counts, but the board could not be shown: {seated.row.parked}. I try again now."
    await interaction.response.send_message(text, ephemeral=True)


async def accept(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Accept a challenge, or sit down at an open table."""
    lobby = MessageId(interaction.message.id) if interaction.message else None
    done = await client.umpire.accept(act_of(interaction), button.match, user_of(interaction), lobby)
    await _lobby_answered(client, interaction, done)


async def leave(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Get up from an open table."""
    done = await client.umpire.leave(act_of(interaction), button.match, user_of(interaction))
    await _lobby_answered(client, interaction, done)


async def decline(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Decline a challenge."""
    done = await client.umpire.decline(act_of(interaction), button.match, user_of(interaction))
    await _lobby_answered(client, interaction, done)


async def cancel(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Take a challenge back."""
    manager = interaction.permissions.manage_guild
    done = await client.umpire.cancel(act_of(interaction), button.match, user_of(interaction), manager)
    await _lobby_answered(client, interaction, done)


async def begin(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Begin with those who have sat down."""
    done = await client.umpire.begin(act_of(interaction), button.match, user_of(interaction))
    await _lobby_answered(client, interaction, done)


async def _lobby_answered(client: GraphPaper, interaction: Interaction, done: Done) -> None:
    if done.repeated:
        return
    if done.after.row.parked:
        # Whatever closed the channel to us then, it is tried again now.
        await client.umpire.store.do(Transaction.park, done.after.id, None)
    async with showing(client, done.after.id):
        await interaction.response.edit_message(view=views.lobby(done.after))
        steps.debug("answered %d", done.after.id)


LOBBY: Mapping[str, Act] = {
    "accept": accept,
    "join": accept,
    "leave": leave,
    "decline": decline,
    "begin": begin,
    "cancel": cancel,
}


def stale_match(fault: BaseException) -> Seated | None:
    """The match behind a stale board, which is shown with the refusal."""
    return fault.seated if isinstance(fault, Stale) else None


async def show_own_board(
    client: GraphPaper, interaction: Interaction, seated: Seated, text: str, edit: bool = False
) -> None:
    """Show somebody the match as they may see it, for their eyes only; in place of their own board, or as a new one."""
    sight = Sight.of(seated, seated.seat_of(user_of(interaction)))
    drawing = await client.renderer.draw(seated.game, sight.position)
    view = views.board(sight, drawing.pictures)
    view.add_item(discord.ui.TextDisplay(f"{text}\n-# {seated.link}"))
    files = drawing.files(str(sight.position))
    if edit:
        await interaction.response.edit_message(view=view, attachments=files)
    else:
        await interaction.response.send_message(view=view, files=files, ephemeral=True)


def record_for(seated: Seated, user: UserId) -> dict[str, Any]:
    """The record of a match as far as somebody may see it."""
    if seated.match is None:
        raise Refusal("This match has not begun: it has no record yet.")
    return {
        **seated.match.to_json(),
        "moves": [list(line) for line in Sight.of(seated, seated.seat_of(user)).record],
    }
