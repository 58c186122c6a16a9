"""The table of routes of a bot that is connected to nothing, and what can be pressed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import signature
from itertools import product
from typing import Any
from unittest.mock import Mock

from bot.app.routes import Handlers
from bot.platform.checks import Price
from bot.platform.custom_ids import BARE, CustomId

made: dict[str, Any] = {name: Mock() for name in signature(Handlers).parameters}
ROUTES = Handlers(**made).routes


def pressed_price(custom_id: str) -> Price:
    """The price of a button, a select or a form."""
    return ROUTES.price(ROUTES.parse(custom_id))


def prices() -> dict[str, Price]:
    """What every kind of id costs, with each of its words and in the shortest and longest form."""
    return {text: pressed_price(text) for kind in ROUTES.kinds for text in kind.samples()}


def written(kind: type[CustomId], values: Mapping[str, Sequence[str]]) -> list[str]:
    """Ids of a kind with each of its words and of the values for its other fields, with and without what may be left
    out. A field of a new kind needs its values."""
    texts = [field.words or values[name] for name, field in kind.fields.items()]
    shapes = kind.template.translate(BARE), re.sub(r"\[[^]]*\]", "", kind.template)
    every = (dict(zip(kind.fields, chosen, strict=True)) for chosen in product(*texts))
    return [*dict.fromkeys(shape.format(**one) for one in every for shape in shapes)]
