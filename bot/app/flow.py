"""Runs every interaction from its arrival to its answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Any, NamedTuple

import aiohttp
import discord
from discord import app_commands, ui
from discord.http import Route

from bot.features.board import replies
from bot.features.board.directory import resolve_matches
from bot.features.board.outside import Admissions
from bot.features.board.replies import Replies
from bot.games.notation import LONGEST
from bot.games.position import MoveError
from bot.platform import checks, edits
from bot.platform import ui as platform_ui
from bot.platform.checks import (
    ACTS_IN_A_ROW,
    ACTS_PER_SECOND,
    GRACE,
    IN_LINE,
    LOOKS_AT_ONCE,
    REFUSED_AT_ONCE,
    TOLD_IN_A_ROW,
    TOLD_PER_SECOND,
    TYPED_IN_A_ROW,
    TYPED_PER_SECOND,
    RateLimited,
    RateLimitedSilently,
    TokenBuckets,
    find_focused_option,
    find_misfits,
    is_offered_in_messages,
    is_typing,
    iterate_named_matches,
    iterate_texts,
    price_of,
    replace_shown_texts,
    tidy_texts,
)
from bot.platform.custom_ids import OfMatch
from bot.platform.interactions import (
    FAULT,
    IN_SERVERS,
    LATE,
    UNREAD,
    Interaction,
    Lateness,
    Listing,
    MalformedInput,
    TooLate,
    cancel_if_unanswered,
    channel_of,
    count_interaction,
    data_of,
    describe_error,
    find_guild,
    guild_of,
    is_outside,
    is_private,
    is_select,
    is_unanswerable,
    key_of,
    log_unanswered,
    match_used,
    note_error,
    used_of,
    user_of,
)
from bot.platform.metrics import Metrics
from bot.platform.names import MemberName
from bot.platform.routes import Routes
from bot.play.acts import ReturnedMove
from bot.play.ids import NOWHERE, GuildId, MatchId, UserId
from bot.play.loaded_match import Refusal, UnknownMatch
from bot.play.records import IMPORTED
from bot.umpire.umpire import Umpire
from data.engine.driver import watch_commits
from data.engine.errors import Unavailable, Unusable, explain_error
from data.store import Reader, Store


class Gate:
    """Holds the token buckets, the queue and the checks of interactions; each check returns or raises a `Refusal`.

    `current` resumes a server's clocks after an outage, `admissions` lets people into their matches from outside.
    """

    def __init__(
        self, umpire: Umpire, current: Callable[[GuildId], Awaitable[object]], admissions: Admissions
    ) -> None:  # fmt: skip
        self.umpire = umpire
        self.current = current
        self.admissions = admissions
        self.acts = TokenBuckets(ACTS_IN_A_ROW, ACTS_PER_SECOND)
        self.typing = TokenBuckets(TYPED_IN_A_ROW, TYPED_PER_SECOND)
        self.told, self.told_typing = (TokenBuckets(TOLD_IN_A_ROW, TOLD_PER_SECOND) for _ in range(2))
        self.lateness = Lateness()
        self.looks = asyncio.Semaphore(LOOKS_AT_ONCE)
        self.refusals = asyncio.Semaphore(REFUSED_AT_ONCE)

    def expect_in_time(self, interaction: Interaction, within: float) -> float:
        """The seconds that are left for an answer; `TooLate` where Discord accepts none any more."""
        late = interaction.extras[LATE] = self.lateness(interaction.id, within + GRACE)
        if late > within + GRACE:
            raise TooLate(f"{late:.1f} s late")
        return max(GRACE, within - late)

    async def expect_offered(self, interaction: Interaction) -> None:
        """Refuse commands for servers alone where they come from outside."""
        command = interaction.command if is_outside(interaction) else None
        if isinstance(command, app_commands.Command) and not is_offered_in_messages(command):
            raise Refusal(IN_SERVERS)

    async def expect_rate(self, interaction: Interaction) -> None:
        """Take the price from the user's bucket, or refuse; after some refusals without a message."""
        asked, told = (self.typing, self.told_typing) if is_typing(interaction) else (self.acts, self.told)
        if not asked.take(interaction.user.id, price_of(interaction).moves):
            kind = RateLimited if told.take(interaction.user.id) else RateLimitedSilently
            raise kind("That was a lot at once. Wait a few seconds, then try again.")

    async def enter_queue(self, interaction: Interaction) -> None:
        """Wait in the queue if an interaction only reads; `leave_queue` must follow when it is done."""
        if price_of(interaction).looks:
            await self.looks.acquire()
            interaction.extras[IN_LINE] = True

    def leave_queue(self, interaction: Interaction) -> None:
        """Let the next one start; call this whatever the interaction's outcome."""
        if interaction.extras.pop(IN_LINE, False):
            self.looks.release()

    def limit_refusals(self, fault: BaseException) -> AbstractAsyncContextManager[None]:
        """Limits how many users are told at a time that they are too fast, so that this does not delay others."""
        return self.refusals if isinstance(fault, RateLimited) else nullcontext()

    async def expect_short(self, interaction: Interaction) -> None:
        """Refuse texts that are longer than anything the bot reads."""
        if any(len(text) > LONGEST for text in iterate_texts(data_of(interaction))):
            raise Refusal(f"That's too long. I read at most {LONGEST} characters.")

    async def expect_same_server(self, interaction: Interaction) -> None:
        """Refuse matches of other servers, and numbers of none; from outside of servers, those of other people."""
        used, named = match_used(interaction), iterate_named_matches(data_of(interaction), is_typing(interaction))
        for match in {*named, *([] if used is None else [used])} - {IMPORTED}:
            if is_outside(interaction):
                await self.admissions.admit(interaction, match)
            elif await self.umpire.find_guild(match) != interaction.guild_id:
                raise UnknownMatch(f"There is no match {match} in this server. /matches lists yours.")

    async def expect_not_older(self, interaction: Interaction) -> None:
        """Refuse a message or a form older than the match that it names: it is of another match that had this id."""
        match = match_used(interaction)
        if match is None or match == IMPORTED or (number := checks.find_source_id(interaction)) is None:
            return
        if checks.is_older(number, (await self.umpire.read_origin(match)).created):
            row = await self.umpire.store.ask(Reader.load_row, match)
            if row is None or checks.is_foreign(number, row):
                raise UnknownMatch(checks.EARLIER.format(match=match))

    async def resume_clocks(self, interaction: Interaction) -> None:
        """Add an outage that is just over to the clocks of the server."""
        if not is_typing(interaction) and (guild := find_guild(interaction)) is not None:
            await self.current(guild)


