"""The buttons, selects and forms of messages that Discord keeps go on meaning what they meant when they were made.

`old_custom_ids.txt` has some thousands of them, at least 500 of each kind, in sections: what answers them, what that
costs, and whether it only looks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.games.catalogue import load_games
from bot.platform.checks import Price
from bot.platform.custom_ids import AGAIN, RENEWABLE, renew_id
from tests.support.routes import ROUTES

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


def test_there_are_many_of_each_kind() -> None:
    assert {*"mprkqotadf"} == {text[0] for *_, text in old_ids()}
    assert min(Counter(text[0] for *_, text in old_ids()).values()) >= 500


def test_old_ids_are_read_as_they_were_written() -> None:
    for _, _, text in old_ids():
        plain = re.sub(f"{AGAIN}$", "", text) if text.startswith(RENEWABLE) else text
        assert str(ROUTES.parse(text)) == str(ROUTES.parse(plain)) == plain == renew_id(text, 0), text


def test_old_ids_are_answered_by_the_same_and_cost_the_same() -> None:
    keys = {"", "chess", *load_games()}
    for answers, price, text in old_ids():
        used = ROUTES.parse(text)
        assert used and ROUTES.price(used) == price, text
        handle: Any = ROUTES.answers[type(used), used.word].handle
        assert f"{type(handle.__self__).__name__}.{handle.__name__}" == answers, text
        assert used.template[0] != "p" or getattr(used, "game", "") in keys, text
