"""What happened, in sentences: the last turn with its changes and working, and what a move would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from bot.features.board.words import (
    CHIPS,
    GROUPS,
    HELD,
    NARROW,
    TO,
    WHOSE,
    YOU,
    YOUR,
    compare_products,
    describe_movers,
    describe_result,
    describe_status,
    find_leg,
    format_bold,
    format_mention,
    format_move,
    format_number,
    format_score,
    get_single_game,
    join_by_leg,
    shorten_side,
    strip_leg,
)
from bot.games.game import Game
from bot.games.legs import LEGS, Leg, Legs, seat_in, translate_seats
from bot.games.moves import DID, PLAYED
from bot.games.position import Position, Seat, Viewer, name_seats
from bot.games.reasons import Effect, Reason, format_change, list_reasons, list_totals, measure_lead
from bot.games.wording import Plural, join_sentences, join_words
from bot.play.ids import UserId, is_computer
from bot.play.loaded_match import Kind, LoadedMatch, MatchView, mention_user, parse_refusals
from bot.play.record import Draw, Entry, Move, Takeback, Withdrawal


class Aside(str):
    """Changes of scores that go in parentheses, since their sentence follows a colon itself."""

    __slots__ = ()


class TurnSentence(NamedTuple):
    """A sentence about a turn: without its changes of scores, with them, and with them in parentheses."""

    alone: str
    scored: str
    aside: str = ""

    def fill_in(self, changes: str, **parts: object) -> str:
        """The sentence with its parts filled in, and with changes where there are some."""
        if is_aside := bool(self.aside) and isinstance(changes, Aside):
            # No parentheses stand within others.
            changes = changes.replace(" (", ", ").replace(")", "")
        scored = self.aside if is_aside else self.scored
        return (scored if changes else self.alone).format(changes=changes, **parts)


DONE = TurnSentence("{who} {moves}.", "{who} {moves}: {changes}.", "{who} {moves} ({changes}).")
"""For one move or several, each with its verb."""
MANY = TurnSentence(
    "{who} {deeds}, the last {move}.",
    "{who} {deeds}, the last {move}: {changes}.",
    "{who} {deeds}, the last {move} ({changes}).",
)
MANY_MOVES = f"{DID} {{number}} moves"
"""Many moves in a row, as one deed."""
READY = TurnSentence(
    "{who} had {moves} ready.", "{who} had {moves} ready: {changes}.", "{who} had {moves} ready ({changes})."
)
"""For premoves that were set before the move."""
GIVEN = TurnSentence(
    "{chip} had played {move}.", "{chip} had played {move}: {changes}.", "{chip} had played {move} ({changes})."
)
"""For a move that another user played in the match from which this one goes on."""
AGAIN = "is to move again."
RESIGNED = TurnSentence("{who} resigned.", "{who} resigned: {changes}.", "{who} resigned ({changes}).")
TIMED_OUT = TurnSentence(
    "{who} ran out of time.", "{who} ran out of time: {changes}.", "{who} ran out of time ({changes})."
)
LEFT = TurnSentence(
    "{who} left this server.", "{who} left this server: {changes}.", "{who} left this server ({changes})."
)
TOOK_BACK = "{who} took back {moves}."
TOOK_BACK_AGREED = "{who} took back {moves}, and {others} agreed."
TOOK_BACK_TOGETHER = "{who} took back {moves}, as agreed."
"""For taking back a move together with one of the other player, which is named so that all fits a lock screen."""
OWN, ANOTHERS = "{move}", "{who}'s {move}"
"""A move that is taken back with another one, of the same player and of another."""
NAMED_SEATS = 2
"""The most seats for which such moves are named: a lock screen cannot show more."""
PLAYED_SINCE = "{move} and {number} moves played since"
EVERYBODY = "everybody"
AGREED = TurnSentence(
    "{who} offered a draw, and everybody agreed.", "{who} offered a draw, and everybody agreed: {changes}."
)
BEFORE = "{lead} ({was} before)"
"""For products, whose comparison was another one before."""
LEADS = f"{HELD}→{HELD}"
"""Between a change and the total that results, which stay on one line."""
SMALL_PRINT = "-# "
OWN_NAMES = "", YOU
"""How a mover is named in the changes of scores: on boards not at all, since the sentence has the name."""
SIGNS: Mapping[Seat, str] = dict(enumerate(CHIPS, 1))
"""The names of seats without players."""
MOVES_SAID, MOST_CHANGES, MOST_LINES = 3, 400, 8
"""The most moves named, characters of changed scores, and lines about how they come about."""
MOST_AT_END = 42
"""The most lines of working at the end of secret work, when everyone's is shown at once."""
ROWS_ON_PAD = 4
"""How many rows of small print fit on the pad of a match of two once its move is whole."""
ROWS, ROWS_OF_MANY, ROWS_OF_EACH = 3, 2, 1
"""How many rows of small print fit on a phone under a board of two, under one of more or of two legs, and for each leg
where both have moves."""


