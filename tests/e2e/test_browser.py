"""A match in a real browser on phones, by taps and by commands, with the bot as `python -m bot` serves it: processes of
their own, in real time.

What else is told in a browser takes longer: `make browser`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.browser.page import needed
from tests.browser.served_bot import moved_by_command, moved_by_pad, opened


@pytest.mark.sockets
async def test_a_match_on_two_phones(tmp_path: Path) -> None:
    async with opened(needed(), tmp_path) as served:
        ann, bea = await asyncio.gather(served.tab("Ann"), served.tab("Bea"))
        await asyncio.gather(*(served.online(tab) for tab in (ann, bea)))
        for tab in (ann, bea):
            await tab.go("games")
        await ann.command("binary-primes challenge", opponent="Bea", size=3, seat="me")
        await bea.press("Accept")
        for tab in (ann, bea):
            await tab.go("Ann – Bea · Binary Primes · 1")
        await moved_by_pad(ann, "b2")
        await bea.see("@Bea is to move.")
        await moved_by_command(bea, "a1")
        await ann.see("@Bea played a1")
        await moved_by_pad(ann, "c1")
        await bea.see("@Ann played c1")
        await moved_by_pad(bea, "b1")
        over = await ann.read(await ann.see("@Bea beat "))
        assert (over.buttons, len(over.pictures)) == (("Rematch", "Replay", "Review", "Details"), 1)
        for tab in (ann, bea):
            assert tab.errors == [] and await tab.fits()
