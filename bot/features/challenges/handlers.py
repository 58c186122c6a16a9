"""Answers the buttons under a challenge, and welcomes servers."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.features.board.ids import ActButton, RematchButton
from bot.features.board.replies import Replies
from bot.features.challenges import onboarding, words
from bot.features.challenges.onboarding import Gallery, Sample
from bot.features.challenges.service import Challenges, describe_invitation, expect_opponent, read_chosen_people
from bot.features.pads.pad_loop import MovePads
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.wording import Plural, join_sentences, join_words
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.interactions import (
    Interaction,
    MalformedInput,
    find_guild,
    is_private,
    key_of,
    manages_server,
    parse_level,
    user_of,
    values_of,
)
from bot.platform.members import MemberCache
from bot.platform.routes import on
from bot.platform.ui import Control, GameButton
from bot.play import acts, challenges, rows
from bot.play.ids import NOWHERE, GuildId, MatchId, MessageId, UserId, is_computer
from bot.play.loaded_match import LoadedMatch, Refusal, mention_user
from bot.play.match import Match
from bot.play.rows import WELCOMED
from bot.umpire.umpire import ActResult, Decision, Umpire
from data.engine.errors import Unavailable
from data.store import Transaction

# Answers the buttons under a challenge or an open table, and the one for a rematch.


DrawLobby = Callable[[LoadedMatch], Awaitable[ui.LayoutView]]
"""Builds the lobby message of a challenge."""
REMATCH_BEGUN = "The rematch has started. It's match {match}: {link}"
REMATCH_ASKED = "The rematch starts as soon as everybody agrees: {link}"
NO_REMATCH = Plural(
    "{names} has left this server, so there is no rematch. Use /play to challenge somebody else.",
    "{names} have left this server, so there is no rematch. Use /play to challenge somebody else.",
)
LEFT = Plural("{names} has left this server, so they don't play.", "{names} have left this server, so they don't play.")
NARROWED = {
    False: "Match {match} is for {seats} players now. I'll tell you when it begins:",
    True: "Match {match} is for {seats} players now, with {new} instead of {old}. I'll tell you when it begins:",
}
NARROWED_BEGUN = {
    False: "Match {match} has started:",
    True: "Match {match} has started for {seats} players, with {new} instead of {old}:",
}
"""By whether that changes options, of which some that nobody has chosen depend on how many play."""
ASKED_ELSE = "You asked {name} to play:"
WITHDRAWN = "You withdrew the challenge to match {match}."
WITHDRAW = "Do you want to withdraw your challenge to {game}? Nobody can accept it then."
ASK_WITHIN = 1.0
"""Seconds to ask Discord who has left the server."""
UnparkMatch = Callable[[MatchId], Awaitable[None]]
"""Lets a match be shown again after Discord has refused it."""

steps = logging.getLogger("graphpaper.steps")


class LobbyActions:
    """What users do at a table before a match begins."""

    def __init__(
        self,
        umpire: Umpire,
        challenges: Challenges,
        replies: Replies,
        members: MemberCache,
        lobby: DrawLobby,
        unpark: UnparkMatch,
    ) -> None:
        self._umpire = umpire
        self._members = members
        self._challenges = challenges
        self._replies = replies
        self._lobby = lobby
        self._unpark = unpark

    @on(ActButton, words="accept join")
    async def accept(self, interaction: Interaction, button: ActButton) -> None:
        """Accept a challenge, or join an open table."""
        lobby = MessageId(interaction.message.id) if interaction.message else None
        gone = await self._find_departed(interaction, button)
        done = await self._act(interaction, button, partial(acts.accept, lobby=lobby, gone=gone))
        await self._show_lobby(interaction, done, gone)

    @on(ActButton, words="leave")
    async def leave(self, interaction: Interaction, button: ActButton) -> None:
        """Leave a table. Its host is asked whether to withdraw it."""
        if await self._asks_host(interaction, button):
            return
        await self._show_lobby(interaction, await self._act(interaction, button, acts.leave))

    @on(ActButton, words="decline")
    async def decline(self, interaction: Interaction, button: ActButton) -> None:
        """Decline a challenge. Its host is asked whether to withdraw it."""
        if await self._asks_host(interaction, button):
            return
        loaded = await self._umpire.load(button.match)
        gone = await self._find_departed(interaction, button) if rows.starts_with_fewer(loaded.row) else ()
        done = await self._act(interaction, button, partial(acts.decline, gone=gone))
        await self._show_lobby(interaction, done)

    @on(ActButton, words="cancel")
    async def cancel(self, interaction: Interaction, button: ActButton) -> None:
        """Cancel a challenge."""
        cancel = partial(acts.cancel, manager=manages_server(interaction))
        await self._show_lobby(interaction, await self._act(interaction, button, cancel))

    @on(ActButton, words="begin")
    async def begin(self, interaction: Interaction, button: ActButton) -> None:
        """Begin with the players who have joined."""
        gone = await self._find_departed(interaction, button)
        done = await self._act(interaction, button, partial(acts.begin_early, gone=gone))
        await self._show_lobby(interaction, done, gone)

    @on(ActButton, words="fewer")
    async def narrow(self, interaction: Interaction, button: ActButton) -> None:
        """Play with the players who remain in a declined challenge."""
        gone = await self._find_departed(interaction, button)
        done = await self._act(interaction, button, partial(acts.narrow, gone=gone))
        told = NARROWED_BEGUN if done.after.row.state == "live" else NARROWED
        before, after = list_options(done.before), list_options(done.after)
        new, old = ([one for one in these if one not in others] for these, others in ((after, before), (before, after)))
        parts = {"match": done.after.id, "seats": done.after.row.seats, "new": join_words(new), "old": join_words(old)}
        await self._answer_host(interaction, done, told[bool(new)].format(**parts))

    @on(ActButton, words="askelse")
    async def ask_another(self, interaction: Interaction, button: ActButton) -> None:
        """Ask another user to a declined challenge."""
        chosen = read_chosen_people(interaction)
        if len(chosen) != 1:
            raise MalformedInput
        whom = expect_opponent(chosen[0], user_of(interaction))
        done = await self._act(interaction, button, partial(acts.invite_user, whom=whom, now=self._umpire.clock()))
        await self._answer_host(interaction, done, ASKED_ELSE.format(name=mention_user(whom)))

    @on(ActButton, words="withdraw")
    async def withdraw(self, interaction: Interaction, button: ActButton) -> None:
        """Cancel a challenge, from the line below it or from the question."""
        cancel = partial(acts.cancel, manager=manages_server(interaction))
        done = await self._act(interaction, button, cancel)
        await self._answer_host(interaction, done, WITHDRAWN.format(match=done.after.id))

    @on(ActButton, words="computer")
    async def seat_computer(self, interaction: Interaction, button: ActButton) -> None:
        """Seat a computer on a free seat, or remove all computers."""
        chosen, gone = values_of(interaction), frozenset[UserId]()
        if chosen == [words.UP]:
            done = await self._act(interaction, button, challenges.remove_computers)
        else:
            self._challenges.expect_computer()
            level, gone = parse_level(chosen), await self._find_departed(interaction, button)
            done = await self._act(interaction, button, partial(challenges.seat_computer, level=level, gone=gone))
        await self._show_lobby(interaction, done, gone)

    @on(RematchButton)
    async def rematch(self, interaction: Interaction, button: RematchButton) -> None:
        """Ask for the same match again with the seats rotated, or agree to it; perhaps at another level of the
        computer."""
        before = await self._umpire.load(button.match)
        if challenges.find_match_level(before.row):
            self._challenges.expect_computer()
        if before.has(user_of(interaction)) and (gone := await self._list_departed(before, user_of(interaction))):
            raise Refusal(NO_REMATCH.fill_in(len(gone), names=join_words([mention_user(one) for one in gone])))
        key, user = key_of(interaction), user_of(interaction)
        loaded = await self._umpire.rematch(key, button.match, user, button.level or None)
        told = REMATCH_BEGUN if loaded.match else REMATCH_ASKED
        async with self._replies.publish_afterwards(loaded.id):
            await edits.answer_anew(interaction, told.format(match=loaded.id, link=loaded.link))

    async def _act(self, interaction: Interaction, button: ActButton, decide: Decision) -> ActResult:
        return await self._umpire.act(key_of(interaction), button.match, user_of(interaction), decide)

    async def _find_departed(self, interaction: Interaction, button: ActButton) -> frozenset[UserId]:
        """Which other players at a table have left the server."""
        loaded = await self._umpire.load(button.match)
        return frozenset(await self._list_departed(loaded, user_of(interaction)) if loaded.row.state == "open" else ())

    async def _list_departed(self, loaded: LoadedMatch, user: UserId) -> list[UserId]:
        """Which other players of a match have left the server, in order."""
        others = [player.user for player in loaded.players if player.user != user]
        gone = await self._members.find_departed_now(loaded.row.guild, others, ASK_WITHIN)
        return [one for one in others if one in gone]

    async def _asks_host(self, interaction: Interaction, button: ActButton) -> bool:
        """Whether the user made the open challenge, and is asked whether to withdraw it."""
        loaded = await self._umpire.load(button.match)
        row = loaded.row
        if row.state != "open" or row.host != user_of(interaction) or not words.is_challenge(row):
            return False
        yes = Control(ActButton(row.id, 0, False, "withdraw"), "Withdraw", discord.ButtonStyle.danger)
        no = Control(ActButton(row.id, 0, False, "stay"), "Keep it")
        sentence = WITHDRAW.format(game=loaded.game.title)
        await edits.answer_anew(interaction, platform_ui.build_notice(sentence, yes, no))
        return True

    async def _answer_host(self, interaction: Interaction, done: ActResult, sentence: str) -> None:
        """Answer the host, who decided about a challenge on the line below it, which is deleted or edited, or on the
        question, whose place the answer takes."""
        async with self._replies.publish_afterwards(done.after.id):
            await edits.answer(interaction, platform_ui.build_notice(f"{sentence} {done.after.link}"))

    async def _show_lobby(self, interaction: Interaction, done: ActResult, gone: Collection[UserId] = ()) -> None:
        """Show the current lobby, and who was removed from it since they have left the server."""
        if done.repeated:
            return
        if done.after.row.publish_error:
            await self._unpark(done.after.id)
        async with self._replies.publish_afterwards(done.after.id):
            message, lobby = interaction.message, done.after.row.lobby_message
            answer = edits.answer_for_all if message and message.id == lobby else edits.answer
            await answer(interaction, await self._lobby(done.after))
            steps.debug("answered %d", done.after.id)
        if up := [mention_user(player.user) for player in done.before.players if player.user in gone]:
            await edits.answer_anew(interaction, LEFT.fill_in(len(up), names=join_words(up)))


def list_options(loaded: LoadedMatch) -> list[str]:
    """The options of a match in words, for its number of players."""
    return Match.start(loaded.game, loaded.row.options, loaded.row.seats).options.describe()


# Welcomes a server and users who ask for help: what this bot is, a quick game at once, and a list of all games.


HEAD = (
    "### Graph Paper\n{number} pencil-and-paper games by {inventors}. Play somebody in this server or the computer, in "
    "minutes or over weeks. I draw the board after each move."
)
SHOWN = "-# A finished board of {game}"
HEAD_OUTSIDE = (
    "### Graph Paper\n{number} pencil-and-paper games by {inventors}. Learn them here, play the computer, and play the "
    "matches of all your servers. I draw the board after each move."
)
QUICK = "*Quick game* begins an easy game against the computer at once."
PLAY = "*Play* lets you choose a game, and who to play with."
PLAY_OUTSIDE = "*Play* lets you choose a game."
START = "`/play` does the same as *Play*, `/matches` lists your matches, and `/learn` teaches you a game in pictures."
REST = "`/help` has the rest."
FURTHER = (
    "`/leaderboard` and `/profile` have results and ratings.\n"
    "`/daily` is a puzzle a day, `/league` a few weeks of matches with others.\n"
    "`/preferences` has your reminders and your time zone. `/away` stops your clocks while you are on holiday.\n"
    "`/privacy` shows or deletes what I keep about you."
)
FURTHER_OUTSIDE = (
    "`/daily` is a puzzle a day, `/games` has all games.\n"
    "`/preferences` has your reminders and your time zone. `/away` stops your clocks while you are on holiday.\n"
    "`/privacy` shows or deletes what I keep about you."
)
MANAGES = (
    "-# For those who manage this server: I post where somebody challenges, open a thread for each match, and mention "
    "its players. `/settings` changes that."
)
IN_THREADS = (
    "-# If a board's buttons do nothing, you may not be allowed to write in its thread. Use `/match board` elsewhere."
)
"""In an archived thread, buttons work only for users who may unarchive it."""
VERSION = "-# Version {version}."


class Welcome:
    """Shows the card, in a server that the bot was invited to or to one user, and begins quick games."""

    def __init__(
        self, umpire: Umpire, challenges: Challenges, replies: Replies, pads: MovePads, gallery: Gallery, version: str
    ) -> None:
        self._umpire = umpire
        self._gallery = gallery
        self._turns: WeakValueDictionary[tuple[GuildId, UserId], asyncio.Lock] = WeakValueDictionary()
        self._challenges = challenges
        self._replies = replies
        self._pads = pads
        self._version = version

    async def greet(self, guild: discord.Guild) -> None:
        """Show the card in the system channel, or else in the first channel that accepts it; or nowhere."""
        places = [guild.system_channel, *guild.text_channels]
        place = next((one for one in places if one and may_post(one.permissions_for(guild.me))), None)
        if place:
            draws = place.permissions_for(guild.me).attach_files
            sample = await self._gallery.load_sample(find_shown_game()) if draws else None
            view = build_welcome_card(self._challenges.computers(), manages=True, sample=sample)
            # Where that can't be noted, the first challenge introduces the bot again.
            with suppress(discord.HTTPException, discord.RateLimited, Unavailable):
                await place.send(view=view, files=onboarding.list_files(sample), silent=True)
                await self._umpire.store.do(Transaction.set_note, WELCOMED.format(guild=guild.id), "1")

    async def show(self, interaction: Interaction) -> None:
        """Show the card in an ephemeral message; to managers of the server with the bot's version, for reports."""
        manages = manages_server(interaction)
        version, invite = self._version if manages else None, describe_invitation(interaction)
        card = build_welcome_card(self._challenges.computers(), manages, version, asked=True, invite=invite)
        await edits.answer_anew(interaction, card)

    @on(GameButton, words="quick", price=Price(2))
    async def begin_quick_game(self, interaction: Interaction, _button: GameButton) -> None:
        """Begin a quick game, or take the one without a move; say so in place of the user's card, and below it open the
        pad for the first move."""
        # Two presses at once would begin two games: each press on a welcome is an act of its own.
        place = find_guild(interaction) or NOWHERE
        turn = self._turns.setdefault((place, user_of(interaction)), asyncio.Lock())
        async with turn:
            loaded = await self._find_or_begin(interaction)
        own, moves = is_private(interaction), loaded.seat_of(user_of(interaction)) in loaded.turn
        build_result = onboarding.build_quick_result if moves else onboarding.build_challenge_result
        async with self._replies.publish_afterwards(loaded.id):
            if own:
                await edits.answer(interaction, build_result(loaded), [])
            if moves:
                await self._pads.open_first_pad(interaction, loaded)
            else:  # a repeated delivery: the first move is made
                await self._replies.show_own_board(interaction, loaded, "Only you see this board.")
        if own and not moves:
            await self._challenges.update_link_when_posted(
                loaded, lambda now: edits.answer(interaction, onboarding.build_challenge_result(now))
            )

    async def _find_or_begin(self, interaction: Interaction) -> LoadedMatch:
        """The user's quick game without a move of theirs, or a new one."""
        guild, user, games = find_guild(interaction) or NOWHERE, user_of(interaction), load_offered_games().values()
        rows, results = await self._umpire.store.ask(
            lambda reader: (reader.live_of(guild, user), reader.load_results_against_computer(guild, user))
        )
        for row in rows:
            if row.game in load_offered_games() and challenges.is_untouched(row, user):
                return await self._umpire.load(row.id)
        playing = Counter(row.game for row in rows if any(is_computer(player.user) for player in row.players))
        game, level = challenges.choose_quick_game(games, results, playing)
        return await self._challenges.write(interaction, game, {"level": level, "seat": "me"}, (), key_of(interaction))


