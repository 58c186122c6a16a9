"""Writes and reads custom_ids, the text that a button or a form carries, for every room.

A button of a match is ``m:<match>:<version>:<verb>``, one of a seat's pad ``k:<match>:<version>:`` and a tap,
``<kind>:<step>:<does>:<key>``, one of a lesson's pad ``t:<game>:`` and a tap, a form
``f:<match>:<version>:<verb>:<interaction>``. The version counts the lines of the record that the viewer of the message
may see, with ``s`` behind it on a seat's own, ephemeral message. A list or a leaderboard is a page, which belongs to no
match: ``p:<page>:<about>``, with a game or a person in it. A replay has ``r:<match>:<at>:<step>``: the place in the
record, and where to go from there. The pad on which a move of a finished match is tried again is
``a:<match>:<leg>:<number>:<left>:`` and a tap, with the number of the move and of the tries that are left. A pad on
which moves are prepared is ``q:<match>:<version>:`` and a tap, of a daily puzzle ``d:<day>:<left>:`` and a tap, one on
which moves are tried out from a place of the record ``o:<match>:<at>:`` and a tap. Behind a verb, a page or a place in
a replay ``::<number>`` may stand, which says nothing: a select of people or channels lets go of what was chosen in it
only where it gets another custom_id. Who acts is never in there: that is the user of the interaction. The patterns take
ASCII only and bound every length, so that no number is too large for the store.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.core.values.ids import InteractionId, MatchId

NUMBER = "[0-9]{1,15}"
AGAIN, AGAINS = r"(?:::(?P<again>[0-9]{1,12}))?", 10**12
BUTTON = rf"m:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}})(?P<own>s?):(?P<verb>[0-9a-z]{{1,20}}){AGAIN}"
DOES = "back|clear|done|page|pick|play|type"
TAP = rf"(?P<kind>[0-9a-z]{{1,20}}):(?P<step>[0-9]{{1,4}}):(?P<does>{DOES}):(?P<key>[0-9a-z]{{0,19}})"
PAD = rf"k:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}}):{TAP}"
TRIAL = rf"t:(?P<game>[0-9a-z-]{{1,40}}):{TAP}"
PAGE = rf"p:(?P<page>[0-9a-z]{{1,20}}):(?P<about>[0-9a-z-]{{0,60}}){AGAIN}"
REPLAY = rf"r:(?P<match>{NUMBER}):(?P<at>[0-9]{{1,9}}):(?P<goes>[0-9a-z]{{1,20}}){AGAIN}"
RETRY = rf"a:(?P<match>{NUMBER}):(?P<leg>[12]):(?P<number>[0-9]{{1,6}}):(?P<left>[1-3]):{TAP}"
DAILY = rf"d:(?P<day>[0-9]{{1,7}}):(?P<left>[0-3]):{TAP}"
TRY_OUT = rf"o:(?P<match>{NUMBER}):(?P<at>[0-9]{{1,9}}):{TAP}"
PREPARE = rf"q:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}}):{TAP}"
DOCTORS = "doctor:"
"""How the custom_ids of `python -m bot doctor` begin, which connects beside the bot and answers by itself. They match
none of these patterns."""
SECOND_TRY = "again"
"""What a button does that asks somebody to find a better move than the one they played."""
COMPONENT = (
    rf"{re.sub('[?]P<[a-z]+>', '', '|'.join((BUTTON, PAD, TRIAL, PAGE, REPLAY, RETRY, PREPARE, DAILY, TRY_OUT)))}"
)
"""Everything that can stand in a message; Discord says what is a form."""
FORM = rf"f:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}}):(?P<verb>[0-9a-z]{{1,20}}):(?P<interaction>[0-9]{{1,20}})"


@dataclass(frozen=True, slots=True)
class ButtonId:
    """A button or a select of a match: the version on its message, whether that is a seat's own, a verb, and what tells
    it from the same before."""

    match: MatchId
    version: int
    verb: str
    own: bool = False
    again: int = 0

    def __str__(self) -> str:
        return f"m:{self.match}:{self.version}{'s' if self.own else ''}:{self.verb}{_once_more(self.again)}"

    @classmethod
    def parse(cls, text: str) -> ButtonId | None:
        """Read a button's custom_id; None when it is not one of ours."""
        found = re.fullmatch(BUTTON, text)
        if found is None:
            return None
        match, version, again = (int(found[name] or 0) for name in ("match", "version", "again"))
        return cls(MatchId(match), version, found["verb"], bool(found["own"]), again)


