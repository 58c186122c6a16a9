"""Shows a server's settings as two cards of selects: what holds for matches, and what is posted where. Zones that are
not in the list and exact caps have commands.

Each select is answered from its custom_id and the chosen values alone, and the card is edited in place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import discord
from discord import ui

from bot.client.interactions.context import Interaction, values_of
from bot.client.interactions.errors import Unread
from bot.client.interactions.routes import on, stored
from bot.client.lobby.choices import REMINDED, Choice, SettingSelect, reminded, the, zones
from bot.client.lobby.settings_store import SettingsStore
from bot.client.views import edits, views
from bot.client.views.views import PLAYABLE, POSTABLE, Control
from bot.core.match.clocks import PACES, Pace
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored_settings import ServerSettings
from bot.core.values.ids import ChannelId
from bot.core.values.plural import together
from bot.service.rules.challenge_limits import MOST_WITH_COMPUTERS, in_force
from bot.service.time.zone_names import shown

RARE = {"most_open": 3, "most_from_one": 1, "most_from_all": 4}
USUAL: Mapping[str, int | None] = dict.fromkeys(RARE)
"""Caps on challenges that can be chosen on the card."""
NO_PUZZLE = "The daily puzzle is not posted in any channel."
NO_WEEK = "What happened in the week is not posted in any channel."
NO_LEAGUES = "No league can be opened. Those that are open go on."
QUIET = "-# None of these messages mentions anybody."
FOOT = "-# `/settings zone` takes any time zone, `/settings challenges` any numbers."


def is_rare(settings: ServerSettings) -> bool:
    """Whether a server has chosen that challenges are rarer."""
    return all(getattr(settings, name) == cap for name, cap in RARE.items())


def habits(settings: ServerSettings) -> set[str]:
    """What is switched on in a server."""
    switches = {"threads": settings.threads, "takebacks": settings.takebacks, "rare": is_rare(settings)}
    return {name for name, on in switches.items() if on}


def accustomed(settings: ServerSettings, on: Collection[str]) -> ServerSettings:
    """The settings with some of the habits; caps that were typed stay until others are chosen."""
    caps = {} if is_rare(settings) == ("rare" in on) else RARE if "rare" in on else USUAL
    return replace(settings, threads="threads" in on, takebacks="takebacks" in on, **caps)


HABITS = {
    "threads": "Each match has a thread",
    "takebacks": "Takebacks, if everybody agrees",
    "rare": f"Challenges are rare: {RARE['most_from_all']} an hour, {RARE['most_from_one']} from each person",
}
CHOICES: Mapping[str, Choice[ServerSettings]] = {
    "pace": Choice(
        lambda _: {key: f"Pace: {pace}" for key, pace in PACES.items()},
        lambda settings: [settings.pace],
        lambda settings, keys: replace(settings, pace=Pace.parse(the(keys)).key),
    ),
    "reminders": Choice(
        lambda _: REMINDED,
        lambda settings: [settings.reminders],
        lambda settings, kinds: replace(settings, reminders=reminded(the(kinds))),
    ),
    "zone": Choice(
        lambda settings: zones(settings.zone),
        lambda settings: [settings.zone],
        lambda settings, chosen: replace(settings, zone=the(chosen)),
    ),
    "habits": Choice(lambda _: HABITS, habits, accustomed, several=True),
}
"""The selects of the first card, by what stands in their custom_id; those of channels are Discord's own."""
LEAGUES = {"on": "Leagues: on", "off": "Leagues: off"}
POSTED: Mapping[str, Choice[ServerSettings]] = {
    "hour": Choice(
        lambda _: {str(hour): f"Puzzle and week: from {hour}:00" for hour in range(24)},
        lambda settings: [str(settings.daily_hour)],
        lambda settings, hours: replace(settings, daily_hour=int(the(hours))),
    ),
    "leagues": Choice(
        lambda _: LEAGUES,
        lambda settings: ["on" if settings.leagues else "off"],
        lambda settings, on: replace(settings, leagues=the(on) == "on"),
    ),
}
"""Those of the second."""
CHANNELS = "channels"
PLACES = {
    "daily": ("Daily puzzle: off", "Daily puzzle: on"),
    "week": ("The week: off", "The week: on"),
    "league": ("Leagues: anywhere", "Leagues: in one channel"),
}
"""The selects of channels on the second card, with what holds where none is chosen, and where one is."""
MATCHES, POSTS = "matches", "posts"
TURNS = {MATCHES: "Matches", POSTS: "What is posted where"}
"""The buttons that lead from one card to the other."""


