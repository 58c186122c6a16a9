"""One interaction: who asks and where, how long there is to answer, and errors as sentences."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from heapq import nsmallest
from math import inf
from operator import itemgetter
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiohttp
import discord
from discord import app_commands

from bot.games.options import BadOptions
from bot.games.position import LEVELS, MoveError
from bot.platform import error_codes
from bot.platform.custom_ids import NUMBER, CustomId
from bot.platform.error_codes import Code, FailureAction, Route, choose_action, find_rule, is_code
from bot.platform.machine import loop_time
from bot.platform.metrics import Kind, Metrics, Outcome, classify_outcome
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.play.loaded_match import Refusal
from bot.play.rows import MatchRow
from data.engine.driver import may_be_written
from data.engine.errors import Unavailable, Uncertain, Unusable

# Reads an interaction: its user, place, chosen values, and the match that it names.


Interaction = discord.Interaction[Any]
FILLED_BY_CLIENTS = frozenset(
    one.value
    for one in (
        discord.ComponentType.user_select, discord.ComponentType.role_select, discord.ComponentType.mentionable_select,
        discord.ComponentType.channel_select,
    )
)  # fmt: skip
"""The selects of people, roles and channels, by the numbers of their kinds."""
SELECTS = FILLED_BY_CLIENTS | {discord.ComponentType.select.value}
SERVER = "the server that it is about"
"""The key in an interaction's `extras` of the server of its match, or of the one that was chosen, where it comes from
outside of servers."""
IN_SERVERS = "This works in servers alone. Use it in a channel of a server that I am in."
USED = "what was used"
"""The key in an interaction's `extras` of its parsed custom_id."""
NO_NUMBER = (
    "That isn't a match. Write its number, like 12, or paste a link to its thread or its board; /matches lists yours."
)
"""Whether a command can do anything with a match."""
Listing = Callable[[str, Sequence[MatchRow], UserId], str]
"""Lists matches for a user below a sentence that asks which one they mean."""


def key_of(interaction: Interaction) -> InteractionId:
    """The idempotency key of an act: the interaction's id, the same when Discord delivers it again."""
    return InteractionId(interaction.id)


def user_of(interaction: Interaction) -> UserId:
    return UserId(interaction.user.id)


def is_outside(interaction: Interaction) -> bool:
    """Whether an interaction comes from outside of the bot's servers: from its direct messages, or from a server that
    knows it only as the app of the user's own account."""
    if interaction.guild_id is None:
        return True
    # A malformed interaction has no user.
    return bool(interaction.user) and interaction.is_user_integration() and not interaction.is_guild_integration()


def manages_server(interaction: Interaction) -> bool:
    """Whether a user manages the server that an interaction is about. From outside Discord says nothing of that: the
    permissions which it sends along are those in the server where the user is."""
    return interaction.permissions.manage_guild and not is_outside(interaction)


def find_guild(interaction: Interaction) -> GuildId | None:
    """The server that an interaction is about: the one that it comes from; from outside, that of the match or the
    choice which the gate has let through."""
    if interaction.guild_id is None or is_outside(interaction):
        return interaction.extras.get(SERVER)
    return GuildId(interaction.guild_id)


def guild_of(interaction: Interaction) -> GuildId:
    """The server that an interaction is about, or a refusal where it is about none."""
    if (found := find_guild(interaction)) is None:
        raise Refusal(IN_SERVERS)
    return found


def channel_of(interaction: Interaction) -> ChannelId:
    """The channel or thread of the interaction, or a refusal where Discord names none."""
    if interaction.channel_id is None:
        raise Refusal("I can't play in this kind of channel. Use another one.")
    return ChannelId(interaction.channel_id)


def bot_of(interaction: Interaction) -> UserId | None:
    """The bot's user id; None before it has logged in."""
    client: discord.Client = interaction.client
    return UserId(client.user.id) if client.user else None


def is_private(interaction: Interaction) -> bool:
    """Whether the user acts on a message that is for them alone: an ephemeral one, or a direct message other than the
    public board of a match that is played there."""
    message, is_board = interaction.message, getattr(used_of(interaction), "own", True) is False
    return message is not None and (message.flags.ephemeral or (interaction.guild_id is None and not is_board))


def is_select(interaction: Interaction) -> bool:
    return data_of(interaction).get("component_type") in SELECTS


def data_of(interaction: Interaction) -> Mapping[str, Any]:
    """What Discord sent with an interaction; empty where it sent nothing."""
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    return data


def used_of(interaction: Interaction) -> CustomId | None:
    """The custom_id of the button, select or form; None for a command, and for an unknown id."""
    return interaction.extras.get(USED)


def match_used(interaction: Interaction) -> MatchId | None:
    """The match that the custom_id names; None where it names none."""
    return getattr(used_of(interaction), "match", None)


def parse_match_id(number: object) -> MatchId | None:
    """The match that a command's option names; None where it names none. Nothing else parses such numbers.

    discord.py hands on what was sent: an integer, a float or a text, and a database takes all of them for the same.
    """
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, int | str) and re.fullmatch(NUMBER, str(number)):
        return MatchId(int(number))
    if number is None:
        return None
    raise Refusal(NO_NUMBER)


