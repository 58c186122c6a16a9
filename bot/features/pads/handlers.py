"""Moves from forms, drafts and commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, zip_longest

from discord import app_commands

from bot.features.board import turn_words
from bot.features.board.directory import MatchFinder
from bot.features.board.match_pictures import Renderer
from bot.features.board.replies import Replies
from bot.features.pads import drafts
from bot.games import reading
from bot.games.game import Game
from bot.games.moves import LINE, SELECT_LIMIT, MoveKind
from bot.games.position import MoveError, Position, Seat, Suggestion
from bot.games.wording import count_units, join_words
from bot.platform import edits, ui
from bot.platform.custom_ids import FormId, MatchButton
from bot.platform.interactions import Interaction, data_of, key_of, suggest_if_available, user_of
from bot.platform.jobs import Rank
from bot.platform.routes import on
from bot.play.acts import ReturnedMove, StaleBoard, expect_seat
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal
from bot.play.match import Match
from bot.umpire.umpire import Umpire

MOVED_ON = "The match moved on while you were writing. Check the board, then send it again if it still fits."
STILL_ASKING = "You are still asking to call the match off."
LOST = "That board shows moves that were lost. Here is the board now; nothing was played."


async def reopen_draft(interaction: Interaction, loaded: LoadedMatch, button: MatchButton) -> bool:
    """Open the form with a draft, even where the match has gone on: nothing is played yet. False where the button is
    not that of a draft."""
    kinds = (kind for kind in loaded.game.moves if kind.name == button.verb and kind.parts)
    kind = None if button.sure else next(kinds, None)
    values = read_draft(interaction, kind) if kind else None
    seat = loaded.seat_of(user_of(interaction))
    if kind is None or values is None or seat not in loaded.turn:
        return False
    await interaction.response.send_modal(drafts.build_form(loaded, kind, seat, key_of(interaction), values))
    return True


def read_draft(interaction: Interaction, kind: MoveKind) -> dict[str, str] | None:
    """The draft on the message whose button was pressed, None where there is none; empty for a move without parts."""
    if not kind.parts:
        return {}
    return drafts.read(kind, interaction.message.components) if interaction.message else None


class MoveSubmitter:
    """Plays the moves that were entered on pads, in forms and by commands."""

    def __init__(self, umpire: Umpire, replies: Replies, renderer: Renderer) -> None:
        self._umpire = umpire
        self._replies = replies
        self._renderer = renderer

    @on(FormId, words="")
    async def answer_form(self, interaction: Interaction, form: FormId) -> None:
        """Play the move of a form."""
        loaded = await self._umpire.load(form.match)
        kind, given = find_kind(loaded, form.kind), drafts.parse_submission(data_of(interaction))
        one = {part.name: given.get(part.name, "") for part in kind.parts}
        await self.enter_move(interaction, loaded, kind, given if LINE in given else one, form.version, by_form=True)

    async def enter_move(
        self, interaction: Interaction, loaded: LoadedMatch, kind: MoveKind, values: Mapping[str, str],
        seen: int | None = None, by_form: bool = False,
    ) -> None:  # fmt: skip
        """Play a move, or ask first where it cannot be undone. One that is refused may raise `ReturnedMove`, to be
        handed back as a draft. `seen`: the version of the match on the surface where it was entered."""
        text = kind.write(values)
        try:
            if not (kind.final and await self._ask_to_confirm(interaction, loaded, kind, values, seen)):
                await self.play_move(interaction, loaded, text, seen)
        except (MoveError, StaleBoard) as fault:
            loaded = await self._umpire.load(loaded.id)
            seat = loaded.seat_of(user_of(interaction))
            lengthy = any(part.is_line for part in kind.parts)
            if seat not in loaded.turn or not (lengthy or (by_form and isinstance(fault, MoveError))):
                raise
            if not kind.when(MatchView.of(loaded, seat).position, seat) or not drafts.fits_message(kind, values):
                raise
            raise ReturnedMove(
                MOVED_ON if isinstance(fault, StaleBoard) else str(fault), loaded, seat, kind, values
            ) from fault

    async def play_move(
        self, interaction: Interaction, loaded: LoadedMatch, text: str, seen: int | None = None
    ) -> None:
        """Play a move in a match that was just loaded, answer, and show the board."""
        user = user_of(interaction)
        done = await self._umpire.move(key_of(interaction), loaded.id, user, text, seen, start=loaded)
        record, at = done.after.begun_match.record, min(done.before.row.plies, done.after.row.plies - 1)
        sentences = [turn_words.describe_own_move(done.after, record[at].text, record[at].seat)] if record else []
        sentences += turn_words.describe_premoves(done.after, at + 1)
        sentences += [STILL_ASKING] if done.after.asks_to_abort(user) else []
        await self._replies.answer_act(interaction, done, " ".join(sentences))

    async def _ask_to_confirm(
        self, interaction: Interaction, loaded: LoadedMatch, kind: MoveKind, values: Mapping[str, str], seen: int | None
    ) -> bool:
        """Ask before a move that cannot be undone, with its preview; an illegal move raises instead. False where it is
        not the asker's turn."""
        seat = expect_seat(loaded, user_of(interaction))
        if seat not in loaded.turn:
            return False
        if seen is not None and seen > loaded.begun_match.version_for(seat):
            raise StaleBoard(LOST, loaded)  # a backup was put back
        text = kind.write(values)
        with loaded.name_seats(seat):
            loaded.begun_match.play(seat, text)
        position = imagine_position(loaded, seat, text) if kind.parts else None
        drawing = await self._renderer.draw(loaded.game, position, Rank.LOOK) if position else None
        shown = ui.make_galleries(drawing.pictures, str(position)) if drawing else []
        files = drawing.make_files(str(position)) if drawing else []
        view = drafts.build_question(loaded, seat, kind, values, shown)
        await edits.answer(interaction, view, files)
        return True


