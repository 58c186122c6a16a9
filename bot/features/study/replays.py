"""Replays line by line, of matches here and of imported records; record files; playing on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal

import aiohttp
import discord
from discord import ui

from bot.features.board import match_pictures, turn_words
from bot.features.board import words as board_words
from bot.features.board.directory import MatchDirectory
from bot.features.board.ids import ActButton
from bot.features.board.match_pictures import Renderer
from bot.features.board.replies import Replies
from bot.features.challenges import onboarding
from bot.features.challenges import service as challenges_service
from bot.features.challenges.service import Challenges, NamedUser
from bot.features.pads.pad_loop import turn_page
from bot.features.study.shares import format_share
from bot.games.legs import Leg, get_single_game, seat_in
from bot.games.position import Seat
from bot.games.wording import Plural
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.custom_ids import CustomId, Match, SeatNumber, Version
from bot.platform.edits import Upload
from bot.platform.interactions import Interaction, channel_of, guild_of, is_private, parse_level, user_of, values_of
from bot.platform.jobs import Rank
from bot.platform.routes import on, on_match, refuse_outdated
from bot.platform.ui import BROUGHT, OVER, Control, HasAltText
from bot.play import challenges, reviews
from bot.play.ids import MatchId, UserId, is_computer, level_of
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal, UnknownMatch
from bot.play.match import Match as MatchMatch
from bot.play.match import capitalize_name, make_records, name_latest_move, name_own_move, split_legs
from bot.play.record import Move
from bot.play.records import IMPORTED, MOST_BYTES, NO_FILE, MatchDetails, build_record, choose_record, import_record
from bot.play.replays import Replay, expect_playable, explain_unplayable
from bot.umpire.umpire import Umpire

# The record of a match as a file, as a user may see it: for `replay`, or for AbstractPlay's programs.


OWN, ABSTRACT_PLAY = "Graph Paper", "AbstractPlay"
"""The choices of a format."""
RECORD = "The record of match {match} as text: its options, its seats and everything that was played."
RECORDS = f"{RECORD} Each leg has a line."
VEILED = "The record of match {match} as you may see it: what others play in secret is veiled until the match is over."
UNPUBLISHED = "The record of match {match} as you may see it: what was played in secret hasn't been published."
FOREIGN = "The record of match {match} in AbstractPlay's format, with “Player 1” and so on in place of people."
FOREIGN_NAMED = "The record of match {match} in AbstractPlay's format, with your name; others are “Player 1” and so on."
UNFINISHED = "AbstractPlay's format is for matches that were played to the end. Leave out the format for this one."
NAMELESS = "Only AbstractPlay's format has names. Choose it, or leave out your name."
NOT_YOURS = "You didn't play this match, so your name isn't in it. Leave it out."


def describe_record(loaded: LoadedMatch, user: UserId) -> str:
    if loaded.game.single or not is_veiled(loaded, user):
        return RECORDS if loaded.game.single else RECORD
    return VEILED if loaded.row.state == "live" else UNPUBLISHED


def build_records(loaded: LoadedMatch, user: UserId) -> list[dict[str, Any]]:
    """The record of a match as a user may see it, one for each leg, with the seats and levels of computers; marked
    where others' moves may be veiled in it, whether there are any or not."""
    if loaded.match is None:
        raise Refusal("This match hasn't begun yet, so it has no record.")
    seen = [list(line) for line in MatchView.of(loaded, loaded.seat_of(user)).record]
    whole: list[dict[str, Any]] = [*make_records(loaded.match)]
    if loaded.game.single is None:
        whole = [{**loaded.match.to_json(), "moves": seen, **({"veiled": True} if is_veiled(loaded, user) else {})}]
    return [
        {**record, **_list_computers(loaded, leg := record.get("leg", 1)), **_describe_origin(loaded, leg)}
        for record in whole
    ]


def is_veiled(loaded: LoadedMatch, user: UserId) -> bool:
    """Whether others' moves are hidden from a user in the record of a match that has begun."""
    own = loaded.row.seats == 1 and loaded.seat_of(user) is not None
    return loaded.game.secret and not own and not loaded.begun_match.is_revealed(loaded.row.published)


def _list_computers(loaded: LoadedMatch, leg: Leg) -> dict[str, Any]:
    """The seats of the computers in a leg, each with its level."""
    found = [[seat_in(leg, one.seat or 0), level_of(one.user)] for one in loaded.players if is_computer(one.user)]
    return {"computers": found} if found else {}