def describe_last_turn(sight: MatchView, *, whole: bool = False) -> str:
    """What happened last and what it did, of two legs one after the other; empty before the first move. On a board as
    much of the working as fits a phone, `whole` for all of it."""
    if not sight.record:
        return ""
    lines, parts = list[str](), list_turn_parts(sight, str)
    ended = describe_ended_rounds(sight.before, sight.position, opens=False) if sight.before else []
    for at, (leg, said) in enumerate(parts):
        later = {one.leg for one in parts[at + 1 :]}
        lines += [said, *(() if later else ended)]
        lines += [f"{SMALL_PRINT}{one}" for one in (() if leg in later else list_working(sight, leg, whole=whole))]
    return "\n".join(lines)


def describe_moving_again(sight: MatchView, happened: str) -> str:
    """What happened last and how the match stands, where the player who moved is the only one to move: named once, if
    the turn is a single sentence. Empty elsewhere."""
    loaded, last = sight.loaded, sight.record[-1] if sight.record else None
    if not isinstance(last, Move) or sight.turn != (last.seat,) or loaded.row.seats == 1:
        return ""
    turn, *small = happened.split("\n")
    if [turn] != describe_turn(sight, str) or not all(line.startswith(SMALL_PRINT) for line in small):
        return ""
    if is_computer(loaded.user_at(last.seat)):
        return ""
    (turn,) = describe_turn(sight, Aside)
    first, *further = describe_status(sight).split("\n")
    who, legs = format_mention(loaded, last.seat), loaded.begun_match.position
    if first != describe_movers(loaded, sight.turn, sight.viewer):
        return ""
    there = isinstance(legs, Legs) and legs.list_waiting_legs(last.seat) != (find_leg(loaded, last.text),)
    then = first.removeprefix(f"{who} ") if there else AGAIN
    return "\n".join([f"{turn.removesuffix('.')} and {then}", *small, *further])


def describe_ended_rounds(
    before: Position, after: Position, over: str = "**Round {round} is over.**", *, opens: bool = True
) -> list[str]:
    """The rounds that have ended between two positions; without `opens` only where the next one has a move already,
    since a board says who begins it."""
    if isinstance(before, Legs) and isinstance(after, Legs):
        over = "**Round {{round}} of leg {leg} is over.**"
        each = (
            describe_ended_rounds(before.get_position(leg), after.get_position(leg), over.format(leg=leg), opens=opens)
            for leg in LEGS
        )
        return [line for lines in each for line in lines]
    return [over.format(round=before.round)] if before.round < after.round and (opens or not after.opening) else []


def describe_turn(sight: MatchView, scored: Callable[[str], str] | None = None) -> list[str]:
    """The last turn in a sentence, of two legs in one for each, and each premove that answered it in another; of many
    moves only a few are named. Where changes of scores are `scored`, each of these sentences ends with those of its own
    moves."""
    return [part.said for part in list_turn_parts(sight, scored)]


