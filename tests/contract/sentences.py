"""What a refusal must look like: one or more plain sentences for a player, free of the program's own language."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.games.options import BadOptions
from bot.games.position import MoveError

LONGEST = 400
"""The most characters that a refusal takes."""

FIRST = re.compile(r"\(?[A-Z0-9“]|[a-z][0-9]|@|[^\x00-\x7f] is an? ")
"""A sentence begins with a capital letter, a number, a quotation or a square, or it is about a letter."""

FOREIGN = re.compile(r"Traceback|Error\b|Exception|(?<!not )\b(None|True|False)\b|object at|<class|[{}\\]|\n")
"""Signs that the program speaks of itself; the refusal of an option in a record may end in "not True."."""


def is_sentence(text: str, names: tuple[str, ...] = ()) -> bool:
    """Whether a text is fit for a player; it may begin with one of the names."""
    begins = FIRST.match(text) or text.startswith(names)
    ours = re.sub("“[^”]*”", "", text)
    return bool(begins) and text.endswith((".", "!", "?")) and len(text) <= LONGEST and not FOREIGN.search(ours)


def refusal(call: Callable[[], object], names: tuple[str, ...] = ()) -> str | None:
    """The sentence with which a call is refused, None when it is accepted; any other exception is a broken promise."""
    try:
        call()
    except (MoveError, BadOptions) as error:
        sentence = str(error)
    except Exception as error:
        raise AssertionError(f"refused by a {type(error).__name__}, not by a sentence: {error}") from error
    else:
        return None
    if not is_sentence(sentence, names):
        raise AssertionError(f"refused by something that is no sentence for a player: {sentence!r}")
    return sentence


def without_example(fault: BaseException) -> str:
    """The sentence of a refusal without the legal move that it shows."""
    return str(fault).partition(" You could write ")[0]
