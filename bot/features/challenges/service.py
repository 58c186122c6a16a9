"""Makes challenges for every command and button that begins a match: reads the options and checks who may be asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands

from bot.features.board.replies import Replies
from bot.features.ranking import words as ranking_words
from bot.features.settings.service import SettingsStore
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.notation import quote_whole
from bot.games.position import LEVELS
from bot.games.wording import join_sentences, join_words
from bot.platform import edits
from bot.platform.interactions import (
    Interaction,
    MalformedInput,
    bot_of,
    channel_of,
    data_of,
    guild_of,
    is_outside,
    key_of,
    user_of,
    values_of,
)
from bot.platform.ui import MOST_CHOICES
from bot.play import challenges
from bot.play.challenges import ChallengeTerms
from bot.play.clocks import PACES
from bot.play.ids import NOWHERE, USUAL, InteractionId, MatchId, UserId, describe_level, is_computer
from bot.play.loaded_match import LoadedMatch, Refusal, mention_user
from bot.play.record import Entry
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable

if TYPE_CHECKING:
    from bot.play.rows import Seating


NamedUser = discord.User | discord.Member | discord.Object
"""A user that an option names: a member, another user of Discord, or a bare id."""
OPPONENTS = ("opponent", *(f"opponent{number}" for number in range(2, 8)))
"""The options for opponents, as many as the largest game has seats for them."""
HELP = {
    "opponent": "Who to challenge; leave it out so that anybody can join",
    **dict.fromkeys(OPPONENTS[1:], "Another person to challenge"),
    "level": "Play the computer: choose its level",
    "seat": "Who moves first; drawn by lot if you leave it out",
    "seats": "How many players",
    "fewer": "Whether it starts without those who decline; if you leave it out, you decide then",
    "legs": "2: you play two games at once, one from each seat, and the combined score decides",
    "rated": "Whether it counts for the leaderboard; yes if you leave it out",
    "pace": "How much time there is for a move; as usual in this server if you leave it out",
    "match": "The match number, if you play several",
}
SEATINGS: Mapping[str | None, Seating] = {"me": "host", "opponent": "guest", "lot": "lot", None: "lot"}
PACED = [app_commands.Choice(name=str(pace), value=key) for key, pace in PACES.items()]
"""The paces as choices of an option."""
LEVELED = [app_commands.Choice(name=describe_level(level), value=level) for level in LEVELS]
"""The levels of the computer as choices of an option."""
BEGUN, BEGUN_AGAINST = "Match {match} of {game} has started.", "Match {match} of {game} has started against {rivals}."
OPEN_TABLE = "Match {match} of {game} has a table below, open until {until} at most."
TO_ANSWER = "Match {match} of {game}: challenge sent. {names} can answer until {until}."
INVITATION = (
    "https://discord.com/oauth2/authorize?client_id={application}&scope=bot+applications.commands"
    "&permissions=309237746688"
)
"""The address that README.md has, too."""
INVITE = f"To play with friends, [invite me to a server]({INVITATION}) and use `/play` there."
UNRATED = "Matches against the computer aren't rated."
UNASKED = "{game} favours one seat, so you play two games at once, one from each seat. Choose legs 1 to play it once."
"""The remark on a challenge that is in two legs by default."""
NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
NEEDED_IN_THREAD = {**NEEDED, "send_messages_in_threads": "Send Messages in Threads"}
NEEDED_IN_VOICE = {"view_channel": "View Channel", "connect": "Connect", **NEEDED}
"""The permissions that the chat of a voice or stage channel needs."""
NO_COMPUTER = "The computer doesn't play here, because this bot's host has switched it off. Challenge a person instead."
POSTED_WITHIN = 10.0
"""Seconds for which an answer waits to link to the match in its channel."""
USER = discord.AppCommandOptionType.user.value

WaitUntilShown = Callable[[MatchId, float], Awaitable[None]]
"""Waits until a match is shown, for this number of seconds at most."""


class Challenges:
    """Writes challenges and open tables; `computers` says whether the computer plays here."""

    def __init__(
        self, umpire: Umpire, replies: Replies, settings: SettingsStore, computers: Callable[[], bool],
        posted: WaitUntilShown,
    ) -> None:  # fmt: skip
        self._umpire = umpire
        self._replies = replies
        self._settings = settings
        self.computers = computers
        self._posted = posted

    async def make(self, interaction: Interaction, game: Game, given: Mapping[str, Any]) -> None:
        """Write a challenge by a command's options, answer, and have its lobby posted in this channel."""
        guests = [one for name in OPPONENTS if (one := given.get(name))]
        loaded = await self.write(interaction, game, given, guests, key_of(interaction))
        async with self._replies.publish_afterwards(loaded.id):
            line = join_sentences(
                describe_challenge(loaded), *explain_legs(loaded, given), *list_remarks(loaded, given)
            )
            await edits.answer_anew(interaction, f"{line} {loaded.link}" if loaded.match else line)
        if loaded.match:
            await self.update_link_when_posted(loaded, lambda now: edits.answer_line(interaction, f"{line} {now.link}"))

    async def update_link_when_posted(
        self, loaded: LoadedMatch, tell: Callable[[LoadedMatch], Awaitable[object]]
    ) -> None:
        """Tell of a match again as soon as it is posted in its channel, when its link changes."""
        with suppress(Refusal, Unavailable, discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError):
            await self._posted(loaded.id, POSTED_WITHIN)
            posted = await self._umpire.load(loaded.id)
            if posted.link != loaded.link:
                await tell(posted)

    async def write(
        self, interaction: Interaction, game: Game, given: Mapping[str, Any], guests: Sequence[NamedUser],
        act: InteractionId, origin: MatchId | None = None, lines: tuple[Entry, ...] = (),
    ) -> LoadedMatch:  # fmt: skip
        """Write a challenge to some users, or an open table where none is named, once for each idempotency key `act`.
        Naming this bot asks for the computer. With `lines` it goes on from there; `origin` has them."""
        named, outside = [one for one in guests if one.id != bot_of(interaction)], is_outside(interaction)
        level = given.get("level") or (USUAL if len(named) < len(guests) else None)
        if level is not None:
            self.expect_computer()
        if outside and (named or (level is None and given.get("seats") != 1)):
            raise Refusal(describe_invitation(interaction))
        if not outside:
            await self.expect_place(interaction)
        options = {name: value for name in game.Options.bounds() if (value := given.get(name)) is not None}
        challenge = ChallengeTerms(
            guild=NOWHERE if outside else guild_of(interaction),
            channel=await self._settings.find_mailbox(interaction) if outside else channel_of(interaction),
            host=user_of(interaction),
            game=game,
            options=options,
            seats=given.get("seats"),
            guests=tuple(expect_opponent(one, user_of(interaction)) for one in named),
            seating=SEATINGS[given.get("seat")],
            rated=given.get("rated") is not False and not outside,
            pace="none" if outside else expect_pace(pace) if (pace := given.get("pace")) else None,
            level=level,
            legs=given.get("legs"),
            fewer=given.get("fewer") is True,
            origin=origin,
            lines=lines,
        )
        return await self._umpire.challenge(act, challenge)

    async def expect_place(self, interaction: Interaction) -> None:
        """Refuse a challenge where the bot could not show the board, or where the server allows none."""
        await self._settings.expect_admitted(interaction)
        expect_permissions(interaction)
        await self._settings.expect_channel(interaction)

    async def describe_level_advice(self, interaction: Interaction, game: Game) -> str:
        """A line about the level of the computer that suits the user at a game; empty where it is unknown."""
        if not self.computers() or is_outside(interaction):
            return ""
        whose = guild_of(interaction), user_of(interaction)
        with suppress(Unavailable):
            results, losses = await self._umpire.store.ask(
                lambda reader: (reader.load_results_against_computer(*whose), reader.load_losses_by_game(*whose))
            )
            advice = challenges.advise_usual_level(game, results, losses.get(game.key))
            return f"\n-# {ranking_words.describe_suitable_level(advice, further=False)}" if advice else ""
        return ""

    def expect_computer(self) -> None:
        """Refuse a match with the computer where the host has switched it off."""
        if not self.computers():
            raise Refusal(NO_COMPUTER)