class TurnPart(NamedTuple):
    """What a seat did in the last turn, in a sentence; in a leg, where there are two."""

    leg: Leg
    said: str


def list_turn_parts(sight: MatchView, scored: Callable[[str], str] | None) -> list[TurnPart]:
    """The sentences about the last turn with their legs."""
    loaded, before, last = sight.loaded, sight.loaded.before, sight.record[-1]

    def describe_effect(seat: Seat, start: Position | None, end: Position | None, leg: Leg = 0) -> str:
        return scored(describe_score_changes(loaded, seat, start, end, leg)) if scored and start and end else ""

    if len(sight.record) <= loaded.row.imported_plies:
        changes = describe_effect(last.seat, sight.before, sight.position)
        move = describe_move(loaded, last, sight.before)
        return [TurnPart(0, GIVEN.fill_in(changes, chip=CHIPS[last.seat - 1], move=move))]
    first = len(before.record) if before and not loaded.game.secret else len(sight.record) - 1
    made = enumerate(sight.record[first:], first + 1)
    each = groupby(made, key=lambda one: (one[1].seat, one[0] in loaded.row.premove_plies))
    turns = [(was_ready, [line for _, line in several]) for (_, was_ready), several in each]
    parts, start = list[TurnPart](), sight.before
    for number, (was_ready, entries) in enumerate(turns, 1):
        end = sight.position if number == len(turns) else play_lines(start, entries)
        for leg in dict.fromkeys(find_leg(loaded, one.text) or 0 for one in entries):
            there = [one for one in entries if leg in (0, find_leg(loaded, one.text))]
            earned = describe_effect(there[0].seat, start, end, leg)
            say = describe_ready_moves if was_ready else describe_moves
            parts.append(TurnPart(leg, say(loaded, there, start, earned)))
        start = end
    return parts


def describe_premoves(loaded: LoadedMatch, plies: int) -> list[str]:
    """The sentence about the premoves after `plies` lines of the record; nothing where there are none."""
    record, found = loaded.begun_match.record, sorted(ply for ply in loaded.row.premove_plies if ply > plies)
    return (
        [describe_ready_moves(loaded, [record[ply - 1] for ply in found], find_position_before(loaded, found[0]))]
        if found
        else []
    )


def describe_ready_moves(
    loaded: LoadedMatch, lines: Sequence[Entry], before: Position | None, changes: str = ""
) -> str:
    """The premoves of one seat after another's move, in a position `before` them."""
    made = [
        (find_leg(loaded, one.text), word_move(loaded, one, play_lines(before, lines[:at])))
        for at, one in enumerate(lines)
    ]
    return READY.fill_in(changes, who=format_mention(loaded, lines[0].seat), moves=join_by_leg(made))


def find_position_before(loaded: LoadedMatch, ply: int) -> Position | None:
    """The position before a line of the last turn; None before another, and where a line between them is no move."""
    start = loaded.before
    made = loaded.begun_match.record[len(start.record) : ply - 1] if start else ()
    return play_lines(start.position, made) if start and len(start.record) < ply else None


def play_lines(before: Position | None, lines: Iterable[Entry]) -> Position | None:
    """The position after these lines; None where it is not known, or where one of them is no move."""
    for line in lines:
        before = before.play(line.seat, line.text) if before and isinstance(line, Move) else None
    return before


def describe_moves(
    loaded: LoadedMatch, moves: Sequence[Entry], before: Position | None = None, changes: str = ""
) -> str:
    """The moves of one seat in a row, as a sentence that names only a few of many moves."""
    last = moves[-1]
    who = format_mention(loaded, last.seat)
    if len(moves) == 1:
        return describe_entry(loaded, last, before, changes)
    if len(moves) <= MOVES_SAID:
        deeds = [word_deed(loaded, one, play_lines(before, moves[:at])) for at, one in enumerate(moves)]
        return DONE.fill_in(changes, who=who, moves=join_by_leg([(find_leg(loaded, last.text), join_deeds(deeds))]))
    deeds = count_deeds(loaded, moves, before)
    return MANY.fill_in(
        changes if deeds.startswith(DID) else "", who=who, deeds=deeds, move=format_move(loaded, last.text)
    )


