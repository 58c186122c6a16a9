"""Moves put together on pads: keys tapped at random among those that lead on, or towards a move that is wanted.

Now and then a player taps twice, goes a step back, or leaves a pad lying and goes on with it much later, when the match
may be elsewhere. A pad that a death of the bot has cut off is gone on with at the bot that comes after it.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.sandbox import components, people
from bot.sandbox.people import BotReply

MOST = 60
"""Taps on one pad, until a player has had enough of it."""
BACK, LEFT, DOUBLE = 0.06, 0.03, 0.1
"""How often a step is taken back, a pad is left lying, a button is pressed twice."""
TAP = re.compile(r"k:\d+:\d+:[a-z]+:\d+:([a-z]+):.*")
LINE = re.compile(r"(?:^Chosen: |^-# ✏️ )(.+)$", re.MULTILINE)
"""What is chosen, as it is written on paper, in the alt text of the board."""
HEAD, RANGE, COST = (
    re.compile(r"(?:[12]: )?(?:[a-z]{2,} )?"),
    re.compile(r"[0-9]+–[0-9]+$"),
    re.compile(r" for [0-9]+$"),
)
"""The leg and the word with which a line begins, a range in which a number lies, and the cost behind a number."""
AT = re.compile(r"(\S+) at (\S+)")
PLAYED = re.compile(r"You (?:played|handed in|wrote) \*\*(.+?)\*\*(?: in leg ([12]))?")
IN_SECRET = {
    re.compile(r"([0-9]+(?: [0-9]+)+ / .*)"): r"grid \1",
    re.compile(r"[0-9]+ at (\S+) in curve ([0-9]+)"): r"fill \2 \1",
    re.compile(r"1 at (\S+) of curve ([0-9]+), clockwise"): r"number \2 \1 cw",
    re.compile(r"1 at (\S+) of curve ([0-9]+), counterclockwise"): r"number \2 \1 ccw",
}
"""Moves in words, as their player reads them in a game with secrets, and their notation."""
TOO_FAST = "That was a lot at once"
CURSOR = "…"
TURNS = {"cw": "clockwise ↻", "ccw": "the other way ↺"}
"""How a line ends that numbers a curve, and what keys say for it."""
PLACES = range(1, 25)
"""Where a number can stand in a list."""


class Hand(Protocol):
    """As much of a person's hand as pads are tapped with."""

    rng: random.Random

    async def tap(self, match: int, shown: BotReply, label: str) -> BotReply | None:
        """Press a button of a pad."""
        ...


@dataclass(frozen=True)
class Pad:
    """A pad: of which match, what opens it, and what is to be chosen on it, value by value; nothing if that is open."""

    match: int
    opener: str
    wanted: tuple[str, ...] = ()


@dataclass
class Pads:
    """The pads of one hand."""

    hand: Hand
    counts: Counter[str]
    left: list[tuple[Pad, BotReply]] = field(default_factory=list[tuple[Pad, BotReply]])

    async def go_on(self, pad: Pad, shown: BotReply | None, taps: int = MOST) -> BotReply | None:
        """Tap until something else is shown than the pad, or a board that opens another; the last answer."""
        for _ in range(taps):
            if shown is None or not shown.message_id:
                return shown
            if self.hand.rng.random() < LEFT:
                self.counts["pads left lying"] += 1
                self.left.append((pad, shown))
                return None
            label = self.next(pad, shown)
            if label is None:
                return shown
            answer = await self._pressed(pad, shown, label)
            if answer is None:
                self.counts["pads gone on with without an answer"] += 1
            elif not answer.text.startswith(TOO_FAST):
                shown = answer
                if answer.kind == "acknowledged":  # the move is played, and its pad goes
                    return answer
                if answer.kind == "message" and not is_pad(answer) or PLAYED.search(answer.text):
                    return answer
        return shown

    async def resume(self) -> tuple[Pad, BotReply | None]:
        """Go on with a pad that was left lying."""
        pad, shown = self.left.pop(self.hand.rng.randrange(len(self.left)))
        self.counts["pads found again"] += 1
        return pad, await self.go_on(pad, shown)

    async def _pressed(self, pad: Pad, shown: BotReply, label: str) -> BotReply | None:
        times = 2 if self.hand.rng.random() < DOUBLE else 1
        self.counts["taps"] += times
        answers = await asyncio.gather(*(self.hand.tap(pad.match, shown, label) for _ in range(times)))
        return next((answer for answer in answers if answer), None)

    def next(self, pad: Pad, shown: BotReply) -> str | None:
        """The button to press; None where there is nothing of a pad."""
        able = {one.label: does(one) for one in people.list_buttons(shown.message) if not one.disabled}
        keys = [label for label, word in able.items() if word == "pick"]
        whole = [label for label, word in able.items() if word in ("play", "done")]
        if not is_pad(shown):
            return pad.opener if pad.opener in able else None
        if self.hand.rng.random() < BACK:
            return "Back"
        if pad.wanted:
            keys = [key for key in keys if key in towards(pad.wanted, read_whole(shown))] or ([] if whole else keys)
        if keys and not (whole and self.hand.rng.random() < 0.5):
            return self.hand.rng.choice(keys)
        return whole[0] if whole else "Back"