@dataclass(frozen=True, slots=True)
class PageId:
    """A button or a select of a page, the game or person that it is about, and what tells it from the same before."""

    page: str
    about: str = ""
    again: int = 0

    def __str__(self) -> str:
        return f"p:{self.page}:{self.about}{_once_more(self.again)}"

    @classmethod
    def parse(cls, text: str) -> PageId | None:
        """Read a page's custom_id; None when it is not one of ours."""
        found = re.fullmatch(PAGE, text)
        return cls(found["page"], found["about"], int(found["again"] or 0)) if found else None


@dataclass(frozen=True, slots=True)
class Tap:
    """What a button of a pad does to the partial move in its message: the kind of move, the number of its steps when
    the button was made, so that a tap on an outdated pad changes nothing, what it does, and a key."""

    kind: str
    step: int
    does: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.step}:{self.does}:{self.key}"

    @classmethod
    def of(cls, found: re.Match[str]) -> Tap:
        """Read a tap from a match of a pattern with `TAP` in it."""
        return cls(found["kind"], int(found["step"]), found["does"], found["key"])


@dataclass(frozen=True, slots=True)
class PadId:
    """A button of a seat's pad: a match, the version that the seat saw, and a tap."""

    match: MatchId
    version: int
    tap: Tap

    def __str__(self) -> str:
        return f"k:{self.match}:{self.version}:{self.tap}"

    @classmethod
    def parse(cls, text: str) -> PadId | None:
        """Read a pad's custom_id; None when it is not one of ours."""
        found = re.fullmatch(PAD, text)
        return cls(MatchId(int(found["match"])), int(found["version"]), Tap.of(found)) if found else None


@dataclass(frozen=True, slots=True)
class TrialId:
    """A button of a lesson's pad: a game, and a tap."""

    game: str
    tap: Tap

    def __str__(self) -> str:
        return f"t:{self.game}:{self.tap}"

    @classmethod
    def parse(cls, text: str) -> TrialId | None:
        """Read the custom_id of a lesson's pad; None when it is not one of ours."""
        found = re.fullmatch(TRIAL, text)
        return cls(found["game"], Tap.of(found)) if found else None


@dataclass(frozen=True, slots=True)
class ReplayId:
    """A button or a select under a replay: a match, the number of lines shown of those that the viewer may see, where
    to go, and what tells it from the same before."""

    match: MatchId
    at: int
    step: str
    again: int = 0

    def __str__(self) -> str:
        return f"r:{self.match}:{self.at}:{self.step}{_once_more(self.again)}"

    @classmethod
    def parse(cls, text: str) -> ReplayId | None:
        """Read the custom_id of a replay's button; None when it is not one of ours."""
        found = re.fullmatch(REPLAY, text)
        if found is None:
            return None
        return cls(MatchId(int(found["match"])), int(found["at"]), found["goes"], int(found["again"] or 0))


@dataclass(frozen=True, slots=True)
class RetryId:
    """A button of the pad on which a move is tried again: a finished match, the leg (1 where there is one), the number
    of the move in it, how many tries are left, and a tap."""

    match: MatchId
    leg: int
    number: int
    left: int
    tap: Tap

    def __str__(self) -> str:
        return f"a:{self.match}:{self.leg}:{self.number}:{self.left}:{self.tap}"

    @classmethod
    def parse(cls, text: str) -> RetryId | None:
        """Read the custom_id of such a pad; None when it is not one of ours."""
        found = re.fullmatch(RETRY, text)
        if found is None:
            return None
        return cls(
            MatchId(int(found["match"])), int(found["leg"]), int(found["number"]), int(found["left"]), Tap.of(found)
        )