def describe_invitation(interaction: Interaction) -> str:
    """How to play with friends, for a user outside of servers; empty in a server."""
    return INVITE.format(application=interaction.application_id) if is_outside(interaction) else ""


def describe_challenge(loaded: LoadedMatch) -> str:
    """The sentences about what happens next with a challenge, for its host."""
    match, until = {"match": loaded.id, "game": loaded.game.title}, f"<t:{loaded.row.expires}:f>"
    if loaded.match:
        rivals = [mention_user(player.user) for player in loaded.players if is_computer(player.user)]
        return (BEGUN_AGAINST if rivals else BEGUN).format(**match, rivals=join_words(rivals))
    asked = [f"<@{player.user}>" for player in loaded.players if player.invited]
    if not asked:
        return OPEN_TABLE.format(**match, until=until)
    absent = [f"<@{user}> is away until <t:{ends}:D>." for user, ends in loaded.away if user != loaded.row.host]
    return join_sentences(TO_ANSWER.format(**match, names=join_words(asked), until=until), *absent)


def explain_legs(loaded: LoadedMatch, given: Mapping[str, Any]) -> list[str]:
    """The sentence that a challenge is in two legs by default; none where the user has chosen the number of legs."""
    unasked = loaded.game.single is not None and given.get("legs") is None
    return [UNASKED.format(game=loaded.game.title)] if unasked else []


