"""A match as Discord shows it: the lobby of a challenge, the board with its buttons, and questions about a match.

Each view is a pure function of a stored match and of its viewer, made anew each time and never kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import discord
from discord import ui

from bot.features.agreements import words as agreements_words
from bot.features.board import time_words, turn_words, words
from bot.features.board.ids import ActButton, AnswerButton, ClaimButton, ProposeButton, RematchButton, stamp
from bot.features.board.match_pictures import (
    make_board_items,
    make_items_below,
    make_seats_items,
    make_text_item,
)
from bot.features.challenges import words as challenges_words
from bot.features.challenges.words import GET_UP, SIT_DOWN, UP
from bot.games.catalogue import load_games_with_lesson
from bot.games.game import Game
from bot.games.legs import Legs
from bot.games.position import Viewer
from bot.platform.custom_ids import MatchButton
from bot.platform.ui import (
    ABREAST,
    ACCENTS,
    OVER,
    Control,
    GameButton,
    HasAltText,
    LessonButton,
    build_button_rows,
    build_notice,
    frame_view,
    make_galleries,
    make_row,
)
from bot.play import challenges, claims, hints, premoves, proposals, reviews
from bot.play.ids import UserId, describe_level, is_computer, is_person
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.rows import MatchRow


def build_rules(game: Game, pictures: Sequence[HasAltText], board: str) -> ui.LayoutView:
    """The rules page of a game below the board of its example, with the buttons of its lesson and of the further
    rules."""
    lesson = [Control(LessonButton(game.key), "Learn it in pictures")] if game.key in load_games_with_lesson() else []
    more = Control(GameButton("more", game.key), "More")
    text = ui.TextDisplay[Any](challenges_words.format_rules(game))
    return frame_view(ACCENTS[0], *make_galleries(pictures, board), text, make_row(*lesson, more))


def build_further_rules(game: Game) -> ui.LayoutView:
    """Sizes, variants and rulings of a game."""
    return frame_view(ACCENTS[0], ui.TextDisplay(challenges_words.format_further_rules(game)))


def build_match_list(head: str, lines: Sequence[tuple[MatchRow, str]], user: UserId) -> ui.LayoutView:
    """A user's matches in a list of direct messages, each with the button to its board: there is no thread to go to."""
    shown, items = lines[:MOST_SECTIONS], list[ui.Item[Any]]([ui.TextDisplay[Any](head)])
    for row, line in shown:
        waits = row.find_player(user) in row.players_to_move
        label, style = ("Move", STYLES[0]) if waits else ("Board", STYLES[1])
        button = Control(ActButton(row.id, 0, True, "board"), label, style)
        begun = row.state not in ("open", "declined", "cancelled", "expired")
        items.append(ui.Section(line, accessory=cast(ui.Item[Any], button)) if begun else ui.TextDisplay(line))
    left = len(lines) - len(shown)
    return frame_view(ACCENTS[0], *items, *([ui.TextDisplay[Any](f"-# … and {left} more.")] if left else []))


MOST_SECTIONS = 10
"""The most matches of such a list: a message holds 40 components."""
LOBBY_VERBS = ("accept", "decline", "join", "leave", "begin", "cancel", "computer")
"""The verbs of buttons under an open challenge."""
LIKE = "What would you like to do?"
MORE = "More …"
"""The button for what is seldom done: trying out moves, for players proposals and leaving, after the end details and
a review."""
LATE_SHOWN = 2
"""How many players who ran out of time have buttons: a row holds five."""
MISSING_SHOWN = 2
"""How many players who left the server have buttons, for the same reason."""
SEEN_AGAIN = ("replay", "rematch", "review")
"""The verbs of the buttons below an announced result."""
WATCHED, ANSWERS = ("rules", "more", "replay", "review", "details", "share"), ("agree", "refuse")
"""The first letters of the verbs of buttons for spectators, and for a user who is asked to take over a seat."""
STYLES = (discord.ButtonStyle.primary, discord.ButtonStyle.secondary)
"""For the button of a move, and for one that takes something back or, while there is more to do, ends something for
good, which should not be pressed by mistake."""


