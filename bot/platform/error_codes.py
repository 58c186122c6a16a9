"""Every error code of Discord's that the bot can meet: what it means, what follows, and the sentence for people.

Callers that send something ask here what to do when Discord refuses it. That depends on the route: a deleted message
cannot be edited, but a new one can be posted. The HTTP status decides only where the code is unknown. The codes are
those of Discord's documentation ("JSON Error Codes"), and some that other bots report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto

import discord

from bot.play.rows import CHANNEL_DELETED


class Route(Enum):
    """What was asked of Discord."""

    POST = auto()
    """A new message in a channel or thread of a server."""
    EDIT = auto()
    """An edit of one of our messages, or its removal."""
    DIRECT = auto()
    """A direct message, or the channel for it."""
    THREAD = auto()
    """A thread to be made or changed."""
    ANSWER = auto()
    """An answer to an interaction, or an edit of one."""
    LOOK = auto()
    """A request that reads a message, a channel or a member."""


class FailureAction(Enum):
    """What follows when Discord refuses something."""

    LATER = auto()
    """Temporary: retried after `pause` seconds or more."""
    ANEW = auto()
    """Retried at once in another form: a message with another nonce, a thread with a plain name."""
    ELSEWHERE = auto()
    """Another place is used: a thread's channel, the thread instead of a direct message, a new answer."""
    PARKED = auto()
    """A member or the host has to change something; retried when Discord reports a change, and every hour."""
    GONE = auto()
    """Dropped: what it belongs to is deleted or closed."""
    DONE = auto()
    """Done already."""
    DEFECT = auto()
    """A mistake of ours: dropped, and logged for the host."""


POST, EDIT, DIRECT, THREAD, ANSWER, LOOK = Route
LATER, ANEW, ELSEWHERE, PARKED, GONE, DONE, DEFECT = FailureAction


class Code(IntEnum):
    """The codes by name."""

    UNKNOWN_CHANNEL = 10003
    UNKNOWN_GUILD = 10004
    UNKNOWN_MEMBER = 10007
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_USER = 10013
    UNKNOWN_WEBHOOK = 10015
    UNKNOWN_INTERACTION = 10062
    UNKNOWN_COMMAND = 10063
    EXPLICIT = 20009
    SLOW_MODE = 20016
    ANNOUNCEMENT_EDITS = 20022
    QUARANTINED = 20026
    CHANNEL_WRITES = 20028
    SERVER_WRITES = 20029
    FORBIDDEN_WORDS = 20031
    TOO_MANY_FILES = 30015
    TOO_MANY_COMMANDS = 30032
    TOO_MANY_PARTICIPANTS = 30033
    COMMANDS_A_DAY = 30034
    OLD_EDITS = 30046
    UNAUTHORISED = 40001
    UNVERIFIED = 40002
    DIRECT_TOO_FAST = 40003
    SENDING_DISABLED = 40004
    TOO_LARGE = 40005
    FEATURE_DISABLED = 40006
    BANNED = 40007
    COMMAND_EXISTS = 40041
    IN_A_FORUM = 40058
    ALREADY_ANSWERED = 40060
    RESOURCE_LIMITED = 40062
    TOO_MANY_FOLLOWUPS = 40094
    CLOUDFLARE = 40333
    NO_ACCESS = 50001
    DIRECT_CHANNEL = 50003
    NOT_OURS = 50005
    EMPTY = 50006
    MAILBOX_CLOSED = 50007
    NO_TEXT_CHANNEL = 50008
    VERIFICATION = 50009
    NO_PERMISSION = 50013
    INVALID_TOKEN = 50014
    SYSTEM_MESSAGE = 50021
    CHANNEL_TYPE = 50024
    INVALID_WEBHOOK = 50027
    INVALID_RECIPIENT = 50033
    INVALID_FORM = 50035
    API_VERSION = 50041
    FILE_TOO_LARGE = 50045
    INVALID_FILE = 50046
    MESSAGE_TYPE = 50068
    ARCHIVED = 50083
    LOCATION = 50095
    INVALID_JSON = 50109
    PROVIDED_FILE = 50110
    FILE_TYPE = 50123
    NO_UPLOAD = 50146
    NO_COMMON_SERVER = 50278
    TWO_FACTORS = 60003
    NO_INDEX = 110000
    OVERLOADED = 130000
    REPLY_WITHOUT_HISTORY = 160002
    THREAD_EXISTS = 160004
    LOCKED = 160005
    TOO_MANY_THREADS = 160006
    TOO_MANY_ANNOUNCEMENT_THREADS = 160007
    AUTOMOD = 200000
    AUTOMOD_TITLE = 200001
    HARMFUL_LINK = 240000
    UPLOADS_LIMITED = 400001


