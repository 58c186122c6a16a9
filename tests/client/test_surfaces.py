"""Nothing that Discord shows of a match depends on facts that its viewer may not know.

The real surfaces (boards, buttons with their custom_ids, forms, file names and alt text, lists, records) are made from
two matches that differ only in what is hidden from a viewer, and must come out alike to the last byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.features.board import directory as match_directory
from bot.features.board import line_words, match_pictures, time_words, turn_words
from bot.features.board import views as board_views
from bot.features.board import words as board_words
from bot.features.pads import drafts
from bot.features.study import replays
from bot.features.study.replays import build_records
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.position import Seat, Viewer
from bot.platform.ui import Caption, Drawing
from bot.play import hints
from bot.play.clocks import DAY
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, MessageId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Match
from bot.play.partial_moves import PartialMove
from bot.play.replays import Replay
from bot.play.rows import MatchRecordRow, Player
from rendering.painter.paint import pick_evenly
from tests.contract.planted import ENVELOPES, LEAK
from tests.contract.secrecy import Surface, check_surfaces
from tests.support.loaded_matches import before_last_turn
from tests.support.pad_walks import kinds, shown, walk

PLACES = 3
"""How many places of a replay are looked at: its ends, and one between them."""
MOMENTS = 2
"""How many moments of a playout are looked at, besides its end."""
STEPS = 3
"""How many taps on a pad are looked at."""
GAMES = [game for game in load_offered_games().values() if game.secret]


def loaded(match: Match) -> LoadedMatch:
    """A stored match as the umpire would fold it; seat s is user 100 + s. Its numbers and its times count all lines of
    the record, secrets too, as they do in the store; its clocks know as little of them as those in the store."""
    ranks, scores, plies = match.position.ranks(), match.position.scores(), len(match.record)
    players = tuple(
        Player(
            UserId(100 + seat),
            seat,
            seat,
            False,
            False,
            ranks[seat - 1] if ranks else None,
            scores[seat - 1] if ranks else None,
            mention_version=plies,
            **clock(match, seat),
        )
        for seat in range(1, match.seats + 1)
    )
    row = MatchRecordRow(
        id=MatchId(7), guild=GuildId(1), channel=ChannelId(2), thread=ChannelId(3),
        game=match.game.key, game_version=match.game.version, options=match.options.to_record(),
        seats=match.seats, seating="lot", rated=True, host=UserId(101),
        state="finished" if match.is_over else "live", version=4 + plies, plies=plies, turn=match.turn,
        created=0, expires=None, started=1, ended=None, shown_version=4 + plies, shown_plies=plies,
        lobby_message=MessageId(5), board_channel=ChannelId(3), board_message=MessageId(6),
        publish_error=None, close_reason=None, published=False, rematch_of=None, rename_pending=False, pace="7",
        paused=None, proposal=None, proposed=None, refused=None, substitutions=None, legs=1, thinks=None,
        source_match=None, imported_plies=0, premove_plies=(), awaits_thread=False, told_version=0, told_message=None,
        announce_until=None, announcement=None, round=None, moved=9 * plies, players=players, record=match.record,
    )  # fmt: skip
    return LoadedMatch(row, match.game, match, before_last_turn(match))


def clock(match: Match, seat: Seat) -> dict[str, Any]:
    """A seat's clock: of those to move the first has run out of time, which may be claimed."""
    if seat not in match.turn:
        return {"allotted": 7 * DAY, "seconds_left": 7 * DAY}
    runs = {"allotted": 7 * DAY, "seconds_left": 6 * DAY, "since": DAY, "deadline": 7 * DAY + seat}
    return {**runs, "forfeit_at": 10 * DAY} if seat == match.turn[0] else {**runs, "next_reminder_at": 6 * DAY}


def sight(match: Match, viewer: Viewer) -> MatchView:
    return MatchView.of(loaded(match), viewer)


def board(match: Match, viewer: Viewer) -> object:
    """A board as it is sent: its components with all custom_ids, its file names, alt texts, and what is painted."""
    seen = sight(match, viewer)
    pictures = match_pictures.list_pictures(seen)
    drawing = Drawing(tuple(map(Caption.of, pictures)), (b"",) * len(pictures))
    files = [(file.filename, file.description) for file in drawing.make_files(str(seen.position))]
    return board_views.build_board(seen, drawing.pictures).to_components(), files, pictures


def closed_board(match: Match, viewer: Viewer) -> object:
    seen = sight(match, viewer)
    return board_views.build_board(seen, match.game.pictures(seen.position), closed=True).to_components()


def proposed_texts(match: Match, viewer: Viewer) -> object:
    """A board under which another person is asked to take over a seat, and says who has handed on another: both are
    kept with versions, which count secret moves."""
    table = loaded(match)
    if table.row.state != "live" or match.seats == 1:
        return None
    proposal, handed = (
        f"replace 1 {match.seats} 999 {table.row.version}",
        f"1 998 {table.row.plies} {table.row.version} 1",
    )
    row = replace(table.row, proposal=proposal, proposed=7, substitutions=handed)
    return board_views.build_board(MatchView.of(replace(table, row=row), viewer), ()).to_components()


def every_form(match: Match, viewer: Viewer) -> object:
    """Every form that a seat can open."""
    if viewer is None or viewer not in match.turn:
        return None
    position = sight(match, viewer).position
    kinds = [kind for kind in match.game.moves if kind.parts and kind.when(position, viewer)]
    return [drafts.build_form(loaded(match), kind, viewer, InteractionId(99)).to_dict() for kind in kinds]