def build_lobby(loaded: LoadedMatch, first: bool, board: Sequence[HasAltText] = ()) -> ui.LayoutView:
    """The message of a challenge: open with its buttons, later a line about its end; last the result with the `board`.
    The `first` one of a server always introduces the bot."""
    row, further = loaded.row, [ui.TextDisplay[Any](challenges_words.INTRODUCTION)] if first else []
    if row.state != "open":
        sight = MatchView.of(loaded, None) if board else None
        told = challenges_words.describe_ended(loaded), list_ranks(sight) if sight else ""
        line = "\n".join((*filter(None, told), *([f"-# match {row.id}"] if loaded.match else [])))
        if not sight:
            return frame_view(OVER, ui.TextDisplay(line), *further)
        result = make_items_below(sight, board, line)
        return frame_view(OVER, *result, make_result_row(loaded), *further)
    text = f"{challenges_words.describe_challenge(loaded)}\n{format_lobby_footer(loaded)}"
    rows = [make_row(*buttons) for buttons in make_lobby_rows(loaded)]
    return frame_view(ACCENTS[0], ui.TextDisplay(text), *rows, *further)


def build_invitation(loaded: LoadedMatch, told: Sequence[UserId], first: bool) -> tuple[str, ui.View]:
    """An open challenge that pings users: a plain text, whose beginning their phones show, and its buttons."""
    further = [challenges_words.INTRODUCTION] if first else []
    return "\n".join(
        (challenges_words.describe_to_invited(loaded, told), format_lobby_footer(loaded), *further)
    ), build_button_rows(*make_lobby_rows(loaded))


def make_decline_rows(loaded: LoadedMatch, again: int = 0) -> list[list[Control]]:
    """What the host of a challenge can do where it was declined: play with the remaining players, ask another user,
    cancel it. `again` distinguishes the select from its previous version."""
    row, left = loaded.row, len(loaded.row.players)
    fewer = left in loaded.game.seats and left >= max(2, loaded.game.seats[0]) and not row.imported_plies
    made = [Control(ActButton(row.id, 0, False, "fewer"), f"Play with {left} players", STYLES[0])] if fewer else []
    made.append(Control(ActButton(row.id, 0, False, "withdraw"), "Withdraw"))
    asks = Control(ActButton(row.id, 0, False, "askelse"), "Ask somebody else …", people=1, again=again)
    return [made, [asks]]


def build_declined_line(loaded: LoadedMatch, again: int) -> ui.LayoutView:
    """The line about who has declined a challenge, for its later edits; the number resets its select."""
    rows = [make_row(*row) for row in make_decline_rows(loaded, again)]
    return frame_view(ACCENTS[0], ui.TextDisplay(challenges_words.format_declined_line(loaded)), *rows)


def format_lobby_footer(loaded: LoadedMatch) -> str:
    """The lines that say which buttons are the host's alone, and until when a challenge can be accepted."""
    alone = challenges_words.describe_host_only(
        loaded, can_begin_early(loaded), make_computer_select(loaded) is not None
    )
    return f"{alone}-# Expires <t:{loaded.row.expires}:R> · match {loaded.id}"


def can_begin_early(loaded: LoadedMatch) -> bool:
    """Whether the host of a challenge may begin with the players who sit there, fewer than invited."""
    sitting = sum(not player.invited for player in loaded.players)
    return sitting < loaded.row.seats and sitting in loaded.game.seats and not loaded.row.imported_plies


def make_lobby_rows(loaded: LoadedMatch) -> list[list[Control]]:
    """The buttons of an open challenge, and the select that seats computers."""
    row = loaded.row
    invited = any(player.invited for player in row.players)
    yes, no = ("accept", "decline") if invited else ("join", "leave")
    early = ("begin",) if can_begin_early(loaded) else ()
    leaves = ("leave",) if any(not is_computer(user) for user in challenges_words.list_joined(loaded)) else ()
    buttons = [Control(ActButton(row.id, 0, False, yes), yes.capitalize(), discord.ButtonStyle.success)]
    # The host who presses Decline is asked whether to withdraw it: the invited players have nothing to withdraw.
    others = (no, *leaves, *early) if invited else (no, *early, "cancel")
    buttons += [Control(ActButton(row.id, 0, False, verb), verb.capitalize()) for verb in others]
    rules = Control(ActButton(row.id, 0, False, "rules"), "Rules")
    return [[*buttons, rules], *([one] for one in (make_computer_select(loaded),) if one)]