@dataclass(frozen=True, slots=True)
class PrepareId:
    """A button of a pad on which moves are prepared: a match, the version that its owner saw, and a tap."""

    match: MatchId
    version: int
    tap: Tap

    def __str__(self) -> str:
        return f"q:{self.match}:{self.version}:{self.tap}"

    @classmethod
    def parse(cls, text: str) -> PrepareId | None:
        """Read the custom_id of such a pad; None when it is not one of ours."""
        found = re.fullmatch(PREPARE, text)
        return cls(MatchId(int(found["match"])), int(found["version"]), Tap.of(found)) if found else None


@dataclass(frozen=True, slots=True)
class DailyId:
    """A button of the pad of a daily puzzle: its day, how many tries are left where it is practised (0 where the store
    counts them), and a tap."""

    day: int
    left: int
    tap: Tap

    def __str__(self) -> str:
        return f"d:{self.day}:{self.left}:{self.tap}"

    @classmethod
    def parse(cls, text: str) -> DailyId | None:
        """Read the custom_id of such a pad; None when it is not one of ours."""
        found = re.fullmatch(DAILY, text)
        return cls(int(found["day"]), int(found["left"]), Tap.of(found)) if found else None


@dataclass(frozen=True, slots=True)
class TryOutId:
    """A button of a pad on which moves are tried out: a match, the place in the lines that the viewer may see from
    which they are made, and a tap."""

    match: MatchId
    at: int
    tap: Tap

    def __str__(self) -> str:
        return f"o:{self.match}:{self.at}:{self.tap}"

    @classmethod
    def parse(cls, text: str) -> TryOutId | None:
        """Read the custom_id of such a pad; None when it is not one of ours."""
        found = re.fullmatch(TRY_OUT, text)
        return cls(MatchId(int(found["match"])), int(found["at"]), Tap.of(found)) if found else None


ComponentId = ButtonId | PadId | TrialId | PageId | ReplayId | RetryId | PrepareId | DailyId | TryOutId
READERS = (*(one.parse for one in (ButtonId, PadId, TrialId, PageId, ReplayId, RetryId, PrepareId, DailyId, TryOutId)),)


def component_id(text: str) -> ComponentId | None:
    """Read the custom_id of a button or a select; None when it is not one of ours."""
    return next((found for read in READERS if (found := read(text))), None)


def renewed_id(text: str, number: int) -> str:
    """The custom_id of a select of people or channels, as another one that means the same."""
    meant = component_id(text)
    return str(replace(meant, again=number % AGAINS)) if isinstance(meant, ButtonId | PageId | ReplayId) else text


def _once_more(again: int) -> str:
    return f"::{again}" if again else ""


@dataclass(frozen=True, slots=True)
class FormId:
    """A form: a match, the version its opener saw, a verb, and the interaction that opened it.

    The interaction keeps the forms of two people apart: discord.py knows an open form by its custom_id alone.
    """

    match: MatchId
    version: int
    verb: str
    interaction: InteractionId

    def __str__(self) -> str:
        return f"f:{self.match}:{self.version}:{self.verb}:{self.interaction}"

    @classmethod
    def parse(cls, text: str) -> FormId | None:
        """Read a form's custom_id; None when it is not one of ours."""
        found = re.fullmatch(FORM, text)
        if found is None:
            return None
        opener = InteractionId(int(found["interaction"]))
        return cls(MatchId(int(found["match"])), int(found["version"]), found["verb"], opener)


def match_named(text: str) -> MatchId | None:
    """The match that the custom_id of a component or a form names; None where it names none."""
    match component_id(text) or FormId.parse(text):
        case PageId() | TrialId() | DailyId() | None:
            return None
        case named:
            return named.match