def count_deeds(loaded: LoadedMatch, moves: Sequence[Entry], before: Position | None) -> str:
    """Many moves of one seat as a deed: "drew 20 segments and 1 chord", or "played 7 moves"."""
    found = Counter[Plural | None]()
    for one in moves:
        able = (kind for kind in loaded.game.moves if before and kind.when(before, one.seat) and kind.parse(one.text))
        kind = next(able, None)
        found[kind.counted if kind else None] += 1
        before = play_lines(before, [one])
    named = [counted.fill_in(number).partition(" ") for counted, number in found.items() if counted]
    if len(named) < len(found):
        return MANY_MOVES.format(number=len(moves))
    return join_deeds((verb, rest) for verb, _, rest in named)


def describe_score_changes(loaded: LoadedMatch, mover: Seat, before: Position, after: Position, of: Leg = 0) -> str:
    """The changes of the public scores by consecutive moves of a seat: "+5 → 27, Bea +1 → 6"; its own first, without a
    name. Those `of` one of two legs, or of the only one with moves."""
    if loaded.game.secret:
        return ""
    return describe_changes(loaded.game, mover, before, after, partial(format_mention, loaded), of)


def describe_changes(
    game: Game, mover: Seat, before: Position, after: Position, name: Callable[[Seat], str], of: Leg = 0
) -> str:
    """The same of positions, of which a player sees all."""
    # A comparison of products names both players, and stands beside each of two legs.
    silent = 0 if game.products else mover
    names = {seat: "" if seat == silent else name(seat) for seat in range(1, len(after.scores()) + 1)}
    if game.single and isinstance(before, Legs) and isinstance(after, Legs):
        if game.single.products:
            return ""
        leg = of or next(iter(find_changed_legs(before, after)), 1)
        names = {seat_in(leg, seat): named for seat, named in names.items()}
        return format_changes(game.single, before.get_position(leg), after.get_position(leg), names)
    return format_changes(game, before, after, names)


def find_changed_legs(before: Legs, after: Legs) -> list[Leg]:
    """The legs in which two positions differ."""
    return [leg for leg in LEGS if before.get_position(leg) != after.get_position(leg)]


def format_changes(game: Game, before: Position, after: Position, names: Mapping[Seat, str] | None = None) -> str:
    """The changes of the scores between two positions, of each seat by its name, if any, or where there are no players
    by what it counts, and the resulting totals; empty where that would be long, or where a line on the turn tells
    all."""
    if not game.scored or after.explain_changes(before):
        return ""
    scores = enumerate(zip(before.scores(), after.scores(), strict=True), 1)
    effects = {seat: Effect(seat, was, now) for seat, (was, now) in scores}
    if game.products:
        is_same = before.scores() == after.scores()
        return "" if is_same else describe_lead(before.scores(), after.scores(), names or SIGNS)
    names = names or (dict(enumerate(map(shorten_side, game.sides), 1)) if game.sides else SIGNS)
    changes = [
        (name, effects[seat])
        for seat, name in sorted(names.items(), key=lambda one: one[1] not in OWN_NAMES)
        if seat in effects and effects[seat].was != effects[seat].now
    ]
    each = [(who, format_change(one), f"{LEADS}{format_number(one.now)}") for who, one in changes]
    said = ", ".join(f"{who} {change}{total}".strip() for who, change, total in each)
    return GROUPS.sub(NARROW, said) if len(said) <= MOST_CHANGES else ""


