"""What holds for every test: the addresses of discord.py are Discord's own again afterwards, whoever pointed them at a
sandbox."""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any

import pytest

DISCORD = {
    ("discord.http", "Route", "BASE"): "https://discord.com/api/v10",
    ("discord.gateway", "DiscordWebSocket", "DEFAULT_GATEWAY"): "wss://gateway.discord.gg/",
}


@pytest.fixture(autouse=True)
def discords_own_addresses() -> Generator[None]:
    """Put back what a test has changed; a test that never loads discord.py need not load it for this."""
    yield
    for (module, owner, name), address in DISCORD.items():
        if module in sys.modules:
            kept: Any = getattr(sys.modules[module], owner)
            setattr(kept, name, type(getattr(kept, name))(address))
