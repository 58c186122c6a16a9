"""A stand-in for Discord on 127.0.0.1: the real discord.py client works against it, people play through it.

    async with Sandbox() as sandbox:
        discord.http.Route.BASE = sandbox.api_url
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)
        running = asyncio.create_task(bot.start(sandbox.token))            # any discord.Client
        await sandbox.wait_for(lambda world: world.commands)               # it has synced its commands
        ann, bea = sandbox.person("Ann"), sandbox.person("Bea")
        reply = await ann.command("binary-primes challenge", channel="games", opponent=bea, size=7)
        await bea.press(ann.read_latest_message("games"), "Accept")        # by label or custom_id
        board = await sandbox.wait_for(lambda world: bea.read_messages(reply.channel_id)[-1])
        print(people.text_of(board), people.list_buttons(board), people.list_media(board), sandbox.request_log[-1])
        print([(push.title, push.text) for push in sandbox.pushes_of(bea)])  # what her lock screen has shown
        sandbox.faults.fail_requests("POST", "/channels/{channel_id}/messages", 502, applied=True)

`sandbox.moderation` acts for a server's moderators: `time_out(seconds=300)` silences the bot. People leave and come
back by `sandbox.faults.leave("Bea")` and `join("Bea")`; `sandbox.asked_members` lists the bot's requests for members by
ID, which `faults.delay_members(0.9)` delays and `faults.ignore_member_requests()` leaves unanswered. With
`Sandbox(limits=True)` requests beyond Discord's rate limits are refused. Where Discord's behaviour is only reported and
not documented, a sandbox follows the strictest report, unless it is made with `strict=False`.

There may be several servers, `Sandbox(servers=64)` or `sandbox.world.found_server("Chess club", shard=(3, 16))`;
without a name the first is meant. `ann.in_server("Chess club")` is Ann in another. `sandbox.shard_limits` has Discord's
rules for shards.

The package imports nothing of the bot. Discord's limits, error codes and deadlines are enforced. What Discord's own
client refuses raises `ClientRefusal`; a bot that does not answer within three seconds raises `NoAnswerInTime`.
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
