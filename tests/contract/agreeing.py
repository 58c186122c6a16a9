"""Promises about what players agree on: takebacks and draws, where a game allows them, and refusals elsewhere."""

from __future__ import annotations

from random import Random

from bot.games.game import Game
from bot.games.position import Seat
from bot.play.match import Match
from bot.play.record import Draw, Move, Takeback
from tests.contract.moving import check_ranks
from tests.contract.playing import expect, playouts, sampled, staying, stepped
from tests.contract.sentences import refusal


def check_takebacks(game: Game) -> None:
    """A takeback gives the position before the seat's last move, and the match goes on from there."""
    for played in playouts(game):
        for match in _some(played):
            for seat in staying(match):
                before = _before_last_move(played, match, seat)
                if before is None:
                    expect(refusal(lambda match=match, seat=seat: match.take_back(seat)), match, f"{seat} takes back.")
                else:
                    _check_taken_back(match, before, seat)


def _check_taken_back(match: Match, before: Match, seat: Seat) -> None:
    after = match.take_back(seat)
    expect(after.position == before.position, after, f"Taken back by {seat}, this is not the position before.")
    expect(after.record == (*match.record, Takeback(seat)), after, "A record only grows.")
    expect(after.standing == before.standing and after.turn == before.turn, after, "What stands is what stood.")
    again = stepped(after, Random(0))
    expect(len(again.record) == len(match.record) + 2, again, "After a takeback the match goes on.")
    moved = any(isinstance(line, Move) and line.seat == seat for line in before.standing)
    if not moved:
        expect(refusal(lambda: after.take_back(seat)), after, f"Seat {seat} takes back a move it has not made.")


def check_draws(game: Game) -> None:
    """Agreed on at any moment, a draw ends the match: who stayed shares the first rank, the scores stand."""
    for match in sampled(game):
        if not _can_agree(match):
            continue
        after = match.agree_draw(staying(match)[0])
        ranks = after.ranks
        assert ranks
        check_ranks(after, ranks)
        stayed = staying(match)
        expect({ranks[seat - 1] for seat in stayed} == {1}, after, f"Who stayed shares the first rank: {ranks}.")
        expect(
            (after.turn, after.is_over, after.ending_kind) == ((), True, "agreement"), after, "A draw ends the match."
        )
        expect(after.scores == match.scores and isinstance(after.record[-1], Draw), after, "A draw changes no score.")
        for act in (after.withdraw, after.take_back, after.agree_draw):
            expect(refusal(lambda act=act, seat=stayed[0]: act(seat)), after, "After a draw nothing can be done.")


def check_nobody_agrees_on_secrets(game: Game) -> None:
    """Where moves are secret, where one plays alone, and when a match is over, there is neither takeback nor draw."""
    for match in sampled(game):
        if _can_agree(match):
            continue
        for act in (match.take_back, match.agree_draw):
            expect(refusal(lambda act=act: act(1)), match, "What cannot be agreed on is agreed on.")


def _can_agree(match: Match) -> bool:
    return not match.game.secret and match.seats > 1 and not match.is_over


def _some(played: tuple[Match, ...]) -> list[Match]:
    moments = [match for match in played if _can_agree(match)]
    return moments[:2] + Random(0).sample(moments[2:], min(3, max(0, len(moments) - 2)))


def _before_last_move(played: tuple[Match, ...], match: Match, seat: Seat) -> Match | None:
    """The moment of a playout before a seat's last move; None where it made none, or somebody left since."""
    for at in range(len(match.record) - 1, -1, -1):
        line = match.record[at]
        if not isinstance(line, Move):
            return None
        if line.seat == seat:
            return played[at]
    return None
