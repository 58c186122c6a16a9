"""Makes what answers people, each handler with the services that it uses, and the table of what their buttons do.

The cogs take from here whom they hand a command to.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.client.background.engine_pool import EnginePool
from bot.client.background.mailboxes import Mailboxes
from bot.client.http.messages import Channels
from bot.client.interactions.context import MatchFinder
from bot.client.interactions.routes import Routes
from bot.client.league.league_actions import LeagueActions
from bot.client.league.league_keeper import LeagueKeeper
from bot.client.league.week_poster import WeekPoster
from bot.client.lobby.challenges import Challenges
from bot.client.lobby.claim_actions import ClaimActions
from bot.client.lobby.game_picker import Gallery
from bot.client.lobby.lobby_actions import LobbyActions
from bot.client.lobby.match_directory import MatchDirectory
from bot.client.lobby.onboarding import Onboarding
from bot.client.lobby.preferences_card import PreferencesCard
from bot.client.lobby.proposal_actions import ProposalActions
from bot.client.lobby.settings_card import SettingsCard
from bot.client.lobby.settings_store import SettingsStore
from bot.client.lobby.welcome import Welcome
from bot.client.moves.confirm import Confirmations
from bot.client.moves.move_command import MoveCommands
from bot.client.moves.pad_actions import PadActions
from bot.client.moves.prepare_pads import PreparePads
from bot.client.moves.submit_move import SubmitMove
from bot.client.people.members import Members
from bot.client.publisher.publisher import Publisher
from bot.client.publisher.rehousing import Rehousing
from bot.client.solving.closed_channels import ClosedChannels
from bot.client.solving.daily_poster import DailyPoster
from bot.client.solving.daily_viewer import DailyViewer
from bot.client.study.brought import Brought
from bot.client.study.film_viewer import FilmViewer
from bot.client.study.hint_viewer import HintViewer
from bot.client.study.lesson_viewer import LessonViewer
from bot.client.study.paged_lists import PagedLists
from bot.client.study.public_posts import PublicPosts
from bot.client.study.rating_chart import Archive
from bot.client.study.records.import_viewer import ImportViewer
from bot.client.study.records.play_on import PlayOn
from bot.client.study.replay_film import Films
from bot.client.study.replay_viewer import ReplayViewer
from bot.client.study.retry_viewer import RetryViewer
from bot.client.study.review_viewer import Reviews, ReviewViewer
from bot.client.study.try_out_pads import TryOutPads
from bot.client.text import match_list
from bot.client.views.renderer import Renderer
from bot.client.views.replies import Replies
from bot.core.match.stored import MatchRow
from bot.core.values.ids import GuildId, UserId
from bot.service.league.leagues import Leagues
from bot.service.umpire.deadlines import Deadlines
from bot.service.umpire.umpire import Umpire


class Handlers:
    """All that answers commands, buttons and forms."""

    def __init__(
        self,
        umpire: Umpire,
        channels: Channels,
        members: Members,
        renderer: Renderer,
        publisher: Publisher,
        engine_pool: EnginePool,
        deadlines: Deadlines,
        answer_within: float,
        version: str,
        mailboxes: Mailboxes,
    ) -> None:
        def listing(head: str, rows: Sequence[MatchRow], user: UserId) -> str:
            return match_list.listed(head, rows, umpire.games, user)

        self.listing = listing
        self.finder = MatchFinder(umpire, listing)
        self.replies = replies = Replies(publisher, renderer, answer_within)
        # moves
        self.submit_move = SubmitMove(umpire, replies, renderer)
        self.pad_actions = PadActions(umpire, replies, renderer, self.submit_move)
        self.move_commands = MoveCommands(self.finder, self.submit_move, renderer)
        self.prepare_pads = PreparePads(umpire, renderer)
        self.confirmations = Confirmations(umpire, replies, publisher.asked_after)
        # lobby
        self.gallery = Gallery(renderer)
        self.settings_store = SettingsStore(umpire, channels)
        self.settings_card = SettingsCard(self.settings_store)
        self.preferences_card = PreferencesCard(self.settings_store)
        self.directory = MatchDirectory(umpire, channels, members)
        self.challenges = Challenges(
            umpire, replies, self.settings_store, lambda: engine_pool.many > 0, publisher.queue.turn
        )
        self.onboarding = Onboarding(self.challenges, replies, self.gallery)
        self.welcome = Welcome(umpire, self.challenges, replies, self.pad_actions, version)
        self.proposal_actions = ProposalActions(umpire, replies, engine_pool, members, publisher.noticed)
        self.claim_actions = ClaimActions(umpire, deadlines, replies, self.confirmations, publisher.asked_after)
        self.lobby_actions = LobbyActions(
            umpire, self.challenges, replies, members, publisher.lobbies.view, publisher.unpark
        )
        self.rehousing = Rehousing(umpire, publisher, self.challenges)
        # league
        closed = ClosedChannels(umpire, channels, publisher, mailboxes)
        leagues = Leagues(umpire.store, umpire.games, umpire.clock, umpire.lots)
        self.league_keeper = LeagueKeeper(leagues, channels, members, renderer, publisher, closed)
        publisher.departures.league_changed = self.league_keeper.soon
        self.league_actions = LeagueActions(self.league_keeper, self.challenges, self.directory)
        # study
        self.films = Films(renderer)
        self.reviews = Reviews(engine_pool, renderer, umpire.store)
        self.brought = Brought(umpire, renderer)
        self.replay_viewer = ReplayViewer(renderer, self.directory, self.brought, replies)
        self.import_viewer = ImportViewer(self.brought, self.replay_viewer)
        posts = PublicPosts(umpire, channels)
        self.film_viewer = FilmViewer(self.films, self.replay_viewer, posts)
        self.review_viewer = ReviewViewer(self.reviews, renderer, self.replay_viewer, posts)
        self.retry_viewer = RetryViewer(self.reviews, engine_pool, renderer, self.replay_viewer)
        self.try_out_pads = TryOutPads(umpire, renderer, engine_pool, self.replay_viewer)
        self.play_on = PlayOn(self.challenges, replies, renderer, self.replay_viewer)
        self.hint_viewer = HintViewer(umpire, engine_pool, renderer)
        self.lesson_viewer = LessonViewer(renderer)
        self.paged_lists = PagedLists(umpire, members, Archive(renderer))
        # the daily puzzle
        self.daily_viewer = DailyViewer(umpire, engine_pool, members, renderer)
        self.daily_poster = DailyPoster(umpire, channels, members, renderer, closed)
        self.week_poster = WeekPoster(umpire, channels, members, renderer, closed)
        self.settings_store.changed = self.reopened
        self.routes = Routes(vars(self).values(), umpire.load, publisher.met)

    def reopened(self, guild: GuildId | None) -> int:
        """Let all posts be tried again that a server owes, or all servers; how many these are."""
        owing = self.league_keeper, self.daily_poster, self.week_poster
        return sum(one.reopened(guild) for one in owing)

    def close(self) -> None:
        """Begin no film and no review any more."""
        self.films.close()
        self.reviews.close()
