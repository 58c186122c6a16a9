"""The buttons and selects of a match, but those for moves: several features show them, and one answers each."""

from __future__ import annotations

from typing import Annotated, Literal

from bot.platform.custom_ids import OfMatch, SeatNumber
from bot.play.ids import MatchId
from bot.play.loaded_match import MatchView

Mark = Annotated[str, "[0-9a-f]{12}"]
"""Of a proposal, or of a line of prepared moves: a digest of it."""
Act = Literal[
    "accept", "join", "leave", "decline", "begin", "cancel", "computer",  # under a challenge
    "fewer", "askelse", "withdraw",  # below the line that says who has declined it
    "stay", "resign", "abort", "playon", "giveup", "calloff",  # the last two ask, the others answer
    "board", "replay", "review", "again", "tryout", "details", "rules", "more",  # what shows the match as it stands
    "hint", "which", "ifthen", "unready",
]  # fmt: skip


class ActButton(OfMatch, template="{verb}"):
    """Does something about a match that its verb says."""

    verb: Act


class RematchButton(OfMatch, template="rematch[{level}]"):
    """Asks for the same match again, perhaps at another level of the computer."""

    level: Annotated[int, "[1-6]"] = 0


class ProposeButton(OfMatch, template="{verb}"):
    """Proposes something: what depends on the board, or what holds wherever that stands."""

    verb: Literal["takeback", "resume", "draw", "pause"]


class AnswerButton(OfMatch, template="{verb}{mark}"):
    """Answers the proposal that stood beside it: agree, agree after a question, refuse."""

    verb: Literal["agree", "sure", "refuse"]
    mark: Mark


class ClaimButton(OfMatch, template="{verb}{seat}"):
    """Claims a match against a seat, confirms that, gives it more time, or asks for and names a substitute."""

    verb: Literal["claim", "claimed", "give", "substitute", "newcomer"]
    seat: SeatNumber


class GoOnButton(OfMatch, template="andthen[{mark}]"):
    """Goes on with a line of prepared moves. Earlier ones have no mark: the line stood in the message once more."""

    mark: Mark = ""


def stamp(sight: MatchView) -> tuple[MatchId, int, bool]:
    """What the buttons begin with under what a viewer sees of a match."""
    return sight.seated.id, sight.version, sight.viewer is not None