def describe_lead(before: Sequence[int], after: Sequence[int], names: Mapping[Seat, str]) -> str:
    """Whose product is the larger one now, by how many times, and how that was before."""
    ahead, times = after.index(max(after)), measure_lead(max(after), min(after))
    was = measure_lead(max(before), min(before))
    if after[0] == after[1] or before[ahead] <= before[1 - ahead]:
        return compare_products(after, names)
    if times == was:
        return compare_products(after, names, still=True)
    return BEFORE.format(
        lead=compare_products(after, names), was=GROUPS.sub(NARROW, was.removesuffix(" than").removesuffix(" times"))
    )


def list_working(sight: MatchView, leg: Leg = 0, *, whole: bool) -> list[str]:
    """The lines that say how the changes of the last turn come about, of two legs those in one."""
    if not sight.before:
        return []
    if isinstance(sight.record[-1], Takeback):
        return []  # all of it was shown before
    game, last, legs = sight.loaded.game, sight.record[-1], sight.position
    few = sight.loaded.row.seats <= 2 and not isinstance(legs, Legs)
    rows = ROWS if few else ROWS_OF_MANY
    if isinstance(legs, Legs) and isinstance(sight.before, Legs) and len(find_changed_legs(sight.before, legs)) > 1:
        rows = ROWS_OF_EACH
    space = {"rows": rows}
    # At the end of secret work everybody's is told, also to those who knew their own.
    before = sight.before.seen_by(None) if whole else sight.before
    if whole:
        space = {"most": MOST_AT_END if game.secret else MOST_LINES}
    reasons = list_turn_reasons(game, before, legs, last.seat, leg, **space)
    if not whole and not game.secret and all(one.repeats for one in reasons):
        reasons = []
    # Who leaves or agrees makes no move that could have scored.
    lines = [one.text for one in reasons if one.effects or isinstance(last, Move)]
    lines += list_totals(game, legs) if whole and leg in (0, find_leg(sight.loaded, last.text)) else []
    return name_players(lines, partial(format_mention, sight.loaded))


def list_turn_reasons(
    game: Game, before: Position, after: Position, mover: Seat, leg: Leg = 0, **space: int
) -> list[Reason]:
    """What has changed the scores, of two legs in one, as in a match of its own."""
    if isinstance(before, Legs) and isinstance(after, Legs) and game.single and leg:
        one, other = before.get_position(leg), after.get_position(leg)
        found = list_reasons(game.single, one, other, seat_in(leg, mover), **space)
        return [reason._replace(text=translate_seats(leg, reason.text)) for reason in found]
    return list_reasons(game, before, after, mover, **space)


def name_players(lines: Iterable[str], name: Callable[[Seat], str]) -> list[str]:
    """Lines of the working with their players by name, and no line broken within a number."""
    return [name_seats(GROUPS.sub(NARROW, line), name) for line in lines]


# Words what a move would do, before it is played, as a board says it afterwards.


SCORES, NO_SCORES, UNCHANGED = "Scores: {changes}.", "No score changes.", "No score changes: {why}."
YOU_WIN = "Then the match is over, and you win."
OTHERS_WIN = Plural("Then the match is over, and {names} wins.", "Then the match is over, and {names} win.")
DRAWN, DRAWN_WITH = "Then the match is over: a draw.", "Then the match is over: a draw, {score}."
DRAWN_LEGS = "Then the match is over: a draw, {score} over both legs."
EACH_WON = "Then the match is over: a draw. Each won a leg."
LEG_ENDS = "Then leg {leg} is over."
BEGIN = "You begin round {round}."


def describe_effect(
    game: Game, mover: Seat, before: Position, after: Position, name: Callable[[Seat], str] = SIGNS.__getitem__
) -> str:
    """What a move would do, for the player who may make it: the changes of scores, rounds that end, what follows, and
    as much of the working as a board shows."""
    changes = _describe_own_changes(game, mover, before, after, name)
    working = _list_own_working(game, mover, before, after, name)
    if is_before_scores(before, after):
        scores, working = "", []
    elif changes:
        scores = SCORES.format(changes=changes)
    elif before.scores() != after.scores():
        scores = ""
    elif game.scored and len(working) == 1:
        scores, working = UNCHANGED.format(why=working[0]), []
    else:
        scores = NO_SCORES if game.scored else ""
    lines = [scores, *describe_ended_rounds(before, after)]
    lines += [] if game.secret else [describe_sequel(game, mover, before, after, name)]
    return "\n".join([*filter(None, lines), *(f"{SMALL_PRINT}{line}" for line in working)])


