"""custom_ids: the text that a button or a form carries, written and read in one place.

A button of a match is ``m:<match>:<version>:<verb>``, a form ``f:<match>:<version>:<verb>:<interaction>``. The version
counts the record as the viewer of that surface may see it, with ``s`` behind it on a seat's own, private surface. What
is no match's, such as a list or a leaderboard, is a page: ``p:<page>:<about>``, with a game or a person in it. Who acts
is never in there: that is the user of the interaction. The patterns take ASCII only and bound every length, so that no
number that comes back is too large for the store.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.core.ids import InteractionId, MatchId

NUMBER = "[0-9]{1,15}"
BUTTON = rf"m:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}})(?P<own>s?):(?P<verb>[0-9a-z]{{1,20}})"
PAGE = r"p:(?P<page>[0-9a-z]{1,20}):(?P<about>[0-9a-z-]{0,40})"
COMPONENT = rf"{BUTTON}|{PAGE}"
"""All that can stand in a message; forms are told apart by being forms."""
FORM = rf"f:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}}):(?P<verb>[0-9a-z]{{1,20}}):(?P<interaction>[0-9]{{1,20}})"


@dataclass(frozen=True, slots=True)
class ButtonId:
    """What a button says: a match, the version on the surface it sits on, whether that is a seat's own, and a verb."""

    match: MatchId
    version: int
    verb: str
    own: bool = False

    def __str__(self) -> str:
        return f"m:{self.match}:{self.version}{'s' if self.own else ''}:{self.verb}"

    @classmethod
    def parse(cls, text: str) -> ButtonId | None:
        """Read a button's custom_id; None when it is not one of ours."""
        found = re.fullmatch(BUTTON, text)
        return (
            cls(MatchId(int(found["match"])), int(found["version"]), found["verb"], bool(found["own"]))
            if found
            else None
        )


@dataclass(frozen=True, slots=True)
class PageId:
    """What a button or a select under a page says: which page, and about which game or person."""

    page: str
    about: str = ""

    def __str__(self) -> str:
        return f"p:{self.page}:{self.about}"

    @classmethod
    def parse(cls, text: str) -> PageId | None:
        """Read a page's custom_id; None when it is not one of ours."""
        found = re.fullmatch(PAGE, text)
        return cls(found["page"], found["about"]) if found else None


ComponentId = ButtonId | PageId


def component_id(text: str) -> ComponentId | None:
    """Read the custom_id of whatever can be pressed; None when it is not one of ours."""
    return ButtonId.parse(text) or PageId.parse(text)


@dataclass(frozen=True, slots=True)
class FormId:
    """What a form says: a match, the version its opener saw, a verb, and the interaction that opened it.

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
