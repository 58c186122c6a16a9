"""Hints: where the computer would play on a user's turn, and at the second request, which move it would make.

Both are sentences made from the move's parts, whatever the game. Of several parts the first hint gives the first: the
column or the row of a square, the rough size of a number, the beginning of a list or a text. A hint claims nothing
uncertain: it gives a value only where the search was complete, and elsewhere who seems to be ahead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal, NamedTuple

from bot.engine.levels import SearchQuestion, Thought, find_highest_level, make_budget
from bot.engine.search import seed_random
from bot.games.game import Game
from bot.games.legs import Legs, seat_in
from bot.games.moves import MoveKind, Part, describe_move
from bot.games.position import MoveError, Position, Seat
from bot.games.reasons import list_reasons
from bot.games.wording import Plural, join_sentences
from bot.play.acts import NotYourTurn, expect_seat, mention_movers
from bot.play.ids import InteractionId, UserId, make_act_id
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal, mention_user
from bot.play.match import Match
from bot.play.rows import MatchRow

Stage = Literal["where", "which"]
STAGES: tuple[Stage, Stage] = ("where", "which")

BANDS, FEW = 4, 2
"""The number of bands that numbers are divided into, one of which a hint names; and the size below which single numbers
are named instead."""
SAYABLE = 10**6
"""The largest margin that is shown; larger ones tell players nothing."""
LIKELY = 0.6
"""From this share on a seat is called ahead; docs/fairness.md has how often that was true."""
LOOKED_THROUGH = 2000
"""The most legal moves that are scanned for first words."""
COMPARED = 8
"""The most other moves that a move is compared with: an effect that all share is not a reason."""
ROWS = re.compile("[/;\n]")
"""The ends of rows in a text."""

USED = Plural("{who} used {number} hint.", "{who} used {number} hints.")
RATED = "This match is rated, so there are no hints. You get hints in unrated matches and against the computer."
BEGINS = {
    ("", "corners"): "My curve would start at **{first}**.",
    ("", "curve"): "I would choose curve **{first}**.",
    ("", "from"): "My segment would start at **{first}**.",
    ("chord", "from"): "My chord would start at **{first}**.",
    ("", "grid"): "My first row would be **{first}**.",
    ("", "numbers"): "My walk would start with **{first}**.",
    ("", "position"): "I would play in square **{first}**.",
    ("", "square"): "I would play in **{first}**.",
}
"""How a move begins, by the names of its kind and of its first part, or of that alone; others: the next sentence."""
BOTH_SAID = {
    ("fill", "curve"): "I would *fill* curve **{first}**.",
    ("number", "curve"): "I would *number* curve **{first}**.",
    ("split", "position"): "I would *split* the number at position **{first}**.",
}
"""How it begins together with its kind, in a sentence."""
BEGINNING = "I would start with **{first}**."
NEAR = "I would choose a number from **{low}** to **{high}**.", "I would choose **{low}** or **{high}**."
"""Between which a number lies, of several and of two."""
DIGITS = "Look at digits **{low}** to **{high}**.", "Look at digits **{low}** and **{high}**."
POSITIONS = "Look at positions **{low}** to **{high}**.", "Look at positions **{low}** and **{high}**."
SQUARES = "Look at squares **{low}** to **{high}**.", "Look at squares **{low}** and **{high}**."
PLACES = {
    ("add", "position"): POSITIONS,
    ("flip", "position"): DIGITS,
    ("split", "position"): POSITIONS,
    ("", "position"): SQUARES,
    ("", "positions"): SQUARES,
}
"""The same of numbers that are places, by the names of their kind and of their part, or of that alone."""
KIND = "I would choose *{kind}*."
LEG = "Leg {leg}: {hint}"
GAINS: dict[tuple[bool, bool], str] = {
    (True, True): "It takes you from {mine} to {then}, and the other player from {theirs} to {next}.",
    (True, False): "It takes you from {mine} to {then}.",
    (False, True): "It takes the other player from {theirs} to {next}.",
}
"""The effect of a move on the results of two players, by whose result it changes."""
NOTHING = re.compile(r"is not prime|^and [0-9]|^[0-9]+ changes")
"""Lines that are no reason for a move."""
WIN_BY, LOSE_BY = "With best play from here, you win by {by}.", "With best play from here, you lose by {by}."
ALONE = "There are no hints when you play alone, because your result counts for this server's records."


def expect_hint(loaded: LoadedMatch, user: UserId) -> Seat:
    """The seat of a user who may have a hint now; raises a refusal."""
    seat, row = expect_seat(loaded, user), loaded.row
    if not row.gives_hints:
        raise Refusal(RATED if row.rated else ALONE)
    if seat not in loaded.turn:
        raise NotYourTurn(f"You get hints on your own turn. It's {mention_movers(loaded)}'s.")
    return seat


class HintScene(NamedTuple):
    """The subject of a hint: a game, the position as its seat sees it, and the seat; in a match of two legs those of
    the first leg that waits, in the leg's own seats."""

    game: Game
    position: Position
    seat: Seat
    leg: int | None = None

    def name_leg(self, hint: str) -> str:
        """A hint, with the leg that it is about; nothing where there is none."""
        return LEG.format(leg=self.leg, hint=hint) if self.leg and hint else hint


