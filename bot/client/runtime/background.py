"""Whether some work is done in the background."""

from __future__ import annotations

from contextvars import ContextVar

in_background: ContextVar[bool] = ContextVar("in_background", default=False)
"""Whether this is background work, for which no person waits; a task inherits it from the task that began it."""
