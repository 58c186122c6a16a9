"""Finds matches: lists of them, suggestions, links, and which one a command means."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol

import aiohttp
import discord
from discord import app_commands

from bot.features.board import time_words, words
from bot.games.game import Game
from bot.games.notation import quote_whole
from bot.games.wording import Plural, join_words
from bot.platform import names
from bot.platform.checks import MATCH, is_typing, iterate_given_options, set_option
from bot.platform.edits import REPLY
from bot.platform.interactions import (
    NO_NUMBER,
    Interaction,
    Listing,
    channel_of,
    data_of,
    find_guild,
    find_thread_match,
    guild_of,
    is_outside,
    parse_match_id,
    suggest_if_available,
    user_of,
)
from bot.platform.members import MemberCache, can_see
from bot.platform.messages import LOOK_WITHIN, Channels
from bot.platform.ui import MOST_CHOICES
from bot.play import claims
from bot.play.calendars import find_weekend_end
from bot.play.clocks import Pace
from bot.play.ids import NOWHERE, ChannelId, GuildId, MatchId, UserId, is_computer
from bot.play.loaded_match import LoadedMatch, Proposal, Refusal, link_to, mention_user
from bot.play.rows import MatchRecordRow, MatchRow, Player, State
from bot.umpire.umpire import Umpire
from data.store import Reader

SEVERAL = "You have several matches. Add the number of the one you mean; /matches lists them."
NONE_OUTSIDE = "You have no open matches. Use /play in a server to challenge somebody."
SEVERAL_HERE = "You have several matches here. Go to the thread of the one you mean, or add its number:"

MatchFilter = Callable[[MatchRow], bool]
# Which match a command means.


class Admitting(Protocol):
    """Decides which matches a user can see and play from outside of their servers."""

    async def filter_rows(self, user: UserId, rows: Sequence[MatchRow]) -> list[MatchRow]: ...

    async def name_servers(self, guilds: Iterable[GuildId]) -> list[tuple[str, GuildId]]: ...

    async def enter(self, interaction: Interaction, guild: GuildId) -> None:
        """Note the server that an interaction is about, or refuse it."""


class MatchFinder:
    """Finds the match that a command means."""

    def __init__(self, umpire: Umpire, listing: Listing, admissions: Admitting) -> None:
        self._umpire = umpire
        self._listing = listing
        self._admissions = admissions

    async def find(
        self, interaction: Interaction, number: object, *, game: str | None = None, wanted: MatchFilter | None = None
    ) -> LoadedMatch:
        """The match with this number, or else the one that the user can mean in this channel, of one game or of any;
        among several, one that is `wanted`. A `Refusal` where that leaves none or several."""
        named, umpire = parse_match_id(number), self._umpire
        if named is None and is_outside(interaction):
            return await self._find_anywhere(interaction, game, wanted)
        guild, channel, user = guild_of(interaction), channel_of(interaction), user_of(interaction)
        row, mine = await umpire.store.ask(find_meant_matches, guild, channel, user, game, named, wanted)
        if named is not None:
            return expect_game(umpire, await umpire.fold_row(row) if row else await umpire.load(named), game)
        if row is None:
            raise Refusal(self._listing(SEVERAL_HERE, mine, user) if mine else describe_no_match(umpire, game))
        if game not in (None, row.game):
            title, other = umpire.games[game].title, umpire.games[row.game].title
            sentence = f"This thread is for match {row.id}, which is {other}, not {title}."
            yours = f"{sentence} Your {title} matches:"
            raise Refusal(self._listing(yours, mine, user) if mine else sentence)
        return await umpire.fold_row(row)

    async def _find_anywhere(
        self, interaction: Interaction, game: str | None, wanted: MatchFilter | None
    ) -> LoadedMatch:
        """The only match that a user can mean in direct messages, among those in all servers."""
        user = user_of(interaction)
        rows = await self._umpire.store.ask(Reader.live_of, None, user, game)
        mine = await self._admissions.filter_rows(user, rows)
        mine = prefer_wanted(mine, wanted) if wanted else mine
        if len(mine) != 1:
            raise Refusal(SEVERAL if mine else NONE_OUTSIDE)
        await self._admissions.enter(interaction, mine[0].guild)
        return await self._umpire.load(mine[0].id)


def find_meant_matches(
    reader: Reader,
    guild: GuildId,
    channel: ChannelId,
    user: UserId,
    game: str | None,
    named: MatchId | None,
    wanted: MatchFilter | None,
) -> tuple[MatchRecordRow | None, Sequence[MatchRow]]:
    """The match, if only one can be meant, and the user's matches that may be meant."""
    if named is not None:
        return reader.load_match(named), ()
    here = reader.in_thread(channel)
    mine = [row for row in here if row.state == "live" and row.find_player(user) and game in (None, row.game)]
    if not mine and (own := find_thread_match(here)):
        return reader.with_record(own), () if game in (None, own.game) else reader.live_of(guild, user, game)
    mine = mine or list(reader.live_of(guild, user, game))
    if wanted:
        mine = prefer_wanted(mine, wanted)
    return reader.with_record(mine[0]) if len(mine) == 1 else None, mine


