"""The promise that the reason adds up: the parts of scores that are told are all that a move has changed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bot.games.game import Game
from bot.games.legs import LEGS, LegMove, Legs, get_single_game, has_legs, make_two_legged, seat_in
from bot.games.notation import group_digits
from bot.games.position import Position, Seat
from bot.games.reasons import Reason, find_effect, format_change, list_part_changes, list_reasons
from bot.play.match import Match
from bot.play.record import Move
from tests.contract.playing import expect, leave, playouts, records, staying

SPACES: tuple[dict[str, int], ...] = ({}, {"most": 1}, {"rows": 3}, {"rows": 1})
"""Much space, and little: what is left out is told by its sum."""
FEW = 40
"""At how many moves of a match it is looked at where looking is slow."""


def matches(game: Game) -> Iterator[Sequence[Match]]:
    """The recorded matches of a game, each at every ply; of one without records some played by lot."""
    for row in records(game):
        yield list(replay(Match.start(game, row.get("options", {}), row["seats"]), row["moves"]))
    yield from () if records(game) else playouts(game)


def legged(game: Game) -> Iterator[Sequence[Match]]:
    """The recorded matches of two, each played in both legs at once, move by move."""
    for row in records(game) if has_legs(game) else ():
        if row["seats"] == 2 and not {text for _, text in row["moves"]} & {"resign", "timeout", "takeback", "draw"}:
            moves = [(seat_in(leg, seat), str(LegMove(leg, text))) for seat, text in row["moves"] for leg in LEGS]
            yield list(replay(Match.start(make_two_legged(game), row.get("options", {}), 2), moves))


def replay(match: Match, moves: list[tuple[Seat, str]]) -> Iterator[Match]:
    yield match
    for seat, text in moves:
        match = match.enter(seat, text)
        yield match


def check_scores_have_parts(game: Game) -> None:
    """The parts of a seat make up its score, whoever looks, and no two of them are one."""
    for played in (*matches(game), *legged(game), *playouts(game)):
        for match in (*played[:: max(1, len(played) // FEW)], played[-1]):
            seen = {match.position, *(match.position.seen_by(viewer) for viewer in (None, *range(1, match.seats + 1)))}
            for position in seen if game.secret else (match.position,):
                _check_parts(match, position)


def _check_parts(match: Match, position: Position) -> None:
    parts, combine = position.list_score_parts(), math.prod if get_single_game(match.game).products else sum
    for seat, score in enumerate(position.scores(), 1):
        told = combine(part.value for part in parts if part.seat == seat)
        if match.game.single and combine is math.prod:
            continue  # the products of two legs are added
        expect(told == score, match, f"The parts of seat {seat} make {told}, its score is {score}.")
    known = [part.identity for part in parts]
    expect(len({*known}) == len(known), match, "Two parts of a score are one.")


def has_opening(position: Position) -> bool:
    """Whether a round or a phase begins, of two legs in one of them."""
    legs = [one for _, one in position.numbered_legs] if isinstance(position, Legs) else [position]
    return any(one.opening for one in legs)


def check_reasons_add_up(game: Game) -> None:
    """What is told of a move makes up the change of every seat's score, of however much there is to tell; and a move
    that changes no score says why."""
    for played in (*matches(game), *legged(game)):
        for before, after in pairwise(played):
            seat = after.record[-1].seat
            each = [list_reasons(after.game, before.position, after.position, seat, **space) for space in SPACES]
            for told in each:
                _check_sums(before, after, told)
                _check_words(after, told)
            moved = isinstance(after.record[-1], Move) and game.scored and not game.secret
            # The sentence about a phase that begins says more than that the move before it scored nothing.
            expect(each[0] or has_opening(after.position) or not moved, after, "Nothing is said of a move.")


def _check_sums(before: Match, after: Match, told: list[Reason]) -> None:
    products = get_single_game(after.game).products
    if products and after.game.single:
        return  # the products of two legs are added
    for seat, (was, now) in enumerate(zip(before.position.scores(), after.position.scores(), strict=True), 1):
        effects = [effect for reason in told for effect in reason.effects if effect.seat == seat]
        if products:
            made = (
                math.prod(effect.now for effect in effects) * was == math.prod(effect.was for effect in effects) * now
            )
        else:
            made = sum(effect.now - effect.was for effect in effects) == now - was
        expect(made, after, f"What is told of seat {seat} does not lead from {was} to {now}: {told}")


def _check_words(after: Match, told: list[Reason]) -> None:
    products, parts = get_single_game(after.game).products, after.position.list_score_parts()
    for reason in told:
        for effect in reason.effects:
            # Beside the score a part that is all of it need not say so again.
            alone = sum(part.seat == effect.seat for part in parts) == 1
            briefly = f"{group_digits(effect.was)} → {group_digits(effect.now)}"
            spellings = format_change(effect, products), briefly
            said = effect.was == effect.now or alone or any(one in reason.text for one in spellings)
            expect(said, after, f"{effect} is not told in “{reason.text}”.")
        expect(reason.text.strip() == reason.text, after, f"“{reason.text}” has space around it.")


def check_who_leaves_ends_no_reason(game: Game) -> None:
    """Whenever somebody leaves, in one match or in two legs, what that changes can be told."""
    for played in (*matches(game), *legged(game)):
        for match in played[:: max(1, len(played) // FEW)]:
            for seat in staying(match):
                if match.turn and (after := leave(match, seat)):
                    list_reasons(after.game, match.position, after.position, seat)


def check_no_part_is_told_twice(game: Game) -> None:
    """With space for all of them, there is a line for each part that a move has changed."""
    products = game.products
    for played in (*matches(game), *legged(game)):
        for before, after in pairwise(played):
            changes = list_part_changes(before.position, after.position, products)
            told = list_reasons(after.game, before.position, after.position, most=len(changes) or 1)
            effects = [effect for reason in told for effect in reason.effects]
            expect(effects == [find_effect(change, products) for change in changes], after, "Parts are missing.")