def values_of(interaction: Interaction) -> list[str]:
    return list(data_of(interaction).get("values") or ())


def parse_level(values: Sequence[str]) -> int:
    """The level of the computer that was chosen in a select, or a refusal."""
    if len(values) == 1 and values[0] in map(str, LEVELS):
        return int(values[0])
    raise Refusal(f"The computer plays at levels {LEVELS[0]} to {LEVELS[-1]}. Choose one of them.")


def find_thread_match(rows: tuple[MatchRow, ...]) -> MatchRow | None:
    """The match whose own thread this is; every command in it means that match."""
    return next((row for row in rows if row.thread != row.channel), None)


# Times an interaction: how late it came, how long there is to answer it, and its outcome for the metrics.


WINDOW = 60.0
"""Seconds for which the fastest are remembered, twice as long at most: clocks drift apart."""
BORNE_OUT = 2
"""How many must have come as fast before that speed is believed."""
UNBELIEVABLE = 60.0
"""No interaction comes this many seconds late: one of the clocks was set, and measuring starts anew."""
SILENCE = 5.0
"""Where nothing has been in time for this many seconds, a clock is wrong, and measuring starts anew. A backlog from a
pause of the process is dropped sooner than that."""
FIELD, A_SECOND = 22, 1000
"""The bit of an interaction's id at which its time begins, and the units of that time in a second."""
FAULT, LATE = "the first error", "how late it came, in seconds"
"""Keys in an interaction's `extras`."""
PRESSED: Mapping[str, Kind] = {
    "m": "button", "k": "pad", "q": "pad", "p": "page", "t": "lesson", "r": "replay", "a": "replay", "d": "replay",
    "o": "replay",
}  # fmt: skip
"""By the first letter of a custom_id."""


class TooLate(Exception):
    """Discord accepts no answer any more: it has told the user that the bot did not respond."""


@dataclass
class Lateness:
    """Measures how late interactions arrive."""

    clock: Callable[[], float] = loop_time
    since: float = -inf
    fastest: dict[int, float] = field(default_factory=dict[int, float])
    before: dict[int, float] = field(default_factory=dict[int, float])
    """The least differences between the clocks in the present window and in the one before it, by the interactions'
    numbers: the same one delivered twice counts once."""
    silent: float = inf
    """Since when nothing was in time."""

    def __call__(self, number: int, most: float = inf) -> float:
        """Seconds since Discord created the interaction with this id, less those of the second fastest.

        `most`: above that it is too late for an answer.
        """
        now = self.clock()
        difference = now - (number >> FIELD) / A_SECOND
        self._remember(now, number, difference)
        late = max(0.0, difference - nsmallest(BORNE_OUT, (self.before | self.fastest).values())[-1])
        if late > UNBELIEVABLE or (late > most and now - self.silent > SILENCE):
            self.before, self.fastest, late = {}, {number: difference}, 0.0
        self.silent = min(self.silent, now) if late > most else inf
        return late

    def _remember(self, now: float, number: int, difference: float) -> None:
        if now - self.since > WINDOW:
            self.before = self.fastest if now - self.since <= 2 * WINDOW else {}
            self.since, self.fastest = now, {}
        self.fastest.setdefault(number, difference)
        self.fastest = dict(nsmallest(BORNE_OUT, self.fastest.items(), key=itemgetter(1)))


