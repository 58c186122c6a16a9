"""A list of more free seats than a message has room for."""

from __future__ import annotations

from tests.e2e.harness import Harness


async def test_a_long_list_fits_and_says_what_it_leaves_out(harness: Harness) -> None:
    for _ in range(3):
        for person in (harness.ann, harness.bea, harness.cem, harness.dora):
            await person.command("binary-primes challenge", channel="games")
    for _ in range(2):
        for person in (harness.ann, harness.bea, harness.cem, harness.dora):
            await person.command("plexus challenge", channel="games")
    await harness.settled()
    text = (await harness.ann.command("tables")).text
    assert len(text) <= 2000
    lines = text.splitlines()
    assert len(lines) - 3 + int(lines[-2].split()[3]) == 20
