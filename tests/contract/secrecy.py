"""The promise of secrecy: what a viewer gets does not depend on what the viewer may not know.

A `Twin` is two matches that are alike for one viewer: in the second, moves of others whose veil hides them are replaced
by other legal ones with the same veil, or are left out where the veil leaves nothing of them. Every surface must be the
same for both. `SURFACES` holds what games give by themselves; what Discord shows is compared in the same way, given
surfaces of its own: `check_surfaces(game, {"board": lambda match, viewer: …})`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import NamedTuple

from bot.features.pads import drafts
from bot.games.game import Game, show_move
from bot.games.position import Seat, Viewer
from bot.play import partial_moves
from bot.play.match import Match
from bot.play.record import Entry, Withdrawal
from tests.contract.movers import DISCLOSED
from tests.contract.playing import attempt, edge, expect, greedy, leave, listed, playout, playouts, proposals
from tests.contract.sentences import refusal

TRIES = 40
"""How many other moves are tried in place of a secret one."""
DROPPED = 0.3
"""How often a move of which nobody learns anything is left out instead."""
PAIRS = 400
"""Among how many playouts two are looked for that differ in one seat's secrets alone."""
MOMENTS = 5
"""At how many moments of a playout twins are made, for every viewer."""
TEXTS = ("", "a1", "z9", "a1 b2", "1", "done", "undo 1", "undo 2 2", "fill 1 a1", "fill 2 c3", "number 1 a1 cw")
"""Moves to try: what they are answered must not depend on a secret."""

Surface = Callable[[Match, Viewer], object]


class Twin(NamedTuple):
    """Two matches that are alike for a viewer."""

    match: Match
    other: Match
    viewer: Viewer


def is_secret(match: Match, entry: Entry, viewer: Viewer) -> bool:
    """Whether a line of a match's record is, at this moment, hidden from a viewer."""
    game = match.game
    if entry.seat == viewer or isinstance(entry, Withdrawal) or game.veil(entry.seat, entry.text) == entry.text:
        return False
    if match.is_over and match.seats > 1:
        return False
    disclosed = DISCLOSED.get(game.key)
    return not (disclosed and disclosed(match, entry))


def twins(game: Game, seed: int = 0, moments: int = MOMENTS) -> Iterator[Twin]:
    """Twins at some moments of all playouts of a game, for every viewer from whom something was hidden and changed."""
    if game.veil is show_move:
        return
    rng = Random(f"{game.key} {seed}")
    for played in playouts(game):
        for match in (*rng.sample(played, min(len(played), moments)), played[-1]):
            for viewer in (None, *range(1, match.seats + 1)):
                if other := twin(match, viewer, rng):
                    yield Twin(match, other, viewer)


def twin(match: Match, viewer: Viewer, rng: Random) -> Match | None:
    """A match like this for a viewer, with other secrets; None where it has none, or no other was found."""
    return _alike(match, (viewer,), rng, lambda entry: is_secret(match, entry, viewer))


def pair(game: Game, seats: int, lines: int) -> tuple[Match, Match]:
    """Two matches of so many seats, in which nothing differs but what seat 1 has done in secret: what it was, and how
    often, before moves of seat 2's and up to the last line. Seats 1 and 2 are still to move."""
    options = greedy(game, edge(game.Options.bounds(), 0), seats)

    def secret(match: Match, entry: Entry) -> bool:
        return entry.seat == 1 and is_secret(match, entry, None)

    def places(match: Match) -> list[int]:
        return [place for place, entry in enumerate(match.record) if entry.seat == 2]

    for seed in range(PAIRS):
        rng = Random(f"{game.key} {seed}")
        *_, match = islice(playout(Match.start(game, options, seats), rng), lines + 1)
        other = _alike(match, (None, *range(2, seats + 1)), rng, lambda entry, match=match: secret(match, entry))
        if not other or match.turn[:2] != (1, 2) or places(match) == places(other):
            continue
        if secret(match, match.record[-1]) and secret(other, other.record[-1]):
            return match, other
    raise AssertionError(f"{game.key}: no two matches of {seats} seats were found that differ in secrets alone")


def _alike(match: Match, viewers: tuple[Viewer, ...], rng: Random, secret: Callable[[Entry], bool]) -> Match | None:
    # A match like this for some viewers, whose secret lines are others.
    other = Match.start(match.game, match.options.to_record(), match.seats)
    for entry in match.record:
        after = _replaced(other, entry, rng) if secret(entry) else _same(other, entry)
        if after is None:
            return None
        other = after
    alike = (
        all(other.list_visible_entries(viewer) == match.list_visible_entries(viewer) for viewer in viewers)
        and other.is_over == match.is_over
    )
    # The score of a match alone is known, its moves are not.
    alike = alike and (not match.is_over or other.position.scores() == match.position.scores())
    return other if alike and other.position != match.position else None


def _same(match: Match, entry: Entry) -> Match | None:
    return leave(match, entry.seat) if isinstance(entry, Withdrawal) else attempt(match, entry.seat, entry.text)