def scene_of(loaded: LoadedMatch, seat: Seat) -> HintScene:
    """The scene of a hint for a seat that is to move."""
    return scene_in(loaded.begun_match.game, MatchView.of(loaded, seat).position, seat)


def scene_in(game: Game, position: Position, seat: Seat) -> HintScene:
    """A seat that is to move in a position, of two legs in the first that waits for it."""
    if game.single is None or not isinstance(position, Legs):
        return HintScene(game, position, seat)
    leg = position.list_waiting_legs(seat)[0]
    return HintScene(game.single, position.get_position(leg), seat_in(leg, seat), leg)


def make_hint_question(loaded: LoadedMatch, seat: Seat) -> SearchQuestion:
    """The search request of a hint: the highest level, on what the seat sees."""
    return make_scene_question(
        loaded.begun_match, scene_of(loaded, seat), f"hint:{loaded.id}:{MatchView.of(loaded, seat).version}:{seat}"
    )


def make_scene_question(match: Match, scene: HintScene, seed: str) -> SearchQuestion:
    """The same about any scene of a match."""
    level = find_highest_level(scene.game, scene.game.start(match.options, match.seats))
    return SearchQuestion(
        scene.game.key, scene.position, scene.seat, make_budget(scene.game, scene.position, level), seed
    )


def make_hint_act(loaded: LoadedMatch, seat: Seat, stage: Stage) -> InteractionId:
    """The idempotency key of a hint: the same as long as the seat's view of the match is unchanged."""
    return make_act_id("hint", loaded.id, MatchView.of(loaded, seat).version, seat, STAGES.index(stage))


def make_first_hint_act(loaded: LoadedMatch, seat: Seat) -> InteractionId:
    """The idempotency key of showing the first hint."""
    return make_act_id("hint shown", loaded.id, MatchView.of(loaded, seat).version, seat)


# The sentences.


def describe_place(game: Game, position: Position, seat: Seat, move: str) -> str:
    """Roughly where a move is, without revealing it; empty where there are too few values to narrow down."""
    kinds = [kind for kind in game.moves if kind.when(position, seat)]
    kind = next((one for one in kinds if one.parse(move) is not None), None)
    if kind is None:
        return BEGINNING.format(first=move.split()[0])
    told = _describe_part(game, kind, position, seat, kind.parse(move) or {})
    if not told and kind.parts and len(kinds) == 1:
        return ""
    named = bool(kind.parts) and (kind.name, kind.parts[0].name) in BOTH_SAID
    return join_sentences(KIND.format(kind=kind.name), told) if not named and len(kinds) > 1 or not told else told


def _describe_part(game: Game, kind: MoveKind, position: Position, seat: Seat, said: dict[str, str]) -> str:
    if not kind.parts:
        return ""
    part = kind.parts[0]
    value = said[part.name]
    if part.kind == "text":
        return _describe_beginning(kind, part, ROWS.split(value)[0].strip())
    first = value.split()[0]
    if len(said) > 1 or first != value:
        return _describe_beginning(kind, part, first)
    able = _list_first_words(game, kind, part, position, seat)
    if part.kind == "square":
        return _choose_line(value, able)
    return _describe_band(value, able, PLACES.get((kind.name, part.name)) or PLACES.get(("", part.name), NEAR))


def _describe_beginning(kind: MoveKind, part: Part, first: str) -> str:
    exactly = (kind.name, part.name)
    told = BOTH_SAID.get(exactly) or BEGINS.get(exactly) or BEGINS.get(("", part.name), BEGINNING)
    return told.format(first=first)


def _list_first_words(game: Game, kind: MoveKind, part: Part, position: Position, seat: Seat) -> list[str]:
    """The first words of the legal moves, or of the first `LOOKED_THROUGH` of them; where the rules leave the moves
    open, the last words of those that the computer would think of."""
    if not position.open_to(seat):
        found = (kind.parse(move) for move in islice(position.moves(seat), LOOKED_THROUGH))
        return [said[part.name].split()[0] for said in found if said]
    thought = game.mind.candidates(position, seat, seed_random(part.name)) if game.mind.candidates else ()
    return [said[part.name].split()[-1] for said in map(kind.parse, thought) if said]


