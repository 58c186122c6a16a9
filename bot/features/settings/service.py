"""Reads and changes settings, and forgets users and servers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import discord
from discord import app_commands

from bot.features.leagues.service import LeagueService
from bot.features.time import preferences
from bot.features.time.preferences import AbsenceState
from bot.games.notation import quote_whole
from bot.games.wording import Plural, join_sentences, join_words
from bot.platform.error_codes import TIMED_OUT
from bot.platform.interactions import Interaction, channel_of, find_guild, guild_of, suggest_if_available, user_of
from bot.platform.messages import Channels
from bot.play.calendars import Calendar
from bot.play.ids import NOWHERE, WHOLE, ChannelId, GuildId, InteractionId, UserId, make_act_id
from bot.play.loaded_match import Refusal
from bot.play.rows import Preferences, ServerSettings
from bot.play.time_zones import UnknownZone, find_zone, format_zone, suggest_zones
from bot.umpire.umpire import Umpire
from data.store import NOTE, ForgottenEntry, Kind, Reader, Transaction

# Reads and changes settings of servers and preferences of users, for challenges and for their commands.


class SettingsStore:
    """The settings of servers, and the preferences and absences of users."""

    def __init__(self, umpire: Umpire, channels: Channels) -> None:
        self._store = umpire.store
        self._clock = umpire.clock
        self._channels = channels
        self.changed: Callable[[GuildId], object] = lambda _: None
        """Called when a server has changed its settings."""

    def now(self) -> int:
        """In epoch seconds."""
        return self._clock()

    # --- of a server

    async def load_server(self, interaction: Interaction) -> ServerSettings:
        """The settings of this server, without channels that were deleted."""
        return await self._drop_deleted_channels(
            interaction, await self._store.ask(Reader.load_settings, guild_of(interaction))
        )

    async def change_server(
        self, interaction: Interaction, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change the settings of this server, and return them."""
        settings = await self._store.do(preferences.change_settings, guild_of(interaction), change, self._clock())
        self.changed(guild_of(interaction))
        return settings

    async def expect_channel(self, interaction: Interaction) -> None:
        """Refuse a challenge in a channel where the server's settings allow none."""
        settings = await self._store.ask(Reader.load_settings, guild_of(interaction))
        channel = interaction.channel
        place = channel.parent_id if isinstance(channel, discord.Thread) else channel_of(interaction)
        if not settings.channels or place in settings.channels:
            return
        if wanted := (await self._drop_deleted_channels(interaction, settings)).channels:
            allowed = join_words([f"<#{channel}>" for channel in wanted], " or ")
            raise Refusal(f"You can't challenge anybody in this channel. Go to {allowed}.")

    async def expect_admitted(self, interaction: Interaction) -> None:
        """Refuse a challenge where the bot is timed out, or in a private thread that it is not in: commands arrive from
        there, but its boards could not be posted."""
        guild, place = guild_of(interaction), interaction.channel
        self._expect_no_timeout(guild)
        private = isinstance(place, discord.Thread) and place.is_private()
        managed = interaction.app_permissions.manage_threads
        if private and not managed and await self._channels.is_shut_out(channel_of(interaction)):
            raise Refusal(
                "I'm not in this private thread, so I can't post boards here. Mention @Graph Paper in it to add me, "
                "and try again."
            )

    def _expect_no_timeout(self, guild: GuildId) -> None:
        if (until := self._channels.timed_out_until(guild)) > self._clock():
            raise Refusal(
                f"{TIMED_OUT.format(until=until)} Ask somebody who manages the server to end that, or try again then."
            )

    def expect_postable(self, interaction: Interaction, channel: ChannelId | None) -> None:
        """Refuse a channel in which the bot cannot post."""
        guild = guild_of(interaction)
        if channel and self._channels.is_channel_closed(guild, channel):
            self._expect_no_timeout(guild)
            raise Refusal(f"I can't post in <#{channel}>: I need View Channel, Send Messages and Attach Files there.")

    async def _drop_deleted_channels(self, interaction: Interaction, settings: ServerSettings) -> ServerSettings:
        """Remove deleted channels from the settings: the card no longer lists them."""
        guild = guild_of(interaction)
        places = ("daily", "week", "league")
        named = {*settings.channels, *(one for name in places if (one := getattr(settings, name)))}
        lost = await asyncio.gather(*(self._channels.was_deleted(guild, one) for one in named))
        gone = {one for one, is_lost in zip(named, lost, strict=True) if is_lost}

        def without(now: ServerSettings) -> ServerSettings:
            kept = tuple(one for one in now.channels if one not in gone)
            return replace(now, channels=kept, **{name: None for name in places if getattr(now, name) in gone})

        return await self._store.do(Transaction.change_settings, guild, without) if gone else settings

    # --- of a person

    async def find_mailbox(self, interaction: Interaction) -> ChannelId:
        """The channel of a user's direct messages, where what they begin outside of servers is played."""
        if interaction.guild_id is None:
            return channel_of(interaction)
        return await self._channels.open_dm(user_of(interaction))

    async def load_preferences(
        self, interaction: Interaction, change: Callable[[Preferences], Preferences] | None = None
    ) -> tuple[Preferences, ServerSettings]:
        """A user's preferences, after a `change` where there is one, and their server's settings, or the usual ones
        outside of servers."""
        about = find_guild(interaction) or NOWHERE, user_of(interaction)
        if change is None:
            return await self._store.ask(preferences.read_preferences, *about)
        return await self._store.do(preferences.change_and_read, *about, change, self._clock())

    async def load_absence(self, interaction: Interaction) -> AbsenceState:
        """Whether the user is away in this server, and how long they can be."""
        about = guild_of(interaction), user_of(interaction)
        return await self._store.ask(preferences.read_absence, *about, self._clock())

    async def start_absence(self, interaction: Interaction, typed: str) -> AbsenceState:
        """Set the user away from now on until the end of the day that they typed."""
        about = guild_of(interaction), user_of(interaction)
        return await self._store.do(preferences.set_away, *about, typed, self._clock())

    async def end_absence(self, interaction: Interaction) -> AbsenceState:
        """End the user's absence."""
        about = guild_of(interaction), user_of(interaction)
        return await self._store.do(preferences.end_absence, *about, self._clock())

    @suggest_if_available
    async def suggest_days(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the days until which the user can be away."""
        about = guild_of(interaction), user_of(interaction)
        found = await self._store.ask(preferences.suggest_days, *about, current, self._clock())
        return [app_commands.Choice(name=told, value=day) for told, day in found]

    async def suggest_zones(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones, each with its current time."""
        now = self._clock()
        found = await asyncio.to_thread(suggest_zones, current, now, interaction.locale.value)
        return [
            app_commands.Choice(
                name=f"{format_zone(zone)} (it is {Calendar(zone).format_time(now)})", value=format_zone(zone)
            )
            for zone in found
        ]

    async def find_zone(self, interaction: Interaction, typed: str) -> str:
        """The time zone of a typed text, or `UnknownZone`; zones are many small files, read in a thread."""
        try:
            return await asyncio.to_thread(find_zone, typed, self._clock(), interaction.locale.value)
        except UnknownZone as fault:
            raise UnknownZone(quote_whole(typed, str(fault))) from fault


# Forgets users and servers, also those that a restored backup has brought back.


AT_ONCE = 100
"""The most matches of a server deleted in one transaction, so that other writes do not wait long."""
PEOPLE = Plural(
    "The copy knew a person who has been forgotten since: they are forgotten here, too.",
    "The copy knew {number} people who have been forgotten since: they are forgotten here, too.",
)
SERVERS = Plural(
    "It held a server that has been deleted since: that is deleted here, too.",
    "It held {number} servers that have been deleted since: they are deleted here, too.",
)
UNLISTED = "Somebody was forgotten, but %s can't be written (%s): a copy from before would bring them back."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ForgottenAgain:
    """How many users and servers a restored backup had brought back."""

    people: int = 0
    servers: int = 0

    def __str__(self) -> str:
        people = PEOPLE.fill_in(self.people) if self.people else ""
        return join_sentences(people, SERVERS.fill_in(self.servers) if self.servers else "")


class ForgettingService:
    """Forgets, and remembers beside the database that it did."""

    def __init__(self, umpire: Umpire, leagues: LeagueService) -> None:
        self._umpire = umpire
        self._leagues = leagues
        self._store = umpire.store

    async def forget_person(self, act: InteractionId, user: UserId) -> None:
        """Forget a user: they leave their leagues and matches, and then their id is removed from every table."""
        await self._forget_person(act, user, await self._write_entry("person", user))

    async def forget_server(self, guild: GuildId) -> None:
        """Delete all data of a server."""
        await self._forget_server(guild, await self._write_entry("server", guild))

    async def forget_again(self) -> ForgottenAgain:
        """Forget users and servers again that a restored backup has brought back."""
        if self._store.forgotten is None:
            return ForgottenAgain()
        listed = await asyncio.to_thread(self._store.forgotten.read_entries)
        followed = await self._store.ask(Reader.read_notes, NOTE) if listed else {}
        entries = [entry for entry in listed if entry.note_name not in followed]
        if not entries:
            return ForgottenAgain()
        people, servers = await self._store.ask(list_known)
        found_people = await asyncio.to_thread(match_entries, entries, "person", people)
        found_servers = await asyncio.to_thread(match_entries, entries, "server", servers)
        for guild, theirs in found_servers.items():
            await self._forget_server(GuildId(guild), theirs)
        for user, theirs in found_people.items():
            await self._forget_person(make_act_id("forgotten", user, self._umpire.clock()), UserId(user), theirs)
        await self._store.do(Transaction.mark_followed, entries)
        return ForgottenAgain(len(found_people), len(found_servers))

    async def _write_entry(self, kind: Kind, number: int) -> Sequence[ForgottenEntry]:
        """Write down that a user or server is to be forgotten; returns the entries about them that are to be carried
        out."""
        if (beside := self._store.forgotten) is None:
            return ()
        entry = ForgottenEntry.create(kind, number, self._umpire.clock(), self._umpire.rng)
        try:
            # An earlier one may not have been carried out, where the database was unavailable.
            earlier = await asyncio.to_thread(beside.entries_about, kind, number)
            await asyncio.to_thread(beside.add_entries, [entry])
        except OSError as fault:
            log.warning(UNLISTED, beside.file, fault.strerror)
            return ()
        return (*earlier, entry)

    async def _forget_person(self, act: InteractionId, user: UserId, entries: Sequence[ForgottenEntry]) -> None:
        await self._leagues.leave_all(user)
        await self._umpire.forget_user(act, user, entries)

    async def _forget_server(self, guild: GuildId, entries: Sequence[ForgottenEntry]) -> None:
        while await self._store.for_long_work.do(Transaction.erase_matches, guild, AT_ONCE):
            log.debug("Some matches of a server are deleted.")
        await self._store.for_long_work.do(erase_server, guild, entries)


def list_known(reader: Reader) -> tuple[frozenset[int], frozenset[int]]:
    """The users and the servers of which there is any data."""
    return reader.list_people(), reader.within_share(WHOLE).list_servers()


def erase_server(tx: Transaction, guild: GuildId, entries: Sequence[ForgottenEntry]) -> None:
    """Delete the last data of a server, and note that these entries were carried out."""
    tx.erase_server(guild)
    tx.mark_followed(entries)


def match_entries(
    entries: Sequence[ForgottenEntry], kind: Kind, numbers: frozenset[int]
) -> dict[int, list[ForgottenEntry]]:
    """The ids among `numbers` that are in entries, each with those."""
    found: dict[int, list[ForgottenEntry]] = {}
    for entry in entries:
        if entry.kind == kind:
            for number in numbers:
                if entry.is_about(number):
                    found.setdefault(number, []).append(entry)
    return found
