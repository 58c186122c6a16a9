"""What people see of a game as messages of a chat: its rules page, boards, pads and results, for measuring and looking.

They are made of recorded matches, or of random ones, as the bot makes them; nothing is played through Discord. A table
is a way to play a game: the usual match of two (or alone), one with as many people as can play, and one in two legs.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from discord import ui
from PIL import Image

from bot.features.board import match_pictures
from bot.features.board import views as board_views
from bot.features.challenges import handlers as challenges_handlers
from bot.features.challenges import onboarding
from bot.features.pads import keypad, pad_loop, premove_pads
from bot.features.settings import handlers as settings_handlers
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.legs import LEGS, LegMove, has_legs, make_two_legged, seat_in
from bot.games.position import Seat
from bot.platform.ui import ACCENTS, Caption, Control, Drawing, GameButton
from bot.play import partial_moves
from bot.play.ids import UserId
from bot.play.lessons import load_example, load_rules_example
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Match
from bot.play.partial_moves import PartialMove
from bot.play.record import Move
from bot.play.rows import Preferences, ServerSettings
from rendering.painter import paint
from rendering.shapes import Picture
from tests.contract.playing import playout
from tests.gallery import usual
from tests.support import pad_taps, pad_walks
from tests.support.loaded_matches import begun
from tests.support.pad_walks import shown

Paint = Callable[[Picture], bytes]
USUAL, CROWD, LEGS_OF_TWO = "usual", "crowd", "two legs"
PLIES = 150
"""So far random matches are played at most."""


@dataclass(frozen=True)
class Surface:
    """A message: of which kind, in which table, what it shows, and what Discord gets."""

    kind: str
    table: str
    what: str
    view: ui.LayoutView
    pngs: tuple[bytes, ...]
    hidden: bool = False

    @property
    def name(self) -> str:
        """The surface in words that are the name of a file too."""
        return " ".join(part for part in (self.kind, self.table, self.what) if part)


def blank(picture: Picture) -> bytes:
    """An empty picture of the same size, which is all that a measure needs."""
    file = io.BytesIO()
    Image.new("1", picture.pixel_size).save(file, "PNG")
    return file.getvalue()


@cache
def course(game: Game, table: str) -> tuple[Match, ...]:
    """A match at every ply."""
    if table == USUAL:
        return tuple(usual(game))
    if table == LEGS_OF_TWO:
        return tuple(twice(usual(game)))
    return tuple(
        match for match, _ in zip(playout(Match.start(game, {}, game.seats[-1]), Random(1)), range(PLIES), strict=False)
    )


def twice(moments: Sequence[Match]) -> Iterator[Match]:
    """A match played in both legs, a move here and a move there."""
    match = Match.start(make_two_legged(moments[0].game), moments[0].options.to_record(), 2)
    yield match
    for line in moments[-1].record:
        for leg in LEGS:
            match = match.play(seat_in(leg, line.seat), str(LegMove(leg, line.text)))
            yield match


def tables(game: Game) -> list[str]:
    """The ways to play a game."""
    crowd = [CROWD] if game.seats[-1] > 2 else []
    return [USUAL, *crowd, *([LEGS_OF_TWO] if has_legs(game) else [])]


def of_harness() -> Iterator[Surface]:
    """What people see before they play."""
    yield Surface("settings", "", "", settings_handlers.build_settings_card(ServerSettings()), (), hidden=True)
    yield Surface("settings", "", "posts", settings_handlers.build_posts_card(ServerSettings()), (), hidden=True)
    yield Surface("settings", "", "limits", settings_handlers.build_limits_card(ServerSettings()), (), hidden=True)
    mine = settings_handlers.build_preferences_card(Preferences(), ServerSettings(), int(time.time()))
    yield Surface("preferences", "", "", mine, (), hidden=True)
    games = tuple(load_offered_games().values())
    yield Surface("games", "", "first", onboarding.build_first_games(games), (), hidden=True)
    yield Surface("games", "", "all", onboarding.build_game_list(games), (), hidden=True)
    example = load_example(game := challenges_handlers.find_shown_game())
    assert example
    (picture, *_) = game.pictures(example.position)
    sample = onboarding.Sample(paint.encode_png(picture), picture.alt)
    view = challenges_handlers.build_welcome_card(computers=True, manages=True, sample=sample)
    yield Surface("welcome", "", "", view, (sample.png,))
    asked = challenges_handlers.build_welcome_card(True, True, "1.0", asked=True)
    yield Surface("help", "", "", asked, (), hidden=True)


def surfaces(game: Game, people: Sequence[int], draw: Paint = paint.encode_png) -> Iterator[Surface]:
    """All that is to be looked at of a game; `people` are the ids of those who play."""
    yield rules(game, draw)
    for table in tables(game):
        moments = course(game, table)
        live = [match for match in moments if not match.is_over]
        yield from boards(table, live[len(live) // 2], people, draw)
        yield from boards(table, live[-1], people, draw)
        if moments[-1].is_over:
            yield from results(table, moments[-1], people, draw)
        for place in sorted({0, len(live) // 2, len(live) - 1}):
            after = moments[min(place + 1, len(moments) - 1)]
            yield from pads_of(table, live[place], after, people, draw)
            if table == USUAL and pad_taps.preparable(game):
                yield from prepared(live[place], after, people, draw)


def rules(game: Game, draw: Paint) -> Surface:
    """The rules page with its picture."""
    example = load_rules_example(game)
    assert example
    picture = game.pictures(example)[0]
    drawing = painted([picture], draw)
    return Surface(
        "rules", "", "", board_views.build_rules(game, drawing.pictures, str(example)), drawing.pngs, hidden=True
    )


def painted(pictures: Sequence[Picture], draw: Paint) -> Drawing:
    """Pictures as files, and in words."""
    return Drawing(tuple(map(Caption.of, pictures)), tuple(map(draw, pictures)))


def make_loaded(match: Match, people: Sequence[int]) -> LoadedMatch:
    """The match with people in its seats, as the umpire would read it."""
    found = begun(match, id=12, pace="7")
    players = [replace(one, user=UserId(people[at])) for at, one in enumerate(found.row.players)]
    return replace(found, row=replace(found.row, players=tuple(players)))


def boards(table: str, match: Match, people: Sequence[int], draw: Paint) -> Iterator[Surface]:
    """The board while it is played; with secrets also that of somebody who is to move."""
    for viewer in (None, match.turn[0]) if match.game.secret else (None,):
        sight = MatchView.of(make_loaded(match, people), viewer)
        drawing = drawn(sight, draw)
        view = board_views.build_board(sight, drawing.pictures)
        yield Surface(
            "board",
            table,
            f"{'own ' if viewer else ''}after {len(match.record)}",
            view,
            drawing.pngs,
            hidden=viewer is not None,
        )


def drawn(sight: MatchView, draw: Paint) -> Drawing:
    """The pictures of a board."""
    return painted(match_pictures.list_pictures(sight), draw)


def results(table: str, match: Match, people: Sequence[int], draw: Paint) -> Iterator[Surface]:
    """A match that is over, in its thread and in its channel."""
    loaded = make_loaded(match, people)
    sight = MatchView.of(loaded, None)
    drawing = drawn(sight, draw)
    yield Surface("finished", table, "", board_views.build_board(sight, drawing.pictures), drawing.pngs)
    yield Surface("channel", table, "", board_views.build_announcement(sight, drawing.pictures), drawing.pngs)


def pads_of(table: str, match: Match, after: Match, people: Sequence[int], draw: Paint) -> Iterator[Surface]:
    """The pads of all kinds of move, as they open; of the move that was made next, every step."""
    played = after.record[-1] if len(after.record) > len(match.record) else None
    seat = played.seat if played and played.seat in match.turn else match.turn[0]
    position = match.position.seen_by(seat)
    for kind in pad_taps.kinds(match.game, position, seat):
        if not kind.parts:
            continue
        begin = partial_moves.begin_partial_move(position, seat, kind)
        made = (
            played and kind.parse(played.text) is not None and not pad_taps.beyond(match.game, match, seat, played.text)
        )
        steps = list(pad_taps.towards(position, seat, kind, played.text)) if made and played else [begin]
        for number, so_far in enumerate(steps):
            yield from pad(table, match, seat, so_far, number, people, draw)


def pad(
    table: str, match: Match, seat: Seat, so_far: PartialMove, number: int, people: Sequence[int], draw: Paint
) -> Iterator[Surface]:
    """A pad with its first page of keys."""
    loaded = make_loaded(match, people)
    position = MatchView.of(loaded, seat).position
    drawing = painted(pad_walks.draw(match.game, position, seat, so_far), draw)
    view = shown(loaded, seat, so_far, partial_moves.list_keys(position, seat, so_far))
    what = f"{so_far.kind.name} after {len(match.record)} tap {number}"
    yield Surface("pad", table, what, view, drawing.pngs, hidden=True)


def prepared(match: Match, after: Match, people: Sequence[int], draw: Paint) -> Iterator[Surface]:
    """The pads on which an answer is prepared, as they open: for the move that was made next, and for what follows."""
    loaded, owner = make_loaded(match, people), 3 - match.turn[0]
    moves = [Move(line.seat, line.text) for line in after.record[len(match.record) :] if isinstance(line, Move)]
    for path in (), tuple(moves):
        ahead = premove_pads.imagine(loaded, owner, path)
        step, able = premove_pads.describe_step(ahead), premove_pads.list_offered_moves(ahead)
        if not premove_pads.has_next_move(ahead):
            return
        keeps = premove_pads.make_filter(ahead)
        for seat, kind in able:
            if not kind.parts:
                continue
            begin = partial_moves.begin_partial_move(ahead.match.position, seat, kind)
            supposed = ahead.foreseen_match.position
            drawing = painted(match_pictures.make_pictures(match.game, supposed, seat, begin), draw)
            keys = partial_moves.list_keys(ahead.match.position, seat, begin)
            keys = pad_loop.keep_keys(ahead.match.position, seat, begin, keeps, keys) if keeps else keys
            where = premove_pads.format_pad_heading(ahead, premove_pads.describe_left_out(ahead))
            view = keypad.build_pad(
                begin, keys, drawing.pictures, "", ACCENTS[seat - 1], premove_pads.make_pad_ids(ahead),
                where=where, **step._asdict(), leaves=bool(path) or len(able) > 1,
                below=[Control(GameButton("rules", match.game.key), "Rules")],
            )  # fmt: skip
            what = f"{kind.name} after {len(match.record)}, {len(path)} chosen"
            yield Surface("prepare", USUAL, what, view, drawing.pngs, hidden=True)