class SettingsCard:
    """Shows the card to those who manage a server, and takes what they choose on it."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    async def show(self, interaction: Interaction) -> None:
        """Show the settings to the asker alone."""
        settings = await self.expected(interaction)
        await edits.answer_anew(interaction, card(settings))

    async def show_posted(self, interaction: Interaction) -> None:
        """Show what is posted where, to the asker alone."""
        settings = await self.expected(interaction)
        await edits.answer_anew(interaction, posted_card(settings))

    @on(SettingSelect, words="settings")
    async def chosen(self, interaction: Interaction, select: SettingSelect) -> None:
        """Take what was chosen in a select, and show the card with it."""
        choice, values = {**CHOICES, **POSTED}.get(select.name), values_of(interaction)
        settings = await self.expected(interaction)
        if select.name in TURNS:
            pass
        elif select.name == CHANNELS:
            channels = expect_channels(interaction, values, PLAYABLE)
            settings = await self._settings.change_server(interaction, lambda now: replace(now, channels=channels))
        elif select.name in PLACES:
            place = next(iter(expect_channels(interaction, values[:1], POSTABLE)), None)
            self._settings.expect_postable(interaction, place)
            settings = await self._settings.change_server(interaction, lambda now: replace(now, **{select.name: place}))
        elif choice is None:
            raise Unread
        else:
            choice.expect(settings, values)
            settings = await self._settings.change_server(interaction, lambda now: choice.take(now, values))
        await edits.answer(interaction, card_with(select.name, settings))

    @stored(SettingSelect, words="settings")
    async def as_stored(self, interaction: Interaction, select: SettingSelect) -> ui.LayoutView:
        """The card that a select stands on, as it is stored."""
        return card_with(select.name, await self.expected(interaction))

    async def change(self, interaction: Interaction, change: Callable[[ServerSettings], ServerSettings]) -> None:
        """Change a setting by command, and show the card with it."""
        await self.expected(interaction)
        settings = await self._settings.change_server(interaction, change)
        await edits.answer_anew(interaction, card(settings))

    async def expected(self, interaction: Interaction) -> ServerSettings:
        """The settings, or a refusal for people who may not manage the server; Discord's own permissions for commands
        can be set to anything."""
        if not interaction.permissions.manage_guild:
            raise Refusal("Only people who can manage this server can see and change its settings.")
        return await self._settings.server(interaction)


def expect_channels(
    interaction: Interaction, values: Sequence[str], types: Collection[discord.ChannelType]
) -> tuple[ChannelId, ...]:
    """The channels of this server that were chosen, all of some types, or `Unread`."""
    here = interaction.guild.channels if interaction.guild else ()
    if not {*values} <= {str(one.id) for one in here if one.type in types}:
        raise Unread
    return tuple(ChannelId(int(one)) for one in values)


def card_with(about: str, settings: ServerSettings) -> ui.LayoutView:
    """The card that something stands on or leads to."""
    return posted_card(settings) if about == POSTS or about in {*POSTED, *PLACES} else card(settings)


def card(settings: ServerSettings) -> ui.LayoutView:
    """The settings in sentences, and a select for each choice, which shows what is chosen."""
    selects = [choice.select(SettingSelect("settings", name), settings) for name, choice in CHOICES.items()]
    selects += (
        Control(
            SettingSelect("settings", CHANNELS), "Challenges in every channel", channels=settings.channels, several=True
        ),
        Control(SettingSelect("settings", POSTS), TURNS[POSTS]),
    )
    rows = map(views.row_of, selects)
    return views.framed(views.ACCENTS[0], ui.TextDisplay(described(settings)), *rows, ui.TextDisplay(FOOT))


def posted_card(settings: ServerSettings) -> ui.LayoutView:
    """What is posted where, in sentences, and a select for each choice."""
    chosen: dict[str, ChannelId | None] = {name: getattr(settings, name) for name in PLACES}
    controls = [
        Control(
            SettingSelect("settings", name),
            words[bool(chosen[name])],
            channels=(place,) if (place := chosen[name]) else (),
        )
        for name, words in PLACES.items()
    ]
    controls += [choice.select(SettingSelect("settings", name), settings) for name, choice in POSTED.items()]
    rows = map(views.row_of, [*controls, Control(SettingSelect("settings", MATCHES), TURNS[MATCHES])])
    return views.framed(views.ACCENTS[0], ui.TextDisplay(posted(settings)), *rows, ui.TextDisplay(QUIET))


def described(settings: ServerSettings) -> str:
    """What no select says in full, in sentences: a phone has no room for all of it twice."""
    channels = together([f"<#{channel}>" for channel in settings.channels]) if settings.channels else ""
    where = f"Challenges are allowed in {channels}." if channels else "Challenges are allowed in every channel."
    threads = "Every match gets a thread of its own." if settings.threads else "Matches are played in the channel."
    return f"{where} {threads}\n-# {capped(settings)}"


def capped(settings: ServerSettings) -> str:
    """The caps on challenges in a sentence."""
    opened, from_one, from_all = in_force(settings)
    return (
        f"A person can be challenged up to {from_all} times an hour, at most {from_one} times by the same person. "
        f"Each person can have {opened} open challenges, and {MOST_WITH_COMPUTERS} matches against the computer."
    )


def posted(settings: ServerSettings) -> str:
    """Where and when the daily puzzle, the week and leagues are posted, a line each."""
    since = f"from {settings.daily_hour}:00 on ({shown(settings.zone)})"
    place = f"in <#{settings.league}>" if settings.league else "in the channel where they are opened"
    return "\n".join([
        f"The daily puzzle is posted in <#{settings.daily}>, {since}." if settings.daily else NO_PUZZLE,
        f"What happened in the week is posted in <#{settings.week}>, on Mondays {since}." if settings.week else NO_WEEK,
        f"New leagues are played {place}." if settings.leagues else NO_LEAGUES,
    ])  # fmt: skip
