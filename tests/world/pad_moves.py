"""Moves put together on pads: keys tapped at random among those that lead on, or towards a move that is wanted.

Now and then a player taps twice, goes a step back, or leaves a pad lying and goes on with it much later, when the match
may be elsewhere. A pad that a death of the bot has cut off is gone on with at the bot that comes after it.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.sandbox import people
from bot.sandbox.people import BotReply

MOST = 60
"""Taps on one pad, until a player has had enough of it."""
BACK, LEFT, DOUBLE = 0.06, 0.03, 0.1
"""How often a step is taken back, a pad is left lying, a button is pressed twice."""
TAP = re.compile(r"k:\d+:\d+:[a-z]+:\d+:([a-z]+):.*")
PRICE, WORDED = re.compile(r" for [0-9]+$"), re.compile(r"[0-9]+ at |square |flip |divisor ")
"""What a label says behind a walk, and how it begins where a game has words of its own for a move."""
UNSAID = ("this grid", "it")
"""What a label says in place of a long line."""
LINE = re.compile(r"```yaml\n(.*)\n```", re.DOTALL)
LEG = re.compile(r"\*\*Leg ([12]): ")
"""How a pad begins where a game is played twice at once."""
PLAYED = re.compile(r"You played \*\*(.+?)\*\*(?: in leg ([12]))?")
TOO_FAST = "That was a lot at once"
PLAY, CURSOR, GRID, BESIDE = "Play ", "…", ("grid",), " · "
TURNS = {"cw": "clockwise ↻", "ccw": "the other way ↺"}
"""How a line ends that numbers a curve, and what keys say for it; the last label says where the 1 goes."""


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
            keys = [key for key in keys if key in towards(pad.wanted, shown.text)] or ([] if whole else keys)
        if keys and not (whole and self.hand.rng.random() < 0.5):
            return self.hand.rng.choice(keys)
        return whole[0] if whole else "Back"


def played(text: str, label: str, at_once: bool) -> set[str]:
    """What a button of a pad may play, in canonical notation; `at_once` for a player who wants no last step."""
    leg = LEG.match(text)
    moves = _whole(text, label) if label.startswith(PLAY) else _last_steps(text, label) if at_once else set[str]()
    return {f"{leg[1]}: {move}" for move in moves} if leg else moves


def _whole(text: str, label: str) -> set[str]:
    """What the last button of a pad plays."""
    *values, typed = chosen(text) or ("",)
    typed = typed.removesuffix(CURSOR)
    said, line = PRICE.sub("", label.removeprefix(PLAY)), " ".join((*values, typed)).strip()
    if typed in TURNS:
        return {f"number {line}"}
    if " = " in said:
        return {f"{'split' if ' ' in line else 'add'} {line}"}
    return {canonical(" ".join((*GRID, line)) if said in UNSAID else line if WORDED.match(said) else said)}


def _last_steps(text: str, label: str) -> set[str]:
    """What a key may play at once; a column with one square that leads on is that square."""
    *values, typed = chosen(text) or ("",)
    squares = [f"{label}{row}" for row in range(1, 10)] if label.isalpha() else []
    last = {label, typed.removesuffix(CURSOR) + label, label.removeprefix("Done: "), *squares}
    return {canonical(" ".join((*GRID, *values, one)) if values else one) for one in last}


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


def is_pad(shown: BotReply) -> bool:
    """Whether an answer is a pad."""
    return bool(shown.message_id) and LINE.search(shown.text) is not None and any(map(does, buttons(shown)))


def buttons(shown: BotReply) -> list[people.Button]:
    """The buttons of an answer."""
    return people.list_buttons(shown.message)


def chosen(text: str) -> list[str]:
    """The values on a pad, the last of them with a cursor where it is not whole."""
    found = LINE.search(text)
    return [one for line in (found[1].split(BESIDE) if found else ()) for one in line.split()[1:]]


def towards(wanted: Sequence[str], text: str) -> tuple[str, ...]:
    """The labels that lead to the next wanted value: itself, or the column it is in."""
    values = [one for one in chosen(text) if not one.endswith(CURSOR)]
    if list(wanted[: len(values)]) != values or len(values) == len(wanted):
        return ()
    value = wanted[len(values)]
    return value, value[0], f"{value[0]}…", TURNS.get(value, value)
