"""What somebody in a match asks all others to agree to, and what they were refused: values, and the texts they are
kept as.

Who asks is in a wish as their seat, so that the same wish of another is another one. A wish to take a move back, or for
a draw, is about the board as it stands and lapses with the next line of the record; the others stay until answered.

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

from bot.core.values.ids import UserId
from bot.core.values.seats import Seat

Kind = Literal["takeback", "draw", "pause", "resume", "replace"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MARK = 6
"""Bytes by which one wish of a match is told from another."""
ABSENT, ACCEPTED = "gone", "yes"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A wish of a seat. To replace means that seat `of` goes to a `person`, who is told so with the version `due`, and
    has `accepted` or not; `absent`: whoever has the seat has left the server, and is not waited for."""

    kind: Kind
    seat: Seat
    of: Seat | None = None
    person: UserId | None = None
    due: int = 0
    absent: bool = False
    accepted: bool = False

    @property
    def lapses(self) -> bool:
        """Whether it is over with the next line of the record."""
        return self.kind in ("takeback", "draw")

    def mark(self, proposed: int) -> str:
        """What an answer to this wish, made at that moment, carries: it fits to no other. All can read it and find out
        what it is made from, so there is nothing in it that counts secret moves."""
        text = f"{replace(self, due=0, absent=False, accepted=False)} {proposed}"
        return blake2b(text.encode(), digest_size=MARK).hexdigest()

    def repeats(self, other: Proposal) -> bool:
        """Whether this asks for what another has asked for; whoever is to come in is protected from all who ask."""
        if self.kind == other.kind == "replace":
            return self.person == other.person
        return self == other

    def __str__(self) -> str:
        whom = () if self.of is None or self.person is None else (self.of, self.person, self.due)
        flags = [word for word, is_so in ((ABSENT, self.absent), (ACCEPTED, self.accepted)) if is_so]
        return " ".join(map(str, (self.kind, self.seat, *whom, *flags)))

    @classmethod
    def parse(cls, text: str) -> Proposal:
        """Read a wish as it was written; ValueError where it was not."""
        kind, seat, *rest = text.split()
        whom, flags = (rest[:3], rest[3:]) if kind == "replace" else ([], rest)
        known = flags in ([], [ABSENT], [ACCEPTED], [ABSENT, ACCEPTED]) if whom else not flags
        if kind not in KINDS or not known or (kind == "replace") != (len(whom) == 3):
            raise ValueError(f"That is no wish: {text!r}")
        wish = cls(kind, int(seat))
        if not whom:
            return wish
        of, person, due = map(int, whom)
        return replace(wish, of=of, person=UserId(person), due=due, absent=ABSENT in flags, accepted=ACCEPTED in flags)


@dataclass(frozen=True, slots=True)
class Refused:
    """A wish that was refused by a seat, or taken back by its own: when, and after how many lines of the record as all
    may see it. Seat 0 is a person who was to come in and takes no part."""

    wish: Proposal
    by: Seat
    at: int
    seen: int

    @property
    def taken_back(self) -> bool:
        """Whether whoever asked thought again."""
        return self.by == self.wish.seat

    def __str__(self) -> str:
        return f"{self.wish} / {self.by} {self.at} {self.seen}"

    @classmethod
    def parse(cls, text: str) -> Refused:
        """Read a refusal as it was written; ValueError where it was not."""
        wish, _, answer = text.partition("/")
        by, at, seen = map(int, answer.split())
        return cls(Proposal.parse(wish), by, at, seen)


def written(refusals: Iterable[Refused]) -> str | None:
    """Refusals in one text; None where there are none."""
    return "; ".join(map(str, refusals)) or None


def refusals_of(text: str | None) -> tuple[Refused, ...]:
    """The refusals in a text, the latest last."""
    return tuple(Refused.parse(one) for one in text.split(";")) if text else ()