def is_before_scores(before: Position, after: Position) -> bool:
    """Whether a move was made in a phase in which no score can change, of two legs that of the move's own."""
    if not isinstance(before, Legs) or not isinstance(after, Legs):
        return before.counts_later
    return before.get_position(next(iter(find_changed_legs(before, after)), 1)).counts_later


def _list_own_working(
    game: Game, mover: Seat, before: Position, after: Position, name: Callable[[Seat], str]
) -> list[str]:  # fmt: skip
    """As much of the working of a move as a board shows, of two legs that of the move's own: its pad shows no other."""
    if game.single and isinstance(before, Legs) and isinstance(after, Legs):
        leg = next(iter(find_changed_legs(before, after)), 1)
        inner = before.get_position(leg), after.get_position(leg)
        return _list_own_working(game.single, seat_in(leg, mover), *inner, lambda seat: name(seat_in(leg, seat)))
    # Where nothing is counted the end is the reason itself.
    if not (game.scored or after.turn):
        return []
    rows = ROWS_ON_PAD if len(after.scores()) <= 2 else ROWS_OF_MANY

    def name_others(seat: Seat) -> str:
        return YOU if seat == mover and len(after.scores()) > 1 else name(seat)

    reasons = list_reasons(game, before, after, mover, rows=rows)
    if game.products:
        # Here the scores are compared only, and do not say for whom a line is good.
        reasons = [_name_owner(reason, mover, name) for reason in reasons]
    told = [one.text for one in reasons] if game.secret or not all(one.repeats for one in reasons) else []
    return name_players(told, name_others)


def _name_owner(reason: Reason, mover: Seat, name: Callable[[Seat], str]) -> Reason:
    """A line about one player's part with whose it is: "your column c: …"."""
    seats = {effect.seat for effect in reason.effects}
    if len(reason.effects) != 1:
        return reason
    whose = YOUR if seats == {mover} else WHOSE.format(name=name(*seats))
    return reason._replace(text=f"{whose} {reason.text}")


def _describe_own_changes(
    game: Game, mover: Seat, before: Position, after: Position, name: Callable[[Seat], str]
) -> str:  # fmt: skip
    """The changes of scores by a move, for its player: "you +1 → 5, Bea +1 → 6"."""
    seats = range(1, len(after.scores()) + 1)
    names = {seat: name(seat) if seat != mover else YOU if len(seats) > 1 else "" for seat in seats}
    if not (game.single and isinstance(before, Legs) and isinstance(after, Legs)):
        return format_changes(game, before, after, names)
    leg = next(iter(find_changed_legs(before, after)), 1)
    inner = {seat_in(leg, seat): named for seat, named in names.items()}
    return format_changes(game.single, before.get_position(leg), after.get_position(leg), inner)


def describe_sequel(
    game: Game, mover: Seat, before: Position, after: Position, name: Callable[[Seat], str]
) -> str:  # fmt: skip
    """What follows a move, where that is no move of another player: the end, or another move; else nothing."""
    if ranks := after.ranks():
        first = [seat for seat, rank in enumerate(ranks, 1) if rank == 1]
        if first == [mover]:
            return YOU_WIN
        if mover not in first:
            return OTHERS_WIN.fill_in(len(first), names=join_words(map(name, first)))
        return _describe_draw(game, after)
    if not isinstance(before, Legs) or not isinstance(after, Legs):
        return _describe_next_move(before, after) if after.turn == (mover,) and len(after.scores()) > 1 else ""
    leg = next(iter(find_changed_legs(before, after)), 1)
    inner = after.get_position(leg)
    if not inner.turn:
        return LEG_ENDS.format(leg=leg)
    return _describe_next_move(before.get_position(leg), inner) if inner.turn == (seat_in(leg, mover),) else ""


