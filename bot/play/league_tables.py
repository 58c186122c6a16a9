"""Leagues: members, divisions, the draw of matches, and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, NamedTuple, TypeVar

from bot.play.columns import Default, Exported, Form, Joined, Key, Moment, Person, References
from bot.play.ids import ChannelId, GuildId, LeagueId, MatchId, MessageId, UserId

# A league as the store gives it: its terms, its members, its pairings and the results of their matches.


LeagueState = Literal["open", "live", "finished", "cancelled"]
"""open → live → finished or cancelled; open → cancelled."""

Leaving = Literal["", "league", "server"]
"""What a member has left, if anything."""

JOINED = Exported("the leagues that you joined, opened or left, in which server")


@dataclass(frozen=True, slots=True)
class League:
    """A league. `games` are keys, used in turn by the rounds. Moments are epoch seconds: users join until `starts`, and
    at `ends` it is over. `previous` is the league whose next season this is. `ready`: there may be matches to begin.
    `message` shows it, `farewell` announced its end; `shown_version` is the version that Discord has accepted."""

    id: Annotated[LeagueId, Key(), JOINED]
    guild: Annotated[GuildId, JOINED]
    channel: ChannelId
    host: Annotated[UserId, Person()]
    games: Annotated[tuple[str, ...], Form("words"), JOINED]
    pace: str
    weeks: int
    season: Annotated[int, JOINED]
    previous: LeagueId | None
    state: Annotated[LeagueState, JOINED]
    version: int
    shown_version: int
    ready: Annotated[bool, Default(0)]
    created: Moment
    starts: Annotated[Moment, JOINED]
    ends: Annotated[Moment | None, JOINED]
    ended: Moment | None
    message: MessageId | None
    farewell: MessageId | None

    @property
    def is_out_of_date(self) -> bool:
        """Whether its messages lag behind its version."""
        return self.shown_version < self.version or (self.state == "finished" and self.farewell is None)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a league. `joined` counts from 1; `division` and `place`, their number in its draw, are None until it
    begins. `left_at` is when they left; a member who left before half of their matches were over is `struck` out.
    `gone` is when they left the server; they count as having left until they are back."""

    league: ClassVar[Annotated[LeagueId, Key("leagues.id")]]
    user: Annotated[UserId, Key(), Person()]
    joined: Annotated[int, JOINED]
    division: Annotated[int | None, JOINED] = None
    place: Annotated[int | None, JOINED] = None
    left_at: Annotated[Moment | None, JOINED] = None
    struck: Annotated[bool, JOINED] = False
    gone: Annotated[Moment | None, Exported("whether you were found to have left the server")] = None

    @property
    def has_left(self) -> Leaving:
        """What they have left, if anything."""
        return "" if self.left_at is None else "league" if self.gone is None else "server"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two members who meet; `home` has the first seat. `match` is None until their match begins; then `state` is that
    of the match, `place` where it is played, and `ranks` and `scores` are those of home and guest when it is finished.
    `begun` is when it began, and whether home and guest are still to be told of that. `void`: it was not over when the
    league ended, and does not count."""

    league: ClassVar[Annotated[LeagueId, Key("leagues.id")]]
    number: Annotated[int, Key()]
    division: int
    round: int
    home: Annotated[UserId, Person()]
    guest: Annotated[UserId, Person()]
    game: str
    legs: Annotated[int, Default(None)] = 1
    match: Annotated[MatchId | None, References("matches.id")] = None
    void: bool = False
    state: Annotated[str | None, Joined()] = None
    ranks: Annotated[tuple[int, int] | None, Joined()] = None
    scores: Annotated[tuple[int, int] | None, Joined()] = None
    place: Annotated[ChannelId | None, Joined()] = None
    begun: Annotated[int | None, Joined()] = None
    home_untold: bool = False
    guest_untold: bool = False

    @property
    def users_to_notify(self) -> tuple[UserId, ...]:
        """Those of the two who are still to be notified that their match has begun."""
        each = (self.home, self.home_untold), (self.guest, self.guest_untold)
        return tuple(user for user, is_untold in each if is_untold)

    def has(self, user: UserId) -> bool:
        return user in (self.home, self.guest)

    @property
    def is_counted(self) -> bool:
        """Whether its result stands in the table, unless one of the two is struck out."""
        return self.state == "finished" and self.ranks is not None and not self.void


@dataclass(frozen=True, slots=True)
class LoadedLeague:
    """A league with its members in order of joining, and its pairings in order of the draw."""

    league: League
    members: tuple[Member, ...] = ()
    pairings: tuple[Pairing, ...] = ()

    @property
    def active_members(self) -> tuple[Member, ...]:
        return tuple(one for one in self.members if one.left_at is None)

    def find_member(self, user: UserId) -> Member | None:
        return next((one for one in self.members if one.user == user), None)

    def is_active(self, user: UserId) -> bool:
        """Whether a user takes part and has not left; forgotten users (negative ids) do not count."""
        found = self.find_member(user)
        return found is not None and found.left_at is None and user > 0


# The round of a league that a match is, stored with the match, so that boards need not load the league.


class LeagueRound(NamedTuple):
    """A round of a season with `rounds` rounds, and the message that shows the league; without a message its
    channel."""

    season: int
    round: int
    rounds: int
    guild: int
    channel: int
    message: int

    @classmethod
    def of(cls, loaded: LoadedLeague, one: Pairing) -> LeagueRound:
        """The round in which two members meet."""
        rounds = max(other.round for other in loaded.pairings if other.division == one.division)
        league: League = loaded.league
        return cls(league.season, one.round, rounds, league.guild, league.channel, league.message or 0)

    @classmethod
    def parse(cls, text: str) -> LeagueRound:
        """Read what `str` has written."""
        return cls(*map(int, text.split()))

    def __str__(self) -> str:
        return " ".join(map(str, self))

    @property
    def link(self) -> str:
        """Where the league's table stands."""
        channel = f"https://discord.com/channels/{self.guild}/{self.channel}"
        return f"{channel}/{self.message}" if self.message else channel


