"""Moving pictures of matches."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from discord import ui

from bot.features.board import words as board_words
from bot.features.board.match_pictures import Renderer, choose_board
from bot.features.study.posts import (
    EVERYBODY,
    PublicPost,
    PublicPosts,
    ignore_late_answer,
    may_be_shown,
    wait_patiently,
)
from bot.features.study.replays import ReplayButton, ReplayViewer
from bot.games.legs import LEGS
from bot.games.position import Viewer
from bot.games.wording import Plural, shorten_text
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.edits import Upload
from bot.platform.interactions import Interaction, is_outside, user_of
from bot.platform.jobs import Asker, FairQueue, Rank, SingleFlight, wait_for_result
from bot.platform.machine import loop_time
from bot.platform.routes import on
from bot.platform.ui import ALT_LIMIT, OVER, Control
from bot.play.ids import UserId
from bot.play.loaded_match import MatchView, Refusal, mention_user
from bot.play.replays import Replay
from rendering.painter import paint
from rendering.shapes import Picture

Result = TypeVar("Result")

SPACE, KEPT_FOR = 16_000_000, 900.0
"""Bytes of films that are cached, and for how many seconds: as long as the buttons under them work."""
MOST_WAITING, MOST_EACH = 20, 2
"""The most films under way at a time, and the most for which one user waits."""
USUAL = 5.0
"""The estimate for a film before one was measured, in seconds."""
BREATH = 0.05
"""The longest pause between two frames, in seconds: a film pauses as long as it has worked."""
IMPATIENT = "Two moving pictures are already on their way to you. Ask again when they are there."
CROWDED = "I am making many moving pictures right now. Try again in a few minutes."


class Film(NamedTuple):
    """A film as a file, empty where none is small enough; and what its last frame shows, in words."""

    data: bytes
    alt: str


class Films:
    """Makes films in the renderer's threads: one at a time, each once for all who wait for it, and caches them."""

    def __init__(self, renderer: Renderer, clock: Callable[[], float] = loop_time) -> None:
        self._renderer = renderer
        self._clock = clock
        self._kept: OrderedDict[Hashable, tuple[float, Film]] = OrderedDict()
        self._under_way: dict[Hashable, SingleFlight[Film]] = {}
        self._askers: list[UserId] = []
        self.turns = FairQueue(lambda: 1)
        self._needed = USUAL

    async def make(self, replay: Replay, asker: UserId) -> Film:
        """The film of a replay; raises a `Refusal` where too many users wait for one."""
        self._forget()
        if kept := self._kept.get(replay.equality_key):
            return kept[1]
        if self._askers.count(asker) >= MOST_EACH:
            raise Refusal(IMPATIENT)
        found = self._under_way.get(replay.equality_key)
        if found is None:
            if len(self._under_way) >= MOST_WAITING:
                raise Refusal(CROWDED)
            found = self._under_way[replay.equality_key] = SingleFlight(
                asyncio.create_task(self._make(replay, asker)), Rank.IDLE
            )
        self._askers.append(asker)
        try:
            return await wait_for_result(replay.equality_key, found, self._under_way)
        finally:
            self._askers.remove(asker)

    async def _make(self, replay: Replay, asker: UserId) -> Film:
        async with self.turns.hold_turn(
            Asker(replay.loaded.row.guild, asker), cost=self._needed, about=replay.equality_key
        ):
            work, begun = build_film(replay), loop_time()
            while True:
                began = loop_time()
                ended = await self._renderer.run(partial(advance, work), Rank.IDLE)
                await asyncio.sleep(min(BREATH, loop_time() - began))
                if ended is not None:
                    self._needed = (self._needed + loop_time() - begun) / 2
                    self._kept[replay.equality_key] = self._clock(), ended
                    self._forget()
                    return ended

    def close(self) -> None:
        """Cancel the films that are under way."""
        for found in self._under_way.values():
            found.making.cancel()

    def _forget(self) -> None:
        """Drop expired films, and the oldest above the limit."""
        long_ago = self._clock() - KEPT_FOR
        while self._kept:
            made, _ = next(iter(self._kept.values()))
            weight = sum(len(film.data) for _, film in self._kept.values())
            if made > long_ago and (weight <= SPACE or len(self._kept) == 1):
                return
            self._kept.popitem(last=False)


def advance(work: Generator[None, None, Result]) -> Result | None:
    """Do the next step of some work; its result at the end, else None."""
    try:
        next(work)
    except StopIteration as stop:
        return stop.value
    return None


def build_film(replay: Replay) -> Generator[None, None, Film]:
    """Make a film, a frame at a step."""
    pictures = yield from draw_boards(replay)
    data = yield from paint.make_film(pictures)
    return Film(data or b"", pictures[-1].alt)


def draw_boards(replay: Replay, most: int = paint.MOST_FRAMES) -> Generator[None, None, list[Picture]]:
    """The boards of a match line by line, at most `most` of them, evenly chosen. The first of two legs is shown to its
    end, then the second."""
    if replay.loaded.game.single:
        return (yield from _draw_each_leg(replay, most))
    found: list[Picture] = []
    seen: dict[tuple[Viewer, str], Picture] = {}
    places = frozenset(paint.pick_evenly(replay.line_count + 1, most))
    for sight in replay.make_views(places):
        pages = replay.loaded.game.pictures(sight.position)
        found.append(pages[0] if len(found) == len(places) - 1 else choose_picture(sight, pages, seen))
        seen |= {(sight.viewer, page.name): page for page in pages}
        yield
    return found


