"""Messages of components that discord.py does not keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discord import ui


class Sheet(ui.LayoutView):
    """A view that discord.py does not keep. It would keep the items of every unfinished view, those of ephemeral ones
    for a quarter of an hour, each with a task; ours are answered from their custom_id.
    """

    def is_finished(self) -> bool:
        """Say that nobody waits for it."""
        return True


class Sent(Sheet):
    """A message by the components that are sent, for one that Discord has already."""

    def __init__(self, components: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._sent = components

    def to_components(self) -> Any:
        """The components."""
        return [*self._sent]

    def has_components_v2(self) -> bool:
        """Say so of all of ours."""
        return True