def imagine_position(loaded: LoadedMatch, seat: Seat, text: str) -> Position | None:
    """The board with this move alone, as the first of a match, so that it shows nothing that others hide; None where
    the move cannot come first."""
    folded = loaded.begun_match
    try:
        match = Match.start(loaded.game, folded.options.to_record(), folded.seats).play(seat, text)
    except MoveError:
        return None
    return match.position.seen_by(seat)


def find_kind(loaded: LoadedMatch, name: str) -> MoveKind:
    """The kind of move that a button or a form names."""
    kind = next((kind for kind in loaded.game.moves if kind.name == name), None)
    if kind is None:
        raise Refusal(f"{loaded.game.title} has no move called {name}. Use the buttons under the board.")
    return kind


# Moves by command, and suggestions while they are typed.


Choice = app_commands.Choice
LEG = "leg"
"""The option that names one of two legs."""
CHOICE_LIMIT = 100
"""The longest name or value of an autocompletion; Discord drops the whole list for one that is longer."""


class MoveCommands:
    """Plays the moves of slash commands and suggests what can be played."""

    def __init__(self, finder: MatchFinder, submit: MoveSubmitter, renderer: Renderer) -> None:
        self._finder = finder
        self._submit = submit
        self._renderer = renderer

    async def enter(
        self, interaction: Interaction, game: Game, kind: MoveKind, match: str | None, parts: Mapping[str, str],
        leg: int | None = None,
    ) -> None:  # fmt: skip
        """Play a move of a kind, by its parts; `match` is needed where several wait for the user."""
        loaded = await self._find_match(interaction, game, match)
        seat = loaded.seat_of(user_of(interaction))
        if seat and seat in loaded.turn:
            kind = choose_leg(loaded, seat, kind, leg)
            expect_meant(loaded.game, MatchView.of(loaded, seat).position, seat, kind, kind.write(parts))
        await self._submit.enter_move(interaction, loaded, kind, parts)

    async def enter_line(self, interaction: Interaction, line: str, match: str | None) -> None:
        """Play a move that is written as a line; `match` is needed where several wait for the user."""
        loaded = await self._find_match(interaction, None, match)
        seat = loaded.seat_of(user_of(interaction))
        found = parse_line(loaded, seat, line) if seat and seat in loaded.turn else None
        if found:
            kind, values = found
            values = {part.name: values.get(part.name, "") for part in kind.parts}
            await self._submit.enter_move(interaction, loaded, kind, values)
        else:
            await self._submit.play_move(interaction, loaded, line)

    @suggest_if_available
    async def complete(
        self, interaction: Interaction, game: Game, kind: MoveKind, part: str, current: str
    ) -> list[Choice[str]]:
        """Suggest values for a part of a move, given those of other parts."""
        space = interaction.namespace
        found = await self._find_turn(interaction, game)
        if found is None:
            return []
        loaded, position, seat = found
        kind = choose_leg(loaded, seat, kind, getattr(space, LEG, None))
        if not kind.when(position, seat):
            return []
        values = {name: str(value) for name, value in (*space, (part, current))}
        begun = reading.tidy_beginning(kind.write_up_to(values, part))
        return await self._renderer.run(
            lambda: make_part_choices(kind, part, position.suggest(seat, begun)), Rank.TYPING
        )

    @suggest_if_available
    async def complete_line(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Suggest whole moves that begin with what has been typed, of every kind that can be made now."""
        found = await self._find_turn(interaction, None)
        if found is None:
            return []
        loaded, position, seat = found
        begun = reading.tidy_beginning(current).strip()
        return await self._renderer.run(
            lambda: make_choices(iterate_moves(loaded.game, position, seat, begun)), Rank.TYPING
        )

    async def _find_match(self, interaction: Interaction, game: Game | None, match: str | None) -> LoadedMatch:
        user, key = user_of(interaction), game.key if game else None
        return await self._finder.find(interaction, match, game=key, wanted=lambda row: row.seat_of(user) in row.turn)

    async def _find_turn(
        self, interaction: Interaction, game: Game | None
    ) -> tuple[LoadedMatch, Position, Seat] | None:
        """The match, the position as the user may see it, and their seat; None where it is not their turn."""
        try:
            loaded = await self._find_match(interaction, game, getattr(interaction.namespace, "match", None))
        except Refusal:
            return None
        seat = loaded.seat_of(user_of(interaction))
        if seat is None or seat not in loaded.turn:
            return None
        return loaded, MatchView.of(loaded, seat).position, seat


def choose_leg(loaded: LoadedMatch, seat: Seat, kind: MoveKind, leg: int | None) -> MoveKind:
    """The kind of move in the leg that is named, else in the one that has waited longest for a seat that is to move."""
    waiting = loaded.begun_match.order_waiting_legs(seat)
    found = (one for one in loaded.game.moves if one.single == kind and one.leg == (leg or waiting[0]))
    return next(found) if waiting else kind


def expect_meant(game: Game, position: Position, seat: Seat, kind: MoveKind, text: str) -> None:
    """Refuse a move of a kind that is not possible now if it would be read as a move of another kind."""
    if kind.when(position, seat):
        return
    able = [other for other in game.moves if other.when(position, seat) and other.parse(text) is not None]
    if others := [(other.single or other).name for other in able]:
        now = join_words((f"/{game.key} {name}" for name in others), " or ")
        this = f"/{game.key} {(kind.single or kind).name}"
        raise Refusal(f"{this} doesn't fit this part of the match, so nothing was played. Use {now}.")


def parse_line(loaded: LoadedMatch, seat: Seat, text: str) -> tuple[MoveKind, dict[str, str]] | None:
    """The kind of move that a line is written in, of those that can be made now, and its parts; None for none."""
    position = MatchView.of(loaded, seat).position
    kinds = [kind for kind in loaded.game.moves if kind.when(position, seat)]
    try:
        line = reading.read_move(loaded.game, position, seat, loaded.begun_match.name_leg(seat, text))
    except MoveError:
        line = text
    parsed = ((kind, kind.parse(line)) for kind in kinds)
    return next(((kind, values) for kind, values in parsed if values is not None), None)


def make_part_choices(kind: MoveKind, part: str, suggestions: Iterable[Suggestion]) -> list[Choice[str]]:
    """Distinct values of one part from suggested moves, as many as Discord shows."""
    return make_choices(Suggestion((kind.parse(move) or {}).get(part, ""), note) for move, note in suggestions)


def iterate_moves(game: Game, position: Position, seat: Seat, typed: str) -> Iterator[Suggestion]:
    """Moves of every kind that can be made, one of each kind in turn, so that none is crowded out."""
    able = [kind for kind in game.moves if kind.when(position, seat)]
    heads = [kind.pattern.partition("{")[0] for kind in able]
    begun = [typed, *(head for head in heads if head.startswith(typed) and head != typed)]
    sources = [islice(position.suggest(seat, text), SELECT_LIMIT) for text in begun]
    bare = (Suggestion(kind.pattern) for kind in able if not kind.parts and kind.pattern.startswith(typed))
    for row in zip_longest(bare, *sources):
        yield from (suggestion for suggestion in row if suggestion is not None)


def make_choices(suggestions: Iterable[Suggestion]) -> list[Choice[str]]:
    """Distinct suggestions with their notes, as many as Discord shows and none that is too long for it."""
    found: dict[str, str] = {}
    for value, note in suggestions:
        if value and count_units(value) <= CHOICE_LIMIT:
            noted = f"{value} ({note})" if note else value
            found.setdefault(value, noted if count_units(noted) <= CHOICE_LIMIT else value)
        if len(found) == SELECT_LIMIT:
            break
    return [Choice(name=name, value=value) for value, name in found.items()]