def build_announcement(sight: MatchView, pictures: Sequence[HasAltText]) -> ui.LayoutView:
    """A result as announced in its channel: a line, a readable board, and the buttons to see more."""
    loaded = sight.loaded
    told = challenges_words.describe_outcome(loaded, short=True), list_ranks(sight)
    line = "\n".join((*filter(None, told), f"-# [match {loaded.id}]({loaded.place_link})"))
    return frame_view(OVER, *make_items_below(sight, pictures, line), make_result_row(loaded))


def make_result_row(loaded: LoadedMatch) -> ui.ActionRow[Any]:
    """The buttons to see more of a finished match, or to play another one."""
    of = loaded.id, 0, False
    review = [Control(ActButton(*of, "review"), "Review")] if reviews.is_reviewable(loaded) else []
    return make_row(Control(ActButton(*of, "replay"), "Replay"), Control(RematchButton(*of), "Rematch"), *review)


def make_computer_select(loaded: LoadedMatch) -> Control | None:
    """The select with which the host of an open table seats a computer, or removes all; None where no seat is free for
    one and none is seated."""
    row = loaded.row
    levels = challenges.list_offered_levels(loaded.game, row.options, row.seats) if len(row.players) < row.seats else ()
    up = [discord.SelectOption(label=GET_UP, value=UP)] if challenges.find_match_level(row) else []
    made = [*(discord.SelectOption(label=describe_level(level), value=str(level)) for level in levels), *up]
    return Control(ActButton(row.id, 0, False, "computer"), SIT_DOWN, options=made) if made else None


def build_board(
    sight: MatchView,
    pictures: Sequence[HasAltText],
    closed: bool = False,
    answers: bool = False,
    left: bool = False,
    verbs: tuple[str, ...] = ("",),
) -> ui.LayoutView:
    """A board: headline, picture, what happened, who is to move, and the buttons for it.

    One that is `closed` is an earlier board that keeps its picture and loses its buttons; one that the match has `left`
    for its thread says so; one that `answers` a move appears above the text about it. It has the buttons whose verbs
    begin like one of `verbs`.
    """
    happened = "" if answers and is_told_already(sight) else turn_words.describe_last_turn(sight)
    boards = make_board_items(sight, pictures)
    if closed:
        whose = [] if sight.loaded.has_own_thread and not left else [f"-# {words.format_match_line(sight.loaded)}"]
        whither = [f"-# {words.GOES_ON.format(link=sight.loaded.place_link)}"] if left else []
        opens = words.describe_openings(sight.loaded)
        said = "\n".join([happened or "The match began.", *opens, *whose, *whither])
        return frame_view(OVER, *make_seats_items(sight, pictures), *boards, make_text_item(pictures, said))
    if sight.loaded.row.state == "finished":
        return build_final_board(sight, pictures, verbs)
    seats = "" if sight.loaded.game.single else words.format_seats(sight)
    progress = "" if isinstance(sight.position, Legs) else sight.position.progress
    head = "\n".join(filter(None, (words.format_headline(sight.loaded, progress), seats)))
    parts = filter(None, (happened, words.describe_status(sight)))
    apart = "\n" in happened or sight.position.opening
    foot = turn_words.describe_moving_again(sight, happened) or ("\n" if apart else " ").join(parts)
    small = [
        *time_words.list_small_lines(sight, with_match=bool(progress)),
        *list_rare_lines(sight.loaded),
    ]
    foot = "\n".join(filter(None, (foot, *(f"-# {line}" for line in small if line))))
    accent = ACCENTS[sight.turn[0] - 1] if sight.turn else OVER
    *first, last = make_board_rows(sight)
    hint, asked = make_hint_buttons(sight), make_proposal_buttons(sight)
    beside = not asked and len(last) + len(hint) <= ABREAST
    rows = [
        *first,
        [*last, *(hint if beside else ())],
        make_time_buttons(sight),
        make_missing_buttons(sight),
        [*asked, *(() if beside else hint)],
    ]
    shown = *make_items_below(sight, pictures, head), *([make_text_item(pictures, foot)] if foot else [])
    return frame_view(accent, *shown, *make_visible_rows(rows, verbs))


def build_mail(sight: MatchView, pictures: Sequence[HasAltText], server: str) -> ui.LayoutView:
    """A player's own board as a direct message, with the name of its server and the link to its place."""
    view = build_board(sight, pictures)
    view.add_item(ui.TextDisplay[Any](f"-# {server} · {sight.loaded.link}"))
    return view


