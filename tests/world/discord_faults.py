"""The faults of Discord while the bot is killed: every route it uses suffers in turn, and nonces are lost.

A life lasts about a second here and boards that lag are looked for every third of a second, so Discord's minutes are
seconds too: a nonce is remembered for six, and now and then a restart comes so late that none is remembered.
"""

from __future__ import annotations

from bot.sandbox.faults import FAULT_KINDS, FaultRota
from bot.sandbox.stand_in import Sandbox

NONCE_SECONDS = 6.0
LATE_EVERY = 15
"""One in this many restarts comes minutes later for Discord's memory."""
EVERY = 4
MESSAGES, MESSAGE = "/channels/{channel_id}/messages", "/channels/{channel_id}/messages/{message_id}"
MAILBOX = "/users/@me/channels"
CALLBACK = "/interactions/{interaction_id}/{token}/callback"
ANSWER = "/webhooks/{application_id}/{token}/messages/{message_id}"
SELDOM = {("POST", CALLBACK): 40, ("PATCH", ANSWER): 20, ("PATCH", MESSAGE): 20, ("POST", MESSAGES): 15}
"""One in this many requests suffers, on the routes that are used often; on the others one in EVERY."""
LOGIN = (("GET", "/users/@me"), ("GET", "/oauth2/applications/@me"))
SPARED = {
    **dict.fromkeys(LOGIN, ("400", "cut", "cut though done", "hangs", "hangs though done")),
    ("POST", CALLBACK): ("400",),
    ("PATCH", ANSWER): ("400",),
}
"""AutoMod, which the 400 stands for, reads messages, and neither forms nor what one person sees. Without its name and
its application no bot can begin: a start that is cut off there ends, and its host starts it again, which is what
happens here all the time."""


def break_out(sandbox: Sandbox) -> FaultRota:
    """From now on let requests fail."""
    return sandbox.faults.fault_every_route(EVERY, SPARED, SELDOM)


def unscathed(rota: FaultRota) -> list[str]:
    """What has not happened to a route that the bot uses, for the report."""
    return [f"{method} {route}: {name}" for method, route, name in rota.list_missing_faults()]


def suffered(rota: FaultRota) -> dict[str, int]:
    """How often each fault has happened."""
    return {name: sum(times for (*_, what), times in rota.suffered.items() if what == name) for name in FAULT_KINDS}
