"""The buttons, selects and forms of messages that Discord keeps go on meaning what they meant when they were made.

`old_custom_ids.txt` has some thousands of them, at least 500 of each kind, in sections: what answers them, what that
costs, and whether it only looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.client.app.router import pressed_price
from bot.client.interactions.custom_ids import FormId, component_id
from bot.client.interactions.rate_limit import Price

OLD = Path(__file__).with_name("old_custom_ids.txt")


def old_ids() -> Iterator[tuple[str, Price, str]]:
    """What answers, its price, and an id."""
    answers, price = "", Price()
    for line in OLD.read_text().splitlines():
        if line.startswith("# "):
            _, answers, moves, looks = line.split(" ")
            price = Price(float(moves), looks == "looks")
        else:
            yield answers, price, line


def test_old_ids_are_read_as_they_were_written_and_cost_the_same() -> None:
    for _, price, text in old_ids():
        assert str(component_id(text) or FormId.parse(text)) == text
        assert pressed_price(text) == price
