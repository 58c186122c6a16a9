"""The tables of docs/fairness.md, written from the results that are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from bot.games.catalogue import load_games
from tests.fairness.cells import Chosen, How
from tests.fairness.ledger import LEAST, Found, Ledger, series, stable

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"


def tables(ledger: Ledger) -> dict[str, str]:
    """Every table of the page by its name."""
    return {
        "exact": "\n".join(_exact(ledger, "exact", "by how much seat 1 is ahead at the end if nobody errs")),
        "round": "\n".join(_exact(ledger, "round", "by how much the first role is ahead after a round if nobody errs")),
        "play": "\n".join(_shares(ledger, "play", "seat 1")),
        "roles": "\n".join(_shares(ledger, "roles", "the first role")),
        "skill": "\n".join(_skill(ledger)),
        "seats": "\n".join(_several(ledger)),
    }


def _several(ledger: Ledger) -> Iterator[str]:
    yield "| game | board | players | level | matches that seats 1, 2, 3 … win | ties |"
    yield "|---|---|---|---|---|---|"
    found = [each for each in ledger.values() if each.cell.how == "seats" and _enough(each)]
    for each in sorted(found, key=lambda one: (*_place(one), one.cell.seats)):
        cell, wins = each.cell, each.results
        shares = " · ".join(hundredths(wins.count(str(seat)) / len(wins)) for seat in range(1, cell.seats + 1))
        ties = hundredths(wins.count("=") / len(wins))
        title = load_games()[cell.game].title
        yield f"| {title} | {board(cell.game, cell.options)} | {cell.seats} | {cell.level} | {shares} | {ties} |"


def filled(text: str, ledger: Ledger) -> str:
    """The page with its tables as the results are now."""
    for name, table in tables(ledger).items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        text = re.sub(f"(?s){begin}.*?{end}", lambda _, whole=f"{begin}\n{table}\n{end}": whole, text)
    return text


def board(key: str, options: Chosen) -> str:
    """The options of a game's board as challenges say them."""
    return ", ".join(load_games()[key].Options.describe_option(name, value) for name, value in options) or "usual"


def _exact(ledger: Ledger, how: How, what: str) -> Iterator[str]:
    yield f"| game | board: {what} |"
    yield "|---|---|"
    solved = [each for each in ledger.values() if each.cell.how == how and each.value is not None]
    for key, found in groupby(sorted(solved, key=_place), key=lambda each: each.cell.game):
        values = "; ".join(f"{board(each.cell.game, each.cell.options)}: {_signed(each.value)}" for each in found)
        yield f"| {load_games()[key].title} | {values} |"


def _place(found: Found) -> tuple[object, ...]:
    return found.cell.game, [(isinstance(value, str), value) for _, value in found.cell.options]


def _signed(value: int | None) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"


def _boards(ledger: Ledger, how: How) -> Sequence[tuple[str, Chosen]]:
    found = {(each.cell.game, each.cell.options) for each in ledger.values() if each.cell.how == how and _enough(each)}
    return sorted(found, key=str)


def _enough(found: Found) -> bool:
    return len(found.results) >= LEAST


def _shares(ledger: Ledger, how: How, whose: str) -> Iterator[str]:
    yield f"| game | board | {whose}'s share at levels of the computer (and its interval of 95 %) | figure |"
    yield "|---|---|---|---|"
    for key, options in _boards(ledger, how):
        found = series(ledger, key, options, how)
        shares = ", ".join(f"{each.cell.level}: {hundredths(each.share)} ({between(each)})" for each in found)
        yield f"| {load_games()[key].title} | {board(key, options)} | {shares} | {figure(found)} |"


def figure(found: Sequence[Found]) -> str:
    """The last share with its interval if a higher level no longer changes it."""
    if not stable(found):
        return "none: still changing" if len(found) > 2 else "none: too few levels"
    return f"**{hundredths(found[-1].share)}** ({between(found[-1])}, {len(found[-1].results)} results)"


def between(found: Found) -> str:
    """The interval of a share: ".12 to .38"."""
    return " to ".join(map(hundredths, found.interval))


def hundredths(share: float) -> str:
    """A share as the page writes it: ".12"."""
    return f"{share:.2f}".removeprefix("0")


def _skill(ledger: Ledger) -> Iterator[str]:
    yield "| game | board | share of level 3 against level 2 | moves of a match |"
    yield "|---|---|---|---|"
    for key, options in _boards(ledger, "skill"):
        for each in series(ledger, key, options, "skill"):
            moves = f"{each.plies / len(each.results):.1f}"
            share = f"{hundredths(each.share)} ({between(each)})"
            yield f"| {load_games()[key].title} | {board(key, options)} | {share} | {moves} |"