def pad(match: Match, viewer: Viewer) -> object:
    """A pad of a seat's, of each kind of move in turn, and what comes of a few taps: keys with all custom_ids, the
    line, and what is drawn."""
    ways = [(position, seat, kind) for seat, position, kind in kinds(match, (viewer,))]
    if viewer is None or not ways:
        return None
    plies = len(match.list_visible_entries(viewer))
    steps = islice(walk(*ways[plies % len(ways)], Random(plies)), STEPS)
    return [
        (shown(loaded(match), viewer, *step).to_components(), drawn(sight(match, viewer), step[0])) for step in steps
    ]


def drawn(seen: MatchView, so_far: PartialMove) -> object:
    assert seen.viewer
    return match_pictures.make_pictures(seen.match.game, seen.position, seen.viewer, so_far)


def said(match: Match, viewer: Viewer) -> object:
    seen = sight(match, viewer)
    listed = match_directory.format_line(loaded(match).row, match.game, UserId(100 + (viewer or 50)))
    return (
        board_words.format_seats(seen),
        turn_words.describe_last_turn(seen),
        board_words.describe_status(seen),
        time_words.list_times(seen),
        listed,
    )


def record(match: Match, viewer: Viewer) -> object:
    return build_records(loaded(match), UserId(100 + (viewer or 50)))[0]


def offered_as(match: Match, viewer: Viewer) -> object:
    """A match among those offered for an option, and in the order of a list."""
    row, user = loaded(match).row, UserId(100 + (viewer or 50))
    return match_directory.describe_choice(row, match.game, user, 9), match_directory.urgency_key(
        row, user, {match.game.key: match.game}
    )


def replayed(match: Match, viewer: Viewer) -> object:
    """Some places of a replay as messages. Its film is made of the same pictures."""
    replay = Replay.of(loaded(match), viewer)
    places = pick_evenly(replay.line_count + 1, PLACES)
    sights = zip(places, replay.make_views(places), strict=True)
    drawn = [(at, sight, match.game.pictures(sight.position)) for at, sight in sights]
    return [(replays.build_step_view(replay, *one).to_components(), one[2]) for one in drawn]


def hint(match: Match, viewer: Viewer) -> object:
    """What the search is asked for a hint, and by which act it is counted."""
    if viewer is None or viewer not in match.turn:
        return None
    return hints.make_hint_question(loaded(match), viewer), [
        hints.make_hint_act(loaded(match), viewer, stage) for stage in hints.STAGES
    ]


def pushed(match: Match, viewer: Viewer) -> object:
    """What phones show of the match, of whose record more or less was seen."""
    people = [UserId(100 + seat) for seat in range(1, match.seats + 1)]
    seen = sight(match, None)
    return [line_words.format_line(seen, people[:1], lines) for lines in (0, max(0, seen.version - 1), seen.version)]


SURFACES: Mapping[str, Surface] = {
    "board": board, "push": pushed, "earlier board": closed_board, "proposal": proposed_texts,
    "forms": every_form, "texts": said, "record": record,
    "place in lists": offered_as, "replay": replayed, "pad": pad, "hint": hint,
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
async def test_nothing_that_is_shown_gives_a_secret_away(game: Game) -> None:
    # Forms can only be made within an event loop; the rest of the work is the game's own.
    check_surfaces(game, SURFACES, MOMENTS)
    await asyncio.sleep(0)


def test_the_clocks_of_the_rows_are_shown() -> None:
    match = Match.start(GAMES[0], {}, 2)
    shown = str(board(match, None))
    assert all(one in shown for one in ("ran out of time", "Time: ", ":claim1", ":give1"))


def test_of_many_who_ran_out_of_time_some_have_buttons() -> None:
    """A row holds five; who ran out too has none on their own board, and where nobody waits there are none at all."""
    row = loaded(Match.start(GAMES[0], {}, 5))

    def offered(late: int, viewer: Viewer) -> list[str | None]:
        clocks = [
            {"deadline": 9 - seat, "forfeit_at": 99} if seat <= late else {"forfeit_at": None} for seat in range(1, 6)
        ]
        people = tuple(replace(player, **clock) for player, clock in zip(row.row.players, clocks, strict=True))  # pyright: ignore[reportArgumentType]
        seen = MatchView.of(replace(row, row=replace(row.row, players=people)), viewer)
        return [getattr(button.item, "label", None) for button in board_views.make_time_buttons(seen)]

    assert offered(1, None) == ["Claim", "Give 3 more days"]
    four = ["Claim 🟩", "Give 🟩 3 more days", "Claim 🟧", "Give 🟧 3 more days"]
    assert offered(3, None) == offered(3, 5) == four, "who ran out first has them"
    assert offered(3, 2) == offered(5, None) == offered(0, None) == []


async def test_a_game_that_keeps_its_secrets_passes() -> None:
    check_surfaces(ENVELOPES, SURFACES)


@pytest.mark.parametrize("surface", ["board", "pad", "hint"])
async def test_a_game_that_shows_everything_to_everybody_is_caught(surface: str) -> None:
    with pytest.raises(AssertionError, match=f"The {surface} of .* gives secrets away"):
        check_surfaces(LEAK, {surface: SURFACES[surface]})
