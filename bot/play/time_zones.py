"""Finds time zones by typed text: a city, a country, an abbreviation, a name like Eastern Time, or UTC+2.

Zones and abbreviations are those of the tz database; names of cities, countries and zones those of CLDR, in English
and in the user's language on Discord.

A zone is stored by its IANA name. Those of a fixed offset are called Etc/GMT-2 there, with the sign inverted; users
read and write UTC+2.
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

from bot.games.notation import quote
from bot.games.wording import join_words
from bot.play.loaded_match import Refusal

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
"""Characters dropped from names, and separators of words."""
PARTS = re.compile(r"[()]")
"""The separators of two names in one of CLDR's: "Myanmar (Burma)"."""

UNKNOWN = "There is no such time zone. Choose one from the list, like Europe/Berlin or America/Chicago."
SEVERAL = "{typed} can be {zones}. Choose one of them, or your city."
TURNED = "In Etc/GMT, + means behind UTC. Write {behind} or {ahead}, whichever you mean."


class UnknownZone(Refusal):
    """No time zone, or more than one, has that name."""


@dataclass(frozen=True, slots=True)
class ZoneIndex:
    """Zones by name: places by cities and IANA names; others by countries, abbreviations and names of time."""

    places: Mapping[str, Collection[str]]
    others: Mapping[str, Collection[str]]

    def find_exact(self, name: str) -> list[str]:
        return _sort_zones({*self.places.get(name, ()), *self.others.get(name, ())})

    @staticmethod
    def find_beginning(names: Mapping[str, Collection[str]], name: str) -> list[str]:
        """The zones whose name begins with a text; then those of which a later word does."""
        begin = {zone for one, zones in names.items() if one.startswith(name) for zone in zones}
        later = {zone for one, zones in names.items() if f" {name}" in one for zone in zones}
        return [*_sort_zones(begin), *_sort_zones(later - begin)]