MINUTE, HOUR, DAY = 60, 3600, 86_400
UNAUTHORISED, FORBIDDEN, NOT_FOUND, RATE_LIMITED, SERVER_AT_FAULT = 401, 403, 404, 429, 500
"""HTTP statuses, for refusals without a known code."""

CLOSED = "I need View Channel, Send Messages, Send Messages in Threads and Attach Files there."
CLOSED_VOICE = "I need View Channel, Connect, Send Messages and Attach Files there."
NOT_THERE = "I'm not in its server any more."
SHUT = "Its thread is locked, and only somebody who can manage threads can unlock it."
SHUT_OUT = "I'm not in its private thread. Mention @Graph Paper there to add me."
TIMED_OUT = "Somebody has timed me out until <t:{until}:f>."
MODERATED = "This server's AutoMod blocks it, and only somebody who manages the server can make an exception for me."
TOO_BIG = "The picture is too large for Discord."
BUSY = "Discord takes no message there right now. Try again in a few minutes."
FULL = "This server has as many active threads as Discord allows. Close some, or use a channel."
NO_MESSAGES = "Discord takes no messages in a channel of this kind. Use a text channel."
NO_MAIL = (
    "Discord doesn't let me write to you directly. Allow direct messages from me in your privacy settings, and share "
    "a server with me or add me to your account."
)
HOSTS = "Discord refuses it (error {code}). This bot's host can find the reason in the log."


@dataclass(frozen=True, slots=True)
class ErrorRule:
    """What follows a code: `then`, except on the routes in `on`; `sentence` tells people why a message is missing,
    empty where only the host can do something."""

    then: FailureAction
    on: Mapping[Route, FailureAction] = field(default_factory=dict[Route, FailureAction])
    sentence: str = ""
    pause: int = 0
    """Seconds until the first retry, at least."""

    def choose_action(self, route: Route) -> FailureAction:
        """What follows on a route. A direct message always has a fallback, unless its refusal is temporary."""
        if route is DIRECT and route not in self.on and self.then is not LATER:
            return ELSEWHERE
        return self.on.get(route, self.then)


def _make_busy_rule(pause: int) -> ErrorRule:
    return ErrorRule(LATER, {}, BUSY, pause)


_OURS = ErrorRule(DEFECT, {THREAD: ANEW})
"""A request of ours that Discord calls invalid. For a thread the name may be the cause, whatever the code: a match goes
without its thread only where the plain name is refused too."""
_SHUT = ErrorRule(PARKED, {EDIT: GONE, ANSWER: GONE}, SHUT)
_FULL = ErrorRule(ELSEWHERE, {EDIT: GONE, THREAD: LATER}, FULL, MINUTE)
"""Temporary: threads of finished matches are archived."""
_MODERATED = ErrorRule(PARKED, {THREAD: ANEW, LOOK: LATER}, MODERATED)
"""About the text of a message; it does not keep the bot from reading."""
_TOO_BIG = ErrorRule(DEFECT, {}, TOO_BIG)

