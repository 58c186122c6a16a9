"""Finds time zones by what people type: a city, a country, an abbreviation, a name like Eastern Time, or UTC+2.

Which zones and abbreviations there are stands in the tz database. What cities, countries and zones are called is
CLDR's, in English and in the user's language on Discord. Nothing of either is written down here.

A zone is stored by its IANA name. Those of a fixed time are called Etc/GMT-2 there, with the sign turned; people read
and write UTC+2.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from importlib import resources
from typing import Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from bot.core.game.notation import quote
from bot.core.match.loaded_match import Refusal
from bot.core.values.plural import together

WELL_KNOWN = (
    "UTC", "Europe/London", "Europe/Lisbon", "Europe/Paris", "Europe/Madrid", "Europe/Berlin", "Europe/Rome",
    "Europe/Warsaw", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow", "Asia/Dubai", "Asia/Kolkata",
    "Asia/Singapore", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland", "America/Sao_Paulo",
    "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Mexico_City",
    "Africa/Johannesburg",
)  # fmt: skip
MOST = 25
LONGEST = 100
"""No name of a zone is longer."""
ENGLISH = "en"
WEEK, WEEKS = 7 * 86_400, 53
FIXED = re.compile(
    "Etc/(?:GMT|UTC|UCT|Greenwich|Universal|Zulu)(?:(?P<sign>[+-]?)(?P<hours>[0-9]{1,2}))?", re.IGNORECASE
)
OFFSET = re.compile(
    r"(?:utc|gmt)? ?(?P<sign>[-+\N{MINUS SIGN}\N{EN DASH}]) ?(?P<hours>[0-9]{1,2})(?:[:.]?(?P<minutes>[0-9]{2}))?",
    re.IGNORECASE,
)
ACCENTS, SIGNS = re.compile("[\u0300-\u036f.'\N{RIGHT SINGLE QUOTATION MARK}]"), re.compile(r"[^\w]|_")
"""What is left out of names, and what stands between their words."""
PARTS = re.compile(r"[()]")
"""What divides a name of CLDR that says two: "Myanmar (Burma)"."""

UNKNOWN = "There is no such time zone. Choose one from the list, like Europe/Berlin or America/Chicago."
SEVERAL = "{typed} can be {zones}. Choose one of them, or your city."
TURNED = "In Etc/GMT, + means behind UTC. Write {behind} or {ahead}, whichever you mean."


class UnknownZone(Refusal):
    """There is no time zone of that name, or several are called so."""


@dataclass(frozen=True, slots=True)
class Names:
    """What zones are called: places by cities and IANA names; others by countries, abbreviations and names of time."""

    places: Mapping[str, Collection[str]]
    others: Mapping[str, Collection[str]]

    def exact(self, name: str) -> list[str]:
        """The zones that are called so."""
        return _sorted({*self.places.get(name, ()), *self.others.get(name, ())})

    @staticmethod
    def begun(names: Mapping[str, Collection[str]], name: str) -> list[str]:
        """The zones of which a name begins so; then those of which a later word does."""
        begin = {zone for one, zones in names.items() if one.startswith(name) for zone in zones}
        later = {zone for one, zones in names.items() if f" {name}" in one for zone in zones}
        return [*_sorted(begin), *_sorted(later - begin)]


def zone_named(typed: str, now: int, language: str = ENGLISH) -> str:
    """The time zone of a typed name; raises `UnknownZone`. If several zones have that name and show the same time all
    year, it is the best known of them."""
    name = typed.strip()
    if fixed := FIXED.fullmatch(name):
        return _unturned(fixed)
    found = _exact(name, now, language)
    if not found:
        raise UnknownZone(UNKNOWN)
    times = dict.fromkeys(_times(zone, now // WEEK) for zone in found)
    first = [next(zone for zone in found if _times(zone, now // WEEK) == time) for time in times]
    if len(first) > 1:
        choice = together([shown(zone) for zone in first[:4]], " or ")
        raise UnknownZone(SEVERAL.format(typed=quote(name), zones=choice))
    return first[0]


def similar(typed: str, now: int, language: str = ENGLISH) -> tuple[str, ...]:
    """Time zones for the text typed so far: exact names first, then names that begin so. Without a text the zones of
    many people."""
    name, found = typed.strip(), list[str]()
    if not name:
        return WELL_KNOWN
    if _is_offset(name):
        ahead = _offset(name)
        there = (zone for zone in zones() if datetime.fromtimestamp(now, _zone(zone)).utcoffset() == ahead)
        found = [*_exact(name, now, language), *_sorted(there)]
    elif wanted := folded(name):
        names, found = _names(language, now // WEEK), _exact(name, now, language)
        others = [] if found and len(wanted) > 2 else names.begun(names.others, wanted)
        found = [*found, *names.begun(names.places, wanted), *others]
    return tuple(dict.fromkeys(found))[:MOST]


def shown(zone: str) -> str:
    """The displayed name of a zone: fixed offsets as people write them, "UTC+2"."""
    fixed = FIXED.fullmatch(zone)
    if fixed is None:
        return zone
    hours = int(fixed["hours"] or 0) * (1 if fixed["sign"] == "-" else -1)
    return f"UTC{hours:+}" if hours else "UTC"


@lru_cache(1)
def zones() -> tuple[str, ...]:
    """The zones that are offered, in order: each once, of all its names by the one that is used today."""
    return tuple(sorted({*_by_id().values(), "UTC"}))


@lru_cache(20_000)
def folded(name: str) -> str:
    """A name without accents, capitals and signs."""
    apart = unicodedata.normalize("NFKD", name[:LONGEST].casefold())
    return " ".join(SIGNS.sub(" ", ACCENTS.sub("", apart)).split())


def _exact(name: str, now: int, language: str) -> list[str]:
    if named := _by_id().get(name.lower().replace(" ", "_")):
        return [named]
    if not _is_offset(name):
        names = _names(language, now // WEEK)
        city, comma, country = name.rpartition(",")
        inside = {*names.exact(folded(country))} if comma else set[str]()
        return names.exact(folded(name)) or [zone for zone in names.exact(folded(city)) if zone in inside]
    wanted = _offset(name)
    if wanted is not None and (hours := wanted // timedelta(hours=1)) * timedelta(hours=1) == wanted:
        fixed = f"Etc/GMT{-hours:+}" if hours else "UTC"
        return [fixed] if -12 <= hours <= 14 else []
    times = {zone: _times(zone, now // WEEK) for zone in zones()}
    always = [zone for zone, time in times.items() if {*time} == {wanted}]
    return _sorted(always or (zone for zone, time in times.items() if wanted in time))


def _unturned(fixed: re.Match[str]) -> str:
    """UTC, or a refusal: a user who writes Etc/GMT+2 may mean either."""
    hours = int(fixed["hours"] or 0)
    if not hours:
        return "UTC"
    raise UnknownZone(TURNED.format(behind=f"UTC-{hours}", ahead=f"UTC+{hours}"))


def _is_offset(name: str) -> bool:
    return OFFSET.fullmatch(name) is not None


def _offset(name: str) -> timedelta | None:
    """How far a time like UTC+5:30 is ahead of UTC."""
    if not (found := OFFSET.fullmatch(name)) or int(found["minutes"] or 0) >= 60:
        return None
    ahead = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
    return ahead if found["sign"] == "+" else -ahead


def _sorted(found: Iterable[str]) -> list[str]:
    """Zones in order: well-known ones first, then those that represent others in CLDR."""
    known = {zone: place for place, zone in enumerate((*WELL_KNOWN, *_standing_for_others()))}
    return sorted(found, key=lambda zone: (known.get(zone, len(known)), zone))


@lru_cache(1)
def _standing_for_others() -> tuple[str, ...]:
    from babel.core import get_global

    aliases = get_global("zone_aliases")
    named = {aliases.get(zone, zone) for zone in get_global("windows_zone_mapping").values()}
    return tuple(zone for zone in zones() if zone in named and zone not in WELL_KNOWN)


@lru_cache(1)
def _by_id() -> Mapping[str, str]:
    """Every IANA name of a zone in small letters, those of old too, with the one that is used today. Those of a fixed
    time are left out: their signs are turned."""
    from babel.core import get_global  # a tenth of a second, which no start should wait for

    aliases = get_global("zone_aliases")
    named = (one for one in available_timezones() if "/" in one and not FIXED.fullmatch(one))
    return {one.lower(): aliases.get(one, one) for one in named}


@lru_cache(8)
def _names(language: str, week: int) -> Names:
    """The names of zones in English and in one more language; `week` is the week from which changes of clocks count."""
    places, others = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for name, zone in _called():
        places[folded(name)].add(zone)
    for one in dict.fromkeys((ENGLISH, language)):
        for name, zone in _cities(one):
            places[folded(name)].add(zone)
        for name, zone in (*_countries(one), *_times_by_name(one, week)):
            others[folded(name)].add(zone)
    for zone in zones():
        for name in _abbreviations(zone, week):
            others[folded(name)].add(zone)
    codes = defaultdict[str, set[str]](set)
    for code, zone in _codes():
        codes[folded(code)].add(zone)
    others = {**codes, **others}  # EST is the code of Estonia, too
    for names in (places, others):
        names.pop("", None)
    return Names(places, others)


def _called() -> Iterator[tuple[str, str]]:
    """Zones by their IANA names, whole and by the city in them; and by those that are but a word, like Japan."""
    from babel.core import get_global

    yield from ((name, "UTC") for name in ("UTC", "GMT", "Zulu"))
    for name, zone in _by_id().items():
        yield from ((zone, zone), (name.rpartition("/")[2], zone))
    for name, zone in get_global("zone_aliases").items():
        if "/" not in name and zone in zones():
            yield name, zone


def _cities(language: str) -> Iterator[tuple[str, str]]:
    for zone, names in _told(language, "time_zones").items():
        if "city" in names and zone in zones():
            yield names["city"], zone


def _countries(language: str) -> Iterator[tuple[str, str]]:
    """Zones by the names of their countries; those of the tz database are English, too, and sometimes others."""
    from babel.core import get_global

    listed = resources.files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text("utf-8").splitlines()
    named: list[list[str]] = [line.split("\t") for line in listed if not line.startswith("#")]
    for country, name in _told(language, "territories").items():
        named += [[country, part] for part in (name, *PARTS.split(name))]
    inside = get_global("territory_zones")
    for country, name in named:
        yield from ((name, zone) for zone in inside.get(country, ()) if zone in zones())


def _codes() -> Iterator[tuple[str, str]]:
    """Zones by the codes of their countries, of two and three letters."""
    from babel.core import get_global

    inside, aliases = get_global("territory_zones"), get_global("territory_aliases")
    codes = {**{code: code for code in inside}, **{code: one for code, (one, *more) in aliases.items() if not more}}
    for code, country in codes.items():
        yield from ((code, zone) for zone in inside.get(country, ()) if zone in zones())


def _times_by_name(language: str, week: int) -> Iterator[tuple[str, str]]:
    """Zones by the names of the time in them: Eastern Time, British Summer Time, MEZ."""
    from babel.core import get_global

    told = _told(language, "meta_zones")
    for zone, time in get_global("meta_zones").items():
        if zone not in zones():
            continue
        changes = len({*_times(zone, week)}) > 1
        for kind in ("long", "short"):
            names: Mapping[str, str] = told.get(time, {}).get(kind, {})
            yield from ((name, zone) for when, name in names.items() if changes or when != "daylight")


def _told(language: str, about: Literal["territories", "time_zones", "meta_zones"]) -> Mapping[str, Any]:
    """CLDR's data in a language; in English for an unknown one."""
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse(ENGLISH)
    return {**getattr(locale, about)}


def _abbreviations(zone: str, week: int) -> set[str]:
    """The abbreviations of a zone's time within a year, like EST and EDT; without those that are only numbers."""
    found = {moment.astimezone(_zone(zone)).tzname() or "" for moment in _moments(week)[::4]}
    return {name for name in found if name.isalpha()}


@lru_cache(1000)
def _times(zone: str, week: int) -> tuple[timedelta | None, ...]:
    """How far a zone is ahead of UTC in each week of a year: the same for those whose clocks go alike."""
    return tuple(moment.astimezone(_zone(zone)).utcoffset() for moment in _moments(week))


@lru_cache(1000)
def _zone(name: str) -> ZoneInfo:
    """A zone; `ZoneInfo` itself remembers but eight, and reads the files of all others again."""
    return ZoneInfo(name)


@lru_cache(2)
def _moments(week: int) -> tuple[datetime, ...]:
    return tuple(datetime.fromtimestamp((week + one) * WEEK, UTC) for one in range(WEEKS))