def prefer_wanted(rows: list[MatchRow], wanted: MatchFilter) -> list[MatchRow]:
    """The rows that are wanted, or all of them if none is."""
    return [row for row in rows if wanted(row)] or rows


def expect_game(umpire: Umpire, loaded: LoadedMatch, game: str | None) -> LoadedMatch:
    """The match, or a refusal when it is of another game than the command."""
    if game not in (None, loaded.game.key):
        title = umpire.games[game].title
        raise Refusal(f"Match {loaded.id} is {loaded.game.title}, not {title}: {loaded.link}")
    return loaded


def describe_no_match(umpire: Umpire, game: str | None) -> str:
    """The refusal of a command that can mean none of the user's matches."""
    if game is None:
        return "You have no open matches here. Use /play to challenge somebody."
    return f"You have no {umpire.games[game].title} match open here. Use /{game} challenge to challenge somebody."


NAMED = re.compile("#? ?([0-9]{1,15})(?: · (?P<title>[^·]+)(?: · .+)?)?")
PLACE = "(?P<channel>[0-9]{1,19})"
LINK = re.compile(
    rf"<?https?://(?:[a-z]+\.)?discord(?:app)?\.com/channels/(?:[0-9]{{1,19}}|@me)/{PLACE}(?:/(?P<message>[0-9]{{1,19}}))?/?>?"
    "|<#(?P<mentioned>[0-9]{1,19})>",
    re.IGNORECASE,
)
LARGEST = 2**63 - 1
NOT_THERE = "That link doesn't lead to a match of this server. Add the match's number instead; /matches lists yours."
SEVERAL_THERE = "Several matches are played there. Add the number of the one you mean instead."
SEVERAL_YOURS = "Several matches are played there. Add the number of the one you mean instead:"


async def resolve_matches(interaction: Interaction, umpire: Umpire, listing: Listing) -> None:
    """Replace every `match` option by a number, or refuse one that names none."""
    typed = is_typing(interaction)
    for option in iterate_given_options(data_of(interaction)):
        if option["name"] == MATCH and not (typed and option.get("focused")):
            number = await _resolve_match(option["value"], interaction, umpire, listing)
            option["type"] = 3
            set_option(interaction, option, str(number))


async def _resolve_match(value: object, interaction: Interaction, umpire: Umpire, listing: Listing) -> MatchId:
    """The match that an option names: by its number, a suggestion, or a link. Old clients send a number."""
    if not isinstance(value, str):
        found = parse_match_id(value)
    elif link := LINK.fullmatch(value):
        return await _resolve_link(link, interaction, umpire, listing)
    else:
        named = NAMED.fullmatch(value)
        titles = {game.title for game in umpire.games.values()}
        found = MatchId(int(named[1])) if named and (named["title"] or "").strip() in {"", *titles} else None
    if found is None:
        raise Refusal(quote_whole(str(value), NO_NUMBER))
    return found


