"""Words the last turn: its moves, the changes of scores, the working. Pure text, no Discord.

It says only what the viewer may know, and no more than people read beside a board.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from bot.client.text.match_text import CHIPS, HELD, NARROW, counted, in_leg, mention, move
from bot.core.game.game import Game
from bot.core.game.legs import LEGS, Legs, seat_in
from bot.core.game.moves import PLAYED
from bot.core.game.position import Position
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.match.record import Draw, Entry, Move, Takeback, Withdrawal
from bot.core.values.computer_users import is_computer
from bot.core.values.plural import together
from bot.core.values.seats import Seat, peopled
from bot.core.values.text_lengths import shortened


class Aside(str):
    """Changes of scores that are said in parentheses, since the sentence stands behind a colon itself."""

    __slots__ = ()


class Told(NamedTuple):
    """A sentence about a turn: without the changes of scores that it brought, with them, and with them in
    parentheses."""

    alone: str
    scored: str
    aside: str = ""

    def of(self, changes: str, **parts: object) -> str:
        """The sentence with its parts filled in, and with changes where there are some."""
        scored = self.aside if self.aside and isinstance(changes, Aside) else self.scored
        return (scored if changes else self.alone).format(changes=changes, **parts)


ONE = Told("{who} played {move}.", "{who} played {move}: {changes}.", "{who} played {move} ({changes}).")
SOME = Told("{who} played {moves}.", "{who} played {moves}: {changes}.", "{who} played {moves} ({changes}).")
MANY = Told(
    "{who} played {number} moves, the last one {move}.",
    "{who} played {number} moves, the last one {move}: {changes}.",
    "{who} played {number} moves, the last one {move} ({changes}).",
)
READY = Told("{who} had {moves} ready.", "{who} had {moves} ready: {changes}.", "{who} had {moves} ready ({changes}).")
"""What was prepared for the move before it."""
GIVEN = Told("{chip} had played {move}.", "{chip} had played {move}: {changes}.")
"""Of a move that was played before the match went on from there, by somebody else."""
RESIGNED = Told("{who} resigned.", "{who} resigned: {changes}.", "{who} resigned ({changes}).")
TIMED_OUT = Told("{who} ran out of time.", "{who} ran out of time: {changes}.", "{who} ran out of time ({changes}).")
LEFT = Told("{who} left this server.", "{who} left this server: {changes}.", "{who} left this server ({changes}).")
TOOK_BACK = Told(
    "{who} took back {moves}.", "{who} took back {moves}: {changes}.", "{who} took back {moves} ({changes})."
)
TOOK_BACK_AGREED = Told(
    "{who} took back {moves}, and {others} agreed.",
    "{who} took back {moves}, and {others} agreed: {changes}.",
    "{who} took back {moves}, and {others} agreed ({changes}).",
)
TOOK_BACK_TOGETHER = Told(
    "{who} took back {moves}, as agreed.",
    "{who} took back {moves}, as agreed: {changes}.",
    "{who} took back {moves}, as agreed ({changes}).",
)
"""Where the other player is named by a move that goes too, so that all fits a lock screen."""
OWN, SOMEBODYS = "{move}", "{who}'s {move}"
"""A move that goes when another one is taken back, of the same player and of somebody else."""
NAMED_SEATS = 2
"""Of so many players the moves that go are named: a lock screen has no room for more."""
PLAYED_SINCE = "{move} and {number} moves played since"
EVERYBODY = "everybody"
AGREED = Told("{who} offered a draw, and everybody agreed.", "{who} offered a draw, and everybody agreed: {changes}.")
GROUPS = re.compile("(?<=[0-9]) (?=[0-9]{3}(?![0-9]))")
"""Between the groups of a long number: no line is broken there."""
MINUS = "\N{MINUS SIGN}"
LEADS = f"{HELD}→{HELD}"
"""Between a change and the total that it leads to, which stay on one line."""
SIGNS: Mapping[Seat, str] = dict(enumerate(CHIPS, 1))
"""What seats are called where nobody sits on them."""
MOVES_SAID, MOST_CHANGES, MOST_LINES, MOST_LINE = 3, 400, 5, 160
"""The most moves named, characters of changed scores, lines of working, and characters of such a line."""
MOST_AT_END = 42
"""The most lines of working when secret work is over, and everybody's is told at once."""
SMALL, ROWS, ROWS_OF_MANY = 42, 3, 1
"""On a phone: letters of small print in a row, and how many rows of working stand under a board of two and of more."""
SUM = re.compile(r"(?:player )?\w+: (?:[-0-9 +×·]+ = )?[0-9 ]+")
"""A line that adds up what somebody has: the sentence above it says the total."""