def make_visible_rows(rows: Sequence[Sequence[Control]], verbs: tuple[str, ...]) -> list[ui.ActionRow[Any]]:
    """The rows of the buttons whose verbs begin like one of `verbs`."""
    kept = ([one for one in row if getattr(one.component, "verb", "").startswith(verbs)] for row in rows)
    return [make_row(*row) for row in kept if row]


def list_spectator_verbs(loaded: LoadedMatch, user: UserId) -> tuple[str, ...]:
    """The first letters of the verbs of buttons that a user who does not play a match may press. While a game with
    secrets is played there are no try-outs."""
    tries = not loaded.game.secret or loaded.row.state == "finished"
    verbs = tuple(verb for verb in WATCHED if verb != "more" or tries)
    return (*verbs, *ANSWERS) if user in proposals.list_users_to_answer(loaded) else verbs


def is_told_already(sight: MatchView) -> bool:
    """Whether the last turn on a player's own board is their own: in a game with secrets the answer to it says it."""
    secret, viewer = sight.loaded.game.secret and not sight.match.is_over, sight.viewer
    return secret and viewer is not None and bool(sight.record) and sight.record[-1].seat == viewer


def build_final_board(sight: MatchView, pictures: Sequence[HasAltText], verbs: tuple[str, ...]) -> ui.LayoutView:
    """A board at the end: the result first, the board, and the next steps."""
    loaded = sight.loaded
    why = words.describe_reason(loaded), words.explain_counting(loaded)
    head = "\n".join(
        filter(None, (words.format_headline(loaded), f"**{words.describe_lead(loaded)}**", *why, list_ranks(sight)))
    )
    small = [*words.describe_handovers(loaded), *list_rare_lines(loaded)]
    foot = [ui.TextDisplay[Any]("\n".join(f"-# {line}" for line in small))] if small else []
    shown = *make_items_below(sight, pictures, head), *foot
    return frame_view(OVER, *shown, *make_visible_rows(make_board_rows(sight), verbs))


def list_ranks(sight: MatchView) -> str:
    """A line for each player of a finished match, or for two: their scores only where no sentence has told them. Empty
    where it was played alone, and of two legs, whose players stand beside the small board."""
    loaded = sight.loaded
    several = loaded.row.seats > 1 and not loaded.game.single and loaded.row.state == "finished"
    return words.format_seats(sight, scored=not words.tells_scores(loaded)) if several else ""


def build_details(sight: MatchView, pictures: Sequence[HasAltText]) -> ui.LayoutView:
    """All that explains the end of a match: the scores, the last turn, every picture."""
    seats = "" if sight.loaded.game.single else words.format_seats(sight)
    told = words.format_headline(sight.loaded), seats, turn_words.describe_last_turn(sight, whole=True)
    return frame_view(OVER, *make_items_below(sight, pictures, "\n".join(filter(None, told))))


def list_rare_lines(loaded: LoadedMatch) -> list[str]:
    """The lines about its league, its source, proposals and hints, which few matches have."""
    row = loaded.row
    proposed = row.paused is not None or row.proposal is not None or row.refused is not None
    hinted = any(player.hints for player in row.players)
    told = agreements_words.list_lines(loaded) if proposed else ()
    return [
        *words.describe_league(loaded),
        *words.describe_origin(loaded),
        *told,
        *((hints.describe_hints_used(row),) if hinted else ()),
    ]


def make_board_rows(sight: MatchView) -> list[list[Control]]:
    """The buttons of a board in rows; where one row does not hold all, each leg has a row of its own. Four are two and
    two, since a phone shows three in a row and the last below, alone."""
    buttons, game = make_board_buttons(sight), sight.loaded.game
    if len(buttons) == 4:
        return [buttons[:2], buttons[2:]]
    if len(buttons) <= ABREAST:
        return [buttons]
    legs = {kind.name: kind.leg for kind in game.moves}
    rows: dict[int, list[Control]] = {1: [], 2: [], 0: []}
    for button in buttons:
        leg = legs.get(button.component.verb, 0) if isinstance(button.component, MatchButton) else 0
        rows[leg].append(button)
    return [row[at : at + ABREAST] for row in rows.values() for at in range(0, len(row), ABREAST)]