def _choose_line(square: str, able: Sequence[str]) -> str:
    """The column of a square or its row, whichever leaves more to think about."""
    column, row = square[0], square[1:]
    in_column = sum(one[0] == column for one in able)
    in_row = sum(one[1:] == row for one in able)
    return f"Look at row **{row}**." if in_row > in_column else f"Look at column **{column}**."


def _describe_band(value: str, able: Sequence[str], near: tuple[str, str]) -> str:
    """The band of possible values that contains a value, in the sentence for several or for two; empty if only two are
    possible, or if they are no numbers."""
    few = list(dict.fromkeys([*able, value]))
    if len(few) == 1:
        return f"Only **{value}** is possible."
    if len(few) <= FEW or not all(one.isdecimal() for one in few):
        return ""
    ordered = sorted({int(value), *map(int, able)})
    size = max(FEW, -(-len(ordered) // BANDS))
    at = ordered.index(int(value)) // size * size
    band = ordered[at : at + size]
    if len(band) == 1:
        band = ordered[at - 1 : at + 1]
    return near[len(band) == FEW].format(low=band[0], high=band[-1])


def describe_best_move(scene: HintScene, thought: Thought) -> str:
    """The second hint: the move, what it does, and its value."""
    move = describe_move(scene.game.moves, scene.position, scene.seat, thought.move)
    told = (f"I would play **{move}**.", describe_effect(scene, thought.move), describe_value(scene.game, thought))
    return join_sentences(*told)


def describe_effect(scene: HintScene, move: str) -> str:
    """What a move does, from the lines of the working that it changes; empty without a reason to give."""
    before, seat = scene.position, scene.seat
    try:
        after = before.play(seat, move)
    except MoveError:
        return ""
    if scene.game.mind.ponder:
        own, then = before.scores()[seat - 1], after.scores()[seat - 1]
        if then > own:
            return GAINS[True, False].format(mine=own, then=then)
        return "I found nothing better." if move == "done" else ""
    return join_sentences(_describe_gain(scene, after), _find_reason(scene, after))


def _describe_gain(scene: HintScene, after: Position) -> str:
    """What a move does to the results of two players; empty where nothing changes, or where numbers tell nothing."""
    before, now, seat = scene.position.scores(), after.scores(), scene.seat
    if len(now) != 2 or not scene.game.scored or max(map(abs, (*before, *now))) >= SAYABLE:
        return ""
    mine, then, theirs, next_ = before[seat - 1], now[seat - 1], before[2 - seat], now[2 - seat]
    said = GAINS.get((mine != then, theirs != next_), "")
    if not said or _does_the_same(scene, now):
        return ""
    return said.format(mine=mine, then=then, theirs=theirs, next=next_)


def _does_the_same(scene: HintScene, now: Sequence[int]) -> bool:
    """Whether all compared moves lead to the same results: then these are no reason for one."""
    before, seat = scene.position, scene.seat
    moves = [] if before.open_to(seat) else [*islice(before.moves(seat), COMPARED)]
    return len(moves) > 1 and all(before.play(seat, move).scores() == now for move in moves)


def _find_reason(scene: HintScene, after: Position) -> str:
    """The first line about what a move changes that is a reason for it; empty where there is none."""
    if scene.game.scored and _does_the_same(scene, after.scores()):
        return ""
    found = list_reasons(scene.game, scene.position, after, scene.seat)
    lines = (one.text for one in found if scene.game.scored <= bool(one.effects) and "player" not in one.text)
    line = next((line for line in lines if not NOTHING.search(line)), "")
    return f"Afterwards, {line}." if line else ""


def describe_value(game: Game, thought: Thought) -> str:
    """The value of a move in words: an exact result, else who seems to be ahead, else empty."""
    if thought.exact:
        return _describe_exact_margin(game, round(thought.value))
    if game.mind.ponder or not thought.shares:
        return ""
    if thought.chance >= LIKELY:
        return "I think you are ahead."
    return "I think you are behind." if len(thought.shares) == 2 and thought.chance <= 1 - LIKELY else ""


def _describe_exact_margin(game: Game, margin: int) -> str:
    if not margin:
        return "With best play from here, you get a draw."
    if game.scored and abs(margin) < SAYABLE:
        told = WIN_BY if margin > 0 else LOSE_BY
        return told.format(by=abs(margin))
    return "With best play from here, you win." if margin > 0 else "With best play from here, you lose."


# The summary after the match.


def describe_hints_used(row: MatchRow, user: UserId | None = None) -> str:
    """A sentence with the hints that each player used; while the match goes on, only with those of `user`."""
    over = row.state in ("finished", "aborted")
    known = [player for player in row.players if player.hints and (over or player.user == user)]
    return " ".join(USED.fill_in(one.hints, who=mention_user(one.user)) for one in known)
