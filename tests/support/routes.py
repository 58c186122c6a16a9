"""The table of routes of a bot that is connected to nothing."""

from __future__ import annotations

from inspect import signature
from typing import Any
from unittest.mock import Mock

from bot.client.app.handlers import Handlers

made: dict[str, Any] = {name: Mock() for name in signature(Handlers).parameters}
ROUTES = Handlers(**made).routes
