"""The cards of a server's settings and of a user's preferences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar, get_args

import discord
from discord import ui

from bot.features.settings.service import SettingsStore
from bot.games.wording import join_sentences
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.custom_ids import CustomId, Word
from bot.platform.interactions import Interaction, MalformedInput, manages_server, values_of
from bot.platform.routes import on, restores
from bot.platform.ui import PLAYABLE, POSTABLE, Control
from bot.play import calendars
from bot.play.acts import MOST_WITH_COMPUTERS, find_caps
from bot.play.calendars import Calendar
from bot.play.clocks import PACES, Pace
from bot.play.ids import ChannelId
from bot.play.loaded_match import Refusal
from bot.play.rows import DIRECT, Preferences, Reminders, ServerSettings
from bot.play.time_zones import format_zone

# Selects that are handled from their custom_id and the chosen values alone: what each offers, marks and changes.


Kept = TypeVar("Kept")
"""The settings of a server, or the preferences of a user."""
REMINDED: Mapping[str, str] = {
    "thread": "Reminders: in the thread",
    "message": "Reminders: direct messages",
    "digest": "Reminders: one a day",
    "off": "Reminders: none",
}
"""The ways to remind, in words."""
WITH_BOARD = {"board": "Reminders: with the board"}
"""The way that only a person can choose."""
ZONES = (
    "America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York", "America/Sao_Paulo", "UTC",
    "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow", "Africa/Lagos",
    "Africa/Johannesburg", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Jakarta", "Asia/Shanghai",
    "Asia/Tokyo", "Australia/Perth", "Australia/Sydney", "Pacific/Auckland",
)  # fmt: skip
"""Time zones to choose from, from west to east; any other is typed."""
NONE = "None of these"


class SettingSelect(CustomId, template="p:{card}:{name}"):
    """A select of a card, or a button to another card, by its name."""

    card: Literal["settings", "preferences"]
    name: Word


@dataclass(frozen=True, slots=True)
class SettingChoice(Generic[Kept]):
    """A setting with few values: the values with their words, which of them are chosen, how to set others, and the
    placeholder where none is chosen."""

    words: Callable[[Kept], Mapping[str, str]]
    of: Callable[[Kept], Collection[str]]
    take: Callable[[Kept, Collection[str]], Kept]
    several: bool = False
    none: str = NONE

    def build_select(self, component: CustomId, kept: Kept) -> Control:
        """The select of this setting, with the chosen values marked."""
        now, words = self.of(kept), self.words(kept)
        options = [discord.SelectOption(label=said, value=value, default=value in now) for value, said in words.items()]
        return Control(component, self.none, options=options, several=self.several)

    def expect_offered(self, kept: Kept, values: Collection[str]) -> None:
        """Refuse values that were not offered, with `MalformedInput`."""
        if not {*values} <= {*self.words(kept)}:
            raise MalformedInput
        self.take(kept, values)


def single(values: Collection[str]) -> str:
    """The one chosen value, or `MalformedInput`."""
    if len(values) != 1:
        raise MalformedInput
    return next(iter(values))


def parse_reminders(kind: str) -> Reminders:
    return next(one for one in get_args(Reminders) if one == kind)


def list_zones(own: str | None) -> dict[str, str]:
    """The time zones to choose from, with the chosen one."""
    listed = ZONES if own is None or own in ZONES else (own, *ZONES)
    return {zone: f"Time zone: {format_zone(zone)}" for zone in listed}


# Shows a user's preferences, for all servers, as a card of selects, each with a sentence about its effect.


SERVER = "server"
"""The value that leaves a preference to the server."""
HEAD = "### Your preferences\n-# They apply in every server."
PREFERENCES_FOOT = "-# On holiday, `/away` stops your clocks."
CONFIRM = {"on": "Confirm each move: yes", "off": "Confirm each move: no"}
CONFIRMS = {
    "on": "After your last tap you see what the move does, and *Play* plays it.",
    "off": "Your last tap plays the move.",
}
ZONE = "It's {time} in {zone} now. For another time zone: `/preferences zone:Europe/Rome`."
WEEKENDS = {"yes": "Weekends count as thinking time", "no": "Weekends don't count as thinking time"}
COUNTS = {
    "yes": "Your clock runs on Saturdays and Sundays, too. A change applies from your next move.",
    "no": "Your clock stops on Saturdays and Sundays. A change applies from your next move.",
}
QUIET_HOURS = "Moves ping you then, reminders don't. For other hours: `/preferences quiet:23-7`."
NEVER_QUIET = "I tell you everything at once, by day and by night."
PUZZLE = {"on": "Puzzle each morning: yes", "off": "Puzzle each morning: no"}
PUZZLES = {
    "on": "I send you the puzzle of the day as a direct message when your quiet hours end.",
    "off": "`/daily` has the puzzle of the day.",
}
SERVERS_ZONE, SERVERS_WAY = "Time zone: each server's own", "Reminders: each server's own"
AGAIN = "Reminders: choose again"
"""The placeholder while Discord refuses direct messages to the user: nothing is marked, so that the same can be chosen
again."""
WHEN = "when half of your time for a move is gone, and a day before it ends"
WHEN_HALF = "when half of their time for a move is gone, and a day before it ends"
IN_THREAD = f"I remind you in the match's thread {WHEN}."
DIGEST = "I send you one direct message a day when your quiet hours end, with everything that waits for you."
BOARD = (
    "A minute into each of your turns I send you the board as a direct message, with its buttons, and again when I "
    "would remind you."
)
SHUT = (
    "Discord doesn't let me write to you, so this happens in the thread. Allow direct messages in your privacy "
    "settings, then choose this again."
)
WAYS: Mapping[Reminders, str] = {
    "thread": IN_THREAD,
    "message": f"I send you a direct message {WHEN}.",
    "board": BOARD,
    "digest": DIGEST,
    "off": "I don't remind you of your moves.",
}
SHUT_WAYS: Mapping[Reminders, str] = {
    **WAYS,
    "message": join_sentences(IN_THREAD, SHUT),
    "board": join_sentences(IN_THREAD, SHUT),
    "digest": join_sentences(DIGEST, SHUT),
}
"""How a user is reminded; the second where Discord refuses direct messages to them."""
WAY, SERVERS = "{way}", "Usually {way}"
"""The same as the user has chosen, and as their servers have."""


class PreferencesCard:
    """Shows the card in an ephemeral message, and applies what the user chooses on it."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    async def show(self, interaction: Interaction, change: Callable[[Preferences], Preferences] | None = None) -> None:
        """Show a user's preferences, after a `change` by command."""
        chosen, settings = await self._settings.load_preferences(interaction, change)
        view = build_preferences_card(chosen, settings, self._settings.now())
        await edits.answer_anew(interaction, view)

    @on(SettingSelect, words="preferences")
    async def take_choice(self, interaction: Interaction, select: SettingSelect) -> None:
        """Apply what was chosen in a select, and show the card with it."""
        kept, settings = await self._settings.load_preferences(interaction)
        choice, values = make_setting_choices(settings, self._settings.now()).get(select.name), values_of(interaction)
        if choice is None:
            raise MalformedInput
        choice.expect_offered(kept, values)
        taken = choice.take
        kept, settings = await self._settings.load_preferences(interaction, lambda now: taken(now, values))
        await edits.answer(interaction, build_preferences_card(kept, settings, self._settings.now()))

    @restores(SettingSelect, words="preferences")
    async def as_stored(self, interaction: Interaction, _select: SettingSelect) -> ui.LayoutView:
        kept, settings = await self._settings.load_preferences(interaction)
        return build_preferences_card(kept, settings, self._settings.now())


