"""`/match …`, the commands about a single match."""

from __future__ import annotations

import io

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.app.game_commands import MATCH_HELP
from bot.features.agreements import handlers as agreements_handlers
from bot.features.agreements.handlers import ClaimActions, Confirmations, ProposalActions
from bot.features.board.closed_places import MatchRelocator
from bot.features.board.directory import MatchDirectory, MatchFinder
from bot.features.board.publisher import Publisher
from bot.features.board.replies import Replies
from bot.features.challenges.service import Challenges
from bot.features.pads.premove_pads import PremovePads
from bot.features.study import hints, replays
from bot.features.study.hints import HintViewer
from bot.features.study.replays import ABSTRACT_PLAY, OWN, ImportViewer, ReplayViewer
from bot.features.study.reviews import ReviewViewer
from bot.platform import edits
from bot.platform.checks import MOVES, ROWS, costs, offered_in_messages
from bot.platform.interactions import Interaction, key_of, user_of
from bot.play import acts
from bot.play.claims import EXTRA_DAYS
from bot.play.hints import describe_hints_used as used_hints
from bot.play.ids import NOWHERE
from bot.play.loaded_match import Kind, Refusal
from bot.umpire.umpire import Umpire

REPOSTED = "It hasn't begun yet. The message of this challenge was deleted, so I'm posting it again."
OWN_ALONE = "That match is in your direct messages, so there is nobody to show it to. /match record gives it as a file."
AGAIN = "It hasn't begun yet. The message of this challenge was deleted, so here it is again:"