async def _resolve_link(link: re.Match[str], interaction: Interaction, umpire: Umpire, listing: Listing) -> MatchId:
    guild, user = find_guild(interaction), user_of(interaction)
    channel, message = int(link["channel"] or link["mentioned"]), int(link["message"] or 0)
    if max(channel, message) > LARGEST:
        raise Refusal(NOT_THERE)

    def load_linked(reader: Reader) -> tuple[MatchId | None, list[MatchRow]]:
        rows = [row for row in reader.in_thread(channel) if (row.guild == guild if guild else row.find_player(user))]
        own = find_thread_match(tuple(rows)) or (rows[0] if len(rows) == 1 else None)
        named = reader.match_at(guild, message) if guild and message else None
        return named or (own.id if own else None), rows

    found, rows = await umpire.store.ask(load_linked)
    if found is None:
        # Others' matches are not revealed: the link may lead to a channel that its sender can't see.
        mine = [row for row in rows if row.find_player(user) and row.game in umpire.games]
        raise Refusal(listing(SEVERAL_YOURS, mine, user) if mine else SEVERAL_THERE if rows else NOT_THERE)
    return found


# Writes matches as lines of a list, and sorts them by their urgency for a user.


@dataclass(frozen=True, slots=True)
class Absences:
    """The users who have left the server, and those who are away, each until when; and the zones in which it is the
    weekend, each until when; and the challenges whose message was deleted."""

    gone: Collection[UserId] = ()
    away: Mapping[UserId, int] = field(default_factory=dict[UserId, int])
    weekends: Mapping[str, int] = field(default_factory=dict[str, int])
    deleted: Collection[MatchId] = ()

    def describe_for(self, row: MatchRow) -> list[str]:
        """The end of a line: who of the players to move has left or is away, and whose clock rests this weekend."""
        waiting = [player.user for player in row.players_to_move]
        gone = [mention_user(user) for user in waiting if user in self.gone]
        told = [LEFT.fill_in(len(gone), names=join_words(gone))] if gone else []
        told += [f"{mention_user(user)} is away until <t:{self.away[user]}:D>" for user in waiting if user in self.away]
        told += [DELETED] if row.id in self.deleted else []
        rests = {
            player.user: until
            for player in row.players_to_move
            if (until := self._find_rest_end(player)) and row.paused is None
        }
        return [
            *told,
            *(RESTS.format(name=mention_user(user), until=f"<t:{until}:f>") for user, until in rests.items()),
        ]

    def find_link(self, row: MatchRow) -> str:
        """The link to a match, but not to a message that was deleted."""
        return link_to(replace(row, lobby_message=None) if row.id in self.deleted else row)

    def _find_rest_end(self, player: Player) -> int | None:
        """Until when a player's clock rests at the weekend; None where it runs, or the player is away anyway."""
        if player.weekend is None or player.deadline is None or player.forfeit_at or player.user in self.away:
            return None
        return self.weekends.get(player.weekend)


NOBODY = Absences()
DELETED = "its message was deleted: /match board posts it again"
RESTS = "{name}'s clock rests until {until}"
MOST_ASKED = 8
"""The number of matches that a question lists."""
LEFT = Plural("{names} has left this server", "{names} have left this server")
TO_MOVE = Plural("{names} is to move", "{names} are to move")
YOUR_MOVE, MOVE_OF = "**Your move**", "{names}'s move"
THINKING = Plural("{names} is thinking", "{names} are thinking")
ENDS = Plural("time ends {when}", "the first time ends {when}")
ASKED = Plural("{names} is asked", "{names} are asked")
FREE = "{number} of {seats} seats free"
AGAINST = "{match} against {people}"
OVERDUE = "{names} ran out of time"
LATE = "{names} ran out of time {when}"
CLAIM = "{names} ran out of time {when}: claim it"
CLAIM_OR_GIVE = "{names} ran out of time {when}: claim it, or give {days} more days"


def format_line(row: MatchRow, game: Game, user: UserId | None = None, apart: Absences = NOBODY) -> str:
    """A match in a line: whose move it is or how it stands for `user`, its game and number, as a link, against whom,
    what else is known of it, who is absent. A bare link would be shown as the name of the thread, repeating game and
    players."""
    return _describe_standing(f"**[{game.title} · {row.id}]({apart.find_link(row)})**", row, user, apart)


def _describe_standing(match: str, row: MatchRow, user: UserId | None, apart: Absences) -> str:
    """How a match stands, what it is called, and against whom; those named elsewhere in the line are not named
    twice."""
    first, *further = list_states(row, user)
    further += apart.describe_for(row)
    told = " · ".join([first, *further])
    others = list_rivals(row, user) if user is not None and row.find_player(user) else []
    if not others:
        named = f"{match} · {' – '.join(mention_user(one.user) for one in row.players)}"
    elif all(name in told for name in others):
        named = match
    else:
        named = AGAINST.format(match=match, people=join_words(others))
    return " · ".join([f"{first[:1].upper()}{first[1:]}", named, *further])


