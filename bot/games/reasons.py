"""Why scores changed: the parts of scores that differ between two positions, in lines that add up to the change."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.games.game import Game
from bot.games.notation import format_product, format_sum, group_digits
from bot.games.position import Position, ScorePart, Seat
from bot.games.wording import join_words, shorten_text

CHANGED, NOTED = "{name}: {was} → {now} ({change})", "{name}: {was} → {now} ({change}), {notes}"
STAYS_NOTED = "{name} stays {now}, {notes}"
BRIEFLY = "{name}: {was} → {now}"
"""Where several parts share a row."""
CAME, GONE = "{name} ({change})", "{name} is gone ({change})"
WITH_WORKING: Mapping[str, str] = {
    CHANGED: "{name}: {was} → {now} ({change}), {working}",
    NOTED: "{name}: {was} → {now} ({change}), {notes}; {working}",
    STAYS_NOTED: "{name} stays {now}, {notes}: {working}",
    CAME: "{name}: {working} ({change})",
}
"""The same sentences with how the value comes about."""
IN_WORKING = "{name}: {was} → {working} ({change})"
"""Where the working is a sum that ends in the value."""
WHOLE_SCORE = "{name}: {working}"
"""Where a part is all of a score, whose change is told already."""
IS_SUM = re.compile("[0-9 +]+ = [0-9 ]+").fullmatch
LOST, WON = "{note} lost", "{note} won"
OWNED = "{name}, player {seat}"
MORE, MORE_CHANGES, CHANGES = "and {number} more", "and {number} more changes: {changes}", "{number} changes: {changes}"
OF_SEAT, OF_SIDE, NO_CHANGE = "player {seat} {change}", "{side} {change}", "±0"
TOTAL_OF_SIDE, TOTAL_OF_SEAT = "{side}: {total}", "player {seat}: {total}"
COUNTING_ONE = "counting 1: {parts}"
"""What adds nothing to a product."""
TIMES, SLIGHTLY = "{number} times", "a little more than"
READABLE, TENTHS_BELOW = 10**6, 10
"""From where on products are shortened and compared, and below which number a ratio has tenths."""
LARGE = (
    *("thousand", "million", "billion", "trillion", "quadrillion"),
    *("quintillion", "sextillion", "septillion", "octillion"),
)
"""The names of the powers of a thousand."""
HUGE = "{number} × 10^{power}"
MINUS = "\N{MINUS SIGN}"
LONGEST, LEAST = 160, 40
"""The most characters of a line, and of a working that is shortened so that its line is no longer."""
MOST = 6
"""The most lines, where there is space."""
WIDTH = 42
"""Letters of small print in a row on a phone."""


class Effect(NamedTuple):
    """What a seat's part of the score was, and what it is: 0, or 1 in a product, where it does not exist."""

    seat: Seat
    was: int
    now: int


class Reason(NamedTuple):
    """A line about changed scores, and the changes that it tells."""

    text: str
    effects: tuple[Effect, ...] = ()
    repeats: bool = False
    """Whether it says no more than the change of the score does."""


class PartChange(NamedTuple):
    """A part of a score in two positions; None where it does not exist."""

    before: ScorePart | None
    after: ScorePart | None

    @property
    def part(self) -> ScorePart:
        """The part as it is, or was last."""
        found = self.after or self.before
        assert found
        return found


def list_part_changes(before: Position, after: Position, products: bool = False) -> list[PartChange]:
    """The parts that differ in value or in what is told of them, those first that are gone."""
    old = {part.identity: part for part in before.list_score_parts()}
    new = {part.identity: part for part in after.list_score_parts()}
    gone = [PartChange(part, None) for identity, part in old.items() if identity not in new]
    both = [PartChange(old.get(identity), part) for identity, part in new.items()]
    return [change for change in (*gone, *both) if _is_news(change, products)]


def _is_news(change: PartChange, products: bool) -> bool:
    effect = find_effect(change, products)
    noted = change.before and change.after and change.before.notes != change.after.notes
    return effect.was != effect.now or bool(noted)


def find_effect(change: PartChange, products: bool = False) -> Effect:
    """What a part has changed of its seat's score."""
    nothing = int(products)
    was = change.before.value if change.before else nothing
    return Effect(change.part.seat, was, change.after.value if change.after else nothing)


