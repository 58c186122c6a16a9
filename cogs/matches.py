"""`/matches`, where matches are found again; `/tables`, free seats; and `/match …`, what can be done to one match."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.client.app.game_commands import MATCH_HELP
from bot.client.interactions.context import (
    Interaction,
    act_of,
    channel_of,
    client_of,
    guild_of,
    match_of,
    user_of,
)
from bot.client.interactions.resolve_match import Wanted, find
from bot.client.lobby import challenges, claiming, proposal_actions, replacing
from bot.client.moves import confirm
from bot.client.study import hint_viewer, replay_viewer, review_viewer
from bot.client.text import match_list, match_text
from bot.client.views import replies
from bot.core.match.loaded_match import Refusal, Seated
from bot.core.match.stored import MatchRow, State
from bot.core.values.ids import UserId
from bot.service.analysis import hints
from data.store import Reader, Transaction

STATES: Mapping[str, tuple[State, ...]] = {
    "mine": ("open", "live"), "finished": ("finished", "aborted"), "all here": ("live",),
}  # fmt: skip
HEADS = {"mine": "### Your matches", "finished": "### Finished matches", "all here": "### What is played here"}
NONE = {
    "mine": "You have no match here: /play challenges somebody, /tables shows free seats.",
    "finished": "You have finished no match here yet: /matches shows those you play.",
    "all here": "Nobody plays here just now: /play begins a match.",
}
NO_TABLE = "No seat is free here just now: /play opens a table."


async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """The asker's live matches."""
    return await challenges.live_matches(interaction, current)


