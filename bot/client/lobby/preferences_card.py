"""Shows what people have chosen for themselves, in every server, as a card of selects: each with a sentence that says
what it does. Time zones that are not in the list are typed, in the command that shows the card.

Each select is answered from its custom_id and the chosen value alone, for whoever chose it, and the card is edited in
place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from discord import ui

from bot.client.interactions.context import Interaction, values_of
from bot.client.interactions.errors import Unread
from bot.client.interactions.routes import on, stored
from bot.client.lobby.choices import REMINDED, Choice, SettingSelect, reminded, the, zones
from bot.client.lobby.settings_store import SettingsStore
from bot.client.views import edits, views
from bot.core.match.stored_settings import Preferences, Reminders, ServerSettings
from bot.core.values.plural import sentences
from bot.service.time import quiet_hours
from bot.service.time.calendars import Calendar
from bot.service.time.zone_names import shown

SERVER = "server"
"""The choice of people who leave something to the server."""
HEAD = "You choose this for every server."
FOOT = "-# To choose any other time zone or quiet hours, type them as the options `zone` and `quiet` of `/preferences`."
QUIET = "From {hours} I tell you only what somebody has just done. The rest waits."
NEVER_QUIET = "I tell you everything at once, by day and by night."
CONFIRM = {"on": "Last tap: shows the move", "off": "Last tap: plays the move"}
WEEKENDS = {"yes": "Weekends: clocks run", "no": "Weekends: clocks rest"}
HERE: Mapping[Reminders, str] = {
    "thread": "Reminders: the server's, in the thread",
    "message": "Reminders: the server's, direct messages",
    "digest": "Reminders: the server's, one a day",
    "off": "Reminders: the server's, none",
}
"""How the server has people reminded."""
AGAIN = "Reminders: choose again"
"""What stands there while Discord takes no direct messages to somebody: of what is marked, nothing can be chosen."""
COUNTS = "A change counts from your next clock."
WHEN = "when half of your time for a move is gone and again a day before it ends, but not in your quiet hours"
IN_THREAD = f"I remind you in the match's thread {WHEN}."
DIGEST = "I send you one direct message a day when your quiet hours end, with everything that waits for you."
SHUT = (
    "Discord doesn't let me write to you, so this happens in the thread. Allow direct messages in your privacy "
    "settings, then choose this again."
)
WAYS: Mapping[Reminders, str] = {
    "thread": IN_THREAD,
    "message": f"I send you a direct message {WHEN}.",
    "digest": DIGEST,
    "off": "I don't remind you of your moves.",
}
SHUT_WAYS: Mapping[Reminders, str] = {**WAYS, "message": sentences(IN_THREAD, SHUT), "digest": sentences(DIGEST, SHUT)}
"""How somebody is reminded; the second where Discord takes no direct messages to them."""


class PreferencesCard:
    """Shows the card to its owner alone, and takes what they choose on it."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    async def show(self, interaction: Interaction, change: Callable[[Preferences], Preferences] | None = None) -> None:
        """Show what somebody has chosen, after what they typed."""
        chosen, settings = await self._settings.chosen(interaction, change)
        view = card(chosen, settings, self._settings.now())
        await edits.answer_anew(interaction, view)

    @on(SettingSelect, words="preferences")
    async def chosen(self, interaction: Interaction, select: SettingSelect) -> None:
        """Take what was chosen in a select, and show the card with it."""
        kept, settings = await self._settings.chosen(interaction)
        choice, values = choices(settings).get(select.name), values_of(interaction)
        if choice is None:
            raise Unread
        choice.expect(kept, values)
        taken = choice.take
        kept, settings = await self._settings.chosen(interaction, lambda now: taken(now, values))
        await edits.answer(interaction, card(kept, settings, self._settings.now()))

    @stored(SettingSelect, words="preferences")
    async def as_stored(self, interaction: Interaction, _select: SettingSelect) -> ui.LayoutView:
        """The card as it is stored."""
        kept, settings = await self._settings.chosen(interaction)
        return card(kept, settings, self._settings.now())


def choices(settings: ServerSettings) -> Mapping[str, Choice[Preferences]]:
    """The selects of the card, by what stands in their custom_id, for people in a server."""
    usual_zone = {SERVER: f"Time zone: the server's, {shown(settings.zone)}"}
    usual_way = {SERVER: HERE[settings.reminders]}
    return {
        "confirm": Choice(
            lambda _: CONFIRM,
            lambda kept: ["on" if kept.confirm else "off"],
            lambda kept, values: replace(kept, confirm=the(values) == "on"),
        ),
        "zone": Choice(
            lambda kept: {**usual_zone, **zones(kept.zone)},
            lambda kept: [kept.zone or SERVER],
            lambda kept, values: replace(kept, zone=None if the(values) == SERVER else the(values)),
        ),
        "weekends": Choice(
            lambda _: WEEKENDS,
            lambda kept: ["yes" if kept.weekends else "no"],
            lambda kept, values: replace(kept, weekends=the(values) == "yes"),
        ),
        "quiet": Choice(
            lambda kept: {hours: f"Quiet hours: {quiet_hours.shown(hours)}" for hours in quiet_hours.choices(kept)},
            lambda kept: [quiet_hours.written(kept)],
            lambda kept, values: quiet_hours.with_hours(kept, the(values)),
        ),
        "reminders": Choice(
            lambda _: {**usual_way, **REMINDED},
            lambda kept: [] if is_shut(kept, settings) else [kept.reminders or SERVER],
            lambda kept, values: with_reminders(kept, the(values)),
            none=AGAIN,
        ),
    }


def with_reminders(kept: Preferences, value: str) -> Preferences:
    """Preferences with other reminders. People who choose again may have allowed direct messages meanwhile."""
    return replace(kept, reminders=None if value == SERVER else reminded(value), closed=False)


def is_shut(kept: Preferences, settings: ServerSettings) -> bool:
    """Whether somebody would get direct messages, and Discord refused one."""
    return kept.closed and (kept.reminders or settings.reminders) in ("message", "digest")


def card(kept: Preferences, settings: ServerSettings, now: int) -> ui.LayoutView:
    """A select for each choice, which shows what is chosen, and below it what that does."""
    told = described(kept, settings, now)
    parts: list[ui.Item[ui.LayoutView]] = [ui.TextDisplay(HEAD)]
    for name, choice in choices(settings).items():
        parts += (
            views.row_of(choice.select(SettingSelect("preferences", name), kept)),
            ui.TextDisplay(f"-# {told[name]}"),
        )
    return views.framed(views.ACCENTS[0], *parts, ui.TextDisplay(FOOT))


def described(kept: Preferences, settings: ServerSettings, now: int) -> Mapping[str, str]:
    """What each choice does, in a sentence or two."""
    calendar, quiet = Calendar.of(kept, settings, ()), quiet_hours.written(kept)
    ways = SHUT_WAYS if kept.closed else WAYS
    return {
        "confirm": "Your last tap shows the move, and *Play* plays it."
        if kept.confirm
        else "Your last tap plays the move.",
        "zone": f"It's {calendar.oclock(now)} in {shown(calendar.zone)}, and your days and nights go by that.",
        "weekends": f"Your clocks run on Saturdays and Sundays. {COUNTS}"
        if kept.weekends
        else f"Your clocks rest on Saturdays and Sundays. {COUNTS}",
        "quiet": NEVER_QUIET if kept.night == kept.morning else QUIET.format(hours=quiet_hours.shown(quiet)),
        "reminders": ways[calendar.reminders],
    }
