"""Plays the matches that the command line asks for, and prints a line for each finished pair.

    python -m tests.arena [GAME ...] --one 3 --other 2 [--pairs 20] [--options size=5] [--seats 2] [--seed 1]
    python -m tests.arena [GAME ...] --all-levels [--pairs 100] [--largest] [--json FILE]

    python -m tests.arena [GAME ...] --slowest | --playouts | --rollouts [10000] | --exact | --blunders [60]
    python -m tests.arena [GAME ...] --calibration [2] | --aloud | --lost [14] [--fit] | --by-lot [20]
    python -m tests.arena --boards [100]
    python -m tests.arena dream-math --one 6 --other 40960p20000n --pairs 4   # ten times what level 6 once looked at

Without games it is all of them. The exit status is 0 whatever the shares are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from bot.engine.levels import find_highest_level
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.options import Options
from tests.arena import aloud, blunders, by_lot, calibration, lost, rollouts, slowest, solved
from tests.arena.duels import HEAD, Duel
from tests.arena.players import Player, player
from tests.contract.playing import edge, greedy
from tests.search import plain
from tests.search.moments import walked


def given_options(game: Game, text: str, seats: int, largest: bool) -> Options:
    """The options of a match: the usual ones, the largest, or those of "name=value"."""
    if largest:
        return game.configure(greedy(game, edge(game.Options.bounds(), -1), seats), seats)
    named = dict(each.split("=", 1) for each in text.split(",") if each)
    return game.configure({name: int(it) if it.isdecimal() else it for name, it in named.items()}, seats)


def opponents(game: Game, options: Options, seats: int) -> Iterator[tuple[Player, Player]]:
    """Each level and the one below it, and the top with the simple players."""
    top = find_highest_level(game, game.start(options, seats))
    for level in range(2, top + 1):
        yield player(str(level)), player(str(level - 1))
    for simple in ("greedy", "random"):
        yield player(str(top)), player(simple)


def cells(given: argparse.Namespace) -> Iterator[Duel]:
    """What is to be played."""
    for key in given.games or load_games():
        game = load_games()[key]
        seats = max(given.seats, game.seats[0])
        if seats not in game.seats:
            continue
        options = given_options(game, given.options, seats, given.largest)
        pairs = opponents(game, options, seats) if given.all_levels else [(player(given.one), player(given.other))]
        for one, other in pairs:
            yield Duel(game, options, seats, one, other, given.seed)


def parsed() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser("tests.arena", description="Let the computer's levels play each other.")
    parser.add_argument("games", nargs="*", choices=[[], *load_games()], metavar="GAME")
    parser.add_argument("--one", default="2", help='a level, "greedy", "random", or playouts and nodes as "64p300n"')
    parser.add_argument("--other", default="1", help="whom it plays")
    parser.add_argument(
        "--all-levels", action="store_true", help="each level and the one below; the top and the simple"
    )
    parser.add_argument("--pairs", type=int, default=20, help="pairs of matches, seats swapped")
    parser.add_argument("--options", default="", metavar="NAME=VALUE,…")
    parser.add_argument("--largest", action="store_true", help="the largest options of each game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too, after each line")
    parser.add_argument(
        "--slowest", action="store_true", help="how long the top level thinks about usual and largest boards"
    )
    parser.add_argument("--playouts", action="store_true", help="how long a playout of each game takes")
    parser.add_argument("--rollouts", type=int, nargs="?", const=10_000, help="hold random ends beside played ones")
    parser.add_argument("--exact", action="store_true", help="solve the small boards whose values are known")
    parser.add_argument(
        "--blunders", type=int, nargs="?", const=60, help="plant so many in matches of all games; review"
    )
    parser.add_argument(
        "--boards", type=int, nargs="?", const=100, help="hold so many small boards beside plain minimax"
    )
    parser.add_argument("--aloud", action="store_true", help="hints in all games, to be read")
    parser.add_argument(
        "--calibration", type=int, nargs="?", const=2, help="hints in so many matches, and who won them"
    )
    parser.add_argument("--lost", type=int, nargs="?", const=14, help="points lost a move by each level, of so many")
    parser.add_argument("--by-lot", type=int, nargs="?", const=20, help="beside moves by lot, in usual matches")
    parser.add_argument("--fit", action="store_true", help="with --lost: how hasty levels are to be for even steps")
    return parser.parse_args()


def tables(given: argparse.Namespace) -> Iterator[str]:
    """The lines of the other tables that are asked for."""
    if given.calibration:
        able = [game for key, game in load_games().items() if key in (given.games or load_games())]
        fit = [game for game in able if 2 in game.seats and not game.mind.ponder]
        for find in (calibration.hinted, calibration.charted):
            yield from calibration.table(
                one for game in fit for number in range(given.calibration) for one in find(game, number)
            )
        return
    if given.boards:
        yield from plain.table(given.boards)
        return
    if given.blunders:
        yield from blunders.table([load_games()[key] for key in given.games or load_games()], given.blunders)
        return
    for game in [load_games()[key] for key in given.games or load_games()]:
        if given.slowest:
            yield from slowest.lines(game)
        if given.aloud:
            yield from aloud.lines(game)
        if given.lost and game.key in lost.BOARDS:
            yield lost.line(game, given.lost, given.fit)
        if given.by_lot and game.key in lost.BOARDS and game.scored and not game.products:
            yield by_lot.line(game, given.by_lot)
        if given.playouts:
            yield from slowest.playouts(game)
        if given.rollouts and game.mind.rollout:
            for match in walked(game)[:2]:
                yield rollouts.line(game, match.position, given.rollouts, given.seed)
        if given.exact:
            known = [solved.OWN, *([solved.INVENTED] if solved.INVENTED.exists() else [])]
            yield from (solved.line(row) for file in known for row in solved.rows(file) if row["game"] == game.key)


def main() -> int:
    """Run what the command line asks for."""
    given = parsed()
    others = "slowest", "playouts", "rollouts", "exact", "blunders", "calibration", "lost", "by_lot", "boards", "aloud"
    if any(getattr(given, name) for name in others):
        for line in tables(given):
            print(line, flush=True)
        return 0
    print(HEAD, flush=True)
    rows: list[dict[str, object]] = []
    for duel in cells(given):
        print(duel.run(given.pairs), flush=True)
        rows.append(duel.row)
        if given.json:
            given.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