@offered_in_messages
class MatchCommands(commands.GroupCog, group_name="match", group_description="See and change your matches."):
    """Commands for matches of every game."""

    def __init__(
        self,
        umpire: Umpire,
        publisher: Publisher,
        finder: MatchFinder,
        directory: MatchDirectory,
        replies: Replies,
        *,
        confirmations: Confirmations,
        claims: ClaimActions,
        proposals: ProposalActions,
        replays: ReplayViewer,
        reviews: ReviewViewer,
        imports: ImportViewer,
        hints: HintViewer,
        prepare: PremovePads,
        rehousing: MatchRelocator,
        challenges: Challenges,
    ) -> None:
        self._umpire = umpire
        self._publisher = publisher
        self._find = finder.find
        self._directory = directory
        self._replies = replies
        self._confirmations = confirmations
        self._claims = claims
        self._proposals = proposals
        self._replays = replays
        self._reviews = reviews
        self._imports = imports
        self._hints = hints
        self._prepare = prepare
        self._rehousing = rehousing
        self._challenges = challenges

    async def _complete_live(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await self._directory.suggest_live(interaction, current)

    async def _complete_started(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await self._directory.suggest_begun(interaction, current)

    async def _complete_with_boards(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await self._directory.suggest_with_boards(interaction, current)

    async def _complete_private(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await self._directory.suggest_private(interaction, current)

    @costs(2, looks=True)
    @app_commands.command(description="See the board of a match.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_with_boards)
    async def board(self, interaction: Interaction, match: str | None = None) -> None:
        """Show the board in an ephemeral message; a deleted board is posted again, and one in a closed channel moves
        here."""
        loaded = await self._find(interaction, match)
        is_there = loaded.match is not None or await self._directory.challenge_exists(loaded.row)
        if loaded.match is None:
            await edits.answer_anew(interaction, f"It hasn't begun yet: {loaded.link}" if is_there else REPOSTED)
        else:
            loaded, text = await self._rehousing.find_place(interaction, loaded)
            await self._replies.show_own_board(interaction, loaded, text)
        if loaded.row.publish_error:
            await self._publisher.unpark(loaded.id)
        self._publisher.request_repost(loaded.id)
        if not is_there:
            await self._challenges.update_link_when_posted(
                loaded, lambda now: edits.answer_line(interaction, f"{AGAIN} {now.link}")
            )

    @costs(2, looks=True)
    @app_commands.command(description="Go through a match move by move.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_started)
    async def replay(self, interaction: Interaction, match: str | None = None) -> None:
        """Show the match move by move in an ephemeral message."""
        await self._replays.begin(interaction, await self._find(interaction, match))

    @costs(8)
    @app_commands.command(description="Let the computer review a finished match: how it went, and the costliest moves.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_started)
    async def review(self, interaction: Interaction, match: str | None = None) -> None:
        """Show the review in an ephemeral message."""
        await self._reviews.begin(interaction, await self._find(interaction, match))

    @costs(3)
    @app_commands.command(description="Ask the computer for a hint on your turn: first where to play, then which move.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def hint(self, interaction: Interaction, match: str | None = None) -> None:
        """Show a hint in an ephemeral message."""
        await self._hints.give(interaction, await self._find(interaction, match, wanted=hints.has_hints))

    @costs(2, looks=True)
    @app_commands.command(description="Get the record of a match as a file.")
    @app_commands.describe(
        match=MATCH_HELP,
        format="For AbstractPlay's programs instead of ours, once the match is over",
        name="Whether your name is in AbstractPlay's format; other people's never are",
    )
    @app_commands.choices(format=[app_commands.Choice(name=one, value=one) for one in (OWN, ABSTRACT_PLAY)])
    @app_commands.autocomplete(match=_complete_live)
    async def record(
        self, interaction: Interaction, match: str | None = None, format: str = OWN, name: bool = False
    ) -> None:
        """Send the record as the caller may see it."""
        loaded, user = await self._find(interaction, match), user_of(interaction)
        if format == ABSTRACT_PLAY:
            own = interaction.user.display_name if name else None
            found = replays.build_abstract_play_records(loaded, user, self._umpire.clock(), own)
            said = replays.FOREIGN_NAMED if name else replays.FOREIGN
            filename = f"match-{loaded.id}-abstractplay.json{'l' if len(found) > 1 else ''}"
        elif name:
            raise Refusal(replays.NAMELESS)
        else:
            found = replays.build_records(loaded, user)
            said, filename = replays.describe_record(loaded, user), f"match-{loaded.id}.jsonl"
        file = discord.File(io.BytesIO(replays.encode_lines(found)), filename)
        told = f"{said.format(match=loaded.id)} {used_hints(loaded.row, user)}".strip()
        await edits.answer_anew(interaction, told, [file])

    @costs(4)
    @app_commands.command(name="import", description="Go through a match from a file that /match record gave you.")
    @app_commands.describe(
        file="The file; only you see it, and it isn't kept", record="Which record, if the file has several"
    )
    async def import_record(
        self, interaction: Interaction, file: discord.Attachment, record: app_commands.Range[int, 1, 999] = 1
    ) -> None:
        """Show a record from a file in an ephemeral message."""
        await self._imports.begin(interaction, file, record)

    @costs(2, looks=True)
    @app_commands.command(
        name="prepared",
        description="See the answers you have ready in a match, add more, or clear them.",
        extras={MOVES: {"theirs", "yours"}, ROWS: {"theirs", "yours"}},
    )
    @app_commands.describe(
        theirs="A move that your opponent may make, as you would write it on paper",
        yours="Your answer to it",
        match=MATCH_HELP,
    )
    @app_commands.autocomplete(match=_complete_live)
    async def show_premoves(
        self, interaction: Interaction, theirs: str | None = None, yours: str | None = None, match: str | None = None
    ) -> None:
        """Show the caller's premoves in an ephemeral message, with one more if it is given."""
        await self._prepare.show(interaction, await self._find(interaction, match), theirs, yours)

    @app_commands.command(description="Give up a match for good.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def resign(self, interaction: Interaction, match: str | None = None) -> None:
        """Ask for confirmation; with two players the other wins."""
        await self._confirmations.resign(interaction, await self._find(interaction, match))

    @app_commands.command(description="Claim a match against somebody who ran out of time.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def claim(self, interaction: Interaction, match: str | None = None) -> None:
        """Ask for confirmation; the player who ran out of time leaves the match."""
        await self._claims.claim(
            interaction, await self._find(interaction, match, wanted=agreements_handlers.has_missing_player)
        )

    @app_commands.command(description=f"Give {EXTRA_DAYS} more days to somebody who ran out of time.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def give(self, interaction: Interaction, match: str | None = None) -> None:
        """Give more time to the player who ran out of it."""
        await self._claims.give_time(
            interaction, await self._find(interaction, match, wanted=agreements_handlers.has_missing_player)
        )

    @app_commands.command(description="Call a match off if everybody agrees; it doesn't count.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def abort(self, interaction: Interaction, match: str | None = None) -> None:
        """Propose to abort a match, or agree to that."""
        await self._confirmations.call_off(interaction, await self._find(interaction, match))

    @app_commands.command(description="Ask the others to let you take back your last move, or agree to it.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def takeback(self, interaction: Interaction, match: str | None = None) -> None:
        """Propose a takeback, or agree to one."""
        await self._propose(interaction, match, "takeback")

    @app_commands.command(description="Offer a draw, or agree to one.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def draw(self, interaction: Interaction, match: str | None = None) -> None:
        """Propose a draw, or agree to one."""
        await self._propose(interaction, match, "draw")

    @app_commands.command(description="Ask the others to pause a match, which stops its clocks.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def pause(self, interaction: Interaction, match: str | None = None) -> None:
        """Propose a pause, or agree to one."""
        await self._propose(interaction, match, "pause")

    @app_commands.command(description="Ask the others to go on with a paused match.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def resume(self, interaction: Interaction, match: str | None = None) -> None:
        """Propose to resume, or agree to that."""
        await self._propose(interaction, match, "resume")

    async def _propose(self, interaction: Interaction, match: str | None, kind: Kind) -> None:
        loaded = await self._find(interaction, match, wanted=agreements_handlers.make_proposal_filter(kind))
        await self._proposals.propose(interaction, loaded, kind)

    @costs(2)
    @app_commands.command(
        description="Let somebody else take over a seat, if everybody agrees. The match is then not rated."
    )
    @app_commands.describe(seat="Whose seat: yours or somebody else's", player="Who takes over", match=MATCH_HELP)
    @app_commands.autocomplete(match=_complete_live)
    async def replace(
        self, interaction: Interaction, seat: str, player: discord.User, match: str | None = None
    ) -> None:
        """Propose a substitute to all other players and to the new one."""
        await self._proposals.replace(interaction, await self._find(interaction, match), seat, player)

    @replace.autocomplete("seat")
    async def complete_seat(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest seats of the match."""
        try:
            loaded = await self._find(interaction, getattr(interaction.namespace, "match", None))
        except Refusal:
            return []
        return await self._proposals.suggest_seats(interaction, loaded, current)

    @app_commands.command(description="Show everybody a finished match that you played alone.")
    @app_commands.describe(match="The number of the match, or a link to it")
    @app_commands.autocomplete(match=_complete_private)
    async def publish(self, interaction: Interaction, match: str) -> None:
        """Publish a solo match."""
        loaded = await self._find(interaction, match)
        if loaded.row.guild == NOWHERE:
            raise Refusal(OWN_ALONE)
        done = await self._umpire.act(key_of(interaction), loaded.id, user_of(interaction), acts.publish)
        await self._replies.answer_act(interaction, done, "Everybody can see that match now.")


async def setup(bot: GraphPaper) -> None:
    cog = MatchCommands(
        bot.umpire,
        bot.publisher,
        bot.handlers.finder,
        bot.handlers.directory,
        bot.handlers.replies,
        confirmations=bot.handlers.confirmations,
        claims=bot.handlers.claim_actions,
        proposals=bot.handlers.proposal_actions,
        replays=bot.handlers.replay_viewer,
        reviews=bot.handlers.review_viewer,
        imports=bot.handlers.import_viewer,
        hints=bot.handlers.hint_viewer,
        prepare=bot.handlers.prepare_pads,
        rehousing=bot.handlers.rehousing,
        challenges=bot.handlers.challenges,
    )
    await bot.add_cog(cog)