TABLE: Mapping[int, ErrorRule] = {
    # what does not exist
    Code.UNKNOWN_CHANNEL: ErrorRule(GONE, {POST: ELSEWHERE, THREAD: ELSEWHERE}, CHANNEL_DELETED),
    Code.UNKNOWN_GUILD: ErrorRule(GONE, {POST: PARKED}, NOT_THERE),
    Code.UNKNOWN_MEMBER: ErrorRule(GONE),
    # The message that a nonce identifies was deleted within minutes: another nonce makes a new one.
    Code.UNKNOWN_MESSAGE: ErrorRule(GONE, {POST: ANEW, DIRECT: ANEW, THREAD: ELSEWHERE, ANSWER: ELSEWHERE}),
    Code.UNKNOWN_USER: ErrorRule(GONE),
    Code.UNKNOWN_WEBHOOK: ErrorRule(GONE),
    Code.UNKNOWN_INTERACTION: ErrorRule(GONE),
    Code.UNKNOWN_COMMAND: ErrorRule(GONE, {ANSWER: DEFECT}),
    # rate limits, and what is switched off for a while
    Code.SLOW_MODE: _make_busy_rule(10),
    Code.ANNOUNCEMENT_EDITS: _make_busy_rule(MINUTE),
    Code.CHANNEL_WRITES: _make_busy_rule(10),
    Code.SERVER_WRITES: _make_busy_rule(10),
    Code.COMMANDS_A_DAY: _make_busy_rule(HOUR),
    Code.OLD_EDITS: _make_busy_rule(6),
    Code.DIRECT_TOO_FAST: _make_busy_rule(MINUTE),
    Code.SENDING_DISABLED: _make_busy_rule(5 * MINUTE),
    Code.FEATURE_DISABLED: _make_busy_rule(5 * MINUTE),
    Code.RESOURCE_LIMITED: _make_busy_rule(MINUTE),
    Code.NO_INDEX: _make_busy_rule(MINUTE),
    Code.OVERLOADED: _make_busy_rule(MINUTE),
    # the bot's own account
    Code.UNAUTHORISED: ErrorRule(LATER, pause=MINUTE),
    Code.INVALID_TOKEN: ErrorRule(LATER, pause=MINUTE),
    Code.UNVERIFIED: ErrorRule(PARKED),
    # Reported, not documented: a flagged bot cannot write to users to whom it has not written before.
    Code.QUARANTINED: ErrorRule(
        PARKED, {DIRECT: ELSEWHERE}, "Discord has flagged this bot. Its host has to appeal.", DAY
    ),
    Code.TWO_FACTORS: ErrorRule(PARKED),
    # direct messages; every code falls back to the thread, where a match has one
    Code.MAILBOX_CLOSED: ErrorRule(PARKED, {DIRECT: ELSEWHERE, EDIT: GONE}, NO_MAIL),
    Code.NO_COMMON_SERVER: ErrorRule(PARKED, {DIRECT: ELSEWHERE, EDIT: GONE}, NO_MAIL, HOUR),
    Code.INVALID_RECIPIENT: ErrorRule(DEFECT, {DIRECT: ELSEWHERE}, pause=HOUR),
    Code.BANNED: ErrorRule(DEFECT, {DIRECT: ELSEWHERE}, pause=HOUR),
    Code.EXPLICIT: ErrorRule(DEFECT, {DIRECT: ELSEWHERE}, pause=HOUR),
    # what members of the server can change
    Code.NO_ACCESS: ErrorRule(PARKED, {THREAD: ELSEWHERE}, CLOSED),
    Code.NO_PERMISSION: ErrorRule(PARKED, {THREAD: ELSEWHERE}, CLOSED),
    Code.VERIFICATION: ErrorRule(PARKED, {THREAD: ELSEWHERE}, "Its server's verification level keeps me out."),
    Code.LOCATION: ErrorRule(
        PARKED, {}, "Discord keeps its server from some countries, and this bot runs in one of them."
    ),
    Code.UPLOADS_LIMITED: ErrorRule(
        PARKED, {LOOK: LATER}, "Discord has limited the files of its server, so I can't show pictures."
    ),
    Code.AUTOMOD: _MODERATED,
    Code.AUTOMOD_TITLE: _MODERATED,
    Code.HARMFUL_LINK: ErrorRule(
        PARKED, {THREAD: ANEW, LOOK: LATER}, "Discord takes something in it for a harmful link."
    ),
    Code.FORBIDDEN_WORDS: ErrorRule(DEFECT, {THREAD: ANEW}),
    # threads and kinds of channels
    Code.ARCHIVED: _SHUT,
    Code.LOCKED: _SHUT,
    Code.TOO_MANY_THREADS: _FULL,
    Code.TOO_MANY_ANNOUNCEMENT_THREADS: _FULL,
    Code.TOO_MANY_PARTICIPANTS: ErrorRule(ELSEWHERE, {}, "Its thread has as many people as Discord allows."),
    Code.THREAD_EXISTS: ErrorRule(DONE),
    Code.NO_TEXT_CHANNEL: ErrorRule(PARKED, {THREAD: ELSEWHERE}, NO_MESSAGES),
    Code.IN_A_FORUM: ErrorRule(PARKED, {THREAD: ELSEWHERE}, NO_MESSAGES),
    Code.CHANNEL_TYPE: ErrorRule(PARKED, {THREAD: ELSEWHERE}, NO_MESSAGES),
    # answers to interactions
    Code.ALREADY_ANSWERED: ErrorRule(DONE),
    Code.INVALID_WEBHOOK: ErrorRule(GONE),
    Code.TOO_MANY_FOLLOWUPS: ErrorRule(GONE),
    # our own mistakes, and what the bot may not do
    Code.NOT_OURS: ErrorRule(DEFECT, {EDIT: GONE}),  # a message of the bot that ran here before
    Code.SYSTEM_MESSAGE: ErrorRule(DEFECT, {EDIT: GONE}),
    Code.TOO_LARGE: _TOO_BIG,
    Code.FILE_TOO_LARGE: _TOO_BIG,
    Code.INVALID_FORM: ErrorRule(DEFECT, {THREAD: ANEW}),
    **dict.fromkeys(
        (
            Code.TOO_MANY_FILES, Code.TOO_MANY_COMMANDS, Code.COMMAND_EXISTS, Code.CLOUDFLARE, Code.DIRECT_CHANNEL,
            Code.EMPTY, Code.API_VERSION, Code.INVALID_FILE, Code.MESSAGE_TYPE, Code.INVALID_JSON, Code.PROVIDED_FILE,
            Code.FILE_TYPE, Code.NO_UPLOAD, Code.REPLY_WITHOUT_HISTORY,
        ),
        _OURS,
    ),
}  # fmt: skip