def make_setting_choices(settings: ServerSettings, now: int) -> Mapping[str, SettingChoice[Preferences]]:
    """The selects of the card by the names in their custom_ids, for users in a server; `now` in epoch seconds."""
    return {
        "confirm": SettingChoice(
            lambda _: CONFIRM,
            lambda kept: ["on" if kept.confirm else "off"],
            lambda kept, values: replace(kept, confirm=single(values) == "on"),
        ),
        "zone": SettingChoice(
            lambda kept: {SERVER: SERVERS_ZONE, **list_zones(kept.zone)},
            lambda kept: [kept.zone or SERVER],
            lambda kept, values: replace(kept, zone=None if single(values) == SERVER else single(values)),
        ),
        "weekends": SettingChoice(
            lambda _: WEEKENDS,
            lambda kept: ["yes" if kept.weekends else "no"],
            lambda kept, values: replace(kept, weekends=single(values) == "yes"),
        ),
        "quiet": SettingChoice(
            lambda kept: {
                hours: f"Quiet hours: {calendars.describe_hours(hours)}" for hours in calendars.list_hour_choices(kept)
            },
            lambda kept: [calendars.format_hours(kept)],
            lambda kept, values: calendars.with_hours(kept, single(values)),
        ),
        "reminders": SettingChoice(
            lambda _: {SERVER: SERVERS_WAY, **REMINDED, **WITH_BOARD},
            lambda kept: [] if is_shut(kept, settings) else [kept.reminders or SERVER],
            lambda kept, values: with_reminders(kept, single(values)),
            none=AGAIN,
        ),
        "puzzle": SettingChoice(
            lambda _: PUZZLE,
            lambda kept: ["on" if kept.puzzle else "off"],
            lambda kept, values: with_puzzle(kept, single(values) == "on", now),
        ),
    }


