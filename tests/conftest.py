"""What holds for every file of tests: afterwards discord.py's addresses are Discord's own again."""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any

import pytest

DISCORD = {
    ("discord.http", "Route", "BASE"): "https://discord.com/api/v10",
    ("discord.gateway", "DiscordWebSocket", "DEFAULT_GATEWAY"): "wss://gateway.discord.gg/",
}


@pytest.fixture(autouse=True, scope="module")
def discords_own_addresses() -> Generator[None]:
    """Put back what a file of tests has changed; one that never loads discord.py need not load it for this."""
    yield
    for (module, owner, name), address in DISCORD.items():
        if module in sys.modules:
            kept: Any = getattr(sys.modules[module], owner)
            setattr(kept, name, type(getattr(kept, name))(address))
