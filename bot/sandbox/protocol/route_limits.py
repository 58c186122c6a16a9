"""Discord's rate limits on requests: how many each route allows in which time, as its headers say.

Discord publishes no numbers but that of all requests together; those of messages and names are what bots report. They
are counted always, so that the headers are there, and refuse requests only where the sandbox was made with `limits`.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.world.api_errors import is_object

MESSAGES, CHANNEL = "/channels/{channel_id}/messages", "/channels/{channel_id}"
USUAL = (200, 1.0)
"""What a route claims to allow of which nothing is known: so many requests in so many seconds."""
KNOWN: dict[tuple[str, str], tuple[int, float]] = {
    ("POST", MESSAGES): (5, 5.0),
    ("PATCH", f"{MESSAGES}/{{message_id}}"): (5, 5.0),
    ("PATCH", CHANNEL): (5, 15.0),
}
EVERYWHERE = (50, 1.0)
"""All requests of a bot together, but those that answer interactions."""
RENAMES = (2, 600.0)
"""How often a channel or thread may be given another name, and another topic; no header tells of it."""
KEPT = 2000


@dataclass
class Window:
    """The requests of one bucket since its first."""

    most: int
    seconds: float
    started: float
    used: int = 0

    def left(self, now: float) -> float:
        """Seconds until it begins anew."""
        return max(0.0, self.started + self.seconds - now)


def bucket(method: str, route: str, path: str) -> str:
    """What counts together: a route in one channel or server, or with one token of an interaction."""
    parts = path.split("/")
    return f"{method} {route} {'/'.join(parts[: 4 if parts[1] == 'webhooks' else 3])}"


@dataclass
class RouteLimits:
    """All buckets; `on`: whether requests beyond them are refused."""

    on: bool = False
    windows: dict[str, Window] = field(default_factory=dict[str, Window])
    renames: dict[tuple[str, str], deque[float]] = field(default_factory=dict[tuple[str, str], deque[float]])

    def charge(self, method: str, route: str, path: str, body: Any, now: float) -> tuple[float, bool]:
        """Count a request; the seconds that it has to wait (0: none), and whether that is the limit of all requests."""
        most, seconds = KNOWN.get((method, route), USUAL) if self.on else USUAL
        wait = self._count(bucket(method, route, path), most, seconds, now)
        if not self.on:
            return 0.0, False
        if not path.startswith(("/interactions/", "/webhooks/")) and (all_of := self._count("", *EVERYWHERE, now)):
            return all_of, True
        if (method, route) == ("PATCH", CHANNEL) and not wait:
            wait = self._rename(path, body, now)
        return wait, False

    def _count(self, name: str, most: int, seconds: float, now: float) -> float:
        window = self.windows.get(name)
        if window is None or not window.left(now):
            if len(self.windows) > KEPT:
                self.windows = {key: one for key, one in self.windows.items() if one.left(now)}
            window = self.windows[name] = Window(most, seconds, now)
        window.used += 1
        return window.left(now) if window.used > most else 0.0

    def _rename(self, path: str, body: Any, now: float) -> float:
        most, seconds = RENAMES
        for key in ("name", "topic"):
            if not is_object(body) or key not in body:
                continue
            times = self.renames.setdefault((path, key), deque(maxlen=most))
            if len(times) == most and now - times[0] < seconds:
                return times[0] + seconds - now
            times.append(now)
        return 0.0

    def headers(self, method: str, route: str, path: str, now: float, epoch: float) -> dict[str, str]:
        """What an answer says of its bucket; without limits one request is always left."""
        window = self.windows.get(bucket(method, route, path)) or Window(*USUAL, now)
        left = window.left(now) if self.on else 1.0
        return {
            "X-RateLimit-Limit": str(window.most),
            "X-RateLimit-Remaining": str(max(0 if self.on else 1, window.most - window.used)),
            "X-RateLimit-Reset": f"{epoch + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": f"{method}{route}".translate(str.maketrans("", "", "/{}@_")).lower(),
        }