def with_reminders(kept: Preferences, value: str) -> Preferences:
    """Preferences with another way to remind. A user who chooses again may have allowed direct messages meanwhile."""
    return replace(kept, reminders=None if value == SERVER else parse_reminders(value), closed=False)


def with_puzzle(kept: Preferences, wanted: bool, now: int) -> Preferences:
    """Preferences with or without the puzzle of the day by direct message, from the next morning on."""
    calendar = Calendar.of(kept, ServerSettings(), ())
    return replace(kept, puzzle=calendar.find_next_hour(now, calendar.morning) if wanted else None)


def is_shut(kept: Preferences, settings: ServerSettings) -> bool:
    """Whether a user wants direct messages, and Discord refused one."""
    return kept.closed and (kept.reminders or settings.reminders) in DIRECT


def build_preferences_card(kept: Preferences, settings: ServerSettings, now: int) -> ui.LayoutView:
    """A select for each preference, with the chosen value, and below it what that does."""
    selects = {
        name: choice.build_select(SettingSelect("preferences", name), kept)
        for name, choice in make_setting_choices(settings, now).items()
    }
    return frame_card(HEAD, selects, describe_choices(kept, settings, now), foot=PREFERENCES_FOOT)


def describe_choices(kept: Preferences, settings: ServerSettings, now: int) -> Mapping[str, str]:
    """What each preference does, in a sentence or two."""
    calendar, ways = Calendar.of(kept, settings, ()), SHUT_WAYS if kept.closed else WAYS
    return {
        "confirm": CONFIRMS["on" if kept.confirm else "off"],
        "zone": ZONE.format(time=calendar.format_time(now), zone=format_zone(calendar.zone)),
        "weekends": COUNTS["yes" if kept.weekends else "no"],
        "quiet": NEVER_QUIET if kept.night == kept.morning else QUIET_HOURS,
        "reminders": (WAY if kept.reminders else SERVERS).format(way=ways[calendar.reminders]),
        "puzzle": PUZZLES["on" if kept.puzzle else "off"],
    }


# Shows a server's settings as cards: selects for matches, selects for posts, and the limits.