def format_match_question(head: str, rows: Sequence[MatchRow], games: Mapping[str, Game], user: UserId) -> str:
    """A sentence that asks which match the user means, and below it the candidates, the most urgent first. There is no
    markup in it, since refusals show none."""
    ordered = sorted((row for row in rows if row.game in games), key=lambda row: urgency_key(row, user, games))
    lines = [
        f"{row.id} · {_describe_standing(games[row.game].title, row, user, NOBODY)} {link_to(row)}".replace("**", "")
        for row in ordered[:MOST_ASKED]
    ]
    return words.format_list(head, lines, total=len(ordered), small="")


def list_rivals(row: MatchRow, user: UserId) -> list[str]:
    """The opponents; none in a solo match."""
    return [mention_user(player.user) for player in row.players if player.user != user]


def list_states(row: MatchRow, user: UserId | None) -> list[str]:
    """How a match stands: what it waits for, or how it ended, and what else is known of that."""
    if row.state == "open":
        return _describe_open(row, user)
    if row.state == "live":
        return _describe_turn(row, user)
    ended = describe_result(row)
    return [f"{ended} <t:{row.ended}:d>" if row.ended else ended]


def _describe_open(row: MatchRow, user: UserId | None) -> list[str]:
    asked = [player.user for player in row.players if player.invited]
    if user in asked:
        return ["you are asked"]
    waiting = [ASKED.fill_in(len(asked), names=join_words([mention_user(other) for other in asked]))] if asked else []
    seats = count_free_seats(row)
    told = [*waiting, *([FREE.format(number=seats, seats=row.seats)] if seats else [])]
    return told or ["about to begin"]


def count_free_seats(row: MatchRow) -> int:
    """The number of seats that are neither taken nor offered."""
    return row.seats - len(row.players)


def is_asked_in(row: MatchRow, user: UserId | None) -> bool:
    """Whether a user who does not play a live match is asked to take over a seat of it."""
    proposal = Proposal.parse(row.proposal) if row.proposal is not None and row.state == "live" else None
    if proposal is None or proposal.accepted:
        return False
    return proposal.person is not None and proposal.person == user


def _describe_turn(row: MatchRow, user: UserId | None) -> list[str]:
    """Whose move it is in a live match and how much time they have; `user` comes first."""
    if is_asked_in(row, user):
        return ["you are asked to take over a seat"]
    if row.paused is not None:
        return [f"paused <t:{row.paused}:R>"]
    waiting = row.players_to_move
    own = [told for player in waiting if player.user == user for told in _describe_own_turn(player)]
    late = [player for player in waiting if player.forfeit_at and player.user != user]
    if late:
        takes_part = user is not None and row.find_player(user) is not None
        return [*own, _describe_late(late, takes_part, len(row.players) > 2)]
    return own or _describe_others(waiting)


def _describe_own_turn(player: Player) -> list[str]:
    if player.forfeit_at:
        return [f"**You ran out of time <t:{player.deadline}:R>**: move before somebody claims the match"]
    return [YOUR_MOVE, *_list_ends([player])]


def _describe_late(late: Sequence[Player], takes_part: bool, several: bool) -> str:
    since = min(player.deadline or 0 for player in late)
    # Where several wait, more time is given once a turn.
    given = several and all(player.extra_time_count for player in late)
    told = LATE if not takes_part else CLAIM if given else CLAIM_OR_GIVE
    names = join_words([mention_user(player.user) for player in late])
    return told.format(names=names, when=f"<t:{since}:R>", days=claims.EXTRA_DAYS)


def _describe_others(waiting: Sequence[Player]) -> list[str]:
    people, thinking = _list_people(waiting), _list_thinking(waiting)
    moving = [MOVE_OF.format(names=join_words(people)), *_list_ends(waiting)] if people else []
    return [*moving, *thinking]


def _list_people(waiting: Sequence[Player]) -> list[str]:
    return [mention_user(player.user) for player in waiting if not is_computer(player.user)]


def _list_moving(waiting: Sequence[Player]) -> list[str]:
    moving = _list_people(waiting)
    return [TO_MOVE.fill_in(len(moving), names=join_words(moving))] if moving else []