async def complete_begun(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """The asker's matches that can be gone through again."""
    return await challenges.begun_matches(interaction, current)


async def complete_private(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """The asker's matches alone that could be published."""
    return await challenges.private_matches(interaction, current)


async def meant(interaction: Interaction, match: int | None, wanted: Wanted | None = None) -> Seated:
    """The match that the asker means."""
    umpire, user = client_of(interaction).umpire, user_of(interaction)
    return await find(
        umpire, guild_of(interaction), channel_of(interaction), user, named=match_of(match), wanted=wanted
    )


class Matches(commands.GroupCog, group_name="match", group_description="What can be done to a match."):
    """Commands that any match has."""

    @app_commands.command(description="See the board of a match as you may see it.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def board(self, interaction: Interaction, match: int | None = None) -> None:
        """Show the board to the asker alone; a board that was deleted is posted again."""
        client, seated = client_of(interaction), await meant(interaction, match)
        if seated.match is None:
            await interaction.response.send_message(f"It has not begun: {seated.link}", ephemeral=True)
        else:
            parked = f"The board could not be shown in its place: {seated.row.parked}. I try again now."
            text = parked if seated.row.parked else "Only you see this board."
            await replies.show_own_board(client, interaction, seated, text)
        if seated.row.parked:
            await client.umpire.store.do(Transaction.park, seated.id, None)
        client.publisher.soon_restored(seated.id)

    @app_commands.command(description="Go through a match move by move, as far as you may see it.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete_begun)
    async def replay(self, interaction: Interaction, match: int | None = None) -> None:
        """Show the match line by line to the asker alone."""
        await replay_viewer.begin(client_of(interaction), interaction, await meant(interaction, match))

    @app_commands.command(description="Have the computer review a match that is over: how it went, and what cost most.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete_begun)
    async def review(self, interaction: Interaction, match: int | None = None) -> None:
        """Show the review to the asker alone."""
        await review_viewer.begin(client_of(interaction), interaction, await meant(interaction, match))

    @app_commands.command(description="Ask the computer for a hint on your turn: about where to play, then which move.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def hint(self, interaction: Interaction, match: int | None = None) -> None:
        """Give a hint to the asker alone."""
        await hint_viewer.asked(
            client_of(interaction), interaction, await meant(interaction, match, hint_viewer.wanted)
        )

    @app_commands.command(description="Get the record of a match as a file.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def record(self, interaction: Interaction, match: int | None = None) -> None:
        """Send the record, as far as the asker may see it."""
        seated = await meant(interaction, match)
        lines = [json.dumps(record) for record in replies.records_for(seated, user_of(interaction))]
        written = "".join(f"{line}\n" for line in lines).encode()
        file = discord.File(io.BytesIO(written), f"match-{seated.id}.jsonl")
        each = ", each leg on a line" if len(lines) > 1 else ""
        said = f"The record of match {seated.id}: its options, its seats and all that was played, as text{each}."
        used = hints.used(seated.row, user_of(interaction))
        await interaction.response.send_message(f"{said} {used}".strip(), file=file, ephemeral=True)

    @app_commands.command(description="Give a match up for good.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def resign(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask whether the asker means it; with two players the other wins."""
        await confirm.resign(client_of(interaction), interaction, await meant(interaction, match))

    @app_commands.command(description="Claim a match against somebody who ran out of time.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def claim(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask whether the asker means it; who ran out of time leaves the match."""
        await claiming.claim(interaction, await meant(interaction, match, claiming.wanted))

    @app_commands.command(description="Give 3 more days to somebody who ran out of time.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def give(self, interaction: Interaction, match: int | None = None) -> None:
        """Give who ran out of time another chance."""
        await claiming.give(client_of(interaction), interaction, await meant(interaction, match, claiming.wanted))

    @app_commands.command(description="Call a match off, unrated, if everybody in it agrees.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def abort(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask for a match to be called off, or agree to that."""
        await confirm.call_off(client_of(interaction), interaction, await meant(interaction, match))

    @app_commands.command(description="Ask all others to let you take your last move back, or agree to that.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def takeback(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask for a takeback, or agree to the one that is asked for."""
        await proposal_actions.ordered(
            interaction, await meant(interaction, match, proposal_actions.wanted("takeback")), "takeback"
        )

    @app_commands.command(description="Offer a draw, or agree to one.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def draw(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask for a draw, or agree to the one that is asked for."""
        await proposal_actions.ordered(
            interaction, await meant(interaction, match, proposal_actions.wanted("draw")), "draw"
        )

    @app_commands.command(description="Ask all others to pause a match: its clocks stand still.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def pause(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask for a pause, or agree to the one that is asked for."""
        await proposal_actions.ordered(
            interaction, await meant(interaction, match, proposal_actions.wanted("pause")), "pause"
        )

    @app_commands.command(description="Ask all others to go on with a match that is paused.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def resume(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask to go on, or agree to that."""
        await proposal_actions.ordered(
            interaction, await meant(interaction, match, proposal_actions.wanted("resume")), "resume"
        )

    @app_commands.command(description="Hand a seat on to another person, if all agree; the match is then not rated.")
    @app_commands.describe(seat="Whose seat it is: yours or another's", player="Who takes it over", match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def replace(
        self, interaction: Interaction, seat: int, player: discord.User, match: int | None = None
    ) -> None:
        """Ask all others, and the new person, that this one takes over a seat."""
        await replacing.ordered(client_of(interaction), interaction, await meant(interaction, match), seat, player)

    @replace.autocomplete("seat")
    async def complete_seat(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The seats of the match that is meant."""
        try:
            seated = await meant(interaction, getattr(interaction.namespace, "match", None))
        except Refusal:
            return []
        return await replacing.seats(interaction, seated, current)

    @app_commands.command(description="Show everybody a finished match that you played alone.")
    @app_commands.describe(match="The number of the match")
    @app_commands.autocomplete(match=complete_private)
    async def publish(self, interaction: Interaction, match: int) -> None:
        """Publish a match played alone."""
        client, seated = client_of(interaction), await meant(interaction, match)
        done = await client.umpire.publish(act_of(interaction), seated.id, user_of(interaction))
        await replies.answered(client, interaction, done, "Everybody may see that match now")


class Lists(commands.Cog):
    """The lists in which matches are found again."""

    @app_commands.command(description="Your matches, those that wait for you first; or what is played here.")
    @app_commands.describe(
        which="mine: what you play; finished: what you have played; all here: what anybody plays; else mine",
        person="Only matches of this person; with finished, theirs instead of yours",
        game="Only matches of this game",
    )
    async def matches(
        self,
        interaction: Interaction,
        which: Literal["mine", "finished", "all here"] = "mine",
        person: discord.User | None = None,
        game: str | None = None,
    ) -> None:
        """List matches with links to them."""
        user = user_of(interaction)
        key = challenges.named_game(game).key if game else None
        other = UserId(person.id) if person else None
        users = {user, other or user} if which == "mine" else {other} if other else set[UserId]()
        if which == "finished" and not users:
            users = {user}
        rows = await found(interaction, STATES[which], users, key)
        if which == "mine" and not other:
            rows += await asked_in(interaction, key)
        games = client_of(interaction).umpire.games
        if which == "mine":
            rows.sort(key=lambda row: match_list.urgency(row, user, games))
        apart = await away(interaction, rows)
        lines = [match_list.line(row, games[row.game], user, apart) for row in rows]
        narrowed = person is not None or game is not None
        text = match_text.listed(HEADS[which], lines, total=len(lines)) if lines else nothing(which, narrowed)
        await interaction.response.send_message(text, ephemeral=True, suppress_embeds=True)

    @app_commands.command(description="Tables in this server at which a seat is free.")
    async def tables(self, interaction: Interaction) -> None:
        """List open tables with links to them."""
        client = client_of(interaction)
        now = client.umpire.clock()
        rows = [row for row in await found(interaction, ("open",)) if match_list.free(row) and (row.expires or 0) > now]
        lines = [match_list.table(row, client.umpire.games[row.game]) for row in rows]
        text = match_text.listed("### Free seats", lines, "-# Follow a link and press Join.") if lines else NO_TABLE
        await interaction.response.send_message(text, ephemeral=True, suppress_embeds=True)

    @matches.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games whose name holds what has been typed."""
        return challenges.game_choices(current)


async def found(
    interaction: Interaction, states: Sequence[State], users: Collection[UserId] = (), game: str | None = None
) -> list[MatchRow]:
    """The matches of this server that the asker may learn of, the latest first."""
    umpire = client_of(interaction).umpire
    rows = await umpire.store.ask(Reader.listed, guild_of(interaction), states, users, game)
    return [row for row in rows if row.game in umpire.games and match_list.may_find(interaction, row)]


async def asked_in(interaction: Interaction, game: str | None) -> list[MatchRow]:
    """The matches of this server of which the asker is asked to take over a seat."""
    umpire, user = client_of(interaction).umpire, user_of(interaction)
    rows = await umpire.store.ask(Reader.asked_in, guild_of(interaction), user)
    asked = [row for row in rows if row.game in umpire.games and game in (None, row.game)]
    return [row for row in asked if match_list.asked_in(row, user) and match_list.may_find(interaction, row)]


async def away(interaction: Interaction, rows: Sequence[MatchRow]) -> match_list.Apart:
    """Who of those for whom some matches wait is not there, as far as that is known."""
    client, guild = client_of(interaction), guild_of(interaction)
    people = {player.user for row in rows for player in match_list.to_move(row)}
    absent = await client.umpire.store.ask(Reader.absent, guild, people, client.umpire.clock())
    return match_list.Apart(client.publisher.members.known(guild, people), absent)


def nothing(which: str, narrowed: bool) -> str:
    """The sentence for an empty list."""
    if narrowed:
        return "There is no such match here: /matches with fewer options shows more."
    return NONE[which]


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Matches())
    await bot.add_cog(Lists())