def _describe_origin(loaded: LoadedMatch, leg: Leg) -> dict[str, Any]:
    """The match that this one continues, if it is stored here, and the number of a leg's lines that were played
    before."""
    row, match = loaded.row, loaded.begun_match
    ply = sum(match.leg_of(line) in (None, leg) for line in match.record[: row.imported_plies])
    return (
        {"from": {**({"match": row.source_match} if row.source_match else {}), "ply": ply}}
        if row.imported_plies
        else {}
    )


def build_abstract_play_records(loaded: LoadedMatch, user: UserId, now: int, name: str | None) -> list[dict[str, Any]]:
    """The record of a finished match for AbstractPlay's programs, one for each leg. Players are numbered, but for the
    user if a `name` is given."""
    row = loaded.row
    if loaded.match is None or row.state != "finished" or is_veiled(loaded, user):
        raise Refusal(UNFINISHED)
    seat = loaded.seat_of(user)
    if name and seat is None:
        raise Refusal(NOT_YOURS)
    computers = {player.seat or 0: player.user for player in loaded.players if is_computer(player.user)}
    names = {seat: name} if name and seat else {}
    found: list[dict[str, Any]] = []
    for leg, match in enumerate(split_legs(loaded.match) if loaded.game.single else (loaded.match,), 1):
        number = f"{loaded.id}-{leg}" if loaded.game.single else str(loaded.id)
        about = MatchDetails(
            number, row.rated,
            format_moment(row.started or row.created), format_moment(row.ended or now), format_moment(now),
            {seat_in(leg, one): who for one, who in computers.items()} if loaded.game.single else computers,
            {seat_in(leg, one): who for one, who in names.items()} if loaded.game.single else names,
        )  # fmt: skip
        found.append(build_record(match, about))
    return found


def encode_lines(found: list[dict[str, Any]]) -> bytes:
    """Records as the contents of a file, one on a line."""
    return "".join(f"{json.dumps(record)}\n" for record in found).encode()