def find_zone(typed: str, now: int, language: str = ENGLISH) -> str:
    """The time zone of a typed name; raises `UnknownZone`. If several zones have that name and show the same time all
    year, it is the best known of them."""
    name = typed.strip()
    if fixed := FIXED.fullmatch(name):
        return _read_etc_offset(fixed)
    found = _find_exact(name, now, language)
    if not found:
        raise UnknownZone(UNKNOWN)
    times = dict.fromkeys(_list_weekly_offsets(zone, now // WEEK) for zone in found)
    first = [next(zone for zone in found if _list_weekly_offsets(zone, now // WEEK) == time) for time in times]
    if len(first) > 1:
        choice = join_words([format_zone(zone) for zone in first[:4]], " or ")
        raise UnknownZone(SEVERAL.format(typed=quote(name), zones=choice))
    return first[0]


def suggest_zones(typed: str, now: int, language: str = ENGLISH) -> tuple[str, ...]:
    """Time zones for the text typed so far: exact names first, then names that begin so. Without a text the zones of
    many people."""
    name, found = typed.strip(), list[str]()
    if not name:
        return WELL_KNOWN
    if _is_offset(name):
        ahead = _parse_offset(name)
        there = (zone for zone in list_zones() if datetime.fromtimestamp(now, _load_zone(zone)).utcoffset() == ahead)
        found = [*_find_exact(name, now, language), *_sort_zones(there)]
    elif wanted := fold_name(name):
        names, found = _build_index(language, now // WEEK), _find_exact(name, now, language)
        others = [] if found and len(wanted) > 2 else names.find_beginning(names.others, wanted)
        found = [*found, *names.find_beginning(names.places, wanted), *others]
    return tuple(dict.fromkeys(found))[:MOST]


def format_zone(zone: str) -> str:
    """The displayed name of a zone: fixed offsets as people write them, "UTC+2"."""
    fixed = FIXED.fullmatch(zone)
    if fixed is None:
        return zone
    hours = int(fixed["hours"] or 0) * (1 if fixed["sign"] == "-" else -1)
    return f"UTC{hours:+}" if hours else "UTC"


@lru_cache(1)
def list_zones() -> tuple[str, ...]:
    """The zones that are offered, in order: each once, of all its names by the one that is used today."""
    return tuple(sorted({*_index_zones().values(), "UTC"}))


@lru_cache(20_000)
def fold_name(name: str) -> str:
    """A name without accents, capitals and signs."""
    apart = unicodedata.normalize("NFKD", name[:LONGEST].casefold())
    return " ".join(SIGNS.sub(" ", ACCENTS.sub("", apart)).split())


def _find_exact(name: str, now: int, language: str) -> list[str]:
    if named := _index_zones().get(name.lower().replace(" ", "_")):
        return [named]
    if not _is_offset(name):
        names = _build_index(language, now // WEEK)
        city, comma, country = name.rpartition(",")
        inside = {*names.find_exact(fold_name(country))} if comma else set[str]()
        return names.find_exact(fold_name(name)) or [
            zone for zone in names.find_exact(fold_name(city)) if zone in inside
        ]
    wanted = _parse_offset(name)
    if wanted is not None and (hours := wanted // timedelta(hours=1)) * timedelta(hours=1) == wanted:
        fixed = f"Etc/GMT{-hours:+}" if hours else "UTC"
        return [fixed] if -12 <= hours <= 14 else []
    times = {zone: _list_weekly_offsets(zone, now // WEEK) for zone in list_zones()}
    always = [zone for zone, time in times.items() if {*time} == {wanted}]
    return _sort_zones(always or (zone for zone, time in times.items() if wanted in time))


def _read_etc_offset(fixed: re.Match[str]) -> str:
    """UTC, or a refusal: a user who writes Etc/GMT+2 may mean either."""
    hours = int(fixed["hours"] or 0)
    if not hours:
        return "UTC"
    raise UnknownZone(TURNED.format(behind=f"UTC-{hours}", ahead=f"UTC+{hours}"))


def _is_offset(name: str) -> bool:
    return OFFSET.fullmatch(name) is not None


def _parse_offset(name: str) -> timedelta | None:
    """How far a time like UTC+5:30 is ahead of UTC."""
    if not (found := OFFSET.fullmatch(name)) or int(found["minutes"] or 0) >= 60:
        return None
    ahead = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
    return ahead if found["sign"] == "+" else -ahead


def _sort_zones(found: Iterable[str]) -> list[str]:
    """Zones in order: well-known ones first, then those that represent others in CLDR."""
    known = {zone: place for place, zone in enumerate((*WELL_KNOWN, *_list_representatives()))}
    return sorted(found, key=lambda zone: (known.get(zone, len(known)), zone))


@lru_cache(1)
def _list_representatives() -> tuple[str, ...]:
    from babel.core import get_global

    aliases = get_global("zone_aliases")
    named = {aliases.get(zone, zone) for zone in get_global("windows_zone_mapping").values()}
    return tuple(zone for zone in list_zones() if zone in named and zone not in WELL_KNOWN)


@lru_cache(1)
def _index_zones() -> Mapping[str, str]:
    """Every IANA name of a zone in small letters, those of old too, with the one that is used today. Those of a fixed
    time are left out: their signs are turned."""
    from babel.core import get_global  # here: takes a tenth of a second to import

    aliases = get_global("zone_aliases")
    named = (one for one in available_timezones() if "/" in one and not FIXED.fullmatch(one))
    return {one.lower(): aliases.get(one, one) for one in named}


@lru_cache(8)
def _build_index(language: str, week: int) -> ZoneIndex:
    """The names of zones in English and in one more language; `week` is the week from which changes of clocks count."""
    places, others = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for name, zone in _list_by_id():
        places[fold_name(name)].add(zone)
    for one in dict.fromkeys((ENGLISH, language)):
        for name, zone in _list_by_city(one):
            places[fold_name(name)].add(zone)
        for name, zone in (*_list_by_country(one), *_list_by_time(one, week)):
            others[fold_name(name)].add(zone)
    for zone in list_zones():
        for name in _list_abbreviations(zone, week):
            others[fold_name(name)].add(zone)
    codes = defaultdict[str, set[str]](set)
    for code, zone in _list_by_code():
        codes[fold_name(code)].add(zone)
    others = {**codes, **others}  # EST is the code of Estonia, too
    for names in (places, others):
        names.pop("", None)
    return ZoneIndex(places, others)


def _list_by_id() -> Iterator[tuple[str, str]]:
    """Zones by their IANA names, whole and by the city in them; and by those that are but a word, like Japan."""
    from babel.core import get_global

    yield from ((name, "UTC") for name in ("UTC", "GMT", "Zulu"))
    for name, zone in _index_zones().items():
        yield from ((zone, zone), (name.rpartition("/")[2], zone))
    for name, zone in get_global("zone_aliases").items():
        if "/" not in name and zone in list_zones():
            yield name, zone


def _list_by_city(language: str) -> Iterator[tuple[str, str]]:
    for zone, names in _read_cldr(language, "time_zones").items():
        if "city" in names and zone in list_zones():
            yield names["city"], zone


def _list_by_country(language: str) -> Iterator[tuple[str, str]]:
    """Zones by the names of their countries; those of the tz database are English, too, and sometimes others."""
    from babel.core import get_global

    listed = resources.files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text("utf-8").splitlines()
    named: list[list[str]] = [line.split("\t") for line in listed if not line.startswith("#")]
    for country, name in _read_cldr(language, "territories").items():
        named += [[country, part] for part in (name, *PARTS.split(name))]
    inside = get_global("territory_zones")
    for country, name in named:
        yield from ((name, zone) for zone in inside.get(country, ()) if zone in list_zones())


def _list_by_code() -> Iterator[tuple[str, str]]:
    """Zones by the codes of their countries, of two and three letters."""
    from babel.core import get_global

    inside, aliases = get_global("territory_zones"), get_global("territory_aliases")
    codes = {**{code: code for code in inside}, **{code: one for code, (one, *more) in aliases.items() if not more}}
    for code, country in codes.items():
        yield from ((code, zone) for zone in inside.get(country, ()) if zone in list_zones())


def _list_by_time(language: str, week: int) -> Iterator[tuple[str, str]]:
    """Zones by the names of the time in them: Eastern Time, British Summer Time, MEZ."""
    from babel.core import get_global

    told = _read_cldr(language, "meta_zones")
    for zone, time in get_global("meta_zones").items():
        if zone not in list_zones():
            continue
        changes = len({*_list_weekly_offsets(zone, week)}) > 1
        for kind in ("long", "short"):
            names: Mapping[str, str] = told.get(time, {}).get(kind, {})
            yield from ((name, zone) for when, name in names.items() if changes or when != "daylight")


def _read_cldr(language: str, about: Literal["territories", "time_zones", "meta_zones"]) -> Mapping[str, Any]:
    """CLDR's data in a language; in English for an unknown one."""
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse(ENGLISH)
    return {**getattr(locale, about)}


def _list_abbreviations(zone: str, week: int) -> set[str]:
    """The abbreviations of a zone's time within a year, like EST and EDT; without those that are only numbers."""
    found = {moment.astimezone(_load_zone(zone)).tzname() or "" for moment in _list_weekly_moments(week)[::4]}
    return {name for name in found if name.isalpha()}


@lru_cache(1000)
def _list_weekly_offsets(zone: str, week: int) -> tuple[timedelta | None, ...]:
    """How far a zone is ahead of UTC in each week of a year: the same for those whose clocks go alike."""
    return tuple(moment.astimezone(_load_zone(zone)).utcoffset() for moment in _list_weekly_moments(week))


@lru_cache(1000)
def _load_zone(name: str) -> ZoneInfo:
    """A zone; `ZoneInfo` itself remembers but eight, and reads the files of all others again."""
    return ZoneInfo(name)


@lru_cache(2)
def _list_weekly_moments(week: int) -> tuple[datetime, ...]:
    return tuple(datetime.fromtimestamp((week + one) * WEEK, UTC) for one in range(WEEKS))
