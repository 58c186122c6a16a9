"""The table of handlers of buttons, selects and forms, with their prices, built from what the handlers declare.

A handler declares with `@on` which ids it answers, perhaps only those with some of their words, and the price where it
is not that of a move. Commands have a price of their own, by `@costs`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from inspect import getmembers
from typing import Any, NamedTuple, NoReturn, TypeVar

import discord
from discord import ui

from bot.platform.checks import PRICE, USUAL, Price
from bot.platform.custom_ids import CustomId, OfMatch, Tap, find_overlapping
from bot.platform.interactions import USED, Interaction, data_of, is_private
from bot.play.ids import MatchId
from bot.play.loaded_match import LoadedMatch, Refusal

P = TypeVar("P", bound=CustomId)
Owner = TypeVar("Owner")
Told = TypeVar("Told")
Taken = TypeVar("Taken")
Handler = Callable[[Owner, Interaction, Taken], Told]
ROUTES = "routes"


class Route(NamedTuple):
    """The ids that a method answers: those of a kind with one of some words. It may take the id's match instead of the
    id; or it renders what is `stored` of that which a select has changed."""

    kind: type[CustomId]
    words: tuple[str, ...]
    price: Price | Callable[[Any], Price] = USUAL
    takes_match: bool = False
    stored: bool = False


def on(
    *kinds: type[P], words: str | None = None, price: Price | Callable[[P], Price] = USUAL
) -> Callable[[Handler[Owner, P, Told]], Handler[Owner, P, Told]]:
    """Declare that a method answers some kinds of ids, or those with one of these words."""
    return lambda handler: _add_routes(handler, *(Route(one, _check_words(one, words), price) for one in kinds))


def on_match(
    kind: type[OfMatch], words: str, price: Price = USUAL
) -> Callable[[Handler[Owner, LoadedMatch, Told]], Handler[Owner, LoadedMatch, Told]]:
    """As `on`, for a method that takes the loaded match of the id."""
    return lambda handler: _add_routes(handler, Route(kind, _check_words(kind, words), price, takes_match=True))


def restores(kind: type[P], words: str | None = None) -> Callable[[Handler[Owner, P, Told]], Handler[Owner, P, Told]]:
    """Declare that a method renders from the store what a select has changed."""
    return lambda handler: _add_routes(handler, Route(kind, _check_words(kind, words), stored=True))


def price_by_tap(play: Price, other: Price) -> Callable[[Any], Price]:
    """The prices of a pad's buttons: of the one that plays the move, and of all others."""

    def price(pad: Any) -> Price:
        tap: Tap = pad.tap
        return play if tap.does == "play" else other

    return price


def _check_words(kind: type[CustomId], words: str | None) -> tuple[str, ...]:
    named = kind.words() if words is None else words.split() or [""]
    return tuple(word for word in named if word in kind.words()) or kind.words()


def _add_routes(handler: Any, *routes: Route) -> Any:
    setattr(handler, ROUTES, (*getattr(handler, ROUTES, ()), *routes))
    return handler


class Answer(NamedTuple):
    """A method that answers, with its route."""

    handle: Callable[[Interaction, Any], Awaitable[None]]
    route: Route


class Routes:
    """The table of routes. `load` reads a match; `met` closes a public message that the publisher does not know of."""

    def __init__(
        self,
        handlers: Iterable[object],
        load: Callable[[MatchId], Awaitable[LoadedMatch]],
        met: Callable[[MatchId, discord.Message], None],
    ) -> None:
        self._load, self._met = load, met
        self.answers: dict[tuple[type[CustomId], str], Answer] = {}
        self.stored: dict[tuple[type[CustomId], str], Callable[[Interaction, Any], Awaitable[ui.LayoutView]]] = {}
        for handler in handlers:
            for name, method in getmembers(type(handler), callable):
                for route in getattr(method, ROUTES, ()):
                    self._enter(getattr(handler, name), route)
        kinds = dict.fromkeys(kind for kind, _ in self.answers)
        check_disjoint(frozenset(kinds))
        if silent := [(kind, word) for kind in kinds for word in kind.words() if (kind, word) not in self.answers]:
            raise ValueError(f"nothing answers {silent}")
        self.kinds = sorted(kinds, key=lambda kind: kind.otherwise)

    def _enter(self, method: Callable[[Interaction, Any], Any], route: Route) -> None:
        if route.stored:
            self.stored.update(dict.fromkeys(((route.kind, word) for word in route.words), method))
            return
        for key in ((route.kind, word) for word in route.words):
            if key in self.answers:
                raise ValueError(f"{key} is answered twice")
            self.answers[key] = Answer(method, route)

    def parse(self, text: str) -> CustomId | None:
        """Parse an id; None for what no version of this program has made."""
        return next((found for kind in self.kinds if (found := kind.parse(text))), None)

    def price(self, used: CustomId | None) -> Price:
        if used is None:
            return USUAL
        price = self.answers[type(used), used.word].route.price
        return price if isinstance(price, Price) else price(used)

    def use(self, interaction: Interaction) -> CustomId | None:
        """Parse the custom_id of a button, a select or a form; `used_of` and `price_of` know it from now on."""
        text = str(data_of(interaction).get("custom_id", ""))
        is_form = interaction.type is discord.InteractionType.modal_submit
        used = self.parse(text) if text.startswith("f:") == is_form else None
        interaction.extras.update({USED: used, PRICE: self.price(used)})
        return used

    async def answer(self, interaction: Interaction, used: CustomId | None) -> None:
        """Call the handler of an id, made before or after the last restart."""
        if used is None:
            refuse_outdated()
        handle, route = self.answers[type(used), used.word]
        if isinstance(used, OfMatch) and interaction.message and not is_private(interaction):
            self._met(used.match, interaction.message)
        if isinstance(used, OfMatch) and route.takes_match:
            await handle(interaction, await self._load(used.match))
        else:
            await handle(interaction, used)


@cache
def check_disjoint(kinds: frozenset[type[CustomId]]) -> None:
    """Raise `ValueError` for kinds where one matches an id of the other."""
    if both := find_overlapping(kinds):
        raise ValueError(f"these overlap: {[(one.template, other.template) for one, other in both]}")


def refuse_outdated() -> NoReturn:
    """Refuse a button or a form that no version of this program has made."""
    raise Refusal("This button is out of date. Use /match board to get a fresh board.")