def build_welcome_card(
    computers: bool, manages: bool = False, version: str | None = None, *, asked: bool = False,
    sample: Sample | None = None, invite: str = "",
) -> ui.LayoutView:  # fmt: skip
    """What this bot is, and the ways into a match; `computers`: whether the computer plays here, `manages`: whether the
    viewer may set the server up, `asked`: whether it answers a user in need of help, `sample`: a board to show,
    `invite`: outside of servers how to play with friends."""
    games = load_offered_games().values()
    head = (HEAD_OUTSIDE if invite else HEAD).format(number=len(games), inventors=words.name_inventors(games))
    play = Control(GameButton("pick"), "Play", discord.ButtonStyle.primary)
    ways = [*([onboarding.make_quick_button()] if computers else []), play]
    foot = [START, FURTHER, IN_THREADS] if asked else [join_sentences(START, REST)]
    foot = [START, FURTHER_OUTSIDE, invite] if invite else foot
    # What is for others than the lines above it stands apart from these.
    foot += [*([""] if asked else []), MANAGES] if manages else []
    foot += [VERSION.format(version=version)] if version else []
    return platform_ui.frame_view(
        platform_ui.ACCENTS[0],
        ui.TextDisplay(head),
        *onboarding.make_sample_items(sample),
        *([ui.TextDisplay[ui.LayoutView](SHOWN.format(game=find_shown_game().title))] if sample else []),
        ui.TextDisplay("\n".join([*([QUICK] if computers else []), PLAY_OUTSIDE if invite else PLAY])),
        platform_ui.make_row(*ways),
        ui.TextDisplay("\n".join(foot)),
    )


def find_quickest_game() -> Game:
    """The first quick game that a newcomer gets."""
    return challenges.order_games(load_offered_games().values())[0]


def find_shown_game() -> Game:
    """The game whose board a welcome shows: the first of squares, which anybody takes for a board."""
    games = challenges.order_games(load_offered_games().values())
    squared = (game for game in games if any(part.kind == "square" for part in game.moves[0].parts))
    return next(squared, games[0])


def may_post(allowed: discord.Permissions) -> bool:
    """Whether the bot may post in a channel."""
    return allowed.view_channel and allowed.send_messages
