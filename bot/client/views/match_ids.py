"""The buttons and selects of a match, but those for moves: several features show them, and one answers each."""

from __future__ import annotations

from typing import Annotated, Literal

from bot.client.interactions.custom_ids import OfMatch, SeatNumber
from bot.core.match.loaded_match import Sight
from bot.core.values.ids import MatchId

Mark = Annotated[str, "[0-9a-f]{12}"]
"""Of a proposal, or of a line of prepared moves: a digest of it."""
LeaveVerb = Literal["giveup", "calloff", "resign", "abort", "playon", "stay"]


class TableButton(OfMatch, template="{verb}"):
    """Stands under a challenge, or below the line that says who has declined it; `computer` is a select."""

    verb: Literal[
        "accept", "join", "leave", "decline", "begin", "cancel", "computer", "fewer", "askelse", "withdraw"
    ]  # fmt: skip


class RematchButton(OfMatch, template="rematch[{level}]"):
    """Asks for the same match again, perhaps at another level of the computer."""

    level: Annotated[int, "[1-6]"] = 0


class ShowButton(OfMatch, template="{verb}"):
    """Shows something of a match as it stands."""

    verb: Literal["board", "replay", "review", "again", "tryout", "details", "rules", "more"]


class LeaveButton(OfMatch, template="{verb}"):
    """Leaves a match or calls it off: the first two ask, the others answer that question, or another one with no."""

    verb: LeaveVerb


class ProposeButton(OfMatch, template="{verb}"):
    """Proposes something; what depends on the board is first, what holds wherever that stands second."""

    verb: Literal["takeback", "resume", "draw", "pause"]


class AnswerButton(OfMatch, template="{verb}{mark}"):
    """Answers the proposal that stood beside it: agree, agree after a question, refuse."""

    verb: Literal["agree", "sure", "refuse"]
    mark: Mark


class ClaimButton(OfMatch, template="{verb}{seat}"):
    """Claims a match against a seat, confirms that, gives it more time, or offers to name a substitute."""

    verb: Literal["claim", "claimed", "give", "substitute"]
    seat: SeatNumber


class SubstituteSelect(OfMatch, template="newcomer{seat}"):
    """Names who takes over a seat."""

    seat: SeatNumber


class HintButton(OfMatch, template="{verb}"):
    """Asks for a hint, and then which move it is."""

    verb: Literal["hint", "which"]


class PrepareButton(OfMatch, template="{verb}"):
    """Begins a line of prepared moves, or gives up all that is ready."""

    verb: Literal["ifthen", "unready"]


class GoOnButton(OfMatch, template="andthen[{mark}]"):
    """Goes on with a line. Those of earlier versions have no mark: the line stood in the message once more."""

    mark: Mark = ""


def stamp(sight: Sight) -> tuple[MatchId, int, bool]:
    """What the buttons begin with under what a viewer sees of a match."""
    return sight.seated.id, sight.version, sight.viewer is not None