def make_board_buttons(sight: MatchView) -> list[Control]:
    """The buttons of a board: the kinds of move that are possible now for players to move, on a seat's own board for
    that seat; and on the public board of a game with secrets, the button to the own one."""
    game, of, own = sight.loaded.game, stamp(sight), sight.viewer is not None
    computers = [player.seat for player in sight.loaded.players if is_computer(player.user)]
    seats = [seat for seat in sight.turn if sight.viewer in (None, seat) and seat not in computers]
    kinds = [kind for kind in game.moves if any(kind.when(sight.position, seat) for seat in seats)]
    # Of two legs, the one that waits for the user is meant; where both do, the own board names them.
    if not own or len({kind.leg for kind in kinds}) == 1:
        kinds = list(dict.fromkeys(kind.single or kind for kind in kinds))
    moves = [kind for kind in kinds if not kind.takes_back]
    strong = [kind for kind in moves if not kind.final or kind.parts] or moves
    made = [Control(MatchButton(*of, False, kind.name), kind.label, STYLES[kind not in strong]) for kind in kinds]
    if game.secret and not own and sight.turn:
        made.append(Control(ActButton(*of, "board"), "My board", discord.ButtonStyle.success))
    if sight.loaded.row.state == "finished":
        made.append(Control(RematchButton(*of), "Rematch", discord.ButtonStyle.success))
        made.append(Control(ActButton(*of, "replay"), "Replay", discord.ButtonStyle.primary))
    else:
        made.append(Control(ActButton(*of, "rules"), "Rules"))
    if sight.loaded.row.state in ("live", "finished"):
        made.append(Control(ActButton(*of, "more"), MORE))
    return made


def find_harder_levels(sight: MatchView) -> list[int]:
    """The next level, where the only player of a match has won against the computer and a higher level exists."""
    row, ranks = sight.loaded.row, sight.match.ranks
    level, people = challenges.find_match_level(row), [player for player in row.players if not is_computer(player.user)]
    if level is None or ranks is None or len(people) != 1:
        return []
    won = [rank for seat, rank in enumerate(ranks, 1) if seat == people[0].seat] == [1] and ranks.count(1) == 1
    return (
        [level + 1] if won and level < challenges.find_highest_level(sight.loaded.game, row.options, row.seats) else []
    )


def make_time_buttons(sight: MatchView) -> list[Control]:
    """The buttons to claim the match against players who ran out of time, or to give them more; further seats have
    commands."""
    loaded, late = sight.loaded, [player for player in sight.loaded.late_players if not player.gone]
    if not late or sight.viewer not in (None, *(player.seat for player in claims.list_waiting_players(loaded))):
        return []
    made: list[Control] = []
    for player in late[:LATE_SHOWN] if claims.list_waiting_players(loaded) else ():
        of = "" if len(late) == 1 else f" {words.CHIPS[(player.seat or 1) - 1]}"
        made.append(Control(ClaimButton(*stamp(sight), "claim", player.seat or 0), f"Claim{of}"))
        if claims.may_give(loaded, player):
            label = f"Give{of} {claims.EXTRA_DAYS} more days"
            made.append(Control(ClaimButton(*stamp(sight), "give", player.seat or 0), label))
    return made


def make_missing_buttons(sight: MatchView) -> list[Control]:
    """The buttons to go on without players who have left the server."""
    loaded, missing = sight.loaded, sight.loaded.missing_players
    others = claims.list_waiting_players(loaded) if missing else ()
    if not others or sight.viewer not in (None, *(player.seat for player in others)):
        return []
    is_asked = proposals.open_proposal(loaded) is not None
    made: list[Control] = []
    for player in missing[:MISSING_SHOWN]:
        of = "" if len(missing) == 1 else f" {words.CHIPS[(player.seat or 1) - 1]}"
        made.append(Control(ClaimButton(*stamp(sight), "claim", player.seat or 0), f"Claim{of}"))
        if not is_asked:
            made.append(Control(ClaimButton(*stamp(sight), "substitute", player.seat or 0), f"Substitute{of}"))
    if not (is_asked or claims.find_abort_question(loaded)):
        made.append(Control(ActButton(*stamp(sight), "calloff"), "Call off"))
    return made