def last_turn(sight: Sight, *, whole: bool = False) -> str:
    """What happened last and what it did; empty before the first move. On a board as much of the working as fits a
    phone, `whole` where there is room."""
    if not sight.record:
        return ""
    lines = turn_told(sight, str)
    lines += rounds_over(sight.before, sight.position) if sight.before else []
    return "\n".join([*lines, *(f"-# {line}" for line in explained(sight, whole=whole))])


def rounds_over(before: Position, after: Position, over: str = "**Round {round} is over.**") -> list[str]:
    """The rounds that have ended between two positions."""
    if isinstance(before, Legs) and isinstance(after, Legs):
        over = "**Round {{round}} of leg {leg} is over.**"
        each = (rounds_over(before.leg(leg), after.leg(leg), over.format(leg=leg)) for leg in LEGS)
        return [line for lines in each for line in lines]
    return [over.format(round=before.round)] if before.round < after.round else []


def turn_told(sight: Sight, scored: Callable[[str], str] | None = None) -> list[str]:
    """The last turn in a sentence, and each answer that was ready for it in another; of many moves only a few are
    named. Where changes of scores are `scored`, each of these sentences ends with those that its own moves made."""
    seated, before, last = sight.seated, sight.seated.before, sight.record[-1]

    def did(seat: Seat, start: Position | None, end: Position | None) -> str:
        return scored(changed(seated, seat, start, end)) if scored and start and end else ""

    if len(sight.record) <= seated.row.imported_plies:
        changes = did(last.seat, sight.before, sight.position)
        return [GIVEN.of(changes, chip=CHIPS[last.seat - 1], move=said(seated, last, sight.before))]
    first = len(before.record) if before and not seated.game.secret else len(sight.record) - 1
    made = enumerate(sight.record[first:], first + 1)
    each = groupby(made, key=lambda one: (one[1].seat, one[0] in seated.row.premove_plies))
    turns = [(was_ready, [line for _, line in several]) for (_, was_ready), several in each]
    lines, start = list[str](), sight.before
    for number, (was_ready, entries) in enumerate(turns, 1):
        end = sight.position if number == len(turns) else after(start, entries)
        earned = did(entries[0].seat, start, end)
        lines.append((had_ready if was_ready else played)(seated, entries, start, earned))
        start = end
    return lines


def answered(seated: LoadedMatch, plies: int) -> list[str]:
    """The sentence about the prepared moves behind so many lines of the record; nothing where there are none."""
    record, found = seated.folded.record, sorted(ply for ply in seated.row.premove_plies if ply > plies)
    return [had_ready(seated, [record[ply - 1] for ply in found], before_line(seated, found[0]))] if found else []


def had_ready(seated: LoadedMatch, lines: Sequence[Entry], before: Position | None, changes: str = "") -> str:
    """What one seat had ready for what another did, in a position `before` it."""
    moves = together([said(seated, one, after(before, lines[:number])) for number, one in enumerate(lines)])
    return READY.of(changes, who=mention(seated, lines[0].seat), moves=moves)


def before_line(seated: LoadedMatch, ply: int) -> Position | None:
    """The position before a line of the last turn; None before another, and where something else than a move came
    between."""
    start = seated.before
    made = seated.folded.record[len(start.record) : ply - 1] if start else ()
    return after(start.position, made) if start and len(start.record) < ply else None