def _list_thinking(waiting: Sequence[Player]) -> list[str]:
    thinking = [mention_user(player.user) for player in waiting if is_computer(player.user)]
    return [THINKING.fill_in(len(thinking), names=join_words(thinking))] if thinking else []


def _list_ends(waiting: Sequence[Player]) -> list[str]:
    """When the time of the players to move ends; nothing where no clock runs."""
    ends = {player.deadline for player in waiting if player.deadline is not None}
    return [ENDS.fill_in(len(ends), when=f"<t:{min(ends)}:R>")] if ends else []


def describe_result(row: MatchRow) -> str:
    """How a finished match ended."""
    if row.state != "finished":
        return "called off"
    if row.seats == 1:
        return "done"
    first = [mention_user(player.user) for player in row.players if player.rank == 1]
    if len(first) > 1:
        return f"a draw between {join_words(first)}"
    if row.seats == 2:
        return f"{join_words(first)} won"
    placed = sorted((player for player in row.players if player.rank), key=lambda player: player.rank or 0)
    return join_words(f"{words.format_place(player.rank or 0)} {mention_user(player.user)}" for player in placed)


def format_table(row: MatchRow, game: Game) -> str:
    """A table with free seats in a line: its players, how many seats are free, until when, and where it is."""
    come = join_words([mention_user(player.user) for player in row.players])
    seats = FREE.format(number=count_free_seats(row), seats=row.seats)
    told = [come, seats, str(Pace.parse(row.pace)), f"closes <t:{row.expires}:R>"]
    return f"**[{game.title}]({link_to(row)})** · {' · '.join(told)}"


def urgency_key(row: MatchRow, user: UserId, games: Mapping[str, Game]) -> tuple[int, int]:
    """The key to sort matches for a user. First come those where time has run out; then those where the user is to
    move, by the time left; then those where the user is to move without a clock, or has to answer; then those where
    others are to move, by the time left or without a clock; then paused ones; last those that have not begun."""
    moved = None if games[row.game].secret else row.moved
    since, player = moved or row.started or row.created, row.find_player(user)
    if row.state != "live":
        return (2 if player and player.invited else 6, since)
    if is_asked_in(row, user):
        return (2, since)
    if row.paused is not None:
        return (5, row.paused)
    waiting = row.players_to_move
    if over := [player.deadline or 0 for player in waiting if player.forfeit_at]:
        return (0, min(over))
    if player in waiting:
        return (1, player.deadline) if player.deadline else (2, since)
    ends = [player.deadline for player in waiting if player.deadline]
    return (3, min(ends)) if ends else (4, since)


def describe_urgency(row: MatchRow, user: UserId, now: int) -> list[str]:
    """What a live match waits for, at the end of a suggestion, which shows no timestamps: "your move", "5 hours left",
    "Bea is to move"."""
    waiting = row.players_to_move
    if row.paused is not None:
        return ["paused"]
    if late := [mention_user(player.user) for player in waiting if player.forfeit_at and player.user != user]:
        return [OVERDUE.format(names=join_words(late))]
    own = next((player for player in waiting if player.user == user), None)
    if own is None:
        return [*_list_moving(waiting), *_list_thinking(waiting)]
    if own.forfeit_at:
        return ["your time ran out"]
    return ["your move", *([f"{time_words.format_duration(own.deadline - now)} left"] if own.deadline else [])]


# Finds the matches of a server that a user may see, for the suggestions of an option and for lists.


MOST_LOOKED_FOR = 10
"""The number of challenges whose messages are checked before they are linked to."""
BEGUN: tuple[State, ...] = ("live", "finished", "aborted")

Choice = app_commands.Choice[str]


