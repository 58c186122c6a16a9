"""The buttons and selects of a match, except those for moves: several features show them, and one answers each."""

from __future__ import annotations

from typing import Annotated, Literal

from bot.platform.custom_ids import OfMatch, SeatNumber
from bot.play.ids import MatchId
from bot.play.loaded_match import MatchView

Mark = Annotated[str, "[0-9a-f]{12}"]
"""A digest of a proposal, or of a line of premoves."""
Act = Literal[
    "accept", "join", "leave", "decline", "begin", "cancel", "computer",  # under a challenge
    "fewer", "askelse", "withdraw",  # below the line that says who has declined it
    "stay", "resign", "abort", "playon", "giveup", "calloff",  # the last two ask, the others answer
    "board", "replay", "review", "again", "tryout", "details", "share", "rules", "more",  # these show the match
    "hint", "which", "ifthen", "unready",
]  # fmt: skip


class ActButton(OfMatch, template="{verb}"):
    """Does what its verb says about a match."""

    verb: Act


class RematchButton(OfMatch, template="rematch[{level}]"):
    """Asks for the same match again, perhaps at another level of the computer."""

    level: Annotated[int, "[1-6]"] = 0


class ProposeButton(OfMatch, template="{verb}"):
    """Proposes something that depends on the board, or that holds for any board."""

    verb: Literal["takeback", "resume", "draw", "pause"]


class AnswerButton(OfMatch, template="{verb}{mark}"):
    """Answers the proposal beside it: agree, agree after a question, refuse."""

    verb: Literal["agree", "sure", "refuse"]
    mark: Mark


class ClaimButton(OfMatch, template="{verb}{seat}"):
    """Claims a match against a seat, confirms that, gives it more time, or asks for and names a substitute."""

    verb: Literal["claim", "claimed", "give", "substitute", "newcomer"]
    seat: SeatNumber


class GoOnButton(OfMatch, template="andthen[{mark}]"):
    """Continues a line of premoves. Old ones have no mark: their message repeats the line."""

    mark: Mark = ""


def stamp(sight: MatchView) -> tuple[MatchId, int, bool]:
    """The first fields of the buttons under a match as a viewer sees it."""
    return sight.loaded.id, sight.version, sight.viewer is not None