def _draw_each_leg(replay: Replay, most: int) -> Generator[None, None, list[Picture]]:
    """The boards of two legs, one leg after the other: a board for each line about it, and its end."""
    found: dict[int, list[Picture]] = {leg: [] for leg in LEGS}
    for sight in replay.make_views(frozenset(paint.pick_evenly(replay.line_count + 1, most - len(LEGS)))):
        pages = replay.loaded.game.pictures(sight.position)
        moved = sight.match.leg_of(sight.record[-1]) if 0 < len(sight.record) < replay.line_count else None
        for leg in LEGS if moved is None else (moved,):
            board = choose_board([page for page in pages if page.leg == leg])
            found[leg] += [board] if found[leg][-1:] != [board] else []
        yield
    return [page for leg in LEGS for page in found[leg]]


def choose_picture(sight: MatchView, pages: Sequence[Picture], seen: Mapping[tuple[Viewer, str], Picture]) -> Picture:
    """The board of a position; of several boards in games with secrets, the first with something new."""
    if not sight.loaded.game.secret:
        return choose_board(pages)
    return next((page for page in pages if seen.get((sight.viewer, page.name)) != page), pages[0])


# Showing a film: to the user who asks, and in public once the match is over.


FILE = "replay.gif"
MOVES = Plural("{number} move", "{number} moves")
WITHIN = 720.0
"""The time limit of a film, in seconds; Discord takes an answer for a quarter of an hour."""
NOTHING = "Nothing has been played yet, so there is nothing to show."
TOO_LONG = "I was too busy to make the moving picture. Try again in a while."
TOO_LARGE = "The moving picture of this match is too large for Discord. Press Next to go through it move by move."
GOES_ON = "This match isn't over yet, so only you see its moving picture. You can show it to everybody afterwards."
ALONE = "You played this match alone. Use /match publish first, then press again."


class FilmViewer:
    def __init__(self, films: Films, replays: ReplayViewer, posts: PublicPosts) -> None:
        self._films = films
        self._replays = replays
        self._posts = posts

    @on(ReplayButton, words="film", price=Price(8))
    async def send_film(self, interaction: Interaction, button: ReplayButton) -> None:
        """Show the film of a match as the user may see it, in an ephemeral message."""
        loaded = await self._replays.load_kept(interaction, button.match)
        replay = self._replays.expect_replay(interaction, loaded)
        if not replay.line_count:
            raise Refusal(NOTHING)
        await interaction.response.defer(ephemeral=True, thinking=True)
        making = self._make_film(replay, user_of(interaction))
        made = await wait_patiently(
            interaction,
            making,
            lambda: self._films.turns.estimate_wait(replay.equality_key),
            "Yours begins in about {time}.",
        )
        row = platform_ui.make_row(Control(ReplayButton(loaded.id, replay.line_count, "show"), EVERYBODY))
        view = build_film_view(replay, made, [row] if may_be_shown(loaded) and not is_outside(interaction) else [])
        with ignore_late_answer():
            await edits.answer(interaction, view, [make_attachment(replay, made)])

    @on(ReplayButton, words="show", price=Price(4))
    async def show(self, interaction: Interaction, button: ReplayButton) -> None:
        """Post the film of a match that is over, in public."""
        loaded = await self._replays.load_kept(interaction, button.match)
        self._replays.expect_replay(interaction, loaded)
        if not may_be_shown(loaded):
            raise Refusal(ALONE if loaded.row.state == "finished" else GOES_ON)
        replay = Replay.of(loaded, None)
        if not replay.line_count:
            raise Refusal(NOTHING)

        async def make() -> PublicPost:
            made = await self._make_film(replay, user_of(interaction))
            return PublicPost(partial(build_film_view, replay, made), [make_attachment(replay, made)])

        await self._posts.show(interaction, loaded, make)

    async def _make_film(self, replay: Replay, asker: UserId) -> Film:
        try:
            async with asyncio.timeout(WITHIN):
                made = await self._films.make(replay, asker)
        except TimeoutError:
            raise Refusal(TOO_LONG) from None
        if not made.data:
            raise Refusal(TOO_LARGE)
        return made


def build_film_view(replay: Replay, made: Film, below: Sequence[ui.Item[Any]] = ()) -> ui.LayoutView:
    """A film as a message: the players, the result, and some items below."""
    loaded, count = replay.loaded, replay.line_count
    people = " – ".join(mention_user(player.user) for player in loaded.players)
    said = [f"{people} · {MOVES.fill_in(count)}"]
    if not loaded.turn:
        said.append(board_words.describe_lasting_result(loaded))
    said.append(f"-# {loaded.link}")
    gallery: ui.MediaGallery[Any] = ui.MediaGallery(
        platform_ui.make_gallery_item(FILE, f"{describe_film(replay, made)} {board_words.describe_colours(loaded)}")
    )
    foot = "\n".join(part for part in said if part)
    return platform_ui.frame_view(
        OVER, ui.TextDisplay(board_words.format_headline(loaded)), gallery, ui.TextDisplay(foot), *below
    )


def make_attachment(replay: Replay, made: Film) -> Upload:
    return Upload(made.data, FILE, describe_film(replay, made))


def describe_film(replay: Replay, made: Film) -> str:
    """The alternative text of a film: its range and its last board."""
    title, count = replay.loaded.game.title, replay.line_count
    whole = f"A match of {title}, move by move, from the beginning to move {count}. At the end: {made.alt}"
    return shorten_text(whole, ALT_LIMIT // 2)
