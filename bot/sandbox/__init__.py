"""A stand-in for Discord on 127.0.0.1: the real discord.py client works against it, people play through it.

    async with Sandbox() as sandbox:
        discord.http.Route.BASE = sandbox.api_url
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)
        running = asyncio.create_task(bot.start(sandbox.token))            # any discord.Client
        await sandbox.wait_for(lambda world: world.commands)               # it has synced its commands
        ann, bea = sandbox.person("Ann"), sandbox.person("Bea")
        reply = await ann.command("binary-primes challenge", channel="games", opponent=bea, size=7)
        await bea.press(ann.see("games"), "Accept")                        # by label or custom_id
        board = await sandbox.wait_for(lambda world: bea.messages(reply.channel_id)[-1])
        print(reading.text(board), reading.buttons(board), reading.media(board), sandbox.log[-1])
        print([(push.title, push.text) for push in sandbox.pushes(bea)])   # what her lock screen has shown
        sandbox.faults.fail("POST", "/channels/{channel_id}/messages", 502, applied=True)

What the people who run a server do is `sandbox.moderation`: `time_out(seconds=300)` silences the bot. People leave and
come back by `sandbox.faults.leave("Bea")` and `join("Bea")`; `sandbox.asked_members` has the bot's requests for members
by their numbers, which `faults.late_members(0.9)` delays and `faults.no_members()` leaves unanswered. With
`Sandbox(limits=True)` requests beyond Discord's rate limits are refused; where its behaviour is only reported, a
sandbox is as strict as the reports, unless it is made with `strict=False`.

There may be several servers, `Sandbox(servers=64)` or `sandbox.world.found("Chess club", shard=(3, 16))`; without a
name the first is meant. `ann.at("Chess club")` is Ann in another. `sandbox.sharding` has Discord's rules for shards.

The package imports nothing of the bot. Discord's limits, error codes and deadlines hold; refusals of Discord's own
client are `Refused`, a bot that is silent for three seconds is `Unanswered`.
"""

from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import ApiError
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, MessageGone, Person
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import Server

__all__ = [
    "ApiError",
    "MessageGone",
    "Person",
    "ClientRefusal",
    "BotReply",
    "Sandbox",
    "Server",
    "NoAnswerInTime",
    "people",
]
