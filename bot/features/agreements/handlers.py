"""Asks for confirmation, claims, and proposals, by command and by button."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Protocol

import discord
from discord import app_commands, ui

from bot.engine.levels import SearchQuestion, Thought
from bot.features.agreements import words
from bot.features.board import time_words
from bot.features.board import words as board_words
from bot.features.board.ids import Act, ActButton, AnswerButton, ClaimButton, ProposeButton, stamp
from bot.features.board.replies import Replies
from bot.features.challenges.service import NamedUser, read_chosen_people
from bot.games.notation import quote_whole
from bot.games.position import Seat, Viewer
from bot.games.wording import Plural, join_words
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.custom_ids import CustomId
from bot.platform.interactions import (
    Interaction,
    MalformedInput,
    bot_of,
    is_outside,
    key_of,
    manages_server,
    suggest_if_available,
    user_of,
)
from bot.platform.jobs import Asker, JobPriority
from bot.platform.routes import on
from bot.platform.ui import OVER, Control, frame_view, make_row
from bot.play import acts, challenges, claims, proposals
from bot.play.acts import NotPossibleNow, StaleBoard, expect_live, expect_seat
from bot.play.ids import NOWHERE, GuildId, MatchId, UserId
from bot.play.loaded_match import Kind, LoadedMatch, MatchView, Refusal, mention_user
from bot.play.rows import MatchRow, Player
from bot.umpire.acts import ConsentService
from bot.umpire.umpire import ActResult, Umpire

NAMED_THERE = "Somebody who takes over a seat is named in the server of the match, with /match replace in its thread."
NO_SUBSTITUTES = "That match is in your direct messages, where nobody else can take over a seat."
WHO_TAKES_OVER = "Who takes over from {who}? They are asked, and so is everybody else who plays."


def build_question(sentence: str, yes: tuple[CustomId, str], no: tuple[CustomId, str]) -> ui.LayoutView:
    """A question before an act that cannot be undone, for one player, with the answers and their labels."""
    return frame_view(OVER, ui.TextDisplay(sentence), make_row(Control(*yes, discord.ButtonStyle.danger), Control(*no)))


def build_substitute_select(loaded: LoadedMatch, player: Player) -> ui.LayoutView:
    """The select that names the substitute of a player who has left the server."""
    button = ClaimButton(*stamp(MatchView.of(loaded, None)), "newcomer", player.seat or 0)
    sentence = WHO_TAKES_OVER.format(who=mention_user(player.user))
    return frame_view(OVER, ui.TextDisplay(sentence), make_row(Control(button, "Choose somebody", people=1)))


# Asks for confirmation before acts that cannot be undone: resigning a match, and calling it off.


CHANGED = "The match moved on after I asked you, so nothing was done. Try again if you still want to."
ASKED = Plural(
    "You asked to call match {match} off. It ends as soon as {names} agrees.",
    "You asked to call match {match} off. It ends as soon as {names} agree.",
)
ALREADY_ASKED = Plural(
    "You already asked to call match {match} off. It ends as soon as {names} agrees.",
    "You already asked to call match {match} off. It ends as soon as {names} agree.",
)


class Confirmations:
    """Resigns and calls off matches, after a question."""

    def __init__(
        self, umpire: Umpire, replies: Replies, asked_after: Callable[[LoadedMatch], Awaitable[LoadedMatch]]
    ) -> None:
        self._umpire = umpire
        self._asked_after = asked_after
        self._replies = replies

    @on(ActButton, words="giveup calloff")
    async def answer_button(self, interaction: Interaction, button: ActButton) -> None:
        """Ask a player who resigns or calls a match off by a button."""
        loaded = await self._umpire.load(button.match)
        await (self.resign if button.verb == "giveup" else self.call_off)(interaction, loaded)

    async def resign(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Ask a player who resigns to confirm."""
        seat = expect_seat(loaded, user_of(interaction))
        acts.resign(loaded, user_of(interaction))  # who is out already is refused before the question
        await _ask(interaction, loaded, seat, words.format_resign_question(loaded, seat), ("resign", "Resign"))

    async def call_off(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Ask the others to call a match off; a player whose request would end it confirms first."""
        user, manager = user_of(interaction), manages_server(interaction)
        if loaded.row.state == "open":
            done = await self._umpire.act(key_of(interaction), loaded.id, user, partial(acts.cancel, manager=manager))
            await self._replies.answer_act(interaction, done, f"You withdrew the challenge to match {loaded.id}.")
            return
        outcome, seat = claims.abort(loaded, user, self._umpire.clock(), manager), loaded.seat_of(user)
        if loaded.missing_players and loaded.has(user):
            await self._asked_after(loaded)
        if outcome.row.state == "aborted":
            await _ask(interaction, loaded, seat, words.format_abort_question(loaded, user), ("abort", "Call it off"))
        elif loaded.asks_to_abort(user):
            sentence = _describe_waiting(loaded, user, ALREADY_ASKED)
            await _ask(interaction, loaded, seat, sentence, ("playon", "Take it back"), ("stay", "Leave it"))
        else:
            await self._call_off(interaction, loaded.id)

    @on(ActButton, words="resign abort playon")
    async def carry_out(self, interaction: Interaction, button: ActButton) -> None:
        """Do what a player has confirmed with a button, if the match has not changed since the question."""
        await self.expect_same(interaction, button)
        act, user = key_of(interaction), user_of(interaction)
        if button.verb == "resign":
            done = await self._umpire.act(act, button.match, user, acts.resign)
            await self._replies.answer_act(interaction, done, "You resigned.")
        elif button.verb == "playon":
            done = await self._umpire.act(act, button.match, user, claims.play_on)
            await self._replies.answer_act(interaction, done, "You play on.")
        else:
            if (loaded := await self._umpire.load(button.match)).missing_players and loaded.has(user):
                await self._asked_after(loaded)
            await self._call_off(interaction, button.match)

    @on(ActButton, words="stay")
    async def keep_playing(self, interaction: Interaction, _button: ActButton) -> None:
        await edits.answer(interaction, platform_ui.build_notice("Nothing was changed."))

    async def expect_same(self, interaction: Interaction, button: ActButton | ClaimButton) -> None:
        """Refuse an answer to a question where the match has changed since, on the board that the player sees."""
        loaded = await self._umpire.load(button.match)
        expect_live(loaded)
        seat = loaded.seat_of(user_of(interaction)) if button.own else None
        if button.version != MatchView.of(loaded, seat).version:
            raise StaleBoard(CHANGED, loaded)

    async def _call_off(self, interaction: Interaction, match: MatchId) -> None:
        """Call a match off, or ask for that. Others may have asked or refused meanwhile: the answer goes by the stored
        match."""
        user, manager, now = user_of(interaction), manages_server(interaction), self._umpire.clock()
        done = await self._umpire.act(key_of(interaction), match, user, partial(claims.abort, now=now, manager=manager))
        called_off = done.after.row.state == "aborted"
        line = "The match is called off." if called_off else _describe_waiting(done.after, user, ASKED)
        await self._replies.answer_act(interaction, done, line)


def _describe_waiting(loaded: LoadedMatch, user: UserId, told: Plural) -> str:
    """A sentence about the players who must still agree to call a match off."""
    asked = [mention_user(other) for other in claims.asked_to_abort(loaded, user)]
    return told.fill_in(len(asked), match=loaded.id, names=join_words(asked))


async def _ask(
    interaction: Interaction, loaded: LoadedMatch, seat: Viewer, sentence: str, yes: tuple[Act, str],
    no: tuple[Act, str] = ("stay", "Play on"),
) -> None:  # fmt: skip
    of = stamp(MatchView.of(loaded, seat))
    view = build_question(sentence, (ActButton(*of, yes[0]), yes[1]), (ActButton(*of, no[0]), no[1]))
    await edits.answer_anew(interaction, view)


# Lets players claim a match against a player who ran out of time, or give that player more time.


STILL_HERE = "Nobody on that seat has left this server by now. Nothing was changed."
RefreshMissing = Callable[[LoadedMatch], Awaitable[LoadedMatch]]
"""Asks Discord whether players who count as gone are still gone."""


class ClaimActions:
    """Claims matches and gives more time."""

    def __init__(
        self,
        umpire: Umpire,
        replies: Replies,
        confirmations: Confirmations,
        asked_after: RefreshMissing,
    ) -> None:
        self._umpire = umpire
        self._replies = replies
        self._confirmations = confirmations
        self._asked_after = asked_after

    @on(ClaimButton, words="claim give substitute")
    async def answer_button(self, interaction: Interaction, button: ClaimButton) -> None:
        """Answer a button about a player's time."""
        acts = {"claim": self.claim, "give": self.give_time, "substitute": self._ask_for_substitute}
        await acts[button.verb](interaction, await self._umpire.load(button.match), button.seat)

    async def claim(self, interaction: Interaction, loaded: LoadedMatch, seat: Seat | None = None) -> None:
        """Ask a player to confirm a claim; without a seat, against the player who ran out first."""
        user = user_of(interaction)
        outcome, player = claims.claim_seat(loaded, user, seat), claims.expect_claimable(loaded, seat)
        if player.gone:
            await self._asked_after(loaded)
        sentence = time_words.format_claim_question(loaded, player, ends=outcome.row.state != "live")
        of = stamp(MatchView.of(loaded, loaded.seat_of(user)))
        yes = ClaimButton(*of, "claimed", player.seat or 0), "Claim"
        view = build_question(sentence, yes, (ActButton(*of, "stay"), "Keep waiting"))
        await edits.answer_anew(interaction, view)

    async def give_time(self, interaction: Interaction, loaded: LoadedMatch, seat: Seat | None = None) -> None:
        """Give more time to a seat that ran out of it; without a seat, to the one that did so first."""
        user = user_of(interaction)
        claims.give_time(loaded, user, seat)
        player = claims.expect_late(loaded, seat)
        done = await self._umpire.act(key_of(interaction), loaded.id, user, partial(claims.give_time, seat=player.seat))
        await self._replies.answer_act(
            interaction, done, f"You gave {mention_user(player.user)} {claims.EXTRA_DAYS} more days."
        )

    @on(ClaimButton, words="claimed")
    async def carry_out_claim(self, interaction: Interaction, button: ClaimButton) -> None:
        """Claim a match, as its player has confirmed."""
        seat, user = button.seat, user_of(interaction)
        await self._confirmations.expect_same(interaction, button)
        loaded = await self._umpire.load(button.match)
        if any(player.seat == seat for player in loaded.missing_players):
            await self._asked_after(loaded)
        done = await self._umpire.act(key_of(interaction), button.match, user, partial(claims.claim_seat, seat=seat))
        goes_on = f"{mention_user(done.after.user_at(seat))} is out, and the match goes on."
        line = goes_on if done.after.row.state == "live" else "You claimed the match."
        await self._replies.answer_act(interaction, done, line)

    async def _ask_for_substitute(self, interaction: Interaction, loaded: LoadedMatch, seat: Seat) -> None:
        """Show the select of a substitute for a player who has left the server."""
        proposals.expect_voter(loaded, user_of(interaction))
        player = next((player for player in loaded.missing_players if player.seat == seat), None)
        if player is None:
            raise NotPossibleNow(STILL_HERE)
        await self._asked_after(loaded)
        await edits.answer_anew(interaction, build_substitute_select(loaded, player))


def has_missing_player(row: MatchRow) -> bool:
    """Whether a player ran out of time in a match, or has left the server."""
    return any(player.forfeit_at is not None or player.gone for player in row.players)


# Puts proposals to all players (takeback, draw, pause, resume, replace) and answers them, by command and by button.


ASK_WITHIN = 0.7
"""Seconds to ask Discord whether a user has left the server; an answer waits meanwhile."""


NoteReturn = Callable[[GuildId, UserId], Awaitable[None]]
"""Notes that a user is back in a server."""


class MemberLookup(Protocol):
    async def has_surely_left(self, guild: GuildId, user: UserId, within: float) -> bool:
        """Ask Discord, `within` this number of seconds, whether a user has left a server."""
        ...

    def find_known_departed(self, guild: GuildId, users: Iterable[UserId]) -> frozenset[UserId]:
        """Which of these users are known to have left a server."""
        ...

    def list_names(self, guild: GuildId, users: Iterable[UserId]) -> Mapping[UserId, str]:
        """The users' names in a server, where known."""
        ...


class Searchers(Protocol):
    """Runs the computer's searches."""

    async def think(self, question: SearchQuestion, order: JobPriority, asker: Asker) -> Thought:
        """Answer a question about a board; this takes a while."""
        ...


class ProposalActions:
    """Puts proposals and answers them; computers think about a draw before players are asked."""

    def __init__(
        self, umpire: Umpire, replies: Replies, searchers: Searchers, members: MemberLookup, noticed: NoteReturn
    ) -> None:
        self._umpire = umpire
        self._consent = ConsentService(umpire)
        self._replies = replies
        self._searchers = searchers
        self._members = members
        self._noticed = noticed

    # --- commands

    async def propose(self, interaction: Interaction, loaded: LoadedMatch, kind: Kind) -> None:
        """Propose something by command. Where it is proposed already, agree; or offer to withdraw one's own."""
        user, proposal = user_of(interaction), proposals.open_proposal(loaded)
        if proposal and proposal.kind == kind and proposal.seat == loaded.seat_of(user):
            await _offer_to_withdraw(interaction, loaded, proposal.seat)
            return
        if proposal and proposal.kind == kind and await self._confirm(interaction, loaded):
            return
        if kind == "draw" and not proposal and challenges.find_match_level(loaded.row):
            await self._offer_draw(interaction, loaded)
            return
        done = await self._consent.propose(key_of(interaction), loaded.id, user, kind)
        await self._answer_proposal(interaction, done, kind)

    async def replace(self, interaction: Interaction, loaded: LoadedMatch, number: object, named: NamedUser) -> None:
        """Propose by command that another user takes over a seat; that user is asked as well."""
        seat = parse_seat(number)
        user, proposal = user_of(interaction), proposals.open_proposal(loaded)
        if proposal and proposal.kind == "replace" and proposal.seat == loaded.seat_of(user):
            await _offer_to_withdraw(interaction, loaded, proposal.seat)
            return
        proposals.expect_voter(loaded, user)
        proposals.expect_place(loaded, seat)
        new, old = expect_member(interaction, loaded, named), loaded.user_at(seat)
        absent = old != user and await self._members.has_surely_left(loaded.row.guild, old, ASK_WITHIN)
        if not absent and any(player.user == old for player in loaded.missing_players):
            await self._noticed(loaded.row.guild, old)
        now = self._umpire.clock()
        done = await self._umpire.act(
            key_of(interaction),
            loaded.id,
            user,
            partial(proposals.propose_substitute, of=seat, new=new, now=now, absent=absent),
        )
        await self._answer_proposal(interaction, done, "replace")

    @on(ClaimButton, words="newcomer")
    async def replace_with_chosen(self, interaction: Interaction, button: ClaimButton) -> None:
        """Propose that the chosen user takes over from a player who has left the server."""
        named = read_chosen_people(interaction)
        if len(named) != 1:
            raise MalformedInput
        await self.replace(interaction, await self._umpire.load(button.match), button.seat, named[0])

    @suggest_if_available
    async def suggest_seats(
        self, interaction: Interaction, loaded: LoadedMatch, current: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest the seats of a match that can be handed over, with their players' names where known, and their
        colours too where two have one name."""
        user, typed = user_of(interaction), current.strip()
        if loaded.turn == () or loaded.seat_of(user) is None or loaded.begun_match.seats == 1:
            return []
        members, guild, left = self._members, loaded.row.guild, loaded.begun_match.withdrawn_seats
        gone = members.find_known_departed(guild, [player.user for player in loaded.players])
        names = members.list_names(guild, [player.user for player in loaded.players])
        offered = [
            (board_words.format_seat_choice(loaded, player.seat, user, gone, names.get(player.user)), player.seat)
            for player in loaded.players
            if player.seat and player.seat not in left
        ]
        return [
            app_commands.Choice(name=name, value=str(seat))
            for name, seat in offered
            if typed.lower() in f"{seat} {name}".lower()
        ]

    async def _offer_draw(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Offer a draw to computers: the answer is deferred, since they think about it for a while."""
        user = user_of(interaction)
        challenges.find_seats_to_ask(loaded, user, self._umpire.clock())
        await interaction.response.defer(ephemeral=True, thinking=True)
        asker = Asker(loaded.row.guild, user)

        async def thinks(question: SearchQuestion) -> Thought:
            return await self._searchers.think(question, JobPriority.MOVE, asker)

        done = await self._consent.propose_draw(key_of(interaction), loaded.id, user, thinks)
        if done.after.row.state == "live" and proposals.open_proposal(done.after) is None:
            await self._replies.answer_act(interaction, done, words.describe_declined_draw(done.after))
        else:
            await self._answer_proposal(interaction, done, "draw")

    async def _answer_proposal(self, interaction: Interaction, done: ActResult, kind: Kind) -> None:
        """Answer a proposal: it waits for others, or it is carried out."""
        proposal = proposals.open_proposal(done.after)
        if proposal is None:
            line = words.describe_agreement(done.after, kind)
        elif proposal.seat == done.after.seat_of(user_of(interaction)):
            line = words.describe_waiting(done.after, words.ASKED[kind])
        else:
            line = words.describe_waiting(done.after, words.AGREED)
        await self._replies.answer_act(interaction, done, line)

    # --- buttons

    @on(ProposeButton)
    async def propose_by_button(self, interaction: Interaction, button: ProposeButton) -> None:
        """Propose something by button; to hand a seat over has a command alone."""
        loaded, kind = await self._umpire.load(button.match), button.verb
        if kind in ("draw", "pause"):
            await self.propose(interaction, loaded, kind)
            return
        # Proposals that depend on the board are for games without secrets, where every player counts the same lines.
        user = user_of(interaction)
        done = await self._consent.propose(key_of(interaction), loaded.id, user, kind, button.version)
        await self._answer_proposal(interaction, done, kind)

    @on(AnswerButton, words="agree sure")
    async def agree(self, interaction: Interaction, button: AnswerButton) -> None:
        """Agree to the proposal of a button; to one that ends the match, after a question."""
        loaded, mark = await self._umpire.load(button.match), button.mark
        proposal, seat = proposals.open_proposal(loaded), loaded.seat_of(user_of(interaction))
        if proposal and mark == proposals.mark_of(loaded):
            if proposal.seat == seat:
                # A public board has the same buttons for everyone: the proposer can wait or take it back.
                await _offer_to_withdraw(interaction, loaded, proposal.seat)
                return
            if button.verb != "sure" and await self._confirm(interaction, loaded):
                return
        user, now = user_of(interaction), self._umpire.clock()
        done = await self._umpire.act(
            key_of(interaction),
            loaded.id,
            user,
            partial(proposals.agree, now=now, mark=mark, seen=button.version),
        )
        if proposals.open_proposal(done.after):
            line = words.describe_waiting(done.after, words.AGREED)
        else:
            line = words.describe_agreement(done.after, proposal.kind) if proposal else "You agreed."
        await self._replies.answer_act(interaction, done, line)

    async def _confirm(self, interaction: Interaction, loaded: LoadedMatch) -> bool:
        """Ask a player whose agreement ends the match to confirm; False where it does not end it."""
        user, proposal = user_of(interaction), proposals.open_proposal(loaded)
        if proposal is None or proposal.kind != "draw":
            return False
        if proposals.agree(loaded, user, self._umpire.clock()).row.state == "live":
            return False
        sentence = f"Agree to a draw? That ends match {loaded.id}.\n-# {loaded.game.title} · {loaded.link}"
        of = stamp(MatchView.of(loaded, loaded.seat_of(user)))
        yes = AnswerButton(*of, "sure", proposals.mark_of(loaded)), "Agree to a draw"
        view = build_question(sentence, yes, (ActButton(*of, "stay"), "Play on"))
        await edits.answer_anew(interaction, view)
        return True

    @on(AnswerButton, words="refuse")
    async def refuse(self, interaction: Interaction, button: AnswerButton) -> None:
        """Refuse the proposal of a button, or withdraw one's own."""
        loaded, user = await self._umpire.load(button.match), user_of(interaction)
        proposal = proposals.open_proposal(loaded)
        now, mark, seen = self._umpire.clock(), button.mark, button.version
        done = await self._umpire.act(
            key_of(interaction), loaded.id, user, partial(claims.refuse, now=now, mark=mark, seen=seen)
        )
        own = proposal.seat == done.after.seat_of(user) if proposal else loaded.asks_to_abort(user)
        await self._replies.answer_act(interaction, done, "You took that back." if own else "You refused.")


async def _offer_to_withdraw(interaction: Interaction, loaded: LoadedMatch, seat: Seat) -> None:
    sentence = words.describe_waiting(loaded, words.ALREADY)
    of = stamp(MatchView.of(loaded, seat))
    again = AnswerButton(*of, "refuse", proposals.mark_of(loaded)), "Withdraw it"
    view = build_question(sentence, again, (ActButton(*of, "stay"), "Leave it"))
    await edits.answer_anew(interaction, view)


def make_proposal_filter(kind: Kind) -> Callable[[MatchRow], bool]:
    """Prefers, among several matches, the one in which this is proposed; for `resume` also a paused one."""

    def is_meant(row: MatchRow) -> bool:
        proposed = row.proposal is not None and row.proposal.startswith(kind)
        return proposed or (kind == "resume" and row.paused is not None)

    return is_meant


def parse_seat(number: object) -> Seat:
    """The seat that a command's option names; old clients send a number, whole or with a point."""
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, bool) or not re.fullmatch("[0-9]{1,3}", str(number)):
        raise Refusal(quote_whole(str(number), "There is no such seat. Choose one from the list."))
    return int(str(number))


def expect_member(interaction: Interaction, loaded: LoadedMatch, named: NamedUser) -> UserId:
    """The id of a user who can take over a seat of a match, or a refusal."""
    if named.id == bot_of(interaction):
        raise Refusal("The computer can't take over a seat. Name a person, or resign the match.")
    if isinstance(named, discord.User | discord.Member) and named.bot:
        raise Refusal(f"<@{named.id}> is a bot and doesn't play. Name a person.")
    if is_outside(interaction):
        raise Refusal(NO_SUBSTITUTES if loaded.row.guild == NOWHERE else NAMED_THERE)
    if not isinstance(named, discord.Member):
        raise Refusal(f"<@{named.id}> isn't in this server. Only members can take over a seat.")
    place = interaction.guild.get_channel_or_thread(loaded.play_channel) if interaction.guild else None
    channel = place.parent if isinstance(place, discord.Thread) else place
    if channel is not None and not channel.permissions_for(named).view_channel:
        raise Refusal(f"<@{named.id}> can't see the channel of this match. Name somebody who can.")
    return UserId(named.id)
