"""What a panel of the dashboard shows: its questions put to Prometheus as Grafana puts them."""

from __future__ import annotations

import re
from typing import Any

import aiohttp

STEP = 3
RATE = "20s"
"""Seconds between two points, and over how long a rate is taken: a run is short, and asked every two seconds."""
Json = dict[str, Any]


def filled(expression: str) -> str:
    """A question with the dashboard's variables filled in, all processes chosen."""
    return re.sub(r"\$(instance|share)\b", ".*", expression).replace("$__rate_interval", RATE)


def named(legend: str, labels: dict[str, str]) -> str:
    """What a series is called by its legend."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: labels.get(found[1], ""), legend) or "value"


class Prometheus:
    """A Prometheus that can be asked."""

    def __init__(self, address: str, session: aiohttp.ClientSession) -> None:
        self.address = address
        self.session = session

    async def ask(self, path: str, **given: str | float) -> list[Json]:
        """What it finds; an answer that is no success is an error with Prometheus's own words."""
        async with self.session.get(f"{self.address}/api/v1/{path}", params=given) as answer:
            said: Json = await answer.json()
        if said["status"] != "success":
            raise ValueError(said["error"])
        return said["data"]["result"]

    async def shown(self, panel: Json, begin: float, end: float) -> list[Json]:
        """The series of a panel: for each a name, and points of time and value."""
        found: list[Json] = []
        for target in panel.get("targets", ()):
            expression, legend = filled(target["expr"]), target["legendFormat"]
            if target.get("instant"):
                for one in await self.ask("query", query=expression, time=end):
                    found.append({"name": named(legend, one["metric"]), "points": [one["value"]]})
            else:
                for one in await self.ask("query_range", query=expression, start=begin, end=end, step=STEP):
                    found.append({"name": named(legend, one["metric"]), "points": one["values"]})
        return found
