"""Which match of a league a match is, as it stands with the match: so no board needs to look for its league.

>>> LeagueRound.parse("2 2 3 20 21 22").link
'https://discord.com/channels/20/21/22'
"""

from __future__ import annotations

from typing import NamedTuple

from bot.core.league.stored_league import League, Loaded, Pairing


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
    def of(cls, loaded: Loaded, one: Pairing) -> LeagueRound:
        """The round in which two members meet."""
        rounds = max(other.round for other in loaded.pairings if other.division == one.division)
        league: League = loaded.league
        return cls(league.season, one.round, rounds, league.guild, league.channel, league.message or 0)

    @classmethod
    def parse(cls, text: str) -> LeagueRound:
        """What `str` has written."""
        return cls(*map(int, text.split()))

    def __str__(self) -> str:
        return " ".join(map(str, self))

    @property
    def link(self) -> str:
        """Where the league's table stands."""
        channel = f"https://discord.com/channels/{self.guild}/{self.channel}"
        return f"{channel}/{self.message}" if self.message else channel