def list_remarks(loaded: LoadedMatch, given: Mapping[str, Any]) -> list[str]:
    """The wishes that the computer cannot fulfil, as sentences."""
    level, wanted = challenges.find_match_level(loaded.row), given.get("level")
    if level is None:
        return []
    weaker = [f"With these options, level {level} is the computer's best."] if (wanted or 0) > level else []
    return [*weaker, *([UNRATED] if given.get("rated") else [])]


def expect_pace(key: str, among: Iterable[str] = PACES) -> str:
    """One of these paces, or a refusal: only a modified client sends others."""
    if key not in among:
        raise Refusal("There is no such time for a move. Choose one of those that the command offers.")
    return key


def expect_opponent(opponent: NamedUser, host: UserId) -> UserId:
    """The id of a user who can be challenged, or a refusal."""
    if opponent.id == host:
        raise Refusal("You can't challenge yourself. Name somebody else, or leave the name out to open a table.")
    if isinstance(opponent, discord.User | discord.Member) and opponent.bot:
        raise Refusal(f"<@{opponent.id}> is a bot and doesn't play. Challenge a person.")
    if not isinstance(opponent, discord.Member):
        raise Refusal(f"<@{opponent.id}> isn't in this server. You can only challenge members.")
    return UserId(opponent.id)


def read_chosen_people(interaction: Interaction) -> list[NamedUser]:
    """The users who were chosen in a select, parsed as discord.py parses those of a command."""
    chosen: Any = [{"type": USER, "name": str(at), "value": one} for at, one in enumerate(values_of(interaction))]
    try:
        return [one for _, one in app_commands.Namespace(interaction, data_of(interaction).get("resolved", {}), chosen)]
    except (KeyError, TypeError, ValueError) as fault:
        raise MalformedInput from fault


def expect_permissions(interaction: Interaction) -> None:
    """Refuse a challenge where the bot could not show the board, with the permissions that it lacks."""
    threaded = isinstance(interaction.channel, discord.Thread)
    voiced = isinstance(interaction.channel, discord.VoiceChannel | discord.StageChannel)
    needed = NEEDED_IN_THREAD if threaded else NEEDED_IN_VOICE if voiced else NEEDED
    if threaded:
        needed = {name: text for name, text in needed.items() if name != "send_messages"}
    lacking = [text for name, text in needed.items() if not getattr(interaction.app_permissions, name)]
    if lacking:
        raise Refusal(
            f"I can't post boards in this channel without {join_words(lacking)}. "
            "Ask somebody who manages the server, or use another channel."
        )


def find_game(name: str) -> Game:
    """The offered game with this key or title, or a refusal."""
    wanted = name.strip().lower()
    for game in load_offered_games().values():
        if wanted in (game.key, game.title.lower()):
            return game
    raise Refusal(quote_whole(name, "There is no such game here. /games shows what there is."))


def find_solo_game(name: str) -> Game:
    """The named game, or a refusal where it has no solo version."""
    game = find_game(name)
    if 1 not in game.seats:
        alone = join_words([other.title for other in load_offered_games().values() if 1 in other.seats])
        raise Refusal(f"{game.title} can't be played alone. These can: {alone}.")
    return game


def suggest_games(current: str, alone: bool = False) -> list[app_commands.Choice[str]]:
    """The offered games whose title contains the typed text; with `alone` those with a solo version."""
    typed = current.strip().lower()
    games = [game for game in load_offered_games().values() if not alone or 1 in game.seats]
    found = [game for game in games if typed in game.title.lower() or typed in game.key]
    found.sort(key=lambda game: not game.title.lower().startswith(typed))
    return [app_commands.Choice(name=game.title, value=game.key) for game in found[:MOST_CHOICES]]