# Everything that runs before the callback of an interaction: one list, in order, each step with its reason.


NoteMember = Callable[[GuildId, UserId, MemberName, bool], None]
"""Notes a user's name, and whether they are in the server."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Check(NamedTuple):
    """A step before the callback: it returns, or raises the error that is answered instead."""

    run: Callable[[Interaction], Awaitable[None]]
    reason: str


class InteractionChecks:
    def __init__(self, gate: Gate, met: NoteMember, listing: Listing) -> None:
        self._met, self._umpire = met, gate.umpire
        self.checks: Sequence[Check] = (
            Check(gate.expect_rate, "a flood is refused before anything is read or drawn for it"),
            Check(gate.enter_queue, "reads wait here, so that no move waits behind them"),
            Check(gate.expect_short, "a text that no move can have is refused before anything searches it"),
            Check(expect_readable, "discord.py reads options in the callback, where its errors cannot be answered"),
            Check(gate.expect_offered, "a command for servers alone may be sent from elsewhere all the same"),
            Check(self._tidy, "keyboards and pasting replace characters, and insert invisible ones"),
            Check(
                partial(resolve_matches, umpire=gate.umpire, listing=listing),
                "a match can be named by a link, and the check below reads numbers",
            ),
            Check(gate.expect_same_server, "an option or a forged custom_id can name a match of others"),
            Check(gate.expect_not_older, "Discord keeps messages, and a new database reuses match ids"),
            Check(gate.resume_clocks, "after an outage a player may act before the clock worker has added it"),
            Check(self._note_people, "a user who acts is in the server, whatever is cached"),
            Check(replace_shown_texts, "Discord may send the label of a suggestion instead of its value"),
        )

    async def __call__(self, interaction: Interaction) -> None:
        steps.debug("received %d", interaction.id)
        for check in self.checks:
            await check.run(interaction)

    async def _tidy(self, interaction: Interaction) -> None:
        tidy_texts(interaction)

    async def _note_people(self, interaction: Interaction) -> None:
        # From outside Discord doesn't say what somebody is called in the server of their match.
        guild = NOWHERE if is_outside(interaction) else guild_of(interaction)
        self._met(guild, user_of(interaction), MemberName.of(interaction.user), True)
        self._umpire.attendance.note_visit(channel_of(interaction), user_of(interaction), self._umpire.clock())
        for user, called, is_here in find_named_people(interaction):
            self._met(guild, user, called, is_here)


def find_named_people(interaction: Interaction) -> list[tuple[UserId, MemberName, bool]]:
    """The users named in an option or a select, and whether they are members; Discord sends them along."""
    resolved: Mapping[str, Any] = data_of(interaction).get("resolved") or {}
    users: Mapping[str, Any] = resolved.get("users") or {}
    members: Mapping[str, Any] = resolved.get("members") or {}
    found: list[tuple[UserId, MemberName, bool]] = []
    for number, user in users.items():
        name = members.get(number, {}).get("nick") or user.get("global_name") or user["username"]
        found.append((UserId(int(number)), MemberName(name, user["username"]), number in members))
    return found


async def expect_readable(interaction: Interaction) -> None:
    """Make discord.py read the options of a command now; a button or a form has none.

    A user may still fill an option that the command had before it was changed.
    """
    try:
        given, command = interaction.namespace, interaction.command
    except Exception as fault:
        log.warning("The options of a command cannot be read: %s.", type(fault).__name__)
        raise MalformedInput from fault
    if not isinstance(command, app_commands.Command):
        return
    if odd := ", ".join(find_misfits(command, data_of(interaction))):
        log.warning("/%s was sent with what it cannot have: %s.", command.qualified_name, odd)
        raise MalformedInput
    if is_typing(interaction):
        typed = find_focused_option(data_of(interaction))
        completed = {option.display_name for option in command.parameters if option.autocomplete}
        if typed not in completed or typed not in given:
            log.warning("There is nothing to suggest for an option of /%s.", command.qualified_name)
            raise MalformedInput


# Answers a select whose choice was refused, so that the same option can be chosen again.


class SelectAnswers:
    """Shows messages with selects again; the routes render them from the store, and `restore` edits the message of a
    challenge."""

    def __init__(self, routes: Routes, restore: Callable[[MatchId], None]) -> None:
        self._routes = routes
        self._restore = restore

    async def show_refusal(self, interaction: Interaction, fault: BaseException, sentence: str) -> bool:
        """Show the message with the sentence above it; False where that is not possible, and the sentence is still to
        be sent: no select was used, others see the message, it was edited by the answer, or Discord refuses the
        edit."""
        message, answered = interaction.message, interaction.response.type
        changes = answered in (None, discord.InteractionResponseType.deferred_message_update)
        if message is None or not (is_select(interaction) and is_private(interaction) and changes):
            return False
        stored = await self._load_stored_view(interaction, fault)
        shown = stored.to_components() if stored else platform_ui.rebuild_components(message)
        refused = platform_ui.build_refusal_view(shown, sentence, interaction.id)
        try:
            await edits.answer(interaction, refused, keep=True)
        except (discord.HTTPException, discord.RateLimited) as late:
            if is_unanswerable(late):
                raise
            return False
        return True

    async def _load_stored_view(self, interaction: Interaction, fault: BaseException) -> ui.LayoutView | None:
        """The message's view from the store; None where the message has none, or the store should not be read: it is
        unavailable, there is no time, or the user is rate-limited."""
        used = used_of(interaction)
        stored = None if used is None else self._routes.stored.get((type(used), used.word))
        if stored is None or isinstance(fault, Unavailable | TimeoutError | RateLimited):
            return None
        try:
            return await stored(interaction, used)
        except (Refusal, Unavailable):
            return None
        except Exception:
            log.exception("A message cannot be shown as it is stored.")
            return None

    def reset(self, interaction: Interaction, fault: BaseException) -> None:
        """Request that a message others see is edited as stored, after the user is answered; unless it was refused as
        one of a match that does not exist, whose id may belong to another match by now."""
        chosen = used_of(interaction)
        seen_by_all = is_select(interaction) and not is_private(interaction)
        if seen_by_all and isinstance(chosen, OfMatch) and not isinstance(fault, UnknownMatch):
            self._restore(chosen.match)


# Runs every interaction from its arrival to its answer: times it, checks it, calls its callback, and answers errors.


REFUSED = "The database could not be used, and %d requests were refused: %s."
DROPPED = "%d requests came too late for an answer and were dropped, the last one %s."
"""Lines for the host, with the number of requests and the latest cause."""
WARNED_EVERY = 60.0
"""Seconds between two lines of a kind."""

INTERACTION, READY = "INTERACTION_CREATE", "READY"
"""A fault in READY alone is raised: without it there is nothing to serve."""
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
AUTOCOMPLETE, MESSAGE, CHOICES, EPHEMERAL = 4, 4, 8, 64

Parse = Callable[[Any], Any]

UNDELIVERED = discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError
"""The errors of an answer that Discord refuses or never gets."""


class InteractionFlow:
    """Passes interactions through the checks and answers each `within` that number of seconds."""

    def __init__(
        self, gate: Gate, checks: InteractionChecks, replies: Replies, selects: SelectAnswers, store: Store,
        metrics: Metrics, within: float,
    ) -> None:  # fmt: skip
        self.gate = gate
        self.checks = checks
        self.replies = replies
        self.selects = selects
        self.store = store
        self.metrics = metrics
        self.within = within
        self.refused, self.dropped = WarningTally(REFUSED), WarningTally(DROPPED)

    async def answer(self, interaction: Interaction, callback: Callable[[], Awaitable[None]]) -> None:
        """Run the checks and the callback of a button or a form."""

        async def check_and_call() -> None:
            await self.checks(interaction)
            await callback()

        await self.run_in_time(interaction, check_and_call)

    async def run_in_time(self, interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work within the time that Discord gives for an answer, and explain what goes wrong.

        An interaction that comes too late is dropped. (discord.py itself would try for half a minute.)
        """
        with count_interaction(self.metrics, interaction), watch_commits():
            try:
                left = self.gate.expect_in_time(interaction, self.within)
                async with cancel_if_unanswered(interaction, left):
                    await work()
            except TooLate as late:
                log.debug("Interaction %d was dropped: %s", interaction.id, late)
                note_error(interaction, late)
                self.dropped.note(late)
            except Exception as fault:
                await self.explain(interaction, fault)
            finally:
                self.gate.leave_queue(interaction)
                if isinstance(fault := interaction.extras.get(FAULT), Unavailable):
                    self.refused.note(fault)

    async def explain(self, interaction: Interaction, fault: BaseException) -> None:
        """Answer an interaction with the sentence for an error, visible to its user alone; what was chosen in a select
        can be chosen again."""
        if is_unanswerable(fault):
            log_unanswered(fault)
            return
        note_error(interaction, fault)
        if isinstance(fault, RateLimitedSilently):
            return
        try:
            async with asyncio.timeout(self.within), self.gate.limit_refusals(fault):
                if not await self._is_repeated(interaction, fault):
                    await self._explain(interaction, fault)
        except Exception as late:
            if is_unanswerable(late):
                log_unanswered(late)
                return
            if not isinstance(
                late, discord.HTTPException | discord.RateLimited | aiohttp.ClientError | OSError | TimeoutError
            ):
                raise
            log.warning("A refusal could not be delivered: %s", str(late) or type(late).__name__)
        finally:
            self.selects.reset(interaction, fault)

    async def _is_repeated(self, interaction: Interaction, fault: BaseException) -> bool:
        """Whether this repeats an act that is committed: its first delivery sends the answer."""
        if not isinstance(fault, MoveError | Refusal) or isinstance(fault, RateLimited):
            return False
        try:
            return await self.store.ask(Reader.find_match_acted_on, key_of(interaction)) is not None
        except Unavailable:
            return False

    async def _explain(self, interaction: Interaction, fault: BaseException) -> None:
        text = describe_error(fault, interaction)
        if is_typing(interaction):
            await interaction.response.autocomplete([])
        elif loaded := replies.find_stale_match(fault):
            await self.replies.show_own_board(interaction, loaded, text, edit=is_private(interaction))
        elif isinstance(fault, ReturnedMove):
            await replies.hand_back(interaction, fault, text)
        elif await self.selects.show_refusal(interaction, fault, text):
            return
        else:
            await edits.answer_anew(interaction, text)

    def close(self) -> None:
        """Flush the warning tallies."""
        self.refused.close()
        self.dropped.close()


