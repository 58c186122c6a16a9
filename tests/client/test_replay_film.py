"""Films of matches: every recorded match has one, made once for all who ask, after all other work, kept briefly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from bot.features.board.match_pictures import Renderer
from bot.features.study import films
from bot.features.study.films import (
    CROWDED,
    IMPATIENT,
    MOST_EACH,
    MOST_WAITING,
    Film,
    Films,
    advance,
    build_film,
    draw_boards,
)
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.game import Game
from bot.platform.jobs import Asker, Rank
from bot.play.ids import UserId
from bot.play.lessons import fold_record
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.play.match import Match
from bot.play.replays import Replay
from rendering.painter.paint import LAST, MOST_BYTES, MOST_FRAMES, Work, make_film, page_sizes
from rendering.shapes import Picture
from tests.rendering import gifs
from tests.support.loaded_matches import players, row
from tests.support.sampled import sampled

GAMES = load_games()
ANN, BEA = UserId(1), UserId(2)
FRAMES = 4
"""How many frames are painted of the longest recorded match of a game."""
LONGEST = "flipping-bits"
"""The game with the longest recorded match, of which the whole film is made."""


def ended(work: Any) -> Any:
    """What comes of some work."""
    while (found := advance(work)) is None:
        pass
    return found


def replayed(match: Match) -> Replay:
    """The replay of a match as a spectator may see it."""
    state = "finished" if match.is_over else "live"
    columns = {"options": match.options.to_record(), "record": match.record, "players": players(match.seats, match)}
    return Replay.of(LoadedMatch(row(match.game, match.seats, state=state, **columns), match.game, match), None)


def longest_of(game: Game) -> Match:
    """The longest recorded match of a game."""
    return fold_record(game, max(read_recorded_matches(game), key=lambda record: len(record["moves"])))


@sampled("game", GAMES.values(), few=4, ids=lambda game: game.key)
def test_the_longest_recorded_match_is_a_film_of_one_page_and_one_palette(game: Game) -> None:
    match = longest_of(game)
    pictures: list[Picture] = ended(draw_boards(replayed(match), FRAMES))
    assert len(pictures) == FRAMES
    assert pictures[-1] == game.pictures(match.position.seen_by(None))[0], "it does not end with the board"
    pages = page_sizes(pictures)
    assert len({(page.width, page.height) for page in pages}) == 1
    if len({page.scale for page in pages}) == 1:
        assert len(set(pages)) == 1, "the board moves about"
    assert all(one.pixel_size[1] <= page.height + 1 for one, page in zip(pictures, pages, strict=True))
    gif = gifs.read(packed(make_film(pictures)))
    assert (gif.width, gif.height) == (pages[0].width, pages[0].height)
    assert len(gif.frames) == len(pictures) and not any(frame.own_palette for frame in gif.frames)
    assert gif.frames[-1].time == LAST and (gif.frames[0].width, gif.frames[0].height) == (gif.width, gif.height)


def packed(work: Work) -> bytes:
    """The film that comes of some work, which there must be."""
    while True:
        try:
            next(work)
        except StopIteration as stop:
            assert stop.value
            return stop.value


@pytest.mark.long
def test_the_longest_of_all_recorded_matches_is_a_film_that_discord_takes() -> None:
    longest = {key: max(len(record["moves"]) for record in read_recorded_matches(game)) for key, game in GAMES.items()}
    assert max(longest, key=lambda key: longest[key]) == LONGEST
    replay = replayed(longest_of(GAMES[LONGEST]))
    made: Film = ended(build_film(replay))
    assert len(made.data) <= MOST_BYTES and made.alt.startswith("Flipping Bits")
    assert len(gifs.read(made.data).frames) == replay.line_count + 1 <= MOST_FRAMES


# Making them.


@pytest.fixture
def renderer() -> Iterator[Renderer]:
    made = Renderer(2)
    yield made
    made.close()


def short(size: int = 3, count: int = 2) -> Replay:
    """A match of so many moves."""
    match = Match.start(GAMES["binary-primes"], {"size": size}, 2)
    for place in range(count):
        match = match.play(1 + place % 2, next(match.position.moves(1 + place % 2)))
    return replayed(match)


async def test_a_film_is_made_once_for_all_who_wait_and_kept_for_a_while(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Replay] = []
    monkeypatch.setattr(films, "build_film", lambda replay: made.append(replay) or build_film(replay))  # pyright: ignore
    now = 0.0
    kept = Films(renderer, lambda: now)
    first, second = await asyncio.gather(kept.make(short(), ANN), kept.make(short(), ANN))
    assert first is second and len(made) == 1
    assert await kept.make(short(), ANN) is first
    now = films.KEPT_FOR
    assert (await kept.make(short(), ANN)).data == first.data and len(made) == 2, "it is kept for ever"


async def test_only_so_many_bytes_are_kept(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Films(renderer)
    first = await kept.make(short(), ANN)
    monkeypatch.setattr(films, "SPACE", len(first.data) + 1)
    await kept.make(short(5), ANN)
    assert await kept.make(short(), ANN) is not first


async def test_a_film_that_nobody_waits_for_any_more_is_given_up(renderer: Renderer) -> None:
    kept = Films(renderer)
    waiting = asyncio.create_task(kept.make(short(9, 40), ANN))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    again = await asyncio.wait_for(kept.make(short(), ANN), 20)
    assert again.data, "another film waits for one that was given up"


async def test_who_plays_goes_first_and_one_film_is_made_at_a_time(renderer: Renderer) -> None:
    kept, order = Films(renderer), list[str]()
    making = [asyncio.create_task(kept.make(short(size, 3), ANN)) for size in (7, 9)]
    for one, name in zip(making, ("film", "film"), strict=True):
        one.add_done_callback(lambda _, name=name: order.append(name))
    await asyncio.sleep(0)
    for _ in range(3):
        await renderer.run(lambda: None, Rank.MOVE)
        await renderer.run(lambda: None, Rank.LOOK)
        order.append("played")
    await asyncio.gather(*making)
    assert order[:3] == ["played"] * 3, "a whole film came between"


async def test_the_second_film_of_one_comes_after_the_first_of_another(renderer: Renderer) -> None:
    kept, order = Films(renderer), list[UserId]()
    making = list[asyncio.Task[Film]]()
    async with kept.turns.hold_turn(Asker(short().loaded.row.guild, ANN)):  # her first
        for asker, size in ((ANN, 5), (BEA, 7)):
            making.append(asyncio.create_task(kept.make(short(size), asker)))
            making[-1].add_done_callback(lambda _, asker=asker: order.append(asker))
            await asyncio.sleep(0.1)
    await asyncio.gather(*making)
    assert order == [BEA, ANN]


async def test_only_so_many_films_are_waited_for(renderer: Renderer) -> None:
    kept = Films(renderer)
    waiting = [asyncio.create_task(kept.make(short(9, count), UserId(count))) for count in range(1, MOST_WAITING + 1)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal, match=CROWDED):
        await kept.make(short(7), ANN)
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


@pytest.mark.sockets  # real threads draw
async def test_nobody_fills_the_line_of_films_alone(renderer: Renderer) -> None:
    kept = Films(renderer)
    waiting = [asyncio.create_task(kept.make(short(9, count), ANN)) for count in range(1, MOST_EACH + 1)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal, match=IMPATIENT):
        await kept.make(short(), ANN)
    assert (await kept.make(short(), BEA)).data, "one who asks too much is in another's way"
    await asyncio.gather(*waiting)
    assert (await kept.make(short(), ANN)).data, "it is forgotten who waited"


async def test_at_the_end_all_films_are_given_up(renderer: Renderer) -> None:
    kept = Films(renderer)
    waiting = [asyncio.create_task(kept.make(short(9, 40), ANN)) for _ in range(2)]
    await asyncio.sleep(0)
    kept.close()
    ended = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 20)
    assert all(isinstance(one, asyncio.CancelledError) for one in ended)