CapName = Literal["most_open", "most_from_one", "most_from_all"]
CAP_NAMES: tuple[CapName, ...] = get_args(CapName)
"""The limits in the order of `find_caps`."""
RARE = {"most_open": 3, "most_from_one": 1, "most_from_all": 4}
USUAL: Mapping[str, int | None] = dict.fromkeys(RARE)
"""The default caps on challenges."""
SETTINGS_HEAD = "### Settings of this server\n-# Only those who manage it see and change them."
EVERYBODY_ELSE = "Everybody can choose otherwise in `/preferences`."
TOLD = {
    "pace": "The usual time for a move. A challenge can choose another.",
    "zone": "For people who haven't chosen theirs. For another: `/settings zone zone:Europe/Rome`.",
    "channels": "Challenges are allowed in the chosen channels, or everywhere if none is chosen.",
}
"""What the lists of the first card do."""
ABOVE_HABITS = "{told}\n-# **Switched on:**"
"""What stands above the list of habits, whose choices have no title of their own."""
SWITCHED = {
    "threads": ("**Threads** on: each match has its own.", "**Threads** off: boards stand in the channel."),
    "takebacks": ("**Takebacks** on: a move is taken back if all agree.", "**Takebacks** off."),
    "mail": ("**DMs** on: matches can be played in direct messages, too.", "**DMs** off."),
    "rare": (
        f"**Rare challenges** on: a person gets at most {RARE['most_from_all']} an hour, "
        f"{RARE['most_from_one']} from the same.",
        "**Rare challenges** off: *Limits …* caps challenges.",
    ),
}
"""What is said of what may be switched on where it is, and where it is not."""
SENT: Mapping[Reminders, str] = {
    "thread": f"I remind people {WHEN_HALF}.",
    "message": f"I remind people {WHEN_HALF}.",
    "digest": "I send people one message a day with everything that waits for them.",
    "off": "I don't remind people of their moves.",
}
POSTS_HEAD = (
    "### What is posted where\n-# The result of a match goes to the channel of its challenge. "
    "The posts below mention nobody."
)
POSTED_THERE = {
    "daily": "Every day a puzzle, the same for everybody.",
    "week": "Every Monday a report of the week.",
    "league": "New leagues are played in the channel chosen here, or if none is, where they are opened.",
}
"""What is posted in the channels of the second card."""
HOUR = "By the server's time zone, {zone}."
OPENS, NO_LEAGUES = "Anybody can open one with `/league create`.", "Nobody can open one. Leagues that are open go on."
LIMITS_HEAD = "### Limits"
WITH_COMPUTERS = "-# Each person can also have {number} matches against the computer; this is the same in all servers."
OTHER_LIMITS = "-# Other numbers: `/settings challenges open:{open} from_everybody:{everybody} from_one:{one}`"
CAPS = (1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50)
"""Limits to choose from; any other is typed."""


def is_rare(settings: ServerSettings) -> bool:
    """Whether a server has chosen the lower caps on challenges."""
    return all(getattr(settings, name) == cap for name, cap in RARE.items())


def list_habits(settings: ServerSettings) -> set[str]:
    """What is switched on in a server."""
    switches = {
        "threads": settings.threads, "takebacks": settings.takebacks, "mail": settings.mail, "rare": is_rare(settings),
    }  # fmt: skip
    return {name for name, on in switches.items() if on}


def describe_habits(settings: ServerSettings) -> str:
    """What can be switched on, and whether it is."""
    on = list_habits(settings)
    return join_sentences(*(told[name not in on] for name, told in SWITCHED.items()))


def apply_habits(settings: ServerSettings, on: Collection[str]) -> ServerSettings:
    """The settings with these habits switched on; caps that were typed stay until others are chosen."""
    caps = {} if is_rare(settings) == ("rare" in on) else RARE if "rare" in on else USUAL
    return replace(settings, threads="threads" in on, takebacks="takebacks" in on, mail="mail" in on, **caps)


HABITS = {"threads": "Threads", "takebacks": "Takebacks", "mail": "DMs", "rare": "Rare challenges"}
CHOICES: Mapping[str, SettingChoice[ServerSettings]] = {
    "pace": SettingChoice(
        lambda _: {key: f"Pace: {pace}" for key, pace in PACES.items()},
        lambda settings: [settings.pace],
        lambda settings, keys: replace(settings, pace=Pace.parse(single(keys)).key),
    ),
    "reminders": SettingChoice(
        lambda _: REMINDED,
        lambda settings: [settings.reminders],
        lambda settings, kinds: replace(settings, reminders=parse_reminders(single(kinds))),
    ),
    "zone": SettingChoice(
        lambda settings: list_zones(settings.zone),
        lambda settings: [settings.zone],
        lambda settings, chosen: replace(settings, zone=single(chosen)),
    ),
    "habits": SettingChoice(lambda _: HABITS, list_habits, apply_habits, several=True),
}
"""The selects of the first card by the names in their custom_ids; those of channels are Discord's own."""
LEAGUES = {"on": "New leagues: allowed", "off": "New leagues: not allowed"}
POSTED: Mapping[str, SettingChoice[ServerSettings]] = {
    "hour": SettingChoice(
        lambda _: {str(hour): f"Puzzle and report: from {hour}:00" for hour in range(24)},
        lambda settings: [str(settings.daily_hour)],
        lambda settings, hours: replace(settings, daily_hour=int(single(hours))),
    ),
    "leagues": SettingChoice(
        lambda _: LEAGUES,
        lambda settings: ["on" if settings.leagues else "off"],
        lambda settings, on: replace(settings, leagues=single(on) == "on"),
    ),
}
"""Those of the second."""