def after(before: Position | None, lines: Iterable[Entry]) -> Position | None:
    """The position after these lines; None where it is not known, or where one of them is no move."""
    for line in lines:
        before = before.play(line.seat, line.text) if before and isinstance(line, Move) else None
    return before


def played(seated: LoadedMatch, moves: Sequence[Entry], before: Position | None = None, changes: str = "") -> str:
    """What one seat has played in a row, as a sentence that names only a few of many moves."""
    last = moves[-1]
    who = mention(seated, last.seat)
    if len(moves) == 1:
        return told(seated, last, before, changes)
    if len(moves) <= MOVES_SAID:
        return SOME.of(changes, who=who, moves=together([move(seated, one.text) for one in moves]))
    return MANY.of(changes, who=who, number=len(moves), move=move(seated, last.text))


def changed(seated: LoadedMatch, mover: Seat, before: Position, after: Position) -> str:
    """The changes of the public scores that moves of a seat in a row have made: "rows +5 → 27"; its own first, without
    a name."""
    names = {seat: "" if seat == mover else mention(seated, seat) for seat in range(1, seated.row.seats + 1)}
    if seated.game.once and isinstance(before, Legs) and isinstance(after, Legs):
        # The line of each leg says how it stands: only moves in one of them are told by what they did there.
        leg, *further = [one for one in LEGS if before.leg(one) != after.leg(one)] or (1,)
        inner = {seat_in(leg, seat): name for seat, name in names.items()}
        once = seated.game.once
        return "" if further else changes(once, before.leg(leg), after.leg(leg), inner, totals=False)
    return "" if seated.game.secret else changes(seated.game, before, after, names)


def changes(
    game: Game, before: Position, after: Position, names: Mapping[Seat, str] = SIGNS, *, totals: bool = True
) -> str:
    """The changes of the scores between two positions, of each seat by what it counts or by its name, where it has one,
    and the `totals` they lead to; empty where that would be long."""
    if not game.scored:
        return ""
    change = multiplied if game.products else signed
    scores = dict(enumerate(zip(before.scores(), after.scores(), strict=True), 1))
    said = ", ".join(
        f"{game.sides[seat - 1] if game.sides else name} {change(was, now)}{f'{LEADS}{counted(now)}' * totals}".strip()
        for seat, name in sorted(names.items(), key=lambda one: one[1] != "")
        if seat in scores and (was := scores[seat][0]) != (now := scores[seat][1])
    )
    return said if len(said) <= MOST_CHANGES else ""


def signed(was: int, now: int) -> str:
    """A change with its sign: "+5", "−3"."""
    return f"{'+' if now > was else MINUS}{counted(abs(now - was))}"