class FlowTree(app_commands.CommandTree[Any]):
    """discord.py's command tree, routed through the flow; its check is the only hook that autocompletion gets."""

    flow: InteractionFlow

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Let an interaction through, or answer it with the refusal."""
        try:
            await self.flow.checks(interaction)
        except Exception as fault:
            # An error raised here is lost: discord.py hands only its own errors to `on_error`.
            await self.flow.explain(interaction, fault)
            return False
        return True

    async def _call(self, interaction: Interaction) -> None:
        await self.flow.run_in_time(interaction, lambda: super(FlowTree, self)._call(interaction))

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await self.flow.explain(interaction, cause)


class WarningTally:
    """Logs the first request of a kind at once, and those of the next minute in one line, with the latest cause."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.count, self.cause = 0, ""
        self.next: asyncio.TimerHandle | None = None

    def note(self, fault: Exception) -> None:
        self.count += 1
        self.cause = (str(fault) if isinstance(fault, Unusable) else explain_error(fault)).rstrip(".")
        if self.next is None:
            self._write()

    def _write(self) -> None:
        self.next = asyncio.get_running_loop().call_later(WARNED_EVERY, self._write) if self.count else None
        self._flush()

    def _flush(self) -> None:
        if self.count:
            log.warning(self.line, self.count, self.cause)
        self.count = 0

    def close(self) -> None:
        """Flush what is not logged yet."""
        if self.next:
            self.next.cancel()
        self._flush()


