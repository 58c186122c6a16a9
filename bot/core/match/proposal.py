"""The stored form of proposals, which need the consent of all players, and of refused proposals.

A proposal names the seat that asks, so the same proposal of another seat is another one. A takeback or a draw is about
the board as it stands, and lapses with the next line of the record; other proposals stay open until they are answered.

>>> str(Proposal("takeback", 2)), Proposal.parse("pause 1") == Proposal("pause", 1)
('takeback 2', True)
>>> Proposal.parse("replace 1 2 99 5 yes")
Proposal(kind='replace', seat=1, of=2, person=99, due=5, absent=False, accepted=True)
>>> refusals_of("draw 1 / 2 1000000 17; pause 3 / 3 1000500 17")[1].taken_back
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal, get_args

from bot.core.match.clocks import DAY
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat

Kind = Literal["takeback", "draw", "pause", "resume", "replace", "abort"]
"""The last is stored with each player while it is open, and only its refusals as those of the others."""
KINDS: tuple[Kind, ...] = get_args(Kind)
RESUMES_AFTER = 3 * DAY
"""Seconds after which a paused match resumes if a player asked for that and no other has refused."""
MARK = 6
"""Bytes in the mark that tells one proposal of a match from another."""
ABSENT, ACCEPTED = "gone", "yes"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a seat asks for. "replace": seat `of` goes to a `person`, who is told with the match's version `due` and has
    `accepted` or not; `absent`: the player on that seat has left the server, and nobody waits for their answer."""

    kind: Kind
    seat: Seat
    of: Seat | None = None
    person: UserId | None = None
    due: int = 0
    absent: bool = False
    accepted: bool = False

    @property
    def lapses(self) -> bool:
        """Whether the next line of the record closes it."""
        return self.kind in ("takeback", "draw")

    def mark(self, proposed: int) -> str:
        """The mark that an answer carries, in hexadecimal: it fits this proposal, made at the moment `proposed`, alone.
        Everybody can read it, so nothing goes into it that counts secret moves."""
        text = f"{replace(self, due=0, absent=False, accepted=False)} {proposed}"
        return blake2b(text.encode(), digest_size=MARK).hexdigest()

    def repeats(self, other: Proposal) -> bool:
        """Whether this asks for the same as another. A person who is to come in is protected from all who ask."""
        if self.kind == other.kind == "replace":
            return self.person == other.person
        return self == other

    def __str__(self) -> str:
        whom = () if self.of is None or self.person is None else (self.of, self.person, self.due)
        flags = [word for word, is_so in ((ABSENT, self.absent), (ACCEPTED, self.accepted)) if is_so]
        return " ".join(map(str, (self.kind, self.seat, *whom, *flags)))

    @classmethod
    def parse(cls, text: str) -> Proposal:
        """Read a proposal as it is stored; ValueError for any other text."""
        kind, seat, *rest = text.split()
        whom, flags = (rest[:3], rest[3:]) if kind == "replace" else ([], rest)
        known = flags in ([], [ABSENT], [ACCEPTED], [ABSENT, ACCEPTED]) if whom else not flags
        if kind not in KINDS or not known or (kind == "replace") != (len(whom) == 3):
            raise ValueError(f"That is no proposal: {text!r}")
        proposal = cls(kind, int(seat))
        if not whom:
            return proposal
        of, person, due = map(int, whom)
        return replace(
            proposal, of=of, person=UserId(person), due=due, absent=ABSENT in flags, accepted=ACCEPTED in flags
        )


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposal that was refused `by` a seat, or withdrawn by its own: when (`at`, epoch seconds), and after how many
    lines of the record that all may see (`seen`). Seat 0 stands for a person who was to come in. `version` is that of
    the match with this refusal; 0 where that is not known."""

    proposal: Proposal
    by: Seat
    at: int
    seen: int
    version: int = 0

    @property
    def taken_back(self) -> bool:
        """Whether the seat that asked withdrew it."""
        return self.by == self.proposal.seat

    def __str__(self) -> str:
        return f"{self.proposal} / {self.by} {self.at} {self.seen} {self.version}"

    @classmethod
    def parse(cls, text: str) -> Refused:
        """Read a refusal as it is stored; ValueError for any other text."""
        proposal, _, answer = text.partition("/")
        numbers = [*map(int, answer.split())]
        if len(numbers) not in (3, 4):
            raise ValueError(f"That is no refusal: {text!r}")
        return cls(Proposal.parse(proposal), *numbers)


def written(refusals: Iterable[Refused]) -> str | None:
    """Refusals as one text to be stored; None where there are none."""
    return "; ".join(map(str, refusals)) or None


def refusals_of(text: str | None) -> tuple[Refused, ...]:
    """The refusals in a stored text, the latest last."""
    return tuple(Refused.parse(one) for one in text.split(";")) if text else ()