def _describe_draw(game: Game, after: Position) -> str:
    """That a match is a draw, of two players with their scores, or without scores that each has won a leg."""
    if len(after.scores()) != 2:
        return DRAWN
    if game.scored:
        score = TO.join(format_score(get_single_game(game), score) for score in after.scores())
        return (DRAWN_LEGS if game.single else DRAWN_WITH).format(score=score)
    won_each = isinstance(after, Legs) and all(len(after.find_winners(leg)) == 1 for leg in LEGS)
    return EACH_WON if won_each else DRAWN


def _describe_next_move(before: Position, after: Position) -> str:
    """What a seat is told that moves again: that it begins a round, or what it does next."""
    return BEGIN.format(round=after.round) if before.round < after.round else after.moving_again


def describe_entry(loaded: LoadedMatch, entry: Entry, before: Position | None = None, changes: str = "") -> str:
    """A line of a record as a sentence; with the position `before` it a move is worded as on its pad."""
    who = format_mention(loaded, entry.seat)
    match entry:
        case Withdrawal(_, "resign"):
            return RESIGNED.fill_in(changes, who=who)
        case Withdrawal(seat):
            is_gone = any(player.gone for player in loaded.players if player.seat == seat)
            return (LEFT if is_gone else TIMED_OUT).fill_in(changes, who=who)
        case Takeback():
            agreed, gone = name_consenting(loaded, entry.seat), loaded.begun_match.list_taken_back()
            by_both = TOOK_BACK_TOGETHER if len(gone) > 1 and agreed != EVERYBODY else TOOK_BACK_AGREED
            sentence = by_both if agreed else TOOK_BACK
            return sentence.format(who=who, others=agreed, moves=describe_takeback(loaded, gone))
        case Draw():
            return AGREED.fill_in(changes, who=who)
        case _:
            pass
    alone, _ = find_sentence(loaded, entry.text)
    # Moves with a sentence of their own are secret, and change no score that others see.
    if alone != PLAYED[0]:
        return TurnSentence(alone, alone).fill_in(changes, who=who, move=describe_move(loaded, entry, before))
    deed = join_deeds([word_deed(loaded, entry, before)])
    return DONE.fill_in(changes, who=who, moves=join_by_leg([(find_leg(loaded, entry.text), deed)]))


def describe_takeback(loaded: LoadedMatch, lines: Sequence[Entry]) -> str:
    """The lines that are taken back with the first of them, the proposer's own: "**d1** and Bea's **e2**"; of many, or
    of several others, only their number."""
    first, *further = lines
    taken = format_move(loaded, first.text)
    if len(lines) > MOVES_SAID or len({one.seat for one in lines}) > NAMED_SEATS:
        return PLAYED_SINCE.format(move=taken, number=len(further))
    theirs = [(one, OWN if one.seat == first.seat else ANOTHERS) for one in lines]
    named = [words.format(who=format_mention(loaded, one.seat), move=word_move(loaded, one)) for one, words in theirs]
    return join_by_leg((find_leg(loaded, one.text), words) for one, words in zip(lines, named, strict=True))


def name_consenting(loaded: LoadedMatch, seat: Seat) -> str:
    """The players who agreed to a seat's takeback; empty where none was asked: the computer always agrees."""
    others = [player.seat for player in loaded.players if player.seat not in (None, seat)]
    people = [other for other in others if other and not is_computer(loaded.user_at(other))]
    return format_mention(loaded, people[0]) if len(others) == 1 and people else EVERYBODY if people else ""


def describe_move(loaded: LoadedMatch, entry: Entry, before: Position | None) -> str:
    """A move in a sentence, by the words of its kind where it has some: "**8 at b1**", "**c4** in leg 2"."""
    return join_by_leg([(find_leg(loaded, entry.text), word_move(loaded, entry, before))])


