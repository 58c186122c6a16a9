"""Options that hang together: one that applies only beside a certain choice of another is refused or left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import pytest

from bot.games.options import BadOptions, Options, number_option, word_option


@dataclass(frozen=True, slots=True)
class Tea(Options):
    """Milk, and how much of it, only where there is milk."""

    milk: str = word_option("no", ("no", "yes"), "Whether there is milk")
    kind: str | None = word_option(None, ("cow", "oat"), "Of which kind; else cow")
    drops: int | None = number_option(None, 1, 9, "How many drops; else 3", said="{value} drops of it")

    def settle(self, seats: int) -> Self:
        if self.milk == "yes":
            return replace(self, kind=self.kind or "cow", drops=self.drops or 3)
        if self.kind or self.drops:
            raise BadOptions("Without milk there is no kind and no number of drops of it.")
        return self


def test_an_option_that_does_not_apply_is_not_in_the_record() -> None:
    tea = Tea.read({}, 1)
    assert (tea.kind, tea.drops) == (None, None)
    assert tea.to_record() == {"milk": "no"} and Tea.read(tea.to_record(), 1) == tea
    assert tea.describe() == []


def test_where_it_applies_its_default_is_found_and_recorded() -> None:
    tea = Tea.read({"milk": "yes", "drops": 5}, 1)
    assert tea.to_record() == {"milk": "yes", "kind": "cow", "drops": 5} and Tea.read(tea.to_record(), 1) == tea
    assert tea.describe() == ["with milk", "kind cow", "5 drops of it"]


@pytest.mark.parametrize("given", [{"kind": "cow"}, {"milk": "no", "drops": 3}])
def test_where_it_does_not_even_its_default_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(BadOptions, match="Without milk"):
        Tea.read(given, 1)


@pytest.mark.parametrize("value", [None, "COW", "", 1])
def test_leaving_it_out_is_not_the_same_as_nothing(value: object) -> None:
    with pytest.raises(BadOptions, match="kind must be cow or oat, not"):
        Tea.read({"milk": "yes", "kind": value}, 1)