def _replaced(match: Match, entry: Entry, rng: Random) -> Match | None:
    # The match after another move with the same veil, after none, or else after the same.
    seat, text = entry
    veil = match.game.veil(seat, text)
    if veil is None and rng.random() < DROPPED:
        return match
    if seat in match.turn:
        for proposal in islice(proposals(match, seat, rng), TRIES):
            after = attempt(match, seat, proposal)
            if after and after.record[-1] != entry and match.game.veil(seat, after.record[-1].text) == veil:
                return after
    return attempt(match, seat, text) or (match if veil is None else None)


# What a viewer gets


def _seen(match: Match, viewer: Viewer) -> object:
    return match.position.seen_by(viewer)


def _text(match: Match, viewer: Viewer) -> object:
    return str(match.position.seen_by(viewer)), repr(match.position.seen_by(viewer))


def _result(match: Match, viewer: Viewer) -> object:
    seen = match.position.seen_by(viewer)
    parts = seen.list_score_parts()
    return seen.turn, seen.scores(), seen.ranks(), parts, seen.working(), match.turn, match.is_over


def _record(match: Match, viewer: Viewer) -> object:
    return match.list_visible_entries(viewer), match.version_for(viewer)


def _pictures(match: Match, viewer: Viewer) -> object:
    return match.game.pictures(match.position.seen_by(viewer))


def _suggestions(match: Match, viewer: Viewer) -> object:
    seen = match.position.seen_by(viewer)
    typed = ("", "a", "1", *(kind.pattern.partition("{")[0] for kind in match.game.moves))
    return [list(islice(seen.suggest(seat, text), 50)) for seat in _own(match, viewer) for text in typed]


def _forms(match: Match, viewer: Viewer) -> object:
    seen, game = match.position.seen_by(viewer), match.game
    made = [(seat, kind, kind.when(seen, seat)) for seat in _own(match, viewer) for kind in game.moves]
    return [(seat, kind.name, able, able and drafts.find_example(kind, seen, seat)) for seat, kind, able in made]


def _pads(match: Match, viewer: Viewer) -> object:
    # What the pads of a seat show at first, and after a tap of the first key.
    seen, shown = match.position.seen_by(viewer), list[object]()
    for seat in _own(match, viewer):
        for kind in (kind for kind in match.game.moves if kind.parts and kind.when(seen, seat)):
            partial = partial_moves.begin_partial_move(seen, seat, kind)
            board = partial_moves.list_keys(seen, seat, partial)
            after = [partial_moves.press_key(seen, seat, partial, key.token) for key in board.new_keys[:1]]
            shown += [partial, board, *((each, partial_moves.list_keys(seen, seat, each)) for each in after)]
    return shown


def _answers(match: Match, viewer: Viewer) -> object:
    # What a seat is told about moves that it tries: the answer comes from the position in which nothing is hidden.
    def answer(seat: Seat, text: str) -> str | None:
        return refusal(lambda: match.play(seat, text))

    seats = () if viewer is None else (viewer,)
    return [answer(seat, text) for seat in seats for text in (*TEXTS, *_legal(match, viewer))]


def _legal(match: Match, viewer: Viewer) -> list[str]:
    position = match.position
    return [move for seat in _own(match, viewer) if not position.open_to(seat) for move in listed(position, seat)]


def _own(match: Match, viewer: Viewer) -> tuple[Seat, ...]:
    return (viewer,) if viewer is not None and viewer in match.turn else ()


SURFACES: Mapping[str, Surface] = {
    "position": _seen,
    "text board": _text,
    "scores, ranks and working": _result,
    "record": _record,
    "pictures": _pictures,
    "suggestions": _suggestions,
    "forms": _forms,
    "pads": _pads,
    "answers to moves": _answers,
    "legal moves": _legal,
}


def check_secrets(game: Game) -> None:
    """Nothing that a game gives to a viewer depends on what is hidden from them."""
    check_surfaces(game, SURFACES)


def check_surfaces(game: Game, surfaces: Mapping[str, Surface], moments: int = MOMENTS) -> None:
    """None of these surfaces depends on what is hidden from its viewer; a game with secrets has secrets to try."""
    tried: set[Viewer] = set()
    for match, other, viewer in twins(game, moments=moments):
        tried.add(viewer)
        for name, surface in surfaces.items():
            one, two = surface(match, viewer), surface(other, viewer)
            if one == two:
                continue  # to write down what is alike takes longer than to make it
            whose = "a spectator" if viewer is None else f"seat {viewer}"
            difference = f"{one}\n… but with other secrets …\n{two}\n{other.to_json()['moves']}"
            expect(False, match, f"The {name} of {whose} gives secrets away: {difference}")
    missing = {None, *range(1, game.seats[-1] + 1)} - tried if game.veil is not show_move else set[Viewer]()
    if missing:
        raise AssertionError(f"{game.key}: no matches were found that are alike for {missing}")


def check_the_viewer_is_known(game: Game) -> None:
    """What a seat sees, seen again by it, stays the same, and a seat sees its own moves."""
    for played in playouts(game):
        for match in played[:: max(1, len(played) // MOMENTS)]:
            for viewer in (None, *range(1, match.seats + 1)):
                seen = match.position.seen_by(viewer)
                expect(seen.seen_by(viewer) == seen, match, f"What {viewer} sees changes when seen again.")
                own = [entry for entry in match.record if entry.seat == viewer]
                told = [entry for entry in match.list_visible_entries(viewer) if entry.seat == viewer]
                expect(own == told, match, f"Seat {viewer} does not see its own moves.")