class MatchDirectory:
    """The matches of a server, for the user of an interaction."""

    def __init__(
        self, umpire: Umpire, channels: Channels, members: MemberCache, admissions: Admitting
    ) -> None:  # fmt: skip
        self._umpire = umpire
        self._channels = channels
        self._members = members
        self._admissions = admissions

    @property
    def now(self) -> int:
        """In epoch seconds."""
        return self._umpire.clock()

    def game_of(self, row: MatchRow) -> Game:
        return self._umpire.games[row.game]

    # --- suggestions for a `match` option

    @suggest_if_available
    async def suggest_live(self, interaction: Interaction, current: str, game: str | None = None) -> list[Choice]:
        """The user's live matches, those that wait for them first."""
        user, games = user_of(interaction), self._umpire.games
        rows = await self._umpire.store.ask(Reader.live_of, find_guild(interaction), user, game)
        found = await self._filter_typed(interaction, rows, current)
        found.sort(key=lambda row: urgency_key(row, user, games))
        return await self._make_choices(interaction, found)

    @suggest_if_available
    async def suggest_begun(self, interaction: Interaction, current: str) -> list[Choice]:
        """The user's latest matches that have begun, finished ones too."""
        user = user_of(interaction)
        rows = await self._umpire.store.ask(Reader.list_matches, find_guild(interaction), BEGUN, (user,))
        return await self._make_choices(interaction, await self._filter_typed(interaction, rows, current))

    @suggest_if_available
    async def suggest_with_boards(self, interaction: Interaction, current: str) -> list[Choice]:
        """The user's live matches as `suggest_live` lists them, then the latest finished ones."""
        live, begun = await self.suggest_live(interaction, current), await self.suggest_begun(interaction, current)
        known = {one.value for one in live}
        return [*live, *(one for one in begun if one.value not in known)][:MOST_CHOICES]

    @suggest_if_available
    async def suggest_private(self, interaction: Interaction, current: str) -> list[Choice]:
        """The user's latest solo matches that could be published."""
        user = user_of(interaction)
        rows = await self._umpire.store.ask(Reader.list_matches, find_guild(interaction), ("finished",), (user,))
        found = [row for row in rows if row.seats == 1 and not row.published]
        return await self._make_choices(interaction, await self._filter_typed(interaction, found, current))

    async def _filter_typed(self, interaction: Interaction, rows: Sequence[MatchRow], current: str) -> list[MatchRow]:
        """The rows that fit what is typed so far, and that can be seen from where it is typed."""
        games, typed = self._umpire.games, current.strip().lower().removeprefix("#")
        number, shown, _ = typed.partition(" · ")

        def fits(row: MatchRow) -> bool:
            # A value that was chosen before is still there with its whole label.
            begun = number == str(row.id) if shown else str(row.id).startswith(typed)
            return begun or typed in games[row.game].title.lower()

        found = [row for row in rows if row.game in games and fits(row)]
        return await self._admissions.filter_rows(user_of(interaction), found) if is_outside(interaction) else found

    async def _make_choices(self, interaction: Interaction, rows: Sequence[MatchRow]) -> list[Choice]:
        """Matches as suggestions, which show no mentions."""
        user, now = user_of(interaction), self.now
        told = [(row, describe_choice(row, self.game_of(row), user, now)) for row in rows[:MOST_CHOICES]]
        known = await self._load_names(told)
        return [
            app_commands.Choice(name=names.format_suggestion(text, known[row.guild]), value=str(row.id))
            for row, text in told
        ]

    async def _load_names(self, told: Sequence[tuple[MatchRow, str]]) -> Mapping[GuildId, names.Names]:
        """The names of the people in texts about matches, as those in the server of each match know them."""
        found: dict[GuildId, names.Names] = {}
        for guild in dict.fromkeys(row.guild for row, _ in told):
            people = names.find_people([text for row, text in told if row.guild == guild])
            await self._members.learn(guild, people, REPLY)
            found[guild] = self._members.list_names(guild, people)
        return found

    # --- lists

    async def list_own(
        self, interaction: Interaction, states: Sequence[State], users: Collection[UserId], game: str | None
    ) -> list[tuple[MatchRow, str]]:
        """A user's matches in all servers, with these users, each in a line that names the people, and its server among
        several; for a list in direct messages, where live ones stand by their urgency and others the latest first."""
        user, games = user_of(interaction), self._umpire.games
        rows = await self._umpire.store.ask(Reader.list_matches, None, states, {user, *users}, game)
        mine = [row for row in rows if row.game in games]
        if "live" in states and not users:
            asked = await self._umpire.store.ask(Reader.asked_in, None, user)
            mine += [row for row in asked if row.game in games and is_asked_in(row, user) and game in (None, row.game)]
        mine = await self._admissions.filter_rows(user, mine)
        mine = self.sort_by_urgency(mine, user) if "live" in states else mine
        told = [(row, format_line(row, games[row.game], user)) for row in mine]
        known = await self._load_names(told)
        lines = [
            (row, names.MENTION.sub(names.NAMELESS, names.insert_names(text, known[row.guild]))) for row, text in told
        ]
        servers = {guild: name for name, guild in await self._admissions.name_servers(known.keys() - {NOWHERE})}
        if len(servers) < 2:
            return lines
        return [(row, f"{line}\n-# {servers[row.guild]}" if row.guild in servers else line) for row, line in lines]

    async def find_visible(
        self, interaction: Interaction, states: Sequence[State], users: Collection[UserId] = (), game: str | None = None
    ) -> list[MatchRow]:
        """The matches of this server that the user may see, the latest first."""
        rows = await self._umpire.store.ask(Reader.list_matches, guild_of(interaction), states, users, game)
        return [row for row in rows if row.game in self._umpire.games and self.may_find(interaction, row)]

    async def find_asked(self, interaction: Interaction, game: str | None) -> list[MatchRow]:
        """The matches of this server in which the user is asked to take over a seat."""
        user, games = user_of(interaction), self._umpire.games
        rows = await self._umpire.store.ask(Reader.asked_in, guild_of(interaction), user)
        asked = [row for row in rows if row.game in games and game in (None, row.game)]
        return [row for row in asked if is_asked_in(row, user) and self.may_find(interaction, row)]

    def sort_by_urgency(self, rows: Iterable[MatchRow], user: UserId) -> list[MatchRow]:
        """Matches in the order of `urgency_key`."""
        return sorted(rows, key=lambda row: urgency_key(row, user, self._umpire.games))

    async def find_absences(self, interaction: Interaction, rows: Sequence[MatchRow]) -> Absences:
        """Which players to move in some matches have left the server or are away, where it is the weekend, and which
        challenges have lost their message."""
        guild = guild_of(interaction)
        people = {player.user for row in rows for player in row.players_to_move}
        absent = await self._umpire.store.ask(Reader.find_absent_people, guild, people, self.now)
        zones = {player.weekend for row in rows for player in row.players_to_move if player.weekend}
        weekends = {zone: until for zone in zones if (until := find_weekend_end(zone, self.now))}
        return Absences(
            self._members.find_known_departed(guild, people), absent, weekends, await self.find_deleted(rows)
        )

    async def find_deleted(self, rows: Sequence[MatchRow]) -> frozenset[MatchId]:
        """Which of the first open matches have lost the message of their challenge; Discord sends no event for that."""
        asked = [row for row in rows if row.state == "open" and row.lobby_message][:MOST_LOOKED_FOR]
        there = await asyncio.gather(*(self.challenge_exists(row) for row in asked))
        return frozenset(row.id for row, is_there in zip(asked, there, strict=True) if not is_there)

    async def challenge_exists(self, row: MatchRow) -> bool:
        """Whether the message of a challenge exists; True where Discord does not say."""
        if row.lobby_message is None:
            return True
        with suppress(discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError):
            async with asyncio.timeout(LOOK_WITHIN):
                return await self._channels.exists(row.channel, row.lobby_message)
        return True

    def may_find(self, interaction: Interaction, row: MatchRow) -> bool:
        """Whether the user may know of a match: they are in it, or can see the channel of its challenge. A solo match
        is for others only once it is published."""
        if row.find_player(user_of(interaction)):
            return True
        if row.seats == 1 and not row.published:
            return False
        return self.may_see(interaction, row.channel)

    def may_see(self, interaction: Interaction, channel: ChannelId) -> bool:
        """Whether the user may know what happens in a channel in whose matches they have no part."""
        if self._channels.is_guild_pending(guild_of(interaction)):
            raise Refusal("Discord hasn't told me about this server's channels yet. Try again in a few seconds.")
        return can_see(interaction.guild, interaction.user, channel)


def describe_choice(row: MatchRow, game: Game, user: UserId, now: int) -> str:
    """A match as a suggestion, which shows no timestamps: its number, game, opponents, and what it waits for or how it
    ended."""
    others = list_rivals(row, user)
    # In games with secrets the number of others' moves is hidden.
    progress = [] if game.secret else [f"move {row.plies + 1}"]
    waits = [*progress, *describe_urgency(row, user, now)] if row.state == "live" else [describe_result(row)]
    return " · ".join([str(row.id), game.title, *([join_words(others)] if others else []), *waits])
