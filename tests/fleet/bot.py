"""A bot of the fleet: `python -m bot run`, which waits for its shards' turns as on Discord, though it is told of the
stand-in, where nobody else needs to wait."""

from __future__ import annotations

import sys

from bot.__main__ import main
from bot.settings import Settings

if __name__ == "__main__":
    setattr(Settings, "is_sandboxed", property(lambda settings: False))  # noqa: B010  else it is no property to pyright
    sys.exit(main(["run"]))