def make_limit(field: CapName, words: str) -> SettingChoice[ServerSettings]:
    """The select of a limit, with the value that was typed if it is none of the usual ones."""
    return SettingChoice(
        lambda settings: {str(cap): f"{words}: {cap}" for cap in sorted({*CAPS, find_cap(settings, field)})},
        lambda settings: [str(find_cap(settings, field))],
        lambda settings, chosen: replace(settings, **{field: int(single(chosen))}),
    )


def find_cap(settings: ServerSettings, field: CapName) -> int:
    return dict(zip(CAP_NAMES, find_caps(settings), strict=True))[field]


LIMITED: Mapping[str, SettingChoice[ServerSettings]] = {
    "open": make_limit("most_open", "Open challenges"),
    "all": make_limit("most_from_all", "Challenges an hour"),
    "one": make_limit("most_from_one", "An hour from the same person"),
}
"""Those of the third."""
TOLD_LIMITS = {
    "open": "How many challenges of one person can wait for an answer at a time.",
    "all": "How many challenges a person can get in an hour.",
    "one": "How many of these can come from one person.",
}
CHANNELS = "channels"
PLACES = {
    "daily": "Daily puzzle: off",
    "week": "Weekly report: off",
    "league": "Leagues: in every channel",
}
"""The selects of channels on the second card, with their placeholders where none is chosen."""
IN_ORDER = ("daily", "week", "hour", "leagues", "league")
"""The selects of the second card from the top."""
MATCHES, POSTS, LIMITS = "matches", "posts", "limits"
TURNS = {MATCHES: "All settings", POSTS: "What is posted where", LIMITS: "Limits …"}
"""The buttons that lead from one card to another."""