def format_moment(seconds: int) -> str:
    """Epoch seconds in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


# Imported records: the match of a replay is one that is stored, or the record in the message.


WITHIN = 10.0
"""The time limit of a download, in seconds."""
UNREAD = "Discord didn't hand me the file. Try again."
GONE = "The record isn't in this message any more. Use /match import again."


class ImportedRecords:
    """Loads the matches of replays."""

    def __init__(self, umpire: Umpire, renderer: Renderer) -> None:
        self._umpire = umpire
        self._renderer = renderer

    async def load(self, interaction: Interaction, match: MatchId, *, thinking: bool = False) -> LoadedMatch:
        """A stored match, or the record in the message whose button was pressed; then the answer is deferred, with
        `thinking` as a message of its own."""
        if match != IMPORTED:
            return await self._umpire.load(match)
        shown = edits.read_files(interaction.message.components) if interaction.message else {}
        file = shown.get(BROUGHT) if is_private(interaction) else None
        if file is None:
            raise Refusal(GONE)
        await interaction.response.defer(ephemeral=True, thinking=thinking)
        return (await self.read(interaction, edits.edits_of(interaction).fetch(file), 1))[1]

    async def read(
        self, interaction: Interaction, contents: Awaitable[bytes], number: int
    ) -> tuple[bytes, LoadedMatch]:
        """A record of a file, as its line and as a match."""
        try:
            async with asyncio.timeout(WITHIN):
                data = await contents
        except (discord.HTTPException, aiohttp.ClientError, OSError) as fault:  # OSError: also where it takes too long
            raise Refusal(UNREAD) from fault
        guild, channel = guild_of(interaction), channel_of(interaction)

        def parse() -> tuple[bytes, LoadedMatch]:
            record = choose_record(data, number)
            return record, import_record(record, guild, channel)

        return await self._renderer.run(parse, Rank.LOOK)


def make_record_file(record: bytes) -> Upload:
    return Upload(record, BROUGHT)


# The replay of a match in an ephemeral message.


STEPS: Mapping[Literal["first", "back", "next", "last"], tuple[str, Callable[[int, int], int]]] = {
    "first": ("First", lambda at, last: 0),
    "back": ("Back", lambda at, last: max(0, at - 1)),
    "next": ("Next", lambda at, last: min(last, at + 1)),
    "last": ("Last", lambda at, last: last),
}
"""The label of each button, and the place that it leads to from `at`; `last` is the last one."""
FILM = "Moving picture"
STEP = Price(0.5, looks=True)
"""The price of a step: users take many."""
BEGINNING = Plural("Before the first move", "Before the first of {number} moves")
NAMED = "{move} · {at} of {count}"
CORRECTED = "The rules were corrected after this match. You see it by today's rules."


class OfReplay(CustomId, template="r:{match}:{at}:"):
    """A button or a select under a replay, with its place: the number of lines shown, of those that the viewer may
    see."""

    match: Match
    at: Version


class ReplayButton(OfReplay, template="{verb}"):
    """Steps from the place, makes a moving picture or a review, or posts one in public."""

    verb: Literal["first", "back", "next", "last", "film", "show", "review", "tell"]


class MistakeButton(OfReplay, template="again[{leg}{left}]"):
    """Opens the pad to retry the move before the place, of a leg, with the tries left; without these the costliest
    mistake."""

    leg: Annotated[int, "[12]"] = 0
    left: Annotated[int, "[1-3]"] = 0


class TryOutButton(OfReplay, template="try{does}"):
    """Opens a pad to try out moves at the place; or takes one back, prepares the line, or asks the computer."""

    does: Literal["", "back", "ready", "word"] = ""


class PlayOnButton(OfReplay, template="on{against}[{seat}]"):
    """Shows the opponents for playing on from the place, or begins a match, with the seat that the user wants."""

    against: Literal["", "level", "people", "table"] = ""
    seat: SeatNumber = 0


def build_step_view(
    replay: Replay, at: int, sight: MatchView, pictures: Sequence[HasAltText], name: str = ""
) -> ui.LayoutView:
    """The match after `at` lines, with a sentence about the last of them, and buttons. `name`: of the last move, where
    its board numbers moves otherwise."""
    loaded = replay.loaded
    said = [turn_words.describe_last_turn(sight), board_words.describe_status(sight) if at == replay.line_count else ""]
    said.append(f"-# {describe_place(replay, at, sight, name)}")
    if loaded.row.game_version != loaded.game.version:
        said.append(f"-# {CORRECTED}")
    seats = "" if loaded.game.single else board_words.format_seats(sight)
    head = "\n".join(filter(None, (board_words.format_headline(loaded), seats)))
    foot = "\n".join(filter(None, said))
    line = replay.lines[at - 1][1] if at else None
    accent = platform_ui.ACCENTS[line.seat - 1] if line else OVER
    boards = [*match_pictures.make_items_below(sight, pictures, head), match_pictures.make_text_item(pictures, foot)]
    rows = [
        platform_ui.make_row(*row)
        for row in (make_step_buttons(replay, at), make_branch_buttons(replay, at, sight))
        if row
    ]
    return platform_ui.frame_view(accent, *boards, *rows)


def describe_place(replay: Replay, at: int, sight: MatchView, name: str = "") -> str:
    """The place in a match: "Move 7 of 24", "Round 2, move 3 · 7 of 24"; with secrets also the viewer."""
    count = replay.line_count
    if not count:
        return "Nothing has been played yet."
    is_move = bool(at) and isinstance(replay.lines[at - 1][1], Move)
    here = NAMED.format(move=capitalize_name(name), at=at, count=count) if name and is_move else f"Move {at} of {count}"
    said = [here if at else BEGINNING.fill_in(count)]
    if sight.viewer is not None and sight.viewer != replay.viewer:
        said.append(f"as {board_words.format_mention(replay.loaded, sight.viewer)} saw it then")
    return " · ".join([*said, "only you see this"])


def make_step_buttons(replay: Replay, at: int) -> list[Control]:
    """The buttons for steps, disabled where they lead nowhere, and the one for the moving picture."""
    match, last = replay.loaded.id, replay.line_count
    steps = [
        Control(ReplayButton(match, at, name), label, able=leads(at, last) != at)
        for name, (label, leads) in STEPS.items()
    ]
    return [*steps, Control(ReplayButton(match, at, "film"), FILM, able=last > 0)] if match else steps


def make_branch_buttons(replay: Replay, at: int, sight: MatchView) -> list[Control]:
    """The buttons for trying out, playing on and reviewing."""
    tries = [Control(TryOutButton(replay.loaded.id, at), "Try out")]
    able = any(replay.open or not sight.match.game.secret or seat == replay.viewer for seat in sight.match.turn)
    play_on = [Control(PlayOnButton(replay.loaded.id, at), "Play on from here")]
    review = [Control(ReplayButton(IMPORTED, at, "review"), "Review")]
    is_reviewable = replay.loaded.id == IMPORTED and reviews.is_reviewable(replay.loaded)
    return [
        *(tries if able else []),
        *([] if explain_unplayable(replay.loaded, sight.match) else play_on),
        *(review if is_reviewable else ()),
    ]


def look_up_place(replay: Replay, at: int) -> tuple[MatchView, str]:
    """The match after `at` lines, and the name of the last move where its board numbers moves otherwise; no game with
    secrets does."""
    sight = replay.make_view(at)
    return sight, "" if sight.match.game.secret else name_own_move(sight.match)


class ReplayViewer:
    """Shows replays to users who may see the match."""

    def __init__(
        self, renderer: Renderer, directory: MatchDirectory, imports: ImportedRecords, replies: Replies
    ) -> None:
        self._renderer = renderer
        self._replies = replies
        self._directory = directory
        self.load = imports.load

    async def load_kept(self, interaction: Interaction, match: MatchId) -> LoadedMatch:
        """A stored match; raises a refusal for an imported record, of which nothing is shown in public."""
        return refuse_outdated() if match == IMPORTED else await self.load(interaction, match)

    def expect_replay(self, interaction: Interaction, loaded: LoadedMatch) -> Replay:
        """The replay of a match for the user; raises `UnknownMatch` where they may not know of the match."""
        replay, here = Replay.for_user(loaded, user_of(interaction)), interaction.channel_id
        if here not in (loaded.row.channel, loaded.row.thread) and not self._directory.may_find(
            interaction, loaded.row
        ):
            raise UnknownMatch(f"There is no match {loaded.id} here that you can see. /matches lists yours.")
        return replay

    @on_match(ActButton, words="details", price=Price(2, looks=True))
    async def show_details(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show all that explains the end of a match, to users who may see it."""
        await self._replies.show_details(interaction, self.expect_replay(interaction, loaded).loaded)

    @on_match(ActButton, words="share", price=Price(2, looks=True))
    async def share(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show a match as a text that its reader can copy, alone in its message."""
        replay = self.expect_replay(interaction, loaded)
        await edits.answer_anew(interaction, await self._renderer.run(partial(format_share, replay.loaded), Rank.LOOK))

    @on_match(ActButton, words="replay", price=Price(2, looks=True))
    async def begin(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show a match as it stands or ended, with the way back, in a message of its own."""
        replay = self.expect_replay(interaction, loaded)
        view, files = await self.build_message(replay, replay.line_count)
        await edits.answer_anew(interaction, view, files)

    @on(ReplayButton, words=" ".join(STEPS), price=STEP)
    async def answer_step(self, interaction: Interaction, button: ReplayButton) -> None:
        """Step from the place of a button; the match may have more lines by now, or fewer after a restored backup."""
        replay = self.expect_replay(interaction, await self.load(interaction, button.match))
        leads = next(leads for name, (_, leads) in STEPS.items() if name == button.verb)
        view, files = await self.build_message(replay, leads(min(button.at, replay.line_count), replay.line_count))
        await turn_page(interaction, view, files)

    async def build_message(self, replay: Replay, at: int) -> tuple[ui.LayoutView, edits.Files]:
        sight, name = await self._renderer.run(partial(look_up_place, replay, at), Rank.LOOK)
        drawing = await self._renderer.draw_board(sight, Rank.LOOK)
        return build_step_view(replay, at, sight, drawing.pictures, name), drawing.make_files(str(sight.position))


class ImportViewer:
    """Shows imported records as replays."""

    def __init__(self, imports: ImportedRecords, replays: ReplayViewer) -> None:
        self._imports = imports
        self._replays = replays

    async def begin(self, interaction: Interaction, file: discord.Attachment, number: int) -> None:
        """Show a record of a file at its end; the message holds it for the presses that follow."""
        if file.size > MOST_BYTES:
            raise Refusal(NO_FILE)
        await interaction.response.defer(ephemeral=True, thinking=True)
        record, loaded = await self._imports.read(interaction, file.read(), number)
        replay = self._replays.expect_replay(interaction, loaded)
        view, files = await self._replays.build_message(replay, replay.line_count)
        view.add_item(ui.File[Any](f"attachment://{BROUGHT}"))
        await edits.answer(interaction, view, [make_record_file(record), *files])


# Playing on from a position of a match that is over: against the computer, named users, or at an open table.


TASK = "It is {turn}'s turn. You play {own}, and the match isn't rated."
BY_LOT = "It is {turn}'s turn. Seats are drawn by lot, and the match isn't rated."


class PlayOn:
    """Shows the page on which opponents are chosen, and begins the match."""

    def __init__(self, challenges: Challenges, replies: Replies, renderer: Renderer, replays: ReplayViewer) -> None:
        self._challenges = challenges
        self._replies = replies
        self._renderer = renderer
        self._replays = replays

    @on(PlayOnButton, price=lambda button: Price(2) if button.against else STEP)
    async def answer_button(self, interaction: Interaction, button: PlayOnButton) -> None:
        """Show the page, or begin a match against the opponents that were chosen on it."""
        loaded = await self._replays.load(interaction, button.match)
        replay = self._replays.expect_replay(interaction, loaded)
        match = await self._renderer.run(partial(expect_playable, replay, button.at), Rank.LOOK)
        seat = min(button.seat or match.turn[0], match.seats)
        if not button.against:
            return await self._show(interaction, replay, match, button.at, seat)
        level = parse_level(values_of(interaction)) if button.against == "level" else None
        people = challenges_service.read_chosen_people(interaction) if button.against == "people" else []
        return await self._begin(interaction, loaded, match, seat, level, people)

    async def _show(self, interaction: Interaction, replay: Replay, match: MatchMatch, at: int, seat: Seat) -> None:
        drawing = await self._renderer.draw(match.game, match.position, Rank.LOOK)
        name = await self._renderer.run(partial(name_latest_move, match), Rank.LOOK)
        view = build_page(replay, match, at, name, seat, drawing.pictures, self._challenges.computers())
        await turn_page(interaction, view, drawing.make_files(str(match.position)))

    async def _begin(
        self, interaction: Interaction, loaded: LoadedMatch, match: MatchMatch, seat: Seat, level: int | None,
        people: list[NamedUser],
    ) -> None:  # fmt: skip
        side = {1: "me", 2: "opponent"}[seat] if match.seats == 2 else "lot"
        given = {
            **match.options.to_record(), "seats": match.seats, "legs": loaded.row.legs, "seat": side, "level": level,
            "rated": False,
        }  # fmt: skip
        act = onboarding.card_key_of(interaction)
        begun = await self._challenges.write(
            interaction, get_single_game(match.game), given, people, act, origin=loaded.id or None, lines=match.standing
        )
        async with self._replies.publish_afterwards(begun.id):
            await edits.answer(interaction, onboarding.build_challenge_result(begun, given), [])
        await self._challenges.update_link_when_posted(
            begun, lambda now: edits.answer(interaction, onboarding.build_challenge_result(now, given))
        )


def build_page(
    replay: Replay,
    match: MatchMatch,
    at: int,
    name: str,
    seat: Seat,
    pictures: tuple[platform_ui.Caption, ...],
    computers: bool,
) -> ui.LayoutView:
    """The position after the move with a name, and the opponents to choose from."""
    number, chips = replay.loaded.id, board_words.CHIPS
    task = (TASK if match.seats == 2 else BY_LOT).format(turn=chips[match.turn[0] - 1], own=chips[seat - 1])
    head = f"{board_words.format_headline(replay.loaded)} · play on\n{task}\n-# after {name} · only you see this"
    levels = (
        challenges.list_offered_levels(get_single_game(match.game), match.options.to_record(), match.seats)
        if computers
        else ()
    )
    most = match.seats - 1
    label = "Challenge somebody …" if most == 1 else f"Challenge 1 to {most} people …"
    rows = [Control(PlayOnButton(number, at, "level", seat), onboarding.COMPUTER_PLAYS,
                    options=onboarding.list_levels(levels))] if levels else []  # fmt: skip
    rows.append(Control(PlayOnButton(number, at, "people", seat), label, people=most))
    other = [Control(PlayOnButton(number, at, "", 3 - seat), "Take the other side")] if match.seats == 2 else []
    table = Control(PlayOnButton(number, at, "table", seat), "Open a table")
    back = Control(ReplayButton(number, at - 1, "next"), "Back")
    return platform_ui.frame_view(
        platform_ui.ACCENTS[match.turn[0] - 1],
        ui.TextDisplay[Any](head),
        *platform_ui.make_galleries(pictures, str(match.position)),
        *(platform_ui.make_row(row) for row in rows),
        platform_ui.make_row(table, *other, back),
    )
