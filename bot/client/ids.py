"""custom_ids: the text that a button or a form carries, written and read in one place.

A button is ``m:<match>:<version>:<verb>``, a form ``f:<match>:<version>:<verb>:<interaction>``. The version counts the
record as the viewer of that surface may see it, with ``s`` behind it on a seat's own, private surface. Who acts is
never in there: that is the user of the interaction. The patterns take ASCII only and bound every length, so that no
number that comes back is too large for the store.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = "[0-9]{1,15}"
BUTTON = rf"m:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}})(?P<own>s?):(?P<verb>[0-9a-z]{{1,20}})"
FORM = rf"f:(?P<match>{NUMBER}):(?P<version>[0-9]{{1,9}}):(?P<verb>[0-9a-z]{{1,20}}):(?P<interaction>[0-9]{{1,20}})"


@dataclass(frozen=True, slots=True)
class ButtonId:
    """What a button says: a match, the version on the surface it sits on, whether that is a seat's own, and a verb."""

    match: int
    version: int
    verb: str
    own: bool = False

    def __str__(self) -> str:
        return f"m:{self.match}:{self.version}{'s' if self.own else ''}:{self.verb}"

    @classmethod
    def parse(cls, text: str) -> ButtonId | None:
        """Read a button's custom_id; None when it is not one of ours."""
        found = re.fullmatch(BUTTON, text)
        return cls(int(found["match"]), int(found["version"]), found["verb"], bool(found["own"])) if found else None


@dataclass(frozen=True, slots=True)
class FormId:
    """What a form says: a match, the version its opener saw, a verb, and the interaction that opened it.

    The interaction keeps the forms of two people apart: discord.py knows an open form by its custom_id alone.
    """

    match: int
    version: int
    verb: str
    interaction: int

    def __str__(self) -> str:
        return f"f:{self.match}:{self.version}:{self.verb}:{self.interaction}"

    @classmethod
    def parse(cls, text: str) -> FormId | None:
        """Read a form's custom_id; None when it is not one of ours."""
        found = re.fullmatch(FORM, text)
        return (
            cls(int(found["match"]), int(found["version"]), found["verb"], int(found["interaction"])) if found else None
        )
