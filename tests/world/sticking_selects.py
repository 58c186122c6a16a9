"""Selects keep what was chosen in them until their message changes, and the same can be chosen no second time."""

from __future__ import annotations

import random

from bot.sandbox import components
from bot.sandbox.errors import Json
from bot.sandbox.people import Person

OTHERS = ("confirm", "hour", "leagues", "week", "league", "channels")
"""What is chosen in selects that nobody uses: it would change how people play, or what is posted."""


def selects(message: Json) -> list[Json]:
    """The selects of a message, in order."""
    return [one for one in components.walk_components(message["components"]) if one["type"] in components.SELECTS]


def may(select: Json) -> bool:
    """Whether people use a select."""
    return not {*OTHERS} & {*select["custom_id"].split(":")}


def values(select: Json, closed: Json, rng: random.Random) -> list[str]:
    """Something to choose that is not chosen yet; of channels one in which nothing can be posted."""
    if select["type"] == components.CHANNEL_SELECT:
        return [closed["id"]]
    return [rng.choice([one["value"] for one in select["options"] if not one.get("default")])]


def sticks(person: Person, message: Json, at: int, values: list[str]) -> bool:
    """Whether a select of a message shows that already to a player, so that they can choose it no second time."""
    key = (person.id, message["id"], selects(message)[at]["custom_id"])
    return sorted(person.world.chosen.get(key, ())) == sorted(values)


def chosen(message: Json, at: int, values: list[str]) -> bool:
    """Whether a select of a message says that this is what holds."""
    select = selects(message)[at]
    known = [one["id"] for one in select.get("default_values") or ()]
    known += [one["value"] for one in select.get("options") or () if one.get("default")]
    return sorted(known) == sorted(values)
