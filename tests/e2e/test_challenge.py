"""Challenges: those that nobody has looked at yet, lots, and where Discord does not say what is still there."""

from __future__ import annotations

import pytest

from tests.e2e.harness import MESSAGE, Harness, called


async def test_an_expired_challenge_that_nobody_looked_at_yet(harness: Harness) -> None:
    """The button is there, the time is over, and the bot has not been round."""
    played = await harness.challenge(opponent=harness.bea)
    harness.clock.ahead = 48 * 3600 + 1
    late = await harness.bea.press(played.lobby, "Accept")
    assert late.is_ephemeral
    assert late.text == "This challenge expired after 2 days. Make a new one."
    await harness.settled()
    assert (await played.fresh()).row.started is None


@pytest.mark.parametrize("trouble", ("fails", "hangs"))
async def test_a_list_links_to_a_challenge_where_discord_does_not_say(harness: Harness, trouble: str) -> None:
    played = await harness.challenge(opponent=harness.bea)
    if trouble == "hangs":
        harness.faults.delay_requests("GET", MESSAGE, 60)
    else:
        harness.faults.fail_requests("GET", MESSAGE, 503, times=9)
    reply = await harness.ann.command("matches", channel="general")
    harness.faults.clear()
    assert f"/{played.row.lobby_message}" in reply.text and "deleted" not in reply.text


async def test_the_first_move_is_drawn_by_lot_unless_somebody_says(harness: Harness) -> None:
    await harness.ann.command("settings challenges", from_one=20)
    for seat in ("lot", None):
        firsts = set[str]()
        for _ in range(8):
            if len(firsts) < 2:
                firsts.add((await harness.match(seat=seat)).mover.name)
        assert firsts == {"Ann", "Bea"}


async def test_another_bot_cannot_be_challenged(harness: Harness) -> None:
    harness.sandbox.world.user_named("Cem")["bot"] = True
    for command, options in (("binary-primes challenge", {}), ("play", {"game": "binary-primes"})):
        refused = await harness.ann.command(command, channel="games", opponent=harness.cem.id, **options)
        sentence = f"{called(harness.cem)} is a bot and doesn't play. Challenge a person."
        assert (refused.text, refused.is_ephemeral) == (sentence, True)
