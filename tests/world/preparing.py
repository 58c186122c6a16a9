"""People who prepare moves: the opponent's move on a pad and their answer, and on; more lines, or all given up again.

What may be prepared is noted before each tap, and what a player was told to have ready after it, to be compared with
what is stored and played. A player to move now and then waits until an answer is ready, and plays what is expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from bot.play.premoves import PremoveTree
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.world.findings import Ledger
from tests.world.pad_moves import TOO_FAST, played, read_whole
from tests.world.player_acts import Doing, Told
from tests.world.visible_matches import Board

MORE, IF_THEN, ON, CLEAR = "More …", "If … then …", ("And then …", "Another one"), "Clear all"
TAP = re.compile(r"q:\d+:\d+:[a-z]+:\d+:(?:pick|play|done):.*")
OWN = re.compile(r"plays .*, (?:play )?\*\*")
READY = re.compile(r"You have \d+ lines? ready in match (\d+)")
FIRST = re.compile(r"^\d+\. If \S+ plays \*\*(\w+)\*\*", re.MULTILINE)
"""What each line that is ready answers."""
VERSION = re.compile(r"m:\d+:(\d+)s?:\w+")
MOST = 40
"""Taps at one time."""
WAITS, GOES_ON, CLEARS, EXPECTED = 0.8, 0.5, 0.05, 0.9
"""How often the opponent waits meanwhile, one more line is prepared, all are given up, what is expected is played."""
LINES = """
    select m.id, m.premove_plies, v.ply, v.seat from matches m join moves v on v.match = m.id
     where m.premove_plies != '[]' order by m.id, v.ply
"""
TREES = """
    select m.id, m.plies, m.state, m.substitutions, p.user, p.seat, p.prepared
      from players p join matches m on m.id = p.match
"""
GIVEN_UP = -1
"""Stands for the number of lines where a player has given up all answers: one hand may not know of the other."""


async def prepares(hand: Doing, board: Board) -> None:
    """Prepare some lines in a match that waits for the opponent."""
    key = (board.message["id"], board.movers[0])
    holds = key not in hand.harness.busy and hand.rng.random() < WAITS
    hand.harness.busy |= {key} if holds else set()
    try:
        shown: BotReply | None = None
        for _ in range(MOST):
            if shown is None or shown.text.startswith(TOO_FAST):
                shown = await hand.attempt(hand.me.press(board.message, MORE))
                if shown and shown.text.startswith(TOO_FAST):
                    continue
            label = _next(hand, board.match, shown) if shown and shown.message_id else None
            if shown is None or label is None:
                return
            answer = await hand.attempt(_pressed(hand, board.match, shown, label), again=True)
            if answer is not None and not answer.text.startswith(TOO_FAST):
                shown = answer
                note(hand, board.match, shown)
    finally:
        hand.harness.busy -= {key} if holds else set()


async def _pressed(hand: Doing, match: int, shown: BotReply, label: str) -> BotReply:
    """Press a button; what it may prepare has been tried then, as the pad stands at that moment."""
    tapped = {one.label for one in people.list_buttons(shown.message) if TAP.fullmatch(one.custom_id or "")}
    if label in tapped and OWN.search(shown.text):
        moves = played(read_whole(shown), label, last=False, at_once=True)
        hand.harness.tried |= {Told(match, hand.me.id, one) for one in moves}
    return await hand.me.press(shown, label)


def _next(hand: Doing, match: int, shown: BotReply) -> str | None:
    """The button to press."""
    able = [one for one in people.list_buttons(shown.message) if not one.disabled]
    keys = [one.label for one in able if TAP.fullmatch(one.custom_id or "")]
    labels = [one.label for one in able]
    if keys:
        return hand.rng.choice(keys)
    if CLEAR in labels and hand.rng.random() < CLEARS:
        hand.harness.ready[match, hand.me.id] = GIVEN_UP
        return CLEAR
    on = [one for one in labels if one.endswith(ON)]
    if IF_THEN in labels:
        return IF_THEN
    return hand.rng.choice(on) if on and hand.rng.random() < GOES_ON else None


def note(hand: Doing, match: int, shown: BotReply) -> None:
    """Note what a player was told to have ready, and after how many lines of the record."""
    if READY.search(shown.text):
        hand.harness.counts["lines prepared"] += 1
        hand.harness.expected[match] = set(FIRST.findall(shown.text))
        at = next((VERSION.fullmatch(one.custom_id or "") for one in people.list_buttons(shown.message)), None)
        if at and hand.harness.ready.get((match, hand.me.id)) != GIVEN_UP:
            hand.harness.ready[match, hand.me.id] = int(at[1])


def expected(hand: Doing, board: Board) -> list[str]:
    """The squares that a player has prepared an answer to, if the person to move is to play one of them."""
    found = [square for square in board.empty if square in hand.harness.expected.get(board.match, ())]
    return found if hand.rng.random() < EXPECTED else []


def faults(ledger: Ledger, ready: Mapping[tuple[int, str], int]) -> Iterator[tuple[str, str]]:
    """What is wrong with prepared moves at any moment, by kind: what a player was told to have ready and is gone though
    the match did not go on, what was due and was not played, and what was played before its turn."""
    for match, plies, state, handed, user, seat, kept in ledger.ask(TREES):
        tree = PremoveTree.parse(kept)
        if ready.get((match, str(user))) == plies and state == "live" and not handed and not tree.lines:
            yield "lost", f"match {match}: what {user} had ready after {plies} lines is gone"
        if state == "live" and tree.find_due_move(seat):
            yield "undue", f"match {match}: {tree.find_due_move(seat)} of {user} was due and was not played"
        if kept is not None and state != "live":
            yield "kept", f"match {match}: {user} still has moves ready, and it is {state}"
    before: tuple[int, int] = (0, 0)
    for match, numbers, ply, seat in ledger.ask(LINES):
        if ply in json.loads(numbers) and before != (match, 3 - seat):
            yield "undue", f"match {match}: line {ply} was prepared, and answers nothing"
        before = match, seat


def answers(ledger: Ledger) -> Mapping[int, int]:
    """How many prepared moves were played in each match."""
    return {match: len(json.loads(numbers)) for match, numbers in ledger.ask("select id, premove_plies from matches")}
