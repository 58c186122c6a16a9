"""Takes pictures of a phone: pads, lessons, replays, time: `python -m tests.browser.phone_pictures FOLDER`.

A pad of each kind of part, until the offered taps end; three lessons; a match seen again; what
people see of time. For looking at, not a test. With `hours` behind the folder only the last of these are taken.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from tests.browser.page import Tab, chromium
from tests.browser.served_bot import opened
from tests.browser.time_pictures import HEIGHT, WIDTH, Hours, begun, taken

PADS: tuple[tuple[str, dict[str, object], str, tuple[str, ...]], ...] = (
    ("binary-primes", {}, "Move", ("d", "d4")),
    ("sum-of-products", {}, "Move", ("c", "c3", "2")),
    ("palindromes-antipalindromes", {}, "Move", ("5", "1")),
    ("flipping-bits", {}, "Flip", ("2",)),
    ("divisors-multiples-sequence", {}, "Walk", ()),
    ("combining-dividing", {}, "Append", ()),
    ("cross-dont-cross", {}, "Chord", ("30", "150")),
    ("plexus", {}, "Move", ()),
    ("not-divisors-not-multiples", {}, "Move", ("c", "c3")),
    ("sums-grid", {}, "Make a grid", ()),
    ("within-the-curve", {}, "Draw curve", ("b", "b2")),
)
"""A game, its options, the button of its board, and what is tapped on the pad before the last picture."""

LESSONS = ("binary-primes", "plexus", "within-the-curve")
TURNED = 3
"""To so many further pages of a lesson somebody turns."""
WHOLE = ("b2", "a1", "c1", "b1")
"""A match of Binary Primes on three squares by three."""


async def main(folder: Path, all_of_them: bool = True) -> None:
    """Take all the pictures, or only those of time."""
    executable = chromium()
    if executable is None:
        sys.exit("There is no Chromium: install one, or name it in the variable CHROMIUM.")
    with tempfile.TemporaryDirectory() as files:
        async with opened(executable, Path(files)) as served:
            ann, bea = [await served.tab(name, (WIDTH, HEIGHT)) for name in ("Ann", "Bea")]
            await served.online(ann)
            hours = Hours(served, ann, bea, folder, Path(files))
            await hours.main()
            for number, (key, options, button, taps) in enumerate(PADS if all_of_them else (), hours.first):
                await begun(ann, bea, key, number, options)
                await pictured(ann, folder, key, button, taps)
            if all_of_them:
                await taught(ann, folder)
                await replayed(ann, bea, folder, hours.first + len(PADS))


async def pictured(ann: Tab, folder: Path, key: str, button: str, taps: tuple[str, ...]) -> None:
    """The pad as it opens, and after some taps."""
    mine = ann.page.get_by_test_id("button").filter(has_text=re.compile(r"^\s*My board\s*$"))
    if await mine.count():
        await ann.tap("My board")
    await ann.tap(button)
    await ann.read_latest_message("Type it")
    await taken(ann, folder / f"{key}-1.png")
    for number, label in enumerate(taps, 2):
        await ann.tap(label)
        await taken(ann, folder / f"{key}-{number}.png")


async def taught(ann: Tab, folder: Path) -> None:
    """Some pages of some lessons."""
    for key in LESSONS:
        await ann.command("learn", game=key)
        for number in range(1, TURNED + 2):
            await taken(ann, folder / f"lesson-{key}-{number}.png")
            if number <= TURNED:
                await ann.tap("Next")


async def replayed(ann: Tab, bea: Tab, folder: Path, number: int) -> None:
    """A match to its end, and then again step by step, as pictures and as a moving one."""
    await begun(ann, bea, "binary-primes", number, {"size": 3})
    for tab in (bea, ann):
        await tab.go(f"Ann – Bea · Binary Primes · {number}")
    for place, square in enumerate(WHOLE):
        tab = (ann, bea)[place % 2]
        await tab.tap("Move", square, f"Play {square}")
        await (bea, ann)[place % 2].read_latest_message(re.compile(rf"(Ann|Bea)\W (played {square}|beat)"))
    await taken(ann, folder / "finished.png")
    await ann.tap("Replay")
    await taken(ann, folder / "replay-1.png")
    await ann.tap("Next", "Next")
    await taken(ann, folder / "replay-2.png")
    await ann.tap("Moving picture")
    await taken(ann, folder / "replay-3.png")


if __name__ == "__main__":
    wanted = Path(sys.argv[1])
    wanted.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(wanted, all_of_them="hours" not in sys.argv[2:]))