def played(text: str, label: str, last: bool, at_once: bool) -> set[str]:
    """What a button of a pad may play, in canonical notation: the `last` of a move, or another; `at_once` for a player
    who wants no last step."""
    found = LINE.search(text)
    if not found:
        return set()
    if last:
        return {canonical(found[1])}
    return set(map(canonical, _last_steps(found[1].removesuffix(CURSOR), label))) if at_once else set()


def _last_steps(line: str, label: str) -> Iterator[str]:
    """What a key may play at once: a value, a column with one square that leads on, or a whole move in words."""
    begun, value, head = RANGE.sub("", line), COST.sub("", label), (HEAD.match(line) or [""])[0]
    yield line.strip()
    yield begun + next((turn for turn, said in TURNS.items() if said == value), value)
    yield head + value.removeprefix("flip ")
    yield from (f"{begun}{value}{row}" for row in range(1, 17) if value.isalpha())
    if found := AT.fullmatch(value):
        yield f"{head}{found[2]} {found[1]}"
    factors = value.partition(" = ")[2].replace(" · ", " ")
    yield from (f"{leg}split {place} {factors}" for leg in ("", "1: ", "2: ") for place in PLACES if factors)
    yield from (f"{leg}add {place}" for leg in ("", "1: ", "2: ") for place in PLACES if " + " in value)


def read_own_move(said: str) -> str:
    """The notation of a move that its player was told to have played."""
    line = said.replace("\N{NO-BREAK SPACE}", " ")
    return next((form.sub(into, line) for form, into in IN_SECRET.items() if form.fullmatch(line)), line)


def canonical(line: str) -> str:
    """A line as it stands on a pad, in the notation of the record, where a grid has rows."""
    kind, *numbers = line.split() or [""]
    side = round(len(numbers) ** 0.5)
    rows = (" ".join(numbers[at : at + side]) for at in range(0, len(numbers), side or 1))
    return f"grid {' / '.join(rows)}" if kind == "grid" else line


def does(button: people.Button) -> str:
    """What a button of a pad does; empty for other buttons."""
    found = TAP.fullmatch(button.custom_id or "")
    return found[1] if found else ""


def plays(shown: BotReply, label: str) -> bool:
    """Whether a button of a pad is the last of a move."""
    return any(one.label == label and does(one) == "play" for one in buttons(shown))


def is_pad(shown: BotReply) -> bool:
    """Whether an answer is a pad."""
    return bool(shown.message_id) and LINE.search(read_whole(shown)) is not None and any(map(does, buttons(shown)))


def read_whole(shown: BotReply) -> str:
    """The text of an answer, and below it the alt texts of its pictures."""
    galleries = (one.get("items", []) for one in components.walk_components(shown.message["components"]))
    return "\n".join([shown.text, *(item.get("description") or "" for items in galleries for item in items)])


def buttons(shown: BotReply) -> list[people.Button]:
    """The buttons of an answer."""
    return people.list_buttons(shown.message)


def towards(wanted: Sequence[str], text: str) -> tuple[str, ...]:
    """The labels that lead to the next wanted value: itself, or the column or the range it is in."""
    found = LINE.search(text)
    values = [one for one in HEAD.sub("", found[1], count=1).split() if not one.endswith(CURSOR)] if found else []
    if list(wanted[: len(values)]) != values or len(values) == len(wanted):
        return ()
    value = wanted[len(values)]
    tens = int(value) // 10 * 10 if value.isdecimal() else 0
    ranges = (f"{least}–{tens + 9}" for least in (tens, tens or 1, 2) if value.isdecimal())
    return value, value[0], TURNS.get(value, value), *ranges