def make_proposal_buttons(sight: MatchView) -> list[Control]:
    """The buttons that answer the open proposal, one at a time; without one, those to resume a paused match, and to
    answer a request to call it off."""
    loaded, viewer, of = sight.loaded, sight.viewer, stamp(sight)
    has_one = loaded.row.proposal is not None
    proposal, mark = (proposals.open_proposal(loaded), proposals.mark_of(loaded)) if has_one else (None, "")
    made: list[Control] = []
    if proposal and viewer == proposal.seat:
        made.append(Control(AnswerButton(*of, "refuse", mark), "Never mind"))
    elif proposal and viewer not in loaded.begun_match.withdrawn_seats:
        if viewer is None or loaded.user_at(viewer) in proposals.list_users_to_answer(loaded):
            label = agreements_words.AGREE[proposal.kind]
            made.append(Control(AnswerButton(*of, "agree", mark), label, discord.ButtonStyle.success))
        made.append(Control(AnswerButton(*of, "refuse", mark), "Refuse"))
    elif not proposal:
        if loaded.row.paused is not None:
            made.append(Control(ProposeButton(*of, "resume"), "Resume", discord.ButtonStyle.success))
        if (mark := claims.make_abort_mark(loaded)) and viewer not in loaded.begun_match.withdrawn_seats:
            asks = viewer is not None and loaded.asks_to_abort(loaded.user_at(viewer))
            agree = Control(ActButton(*of, "calloff"), "Agree: call it off", discord.ButtonStyle.success)
            made += [] if asks else [agree]
            made.append(Control(AnswerButton(*of, "refuse", mark), "Never mind" if asks else "Refuse"))
    return made


def build_more_at_end(loaded: LoadedMatch, user: UserId) -> ui.LayoutView:
    """What can be done after the end of a match that is done less often: all that explains it, a text to be copied, a
    review where there can be one, and for a player who beat the computer a match against the next level."""
    sight = MatchView.of(loaded, None)
    of = stamp(sight)
    made = [Control(ActButton(*of, "details"), "Details"), Control(ActButton(*of, "share"), "Share")]
    if reviews.is_reviewable(loaded):
        made.append(Control(ActButton(*of, "review"), "Review", discord.ButtonStyle.primary))
    levels = find_harder_levels(sight) if loaded.has(user) else []
    made += [Control(RematchButton(*of, one), f"Level {one} next", discord.ButtonStyle.success) for one in levels]
    whose = f"\n-# {words.format_match_line(loaded)}" if loaded.has(user) else ""
    return build_notice(f"{LIKE}{whose}", *made)


def build_more(loaded: LoadedMatch, seat: Viewer) -> ui.LayoutView:
    """What a player may ask of the others, and how they may leave, one proposal at a time. Spectators can only try out
    moves."""
    row, of = loaded.row, stamp(MatchView.of(loaded, seat))
    tries = [Control(ActButton(*of, "tryout"), "Try out")] if not loaded.game.secret or seat in loaded.turn else []
    if seat is None:
        return build_notice(f"{LIKE}\n-# {words.format_match_line(loaded)}", *tries)
    asks = proposals.open_proposal(loaded) is None and seat not in loaded.begun_match.withdrawn_seats and row.seats > 1
    waits = row.seats == 2 and not loaded.game.secret and premoves.can_prepare(loaded, seat)
    made = [*([Control(ActButton(*of, "ifthen"), "If … then …")] if waits else []), *tries]
    if asks and loaded.could_take_back(seat):
        made.append(Control(ProposeButton(*of, "takeback"), "Take back"))
    if asks and not loaded.game.secret:
        made.append(Control(ProposeButton(*of, "draw"), "Offer a draw"))
    if asks and row.pace != "none" and row.paused is None:
        made.append(Control(ProposeButton(*of, "pause"), "Pause"))
    made += (Control(ActButton(*of, "calloff"), "Call it off"), Control(ActButton(*of, "giveup"), "Resign"))
    rows = [make_row(*made[at : at + ABREAST]) for at in range(0, len(made), ABREAST)]
    return frame_view(OVER, ui.TextDisplay(f"{LIKE}\n-# {words.format_match_line(loaded)}"), *rows)


def make_hint_buttons(sight: MatchView) -> list[Control]:
    """The button to ask for a hint, where a player to move can have one."""
    seats = [seat for seat in sight.turn if sight.viewer in (None, seat)]
    asking = [seat for seat in seats if is_person(sight.loaded.user_at(seat))]
    if not asking or not sight.loaded.row.gives_hints:
        return []
    return [Control(ActButton(*stamp(sight), "hint"), "Hint")]
