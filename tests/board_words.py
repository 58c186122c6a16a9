"""Counts the words on the message of a live board, for every game: `python -m tests.board_words`.

It is the public board in the middle of a recorded match with the usual options: the lines of its message, the labels of
its buttons, and what is written in its picture. A word has two letters at least, so numbers, names of columns and signs
are none; a name is one, and so is a timestamp.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from discord import ui

from bot.features.board import match_pictures
from bot.features.board import views as board_views
from bot.games.catalogue import load_games, load_offered_games
from bot.games.game import Game
from bot.platform.ui import Caption, Control
from bot.play.loaded_match import MatchView
from rendering.shapes import Text
from tests.gallery import usual
from tests.support.loaded_matches import begun

NAME, MOMENT = re.compile(r"<@[0-9]+>"), re.compile(r"<t:[0-9]+:[a-zA-Z]>")
WORD = re.compile(r"[^\W\d_]{2,}(?:['’/-][^\W\d_]+)*")


@dataclass(frozen=True)
class Counted:
    """The words of a board: of its message with its buttons, and in its picture."""

    message: tuple[str, ...]
    picture: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.message) + len(self.picture)


def read_board(game: Game, practised: bool) -> Counted:
    """The words of the board in the middle of a recorded match of a game, whose players have perhaps finished one."""
    moments = [match for match in usual(game) if not match.is_over]
    loaded = replace(begun(moments[len(moments) // 2], id=12, pace="7"), practised=practised)
    sight = MatchView.of(loaded, None)
    pictures = match_pictures.list_pictures(sight)
    view = board_views.build_board(sight, [Caption(one.alt, one.leg) for one in pictures])
    said: list[str] = []
    for item in view.walk_children():
        if isinstance(item, ui.TextDisplay):
            said.append(item.content)
        elif isinstance(item, Control):
            said.append(str(getattr(item.item, "label", "")))
    drawn = [shape.text for one in pictures for shape in (*one.base, *one.shapes) if isinstance(shape, Text)]
    return Counted(list_words(said), list_words(drawn))


def list_words(texts: list[str]) -> tuple[str, ...]:
    """The words of some texts in order."""
    plain = [MOMENT.sub(" moment ", NAME.sub(" name ", one)) for one in texts]
    return tuple(word for one in plain for word in WORD.findall(one))


def main() -> None:
    sums = [0, 0]
    print(f"{'':34}message   picture   picture of who knows the game")
    for key in load_offered_games():
        new, known = (read_board(load_games()[key], practised) for practised in (False, True))
        sums = [before + len(one) for before, one in zip(sums, (new, known), strict=True)]
        print(f"{key:34}{len(new.message):7}{len(new.picture):10}{len(known.picture):10}")
    print(f"all games: {sums[0]} words, {sums[1]} for those who know the game")


if __name__ == "__main__":
    main()
