"""Time zones by what people type, and what is suggested meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import chain
from zoneinfo import ZoneInfo

import pytest

from bot.play.calendars import Calendar
from bot.play.time_zones import UnknownZone, find_zone, format_zone, list_zones, suggest_zones

BERLIN = "Europe/Berlin"
WINTER = int(datetime(2026, 11, 27, 12, tzinfo=ZoneInfo("UTC")).timestamp())
SUMMER = int(datetime(2026, 7, 3, 12, tzinfo=ZoneInfo("UTC")).timestamp())
NOWHERE = "There is no such time zone. Choose one from the list, like Europe/Berlin or America/Chicago."


def refused(typed: str, language: str = "en-US") -> str:
    with pytest.raises(UnknownZone) as refusal:
        find_zone(typed, WINTER, language)
    return str(refusal.value)


@pytest.mark.parametrize("name", ["Europe/Berlin", " europe/berlin ", "EUROPE/BERLIN", "berlin ", "Berlin, Germany"])
def test_a_zone_is_read_however_it_is_typed(name: str) -> None:
    assert find_zone(name, WINTER) == BERLIN
    assert find_zone("america/new york", WINTER) == "America/New_York"
    assert "UTC" in list_zones()


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("São Paulo", "America/Sao_Paulo"), ("SAO PAULO", "America/Sao_Paulo"), ("Zürich", "Europe/Zurich"),
        ("Zu\u0308rich", "Europe/Zurich"), ("Istanbul", "Europe/Istanbul"), ("İstanbul", "Europe/Istanbul"),
        ("Asia/Istanbul", "Europe/Istanbul"), ("Kiev", "Europe/Kyiv"), ("Kyiv", "Europe/Kyiv"),
        ("Calcutta", "Asia/Kolkata"), ("Ho Chi Minh City", "Asia/Ho_Chi_Minh"), ("Saigon", "Asia/Ho_Chi_Minh"),
        ("St. John's", "America/St_Johns"), ("St John’s", "America/St_Johns"),
        ("Port au Prince", "America/Port-au-Prince"),
        ("Louisville", "America/Kentucky/Louisville"), ("Knox, Indiana", "America/Indiana/Knox"),
    ],
)  # fmt: skip
def test_a_city_is_found_in_any_usual_spelling(typed: str, zone: str) -> None:
    assert find_zone(typed, WINTER) == zone
    assert zone in suggest_zones(typed, WINTER)
    assert find_zone("Wien", WINTER, "de") == "Europe/Vienna" and refused("Wien") == NOWHERE
    assert find_zone("東京", WINTER, "ja") == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Japan", "Asia/Tokyo"), ("Turkey", "Europe/Istanbul"), ("Türkiye", "Europe/Istanbul"), ("UK", "Europe/London"),
        ("Germany", BERLIN), ("Czechia", "Europe/Prague"), ("Czech Republic", "Europe/Prague"), ("jp", "Asia/Tokyo"),
        ("South Korea", "Asia/Seoul"), ("Burma", "Asia/Yangon"), ("Côte d'Ivoire", "Africa/Abidjan"),
    ],
)  # fmt: skip
def test_a_country_whose_clocks_all_go_alike_is_its_zone(typed: str, zone: str) -> None:
    assert find_zone(typed, WINTER) == suggest_zones(typed, WINTER)[0] == zone


def test_a_country_with_several_times_is_a_choice() -> None:
    assert refused("USA") == (
        "“USA” can be America/New_York, America/Chicago, America/Denver or America/Los_Angeles. "
        "Choose one of them, or your city."
    )
    assert refused("New Zealand").startswith("“New Zealand” can be Pacific/Auckland or Pacific/Chatham. ")
    assert "Pacific/Honolulu" in suggest_zones("usa", WINTER)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("JST", "Asia/Tokyo"), ("MSK", "Europe/Moscow"), ("SAST", "Africa/Johannesburg"), ("BST", "Europe/London"),
        ("EDT", "America/New_York"), ("Pacific Time", "America/Los_Angeles"), ("Japan Standard Time", "Asia/Tokyo"),
        ("utc", "UTC"), ("Zulu", "UTC"), ("Etc/UTC", "UTC"),
    ],
)  # fmt: skip
def test_an_abbreviation_or_name_of_one_time_is_its_zone(typed: str, zone: str) -> None:
    assert find_zone(typed, SUMMER) == find_zone(typed, WINTER) == zone


@pytest.mark.parametrize(
    ("typed", "among"),
    [
        ("EST", "America/New_York or America/Cancun"),  # one of them has no summer time
        ("CET", "Europe/Paris or Africa/Algiers"),
        ("IST", "Asia/Kolkata, Asia/Jerusalem or Europe/Dublin"),
        ("CST", "Asia/Shanghai, America/Chicago, America/Mexico_City or America/Havana"),
        ("GMT", "UTC, Europe/London or Antarctica/Troll"),
    ],
)
def test_an_abbreviation_of_several_times_is_a_choice(typed: str, among: str) -> None:
    assert refused(typed) == f"“{typed}” can be {among}. Choose one of them, or your city."
    assert suggest_zones(typed, SUMMER) == suggest_zones(typed, WINTER)


@pytest.mark.parametrize("typed", ["EST", "CET", "MST", "PST", "CST", "EET", "AEST"])
def test_nothing_is_suggested_that_only_shares_letters_with_an_abbreviation(typed: str) -> None:
    found = suggest_zones(typed, WINTER)
    assert found
    for zone in found:
        year = [datetime(2026, month, 15, tzinfo=ZoneInfo(zone)) for month in range(1, 13)]
        assert typed in {moment.tzname() for moment in year}, zone


@pytest.mark.parametrize("typed", ["UTC+2", "GMT+2", "utc +2", "+2", "+02:00", "UTC+0200", "gmt+02", "UTC+02.00"])
def test_two_hours_ahead_is_two_hours_ahead(typed: str) -> None:
    zone = find_zone(typed, WINTER)
    assert Calendar(zone).format_time(WINTER) == "14:00" and format_zone(zone) == "UTC+2"
    offered = suggest_zones(typed, WINTER)
    assert [format_zone(one) for one in offered[:2]] == ["UTC+2", "Europe/Athens"]
    assert {Calendar(one).format_time(WINTER) for one in offered} == {"14:00"}
    assert BERLIN in suggest_zones(typed, SUMMER) and BERLIN not in offered


def test_every_hour_has_its_fixed_time_and_is_read_as_it_is_shown() -> None:
    for hours in range(-12, 15):
        zone = find_zone(f"UTC{hours:+}", WINTER)
        assert ZoneInfo(zone).utcoffset(datetime(2026, 11, 27)) == timedelta(hours=hours)
        assert (
            format_zone(zone) == (f"UTC{hours:+}" if hours else "UTC") and find_zone(format_zone(zone), WINTER) == zone
        )
    assert refused("UTC+15") == refused("UTC-13") == refused("UTC+2:75") == NOWHERE
    assert suggest_zones("UTC+15", WINTER) == ()


def test_a_time_that_is_no_full_hour_is_where_clocks_show_it() -> None:
    assert find_zone("UTC+5:30", WINTER) == "Asia/Kolkata" and find_zone("+0545", WINTER) == "Asia/Kathmandu"
    assert find_zone("UTC+9:30", WINTER) == "Australia/Darwin", "it never changes there, as it does in Adelaide"
    assert find_zone("UTC-3:30", WINTER) == "America/St_Johns", "for half of the year"


def test_a_name_with_its_sign_turned_is_neither_offered_nor_taken() -> None:
    assert refused("Etc/GMT+2") == "In Etc/GMT, + means behind UTC. Write UTC-2 or UTC+2, whichever you mean."
    typed = ("etc", "gmt", "Etc/GMT", "GMT+", "GMT+2", "e", "")
    assert not [zone for text in typed for zone in suggest_zones(text, WINTER) if format_zone(zone).startswith("Etc/")]


def test_zones_are_offered_by_city_and_by_name() -> None:
    assert suggest_zones("berl", WINTER) == (BERLIN,)
    assert suggest_zones("york", WINTER) == ("America/New_York",)
    assert suggest_zones("new y", WINTER)[0] == "America/New_York"
    assert suggest_zones("Europe/B", WINTER)[:2] == ("Europe/Berlin", "Europe/Bucharest")
    assert suggest_zones("lond", WINTER) == ("Europe/London",)
    assert suggest_zones("lon", WINTER) == ("Europe/London", "Arctic/Longyearbyen")
    assert suggest_zones("istan", WINTER) == ("Europe/Istanbul",), "once"
    assert len(suggest_zones("", WINTER)) == len(suggest_zones("a", WINTER)) == 25 and {*suggest_zones("", WINTER)} <= {
        *list_zones()
    }
    assert suggest_zones("x" * 5000, WINTER) == suggest_zones("*", WINTER) == suggest_zones("reston", WINTER) == ()


def test_every_zone_is_found_by_its_own_name() -> None:
    found = chain(list_zones(), (format_zone(zone) for zone in list_zones()))
    assert all(find_zone(zone, WINTER) == zone for zone in found)


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "Mars/Olympus", "Berlin, France", "x" * 5000, "posix/UTC"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    assert refused(name) == refused(name, "xx") == refused(name, "") == NOWHERE