def find_rule(fault: discord.HTTPException) -> ErrorRule:
    """The table's rule for a refusal; of an unknown code, the status's."""
    if known := TABLE.get(fault.code):
        return known
    if fault.status >= SERVER_AT_FAULT or fault.status in (UNAUTHORISED, RATE_LIMITED):
        return ErrorRule(LATER)
    if fault.status == FORBIDDEN:
        return TABLE[Code.NO_PERMISSION]
    return ErrorRule(DEFECT, {LOOK: GONE, THREAD: ELSEWHERE}) if fault.status == NOT_FOUND else _OURS


def choose_action(fault: discord.HTTPException, route: Route) -> FailureAction:
    return find_rule(fault).choose_action(route)


def list_codes(route: Route, then: FailureAction) -> frozenset[int]:
    return frozenset(code for code, known in TABLE.items() if known.choose_action(route) is then)


def is_refusal(fault: discord.HTTPException, route: Route = POST) -> bool:
    """Whether Discord will keep refusing the request: neither an outage nor a matter of time."""
    return choose_action(fault, route) not in (LATER, ANEW)


def describe_obstacle(fault: discord.HTTPException) -> str:
    """Why something cannot be posted, in a sentence for the people who wait for it."""
    return find_rule(fault).sentence or HOSTS.format(code=fault.code or fault.status)


def is_code(fault: BaseException, *codes: Code) -> bool:
    """Whether Discord refused something with one of these codes."""
    return isinstance(fault, discord.HTTPException) and fault.code in codes