def list_reasons(
    game: Game,
    before: Position,
    after: Position,
    mover: Seat | None = None,
    *,
    rows: int | None = None,
    most: int = MOST,
) -> list[Reason]:
    """The lines about what a move, or several, have changed; where no score has changed, those that say why.

    All changes are told: of more than there is space for, the last line tells the sum. There is space for so many
    `rows` on a phone, or without such a limit for at most so many lines. Seats are named "player 1", except the `mover`
    where all changes are theirs, and seats that the names of the parts distinguish.
    """

    def fits(lines: Sequence[Reason]) -> bool:
        return len(lines) <= most if rows is None else sum(-(-len(line.text) // WIDTH) for line in lines) <= rows

    once = game.single or game
    changes = list_part_changes(before, after, once.products)
    if not changes:
        return _list_further(after.explain_unchanged(before), fits)
    if whole := after.explain_changes(before):
        return [Reason(whole, tuple(find_effect(change, once.products) for change in changes))]
    whose = {change.part.seat for change in changes}
    named, products = not once.sides and whose != {mover}, once.products
    brief = [_describe_change(change, products, named, whole=False) for change in changes]
    several = [part.seat for parts in (before, after) for part in parts.list_score_parts()]
    long = [
        _describe_change(change, products, named, whole=True, alone=several.count(change.part.seat) <= 2)
        for change in changes
    ]
    told, shown = brief, len(brief)
    if rows is not None and not fits(told):
        joined = _join_changes(changes, products, named)
        if joined and fits([joined]):
            return [joined]
    # The products of two legs are added: they have no factors in common.
    while shown and not fits(told) and not (products and game.single):
        # A line about one more would take as much space as that one itself.
        shown = max(0, shown - (2 if shown == len(brief) else 1))
        told = [*brief[:shown], _describe_rest(game, brief[shown:], shown > 0, whose == {mover})]
    for at in range(shown):
        longer = [*told[:at], long[at], *told[at + 1 :]]
        told = longer if fits(longer) else told
    return told


def _list_further(lines: Sequence[str], fits: Callable[[Sequence[Reason]], bool]) -> list[Reason]:
    """As many lines as there is space for, and how many more there are."""
    told = [Reason(shorten_text(line, LONGEST)) for line in lines]
    shown = next(shown for shown in range(len(told), -1, -1) if fits(told[:shown]))
    if 1 < shown < len(told):
        return [*told[: shown - 1], Reason(MORE.format(number=len(told) - shown + 1))]
    return told[:shown]


def _describe_change(
    change: PartChange, products: bool, named: bool, whole: bool, alone: bool = False
) -> Reason:  # fmt: skip
    """The line about a part, as a `whole` with its working; `alone` it is all of its player's score."""
    part, effect = change.part, find_effect(change, products)
    name = _name_part(part, named)
    old, new = change.before, change.after
    if new is None:
        sentence, parts = GONE, {"change": format_change(effect, products)}
    elif old is None:
        sentence, parts = CAME, {"change": format_change(effect, products)}
    else:
        lost = [LOST.format(note=note) for note in old.notes if note not in new.notes]
        # A working says itself what has come.
        won = [WON.format(note=note) for note in new.notes if note not in old.notes and not (whole and part.working)]
        sentence = (CHANGED, NOTED)[bool(lost or won)] if effect.was != effect.now else STAYS_NOTED
        parts = {
            "was": group_digits(effect.was),
            "now": group_digits(effect.now),
            "change": format_change(effect, products),
            "notes": join_words([*lost, *won]),
        }
    text = sentence.format(name=name, **parts)
    if not (whole and part.working and sentence in WITH_WORKING):
        return Reason(text, (effect,), alone and sentence is CHANGED)
    if sentence is CAME and part.working == group_digits(effect.now):
        return Reason(text, (effect,), True)
    working = shorten_text(part.working, max(LEAST, LONGEST - len(text) - len(": ")))
    if alone and sentence is CHANGED:
        return Reason(WHOLE_SCORE.format(name=name, working=working), (effect,))
    told = IN_WORKING if sentence is CHANGED and IS_SUM(working) and working.endswith(f"= {parts['now']}") else None
    return Reason((told or WITH_WORKING[sentence]).format(name=name, working=working, **parts), (effect,))


def _name_part(part: ScorePart, named: bool) -> str:
    """A part of a score, perhaps with whose it is."""
    return OWNED.format(name=part.name, seat=part.seat) if named else part.name


def _join_changes(changes: Sequence[PartChange], products: bool, named: bool) -> Reason | None:
    """One line about all changes, each as short as it can be; None where one of them is more than another value."""
    told, effects = list[str](), list[Effect]()
    for before, after in changes:
        if before is None or after is None or before.value == after.value or before.notes != after.notes:
            return None
        was, now = group_digits(before.value), group_digits(after.value)
        told.append(BRIEFLY.format(name=_name_part(after, named), was=was, now=now))
        effects.append(find_effect(PartChange(before, after), products))
    return Reason(join_words(told, ", "), tuple(effects))


def _describe_rest(game: Game, rest: Sequence[Reason], follows: bool, is_movers: bool) -> Reason:
    """The line about changes that are not told one by one: how many they are, and their sums."""
    products = (game.single or game).products
    effects = [effect for reason in rest for effect in reason.effects]
    seats = sorted({effect.seat for effect in effects})
    sums = [one for seat in seats for one in _add_up([it for it in effects if it.seat == seat], products)]
    changed = [(seat, [one for one in sums if one.seat == seat and one.was != one.now]) for seat in seats]
    listed = [(seat, " ".join(format_change(one, products) for one in several)) for seat, several in changed if several]
    if is_movers and not game.sides:
        said = [change for _, change in listed]
    elif game.sides:
        said = [OF_SIDE.format(side=game.sides[seat - 1], change=change) for seat, change in listed]
    else:
        said = [OF_SEAT.format(seat=seat, change=change) for seat, change in listed]
    sentence = MORE_CHANGES if follows else CHANGES
    # Of sums the change of the whole score is told already.
    repeats = not (follows or products) and len(sums) == len(seats)
    return Reason(sentence.format(number=len(rest), changes=", ".join(said) or NO_CHANGE), tuple(sums), repeats)


def _add_up(effects: Sequence[Effect], products: bool) -> list[Effect]:
    """Effects on one seat as one, of sums gains and losses apart."""
    if products:
        return [Effect(effects[0].seat, math.prod(one.was for one in effects), math.prod(one.now for one in effects))]
    groups = [one for one in effects if one.now >= one.was], [one for one in effects if one.now < one.was]
    return [Effect(some[0].seat, sum(it.was for it in some), sum(it.now for it in some)) for some in groups if some]


def format_change(effect: Effect, products: bool = False) -> str:
    """A change with its sign, "+5" or "−3"; of a product its factors: "×59", "÷63", "×59 ÷2".

    >>> format_change(Effect(1, 8, 5)), format_change(Effect(1, 14, 21), products=True)
    ('−3', '×3 ÷2')
    """
    was, now = effect.was, effect.now
    if was == now:
        return NO_CHANGE
    if not products:
        return f"{'+' if now > was else MINUS}{group_digits(abs(now - was))}"
    common = math.gcd(was, now)
    factors = ("×", now // common), ("÷", was // common)
    return " ".join(f"{sign}{group_digits(factor)}" for sign, factor in factors if factor > 1)


def is_readable(products: Sequence[int]) -> bool:
    """Whether people can compare these products at sight."""
    return max(products) < READABLE


def measure_lead(larger: int, smaller: int) -> str:
    """How many times a product is another one.

    >>> measure_lead(532875860165503, 4195872914689), measure_lead(27, 20), measure_lead(10**9, 10**9 - 1)
    ('127 times', '1.4 times', 'a little more than')
    >>> measure_lead(14, 7), measure_lead(10**15, 96 * 10**6)
    ('2 times', '10 million times')
    """
    tenths = _divide(10 * larger, smaller)
    if tenths == 10:
        return SLIGHTLY
    if tenths < 10 * TENTHS_BELOW and tenths % 10:
        return TIMES.format(number=f"{tenths // 10}.{tenths % 10}")
    return TIMES.format(number=shorten_product(_divide(larger, smaller)))


def shorten_product(product: int, beside: int = 0) -> str:
    """A product as people say it, rounded; also a small one `beside` a large one, whose digits nobody has to count.

    >>> shorten_product(592300), shorten_product(52666729), shorten_product(1234 * 10**6), shorten_product(7 * 10**30)
    ('592 300', '53 million', '1.2 billion', '7.0 × 10^30')
    >>> shorten_product(9960000), shorten_product(999600000)
    ('10 million', '1.0 billion')
    >>> shorten_product(592300, beside=62 * 10**9), shorten_product(472, beside=62 * 10**9)
    ('592 thousand', '472')
    """
    if product < 1000 or max(product, beside) < READABLE:
        return group_digits(product)
    power = (len(str(product)) - 1) // 3
    power += _divide(product, 1000**power) == 1000
    if power > len(LARGE):
        number, power_of_ten = f"{product:.1e}".split("e+")
        return HUGE.format(number=number, power=power_of_ten)
    tenths = _divide(10 * product, 1000**power)
    whole = _divide(product, 1000**power)
    return f"{whole if tenths >= 10 * TENTHS_BELOW else f'{tenths // 10}.{tenths % 10}'} {LARGE[power - 1]}"


def _divide(number: int, by: int) -> int:
    """A quotient of whole numbers, rounded."""
    return (2 * number + by) // (2 * by)


def list_totals(game: Game, position: Position) -> list[str]:
    """How the scores of a position add up, of seats whose score has several parts: "rows: 8 + 16 + 10 = 34"."""
    products, parts = (game.single or game).products, position.list_score_parts()
    found: list[str] = []
    for seat in sorted({part.seat for part in parts}):
        values = _list_values([part for part in parts if part.seat == seat], products)
        total = format_product(values) if products else format_sum(values)
        if len(values) < 2:
            continue
        lost = [part.name for part in parts if part.seat == seat and part.value == 1] if products else []
        if game.sides:
            found.append(TOTAL_OF_SIDE.format(side=game.sides[seat - 1], total=total))
        else:
            found.append(TOTAL_OF_SEAT.format(seat=seat, total=total))
        found += [COUNTING_ONE.format(parts=join_words(lost))] if lost else []
    return [line for line in found if len(line) <= LONGEST]


def _list_values(parts: Sequence[ScorePart], products: bool) -> list[int]:
    """The values of a seat's parts; those of one name, like the sums of a line, as one."""
    combine, names = math.prod if products else sum, dict.fromkeys(part.name for part in parts)
    return [combine(part.value for part in parts if part.name == name) for name in names]