# Guards discord.py's parsers.


def guard_parsers(client: discord.Client, parsers: MutableMapping[str, Parse], within: float) -> None:
    """Keep an error in one of these parsers from ending the connection; an interaction that cannot be parsed is
    answered `within` that number of seconds."""
    for name, parse in parsers.items():
        if name == INTERACTION:
            parsers[name] = InteractionParser(client, parse, within)
        elif name != READY:
            parsers[name] = partial(parse_event, name, parse)


def parse_event(name: str, parse: Parse, data: Any) -> bool:
    """Parse an event; on an error log it and return False."""
    try:
        parse(data)
    except Exception as fault:
        log.warning("An event of Discord's cannot be read and is left out: %s (%s).", name, type(fault).__name__)
        return False
    return True


class InteractionParser:
    """Parses interactions, and answers those that cannot be parsed."""

    def __init__(self, client: discord.Client, parse: Parse, within: float) -> None:
        self.client = client
        self.parse = parse
        self.within = within
        self.answers: set[asyncio.Task[None]] = set()

    def __call__(self, data: Any) -> None:
        """Parse an interaction, or answer its user that it could not be read."""
        if parse_event(INTERACTION, self.parse, data):
            return
        task = asyncio.create_task(self._answer(data), name="unread")
        self.answers.add(task)
        task.add_done_callback(self.answers.discard)

    async def _answer(self, data: Any) -> None:
        try:
            route = Route("POST", CALLBACK, interaction_id=int(data["id"]), interaction_token=str(data["token"]))
            typing = data.get("type") == AUTOCOMPLETE
        except (AttributeError, KeyError, TypeError, ValueError):
            return  # there is no token to answer with
        said: dict[str, Any] = {"choices": []} if typing else {"content": UNREAD, "flags": EPHEMERAL}
        try:
            async with asyncio.timeout(self.within):
                await self.client.http.request(route, json={"type": CHOICES if typing else MESSAGE, "data": said})
        except (discord.HTTPException, discord.RateLimited, OSError, TimeoutError) as late:
            if not is_unanswerable(late):
                log.warning("A refusal could not be delivered: %s", " ".join(str(late).split()))