class SettingsCard:
    """Shows the card to managers of a server, and applies what they choose on it."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    async def show(self, interaction: Interaction) -> None:
        """Show the settings, in an ephemeral message."""
        settings = await self.expect_settings(interaction)
        await edits.answer_anew(interaction, build_settings_card(settings))

    async def show_posts(self, interaction: Interaction) -> None:
        """Show the channels of posts, in an ephemeral message."""
        settings = await self.expect_settings(interaction)
        await edits.answer_anew(interaction, build_posts_card(settings))

    @on(SettingSelect, words="settings")
    async def take_choice(self, interaction: Interaction, select: SettingSelect) -> None:
        """Apply what was chosen in a select, and show the card with it."""
        choice, values = {**CHOICES, **POSTED, **LIMITED}.get(select.name), values_of(interaction)
        settings = await self.expect_settings(interaction)
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
            raise MalformedInput
        else:
            choice.expect_offered(settings, values)
            settings = await self._settings.change_server(interaction, lambda now: choice.take(now, values))
        await edits.answer(interaction, build_card_with(select.name, settings))

    @restores(SettingSelect, words="settings")
    async def as_stored(self, interaction: Interaction, select: SettingSelect) -> ui.LayoutView:
        """The card of a select."""
        return build_card_with(select.name, await self.expect_settings(interaction))

    async def change(
        self, interaction: Interaction, change: Callable[[ServerSettings], ServerSettings], about: str = MATCHES
    ) -> None:
        """Change a setting by command, and show the card that is `about` it."""
        await self.expect_settings(interaction)
        settings = await self._settings.change_server(interaction, change)
        await edits.answer_anew(interaction, build_card_with(about, settings))

    async def expect_settings(self, interaction: Interaction) -> ServerSettings:
        """The settings, or a refusal for users who may not manage the server; Discord's own permissions for commands
        can be set to anything."""
        if not manages_server(interaction):
            raise Refusal("Only people who can manage this server can see and change its settings.")
        return await self._settings.load_server(interaction)


def expect_channels(
    interaction: Interaction, values: Sequence[str], types: Collection[discord.ChannelType]
) -> tuple[ChannelId, ...]:
    """The channels of this server that were chosen, all of some types, or `MalformedInput`."""
    here = interaction.guild.channels if interaction.guild else ()
    if not {*values} <= {str(one.id) for one in here if one.type in types}:
        raise MalformedInput
    return tuple(ChannelId(int(one)) for one in values)


def build_card_with(about: str, settings: ServerSettings) -> ui.LayoutView:
    """The card with a select or behind a button."""
    if about == LIMITS or about in LIMITED:
        return build_limits_card(settings)
    return (
        build_posts_card(settings) if about == POSTS or about in {*POSTED, *PLACES} else build_settings_card(settings)
    )


def build_settings_card(settings: ServerSettings) -> ui.LayoutView:
    """A select for each setting, with the chosen value, and below it what that does."""
    selects = {name: choice.build_select(SettingSelect("settings", name), settings) for name, choice in CHOICES.items()}
    selects[CHANNELS] = Control(
        SettingSelect("settings", CHANNELS), "Challenges: in every channel", channels=settings.channels, several=True
    )
    reminders = join_sentences(SENT[settings.reminders], EVERYBODY_ELSE)
    told = {**TOLD, "zone": ABOVE_HABITS.format(told=TOLD["zone"])}
    told |= {"habits": describe_habits(settings), "reminders": reminders}
    return frame_card(SETTINGS_HEAD, selects, told, make_turn(LIMITS), make_turn(POSTS))


def build_posts_card(settings: ServerSettings) -> ui.LayoutView:
    """The channels of posts: a select for each, and below it what is posted there."""
    chosen: dict[str, ChannelId | None] = {name: getattr(settings, name) for name in PLACES}
    selects = {
        name: Control(
            SettingSelect("settings", name), placeholder, channels=(place,) if (place := chosen[name]) else ()
        )
        for name, placeholder in PLACES.items()
    }
    selects |= {name: choice.build_select(SettingSelect("settings", name), settings) for name, choice in POSTED.items()}
    told = {
        **POSTED_THERE,
        "hour": HOUR.format(zone=format_zone(settings.zone)),
        "leagues": OPENS if settings.leagues else NO_LEAGUES,
    }
    return frame_card(POSTS_HEAD, {name: selects[name] for name in IN_ORDER}, told, make_turn(MATCHES))


def build_limits_card(settings: ServerSettings) -> ui.LayoutView:
    """How often people can be challenged: a select for each limit, and below it what that does."""
    opened, from_one, from_all = find_caps(settings)
    selects = {name: choice.build_select(SettingSelect("settings", name), settings) for name, choice in LIMITED.items()}
    others = OTHER_LIMITS.format(open=opened, one=from_one, everybody=from_all)
    foot = f"{WITH_COMPUTERS.format(number=MOST_WITH_COMPUTERS)}\n{others}"
    return frame_card(LIMITS_HEAD, selects, TOLD_LIMITS, make_turn(MATCHES), foot=foot)


def make_turn(card: str) -> Control:
    """The button that leads to another card."""
    return Control(SettingSelect("settings", card), TURNS[card])


def frame_card(
    head: str, selects: Mapping[str, Control], told: Mapping[str, str], *buttons: Control, foot: str = ""
) -> ui.LayoutView:
    """A card: its title, each select with what it does below it, the buttons to other cards, a last line."""
    parts: list[ui.Item[ui.LayoutView]] = [ui.TextDisplay(head)]
    for name, select in selects.items():
        parts += (platform_ui.make_row(select), ui.TextDisplay(f"-# {told[name]}"))
    parts += [platform_ui.make_row(*buttons)] if buttons else []
    parts += [ui.TextDisplay(foot)] if foot else []
    return platform_ui.frame_view(platform_ui.ACCENTS[0], *parts)