def multiplied(was: int, now: int) -> str:
    """A change of a product as its factors: "×59", "÷63", "×59 ÷2"."""
    common = math.gcd(was, now)
    factors = ("×", now // common), ("÷", was // common)
    return " ".join(f"{sign}{counted(factor)}" for sign, factor in factors if factor > 1)


def explained(sight: Sight, *, whole: bool) -> list[str]:
    """The lines of the working that the last turn has added; the first few."""
    if not sight.before or not whole and isinstance(sight.position, Legs):
        return []  # two boards have no room for it
    rows = ROWS if sight.seated.row.seats <= 2 else ROWS_OF_MANY
    most = MOST_AT_END if sight.seated.game.secret else MOST_LINES
    lines = added(sight.before, sight.position, most) if whole else brief(sight.before, sight.position, rows)
    return [peopled(GROUPS.sub(NARROW, line), partial(mention, sight.seated)) for line in lines]


def added(before: Position, after: Position, most: int = MOST_LINES) -> list[str]:
    """The lines of the working that the second position adds to the first; the first few."""
    lines = [shortened(line, MOST_LINE) for line in after.news(before)]
    left = len(lines) - most
    return [*lines[:most], f"… and {left} more lines"] if left > 1 else lines


def brief(before: Position, after: Position, rows: int) -> list[str]:
    """As many of these lines as a board has room for, sums left out."""
    lines = list[str]()
    for line in after.news(before):
        rows -= 0 if SUM.fullmatch(line) else -(-len(line) // SMALL)
        if rows < 0:
            break
        lines += [] if SUM.fullmatch(line) else [line]
    return lines


def told(seated: LoadedMatch, entry: Entry, before: Position | None = None, changes: str = "") -> str:
    """One line of a record as a sentence; with the position `before` it a move is told as its pad says it."""
    who = mention(seated, entry.seat)
    match entry:
        case Withdrawal(_, "resign"):
            return RESIGNED.of(changes, who=who)
        case Withdrawal(seat):
            is_gone = any(player.gone for player in seated.players if player.seat == seat)
            return (LEFT if is_gone else TIMED_OUT).of(changes, who=who)
        case Takeback():
            agreed, gone = consenting(seated, entry.seat), seated.folded.taken_back()
            by_both = TOOK_BACK_TOGETHER if len(gone) > 1 and agreed != EVERYBODY else TOOK_BACK_AGREED
            sentence = by_both if agreed else TOOK_BACK
            return sentence.of(changes, who=who, others=agreed, moves=going(seated, gone))
        case Draw():
            return AGREED.of(changes, who=who)
        case _:
            pass
    alone, _ = sentence_of(seated, entry.text)
    # Moves with a sentence of their own are secret, and change no score that others see.
    sentence = ONE if alone == PLAYED[0] else Told(alone, alone)
    return sentence.of(changes, who=who, move=said(seated, entry, before))


def going(seated: LoadedMatch, lines: Sequence[Entry]) -> str:
    """The lines that go with the first of them, whose player takes it back: "**d1** and Bea's **e2**"; of many, or of
    several others, only their number."""
    first, *further = lines
    taken = move(seated, first.text)
    if len(lines) > MOVES_SAID or len({one.seat for one in lines}) > NAMED_SEATS:
        return PLAYED_SINCE.format(move=taken, number=len(further))
    theirs = [OWN if one.seat == first.seat else SOMEBODYS for one in further]
    named = zip(theirs, further, strict=True)
    return together(
        [taken, *(words.format(who=mention(seated, one.seat), move=move(seated, one.text)) for words, one in named)]
    )


def consenting(seated: LoadedMatch, seat: Seat) -> str:
    """Who has agreed to what a seat took back; empty where nobody was asked: the computer always agrees."""
    others = [player.seat for player in seated.players if player.seat not in (None, seat)]
    people = [other for other in others if other and not is_computer(seated.user_at(other))]
    return mention(seated, people[0]) if len(others) == 1 and people else EVERYBODY if people else ""


def said(seated: LoadedMatch, entry: Entry, before: Position | None) -> str:
    """A move in a sentence, by the words of its kind where it has some: "**8 at b1**", "**c4** in leg 2"."""
    kinds = (kind for kind in seated.game.moves if before and (kind.places or kind.plays))
    for kind in kinds:
        values = kind.parse(entry.text)
        if before and values is not None and kind.when(before, entry.seat):
            return in_leg(seated, entry.text, kind.retold(before, entry.seat, values))
    return move(seated, entry.text)


def own_move(seated: LoadedMatch, text: str) -> str:
    """A move as its player reads it: "You played **c4**.", "You have finished."."""
    return sentence_of(seated, text)[1].format(move=move(seated, text))


def sentence_of(seated: LoadedMatch, text: str) -> tuple[str, str]:
    """What is said of a move, or of the word that veils it, by its kind."""
    kinds = seated.game.moves
    found = (kind.said for kind in kinds if kind.said != PLAYED and kind.name == text.partition(" ")[0])
    return next(found, PLAYED)