# The draw of a league: divisions, Berger tables, and which matches begin next.


FEWEST, MOST = 3, 10
"""The fewest and the most members of a division."""
MOST_DIVISIONS = 4
CHANGE_PLACES = 2
"""How many members of a division are promoted for the next season, and how many are relegated."""
AT_ONCE = 3
"""The most matches of a league that a member plays at a time."""

One = TypeVar("One")


def pair_by_berger(people: int) -> list[list[tuple[int, int]]]:
    """The rounds of a tournament in which all meet once, as pairs of numbers from 1; the first of a pair begins. Seats
    alternate as evenly as can be. Of an odd number one rests in each round."""
    even = people + people % 2
    circle = even - 1
    rounds: list[list[tuple[int, int]]] = []
    for number in range(circle):
        first = number * (even // 2) % circle
        pairs = [(even, first + 1) if number % 2 else (first + 1, even)]
        pairs += [((first + step) % circle + 1, (first - step) % circle + 1) for step in range(1, even // 2)]
        rounds.append([pair for pair in pairs if max(pair) <= people])
    return rounds


def split_into_divisions(people: Sequence[One]) -> list[Sequence[One]]:
    """People, the strongest first, in divisions as even as can be.

    >>> [len(one) for one in split_into_divisions(range(10))], [len(one) for one in split_into_divisions(range(23))]
    ([10], [8, 8, 7])
    """
    number = max(1, -(-len(people) // MOST))
    least, more = divmod(len(people), number)
    starts = [place * least + min(place, more) for place in range(number + 1)]
    return [people[start:end] for start, end in zip(starts, starts[1:], strict=False)]


def order_after_promotion(tables: Sequence[Sequence[One]]) -> list[One]:
    """The seeding of the next season: two members of each division are promoted, two relegated.

    >>> order_after_promotion(["abcde", "fghij"])
    ['a', 'b', 'c', 'f', 'g', 'd', 'e', 'h', 'i', 'j']
    """
    order = [one for table in tables for one in table]
    border = 0
    for above, below in zip(tables, tables[1:], strict=False):
        border += len(above)
        change = min(CHANGE_PLACES, len(above) // 2, len(below) // 2)
        up, down = order[border : border + change], order[border - change : border]
        order[border - change : border + change] = [*up, *down]
    return order


def seed_players(
    joined: Sequence[UserId], before: Sequence[Sequence[UserId]], ratings: Mapping[UserId, float]
) -> list[UserId]:
    """The members, the strongest first: those of last season in the order of its tables, then the others by rating, and
    unrated ones in order of joining."""
    known = [user for user in order_after_promotion(before) if user in joined]
    new = [user for user in joined if user not in known]
    return known + sorted(new, key=lambda user: -ratings.get(user, float("-inf")))


def draw_pairings(
    divisions: Sequence[Sequence[UserId]], games: Sequence[str], lopsided: Collection[str]
) -> tuple[Pairing, ...]:
    """All pairings, round by round. Each round has the next of the games; those that are lopsided have two legs."""
    found: list[Pairing] = []
    tables = [pair_by_berger(len(people)) for people in divisions]
    for number in range(max(map(len, tables))):
        game = games[number % len(games)]
        for division, (people, rounds) in enumerate(zip(divisions, tables, strict=True), 1):
            for home, guest in rounds[number] if number < len(rounds) else ():
                found.append(
                    Pairing(
                        len(found) + 1, division, number + 1, people[home - 1], people[guest - 1], game,
                        2 if game in lopsided else 1,
                    )
                )  # fmt: skip
    return tuple(found)


def choose_starting_pairings(loaded: LoadedLeague, most: int) -> tuple[Pairing, ...]:
    """The pairings whose matches begin now, at most `most`: the earliest of the draw whose members are below the
    limit."""
    busy = Counter[UserId]()
    for one in loaded.pairings:
        if one.state == "live":
            busy.update((one.home, one.guest))
    found: list[Pairing] = []
    for one in list_waiting_pairings(loaded):
        if len(found) < most and max(busy[one.home], busy[one.guest]) < AT_ONCE:
            busy.update((one.home, one.guest))
            found.append(one)
    return tuple(found)


def list_waiting_pairings(loaded: LoadedLeague) -> tuple[Pairing, ...]:
    """The pairings that have not begun and still can."""
    here = {one.user for one in loaded.members if loaded.is_active(one.user)}
    return tuple(one for one in loaded.pairings if one.match is None and {one.home, one.guest} <= here)


def treat_gone_as_left(loaded: LoadedLeague) -> LoadedLeague:
    """The league, in which members gone from the server have left, and are struck out as if they left now."""
    away = [one for one in loaded.members if one.gone is not None and one.left_at is None]
    begun = loaded.league.state != "open"
    known = {one.user: replace(one, left_at=one.gone, struck=begun and strikes_out(loaded, one.user)) for one in away}
    return replace(loaded, members=tuple(known.get(one.user, one) for one in loaded.members)) if known else loaded


def list_counting_pairings(loaded: LoadedLeague) -> tuple[Pairing, ...]:
    """The pairings that count, or still can."""
    struck = {one.user for one in loaded.members if one.struck}
    still = {*list_waiting_pairings(loaded)}
    return tuple(
        one
        for one in loaded.pairings
        if not (one.void or {one.home, one.guest} & struck) and (one.match is not None or one in still)
    )


def is_over(loaded: LoadedLeague) -> bool:
    """Whether no pairing is left to be played."""
    return not list_waiting_pairings(loaded) and all(one.state != "live" for one in loaded.pairings)


def strikes_out(loaded: LoadedLeague, user: UserId) -> bool:
    """Whether a member who leaves now is struck out: fewer than half of their matches are over."""
    theirs = [one for one in loaded.pairings if one.has(user)]
    return 2 * sum(one.is_counted for one in theirs) < len(theirs)


class LeagueStanding(NamedTuple):
    """Whether a league counts one of its matches: not where a member was `struck` out, nor where it ended before the
    match, or was called off before that (`void`)."""

    struck: tuple[UserId, ...] = ()
    void: Literal["", "late", "off"] = ""

    @classmethod
    def of(cls, loaded: LoadedLeague, match: MatchId) -> LeagueStanding:
        """Of the match of one of its pairings."""
        pair = next(one for one in loaded.pairings if one.match == match)
        struck = tuple(one.user for one in loaded.members if one.struck and pair.has(one.user))
        return cls(struck, "" if not pair.void else "off" if loaded.league.state == "cancelled" else "late")


def list_matches(loaded: LoadedLeague, users: Collection[UserId]) -> tuple[MatchId, ...]:
    """The matches of some members that have begun."""
    return tuple(one.match for one in loaded.pairings if one.match is not None and {one.home, one.guest} & {*users})


# The tables of a league, computed from the results of its matches alone.


@dataclass(frozen=True, slots=True)
class TableRow:
    """A member's row of a table: place, results, points in halves, the Sonneborn-Berger score in quarters, the sum of
    the margins of their wins and losses, and what they have left. Those who have left come after all others."""

    user: UserId
    place: int
    won: int
    drawn: int
    lost: int
    berger: int
    margin: int
    left: Leaving = ""

    @property
    def halves(self) -> int:
        """The points, in halves."""
        return 2 * self.won + self.drawn

    @property
    def match_count(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """The table of a division: rows from the first place on, and the members who were struck out."""

    division: int
    lines: tuple[TableRow, ...]
    struck: tuple[UserId, ...] = ()

    @property
    def winners(self) -> tuple[UserId, ...]:
        """The users in first place: several if tied, none where nobody who stayed has a point."""
        return tuple(one.user for one in self.lines if one.place == 1 and one.halves and not one.left)

    @property
    def leavers(self) -> tuple[TableRow, ...]:
        """The rows of those who have left and could have won otherwise, with as many points as the winner or more;
        where nobody has won, of all with a point."""
        best = self.lines[0].halves if self.winners else 1
        return tuple(one for one in self.lines if one.left and one.halves >= best)


def build_tables(loaded: LoadedLeague, lowest: Collection[str] = ()) -> tuple[DivisionTable, ...]:
    """The table of each division. `lowest`: the games in which the lowest score wins."""
    return tuple(
        _build_table(loaded, division, lowest) for division in sorted({one.division or 1 for one in loaded.members})
    )


def _build_table(loaded: LoadedLeague, division: int, lowest: Collection[str]) -> DivisionTable:
    members = [one for one in loaded.members if (one.division or 1) == division]
    struck = tuple(one.user for one in members if one.struck)
    counted = [
        one
        for one in loaded.pairings
        if one.division == division and one.is_counted and not {one.home, one.guest} & {*struck}
    ]
    halves = {
        one.user: sum(compute_points(pair, one.user) for pair in counted if pair.has(one.user)) for one in members
    }
    lines: list[TableRow] = []
    for one in members:
        theirs = [pair for pair in counted if pair.has(one.user)]
        got = [compute_points(pair, one.user) for pair in theirs]
        berger = sum(gain * halves[find_opponent(pair, one.user)] for gain, pair in zip(got, theirs, strict=True))
        ahead = sum(compute_margin(pair, one.user, lowest) for pair in theirs)
        if one.user not in struck:
            lines.append(TableRow(one.user, 0, got.count(2), got.count(1), got.count(0), berger, ahead, one.has_left))
    return DivisionTable(division, _assign_places(lines), struck)


def _assign_places(lines: Sequence[TableRow]) -> tuple[TableRow, ...]:
    ordered = sorted(lines, key=_make_sort_key, reverse=True)
    places = [1 + sum(_make_sort_key(better) > _make_sort_key(one) for better in ordered) for one in ordered]
    return tuple(replace(one, place=place) for one, place in zip(ordered, places, strict=True))


def _make_sort_key(line: TableRow) -> tuple[bool, int, int, int]:
    return not line.left, line.halves, line.berger, line.margin


def find_opponent(pairing: Pairing, user: UserId) -> UserId:
    return pairing.guest if pairing.home == user else pairing.home


def compute_points(pairing: Pairing, user: UserId) -> int:
    """A user's points from a match that counts, in halves of a point: 2, 1 or 0."""
    home, guest = pairing.ranks or (1, 1)
    mine, theirs = (home, guest) if pairing.home == user else (guest, home)
    return 2 if mine < theirs else 1 if mine == theirs else 0


def compute_margin(pairing: Pairing, user: UserId, lowest: Collection[str]) -> int:
    """The margin by which a user won a match, negative if they lost; 0 where the score did not decide."""
    gain = compute_points(pairing, user)
    if pairing.scores is None or gain == 1:
        return 0
    home, guest = pairing.scores
    ahead = (home - guest) * (1 if pairing.home == user else -1) * (-1 if pairing.game in lowest else 1)
    return max(ahead, 0) if gain == 2 else min(ahead, 0)