def word_deed(loaded: LoadedMatch, entry: Entry, before: Position | None) -> tuple[str, str]:
    """A move without its leg as a deed: its verb, and in bold what follows."""
    for kind in loaded.game.moves:
        named = before and (kind.does or kind.places or kind.plays)
        values = kind.parse(entry.text) if named else None
        if before and values is not None and kind.when(before, entry.seat):
            verb, rest = kind.describe_deed(before, entry.seat, values)
            return verb, format_bold(rest)
    return DID, format_bold(strip_leg(loaded, entry.text))


def join_deeds(deeds: Iterable[tuple[str, str]]) -> str:
    """Deeds of one player in a sentence, those alike with one verb: "split **6 into 2 and 3** and …"."""
    each = groupby(deeds, key=lambda deed: deed[0])
    return join_words([f"{verb} {join_words([rest for _, rest in alike])}" for verb, alike in each])


def word_move(loaded: LoadedMatch, entry: Entry, before: Position | None = None) -> str:
    """A move without its leg, by the words of its kind where it has some and the position `before` it is known."""
    kinds = (kind for kind in loaded.game.moves if before and (kind.places or kind.plays))
    for kind in kinds:
        values = kind.parse(entry.text)
        if before and values is not None and kind.when(before, entry.seat):
            return format_bold(kind.describe_alone(before, entry.seat, values))
    return format_bold(strip_leg(loaded, entry.text))


def describe_own_move(loaded: LoadedMatch, text: str, seat: Viewer = None) -> str:
    """A move as its player reads it: "You played **c4**.", "You have finished."; in secret the last one of a `seat` as
    its board words it: "You wrote **2 at f7 in curve 1**."."""
    told = find_sentence(loaded, text)[1]
    if seat and loaded.game.secret and told == PLAYED[1]:
        sight = MatchView.of(loaded, seat)
        if sight.before and sight.record[-1].seat == seat:
            return YOU_DID.format(deed=join_deeds([word_deed(loaded, Move(seat, text), sight.before)]))
    return told.format(move=format_move(loaded, text))


YOU_DID = "You {deed}."
OVER_NOW = "It isn't your move any more."


def describe_turn_over(sight: MatchView) -> str:
    """What a player did in their last turn, as they read it, and how a match that is over ended."""
    own = [line.text for line in sight.record if line.seat == sight.viewer and isinstance(line, Move)]
    told = describe_own_move(sight.loaded, own[-1], sight.viewer) if own else OVER_NOW
    return join_sentences(told, describe_result(sight.loaded) if sight.match.is_over else "")


def find_sentence(loaded: LoadedMatch, text: str) -> tuple[str, str]:
    """The sentences for a move, or for the word that veils it, by its kind."""
    kinds = loaded.game.moves
    found = (kind.said for kind in kinds if kind.said != PLAYED and kind.name == text.partition(" ")[0])
    return next(found, PLAYED)


REFUSED: Mapping[Kind, str] = {
    "takeback": "{who} doesn't want the move taken back.",
    "draw": "{who} doesn't want a draw.",
    "pause": "{who} doesn't want to pause the match.",
    "resume": "{who} doesn't want to go on yet.",
    "replace": "{who} doesn't agree to hand the seat over.",
    "abort": "{who} wants to play on.",
}


def describe_refusal(loaded: LoadedMatch) -> str:
    """The last refusal, until something else happens; a withdrawn proposal is not mentioned."""
    last = parse_refusals(loaded.row.refused)[-1:]
    if not last or last[0].is_own_withdrawal or last[0].seen != loaded.begun_match.version_for(None):
        return ""
    # This must not reveal that a player has moved in secret.
    if not loaded.game.secret and last[0].version not in (0, loaded.row.version):
        return ""
    wanted = last[0].proposal
    who = format_mention(loaded, last[0].by) if last[0].by else mention_user(wanted.person or UserId(0))
    return REFUSED[wanted.kind].format(who=who)