@asynccontextmanager
async def cancel_if_unanswered(interaction: Interaction, seconds: float) -> AsyncGenerator[None]:
    """Cancel the work in this block after this number of seconds, unless it has answered by then."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as limit:

        def over() -> None:
            if not interaction.response.is_done():
                limit.reschedule(loop.time())

        waiting = loop.call_later(seconds, over)
        try:
            yield
        finally:
            waiting.cancel()


@dataclass(slots=True)
class TimedInteraction:
    """An interaction for the metrics: its kind, when it arrived, and how late it was then."""

    kind: Kind
    extras: dict[Any, Any]
    began: float = field(default_factory=loop_time)

    def seconds(self) -> float:
        """Seconds since the user acted."""
        late: float = self.extras.get(LATE, 0.0)
        return late + loop_time() - self.began


answering: ContextVar[TimedInteraction | None] = ContextVar("answering", default=None)
"""The interaction being answered; a task inherits it from the one that started it."""


def classify_interaction(interaction: Interaction) -> Kind:
    """The kind of an interaction in the metrics."""
    match interaction.type:
        case discord.InteractionType.application_command:
            return "command"
        case discord.InteractionType.autocomplete:
            return "autocompletion"
        case discord.InteractionType.modal_submit:
            return "form"
        case discord.InteractionType.component:
            pressed = used_of(interaction)
            return PRESSED[str(pressed)[0]] if pressed else "other"
        case _:
            return "other"


def note_error(interaction: Interaction, fault: BaseException) -> None:
    """Note the error of an interaction; the first one counts."""
    interaction.extras.setdefault(FAULT, fault)


@contextmanager
def count_interaction(metrics: Metrics, interaction: Interaction) -> Generator[None]:
    """Count the work in this block as one interaction: done, unless an error was noted or escapes."""
    act = TimedInteraction(classify_interaction(interaction), interaction.extras)
    before = answering.set(act)
    found: Outcome = "failed"
    try:
        yield
        found = "done"
    finally:
        answering.reset(before)
        fault = interaction.extras.pop(FAULT, None)
        metrics.count_act(act.kind, found if fault is None else classify_error(fault))


def classify_error(fault: BaseException) -> Outcome:
    """The outcome of an error in the metrics."""
    return "too late" if isinstance(fault, TooLate) else classify_outcome(fault)


# Turns an error into the sentence that its user reads.


ANSWERS = ("/interactions/", "/webhooks/")
"""Parts of the paths of answers."""
SESSION_CLOSED = "Session is closed"
"""aiohttp's error for a request after the bot has stopped; it has no class of its own."""
LOUD = re.compile("@(?=everyone|here|&)")
"""The start of a mass mention, which a user may have typed and a refusal would repeat."""
SORRY = "Something went wrong on my side. Everything played so far is safe; try again in a moment."
BUSY = "I can't save moves right now. Nothing was played; try again in a minute."
SLOW = "That took too long, and I can't tell whether it counted. Use /match board to see the match."
UNDONE = "That took too long, and nothing was changed. Try again in a moment."
UNREAD = "I couldn't make sense of what Discord sent. Close Discord, open it again and try once more."
CHANGED = "This command has changed since you opened Discord. Close Discord, open it again and try once more."
DELETED = "The message you used was deleted before I could answer. Use /match board to see the match."
NOT_HERE = "That person isn't in this server. You can only challenge members."

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
Suggest = Callable[Concatenate[S, Interaction, P], Coroutine[Any, Any, list[T]]]
"""A method for autocompletion."""

log = logging.getLogger(__name__)


class MalformedInput(Refusal):
    """Input that no Discord client sends."""

    def __init__(self) -> None:
        super().__init__(UNREAD)


def suggest_if_available(complete: Suggest[S, P, T]) -> Suggest[S, P, T]:
    """Suggest nothing while the database is unavailable; discord.py would log a traceback at every key."""

    @wraps(complete)
    async def complete_or_nothing(self: S, interaction: Interaction, *given: P.args, **named: P.kwargs) -> list[T]:
        try:
            return await complete(self, interaction, *given, **named)
        except Unavailable as fault:
            note_error(interaction, fault)
            return []

    return complete_or_nothing


def is_unanswerable(fault: BaseException) -> bool:
    """Whether Discord has an answer already (a repeated delivery, a 502 after it arrived) or accepts none any more,
    since it is late or the thread was deleted or locked; or whether the bot has stopped."""
    if isinstance(fault, discord.HTTPException):
        return is_answer(fault) and choose_action(fault, Route.ANSWER) in (FailureAction.GONE, FailureAction.DONE)
    stopped = isinstance(fault, RuntimeError) and str(fault) == SESSION_CLOSED
    return stopped or isinstance(fault, discord.InteractionResponded)


def log_unanswered(fault: BaseException) -> None:
    """Log a line for the host where a user got no answer; not where they have one, or it was too late, which the
    metrics count."""
    if isinstance(fault, discord.HTTPException) and not is_code(fault, Code.ALREADY_ANSWERED, Code.UNKNOWN_INTERACTION):
        log.info("Discord takes no answer there: error %d (%s).", fault.code, fault.text)


def is_answer(fault: discord.HTTPException) -> bool:
    """Whether the request that Discord refused was an answer to an interaction."""
    return any(part in str(fault.response.url) for part in ANSWERS)


def describe_error(fault: BaseException, interaction: Interaction) -> str:
    """The sentence for the user; an unexpected error is logged with its traceback."""
    if isinstance(fault, MoveError | Refusal | BadOptions):
        return LOUD.sub("@\N{ZERO WIDTH SPACE}", discord.utils.escape_markdown(str(fault)))
    if isinstance(fault, Unavailable):
        return str(fault) if isinstance(fault, Unusable | Uncertain) else BUSY
    if isinstance(fault, TimeoutError | aiohttp.ClientError):
        return SLOW if may_be_written() else UNDONE
    if isinstance(fault, discord.RateLimited):
        return error_codes.BUSY
    if isinstance(fault, discord.HTTPException):
        if is_answer(fault) and choose_action(fault, Route.ANSWER) is FailureAction.ELSEWHERE:
            return DELETED
        if choose_action(fault, Route.POST) is FailureAction.LATER and find_rule(fault).sentence:
            return find_rule(fault).sentence
    if isinstance(fault, app_commands.TransformerError):
        return NOT_HERE if fault.type is discord.AppCommandOptionType.user else f"That isn't a valid {fault.type.name}."
    if isinstance(fault, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return CHANGED
    log.error("An interaction failed: %s", interaction.id, exc_info=fault)
    return SORRY
