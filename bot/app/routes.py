"""Makes the handlers, each with the services that it uses, and the table of routes for their buttons.

The cogs take the handlers of their commands from here.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.agreements.handlers import ClaimActions, Confirmations, ProposalActions
from bot.features.board import directory as match_directory
from bot.features.board.closed_places import ClosedChannels, MatchRelocator
from bot.features.board.directory import MatchDirectory, MatchFinder
from bot.features.board.match_pictures import Renderer
from bot.features.board.outside import Admissions
from bot.features.board.publisher import Publisher
from bot.features.board.replies import Replies
from bot.features.challenges.handlers import LobbyActions, Welcome
from bot.features.challenges.onboarding import Gallery, Onboarding
from bot.features.challenges.service import Challenges
from bot.features.computer.service import EnginePool
from bot.features.daily.handlers import DailyViewer
from bot.features.daily.loop import DailyPoster, MorningSender
from bot.features.leagues.handlers import LeagueActions
from bot.features.leagues.loop import LeagueKeeper
from bot.features.leagues.service import LeagueService
from bot.features.pads.handlers import MoveCommands, MoveSubmitter
from bot.features.pads.pad_loop import MovePads
from bot.features.pads.premove_pads import PremovePads
from bot.features.ranking.handlers import CareerCache, PagedLists
from bot.features.ranking.loop import WeekPoster
from bot.features.settings.handlers import PreferencesCard, SettingsCard
from bot.features.settings.service import SettingsStore
from bot.features.study.films import Films, FilmViewer
from bot.features.study.hints import HintViewer
from bot.features.study.lessons import LessonViewer
from bot.features.study.posts import PublicPosts
from bot.features.study.replays import ImportedRecords, ImportViewer, PlayOn, ReplayViewer
from bot.features.study.reviews import RetryViewer, Reviews, ReviewViewer
from bot.features.study.try_outs import TryOutPads
from bot.platform.members import MemberCache
from bot.platform.messages import Channels
from bot.platform.places import Mailboxes
from bot.platform.routes import Routes
from bot.play.ids import GuildId, UserId
from bot.play.rows import MatchRow
from bot.umpire.umpire import Umpire


class Handlers:
    """The handlers of all commands, buttons and forms."""

    def __init__(
        self,
        umpire: Umpire,
        channels: Channels,
        members: MemberCache,
        renderer: Renderer,
        publisher: Publisher,
        engine_pool: EnginePool,
        answer_within: float,
        version: str,
        mailboxes: Mailboxes,
    ) -> None:
        def format_question(head: str, rows: Sequence[MatchRow], user: UserId) -> str:
            return match_directory.format_match_question(head, rows, umpire.games, user)

        self.format_question = format_question
        self.admissions = admissions = Admissions(umpire, members, channels)
        self.finder = MatchFinder(umpire, format_question, admissions)
        self.replies = replies = Replies(umpire, publisher, renderer, answer_within)
        # moves
        self.submit_move = MoveSubmitter(umpire, replies, renderer)
        self.move_pads = MovePads(umpire, replies, renderer, self.submit_move)
        self.move_commands = MoveCommands(self.finder, self.submit_move, renderer)
        self.prepare_pads = PremovePads(umpire, renderer)
        self.confirmations = Confirmations(umpire, replies, publisher.confirm_missing)
        # lobby
        self.gallery = Gallery(renderer)
        self.settings_store = SettingsStore(umpire, channels)
        self.settings_card = SettingsCard(self.settings_store)
        self.preferences_card = PreferencesCard(self.settings_store)
        self.directory = MatchDirectory(umpire, channels, members, admissions)
        self.challenges = Challenges(
            umpire, replies, self.settings_store, lambda: engine_pool.many > 0, publisher.queue.wait_for
        )
        self.onboarding = Onboarding(self.challenges, replies, self.gallery)
        self.welcome = Welcome(umpire, self.challenges, replies, self.move_pads, self.gallery, version)
        self.proposal_actions = ProposalActions(umpire, replies, engine_pool, members, publisher.note_membership)
        self.claim_actions = ClaimActions(umpire, replies, self.confirmations, publisher.confirm_missing)
        self.lobby_actions = LobbyActions(
            umpire, self.challenges, replies, members, publisher.lobbies.build_view, publisher.unpark
        )
        self.rehousing = MatchRelocator(umpire, publisher, self.challenges)
        # league
        closed = ClosedChannels(umpire, channels, publisher, mailboxes)
        leagues = LeagueService(umpire.store, umpire.games, umpire.clock, umpire.rng)
        self.league_keeper = LeagueKeeper(leagues, channels, members, renderer, publisher, closed)
        publisher.departures.league_changed = self.league_keeper.request_update
        self.league_actions = LeagueActions(self.league_keeper, self.challenges, self.directory)
        # study
        self.films = Films(renderer)
        self.reviews = Reviews(engine_pool, renderer, umpire.store)
        self.brought = ImportedRecords(umpire, renderer)
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
        self.paged_lists = PagedLists(umpire, members, CareerCache(renderer))
        # the daily puzzle
        self.daily_viewer = DailyViewer(umpire, engine_pool, members, renderer)
        self.daily_poster = DailyPoster(umpire, channels, members, renderer, closed)
        self.morning_sender = MorningSender(umpire, channels, renderer, mailboxes)
        self.week_poster = WeekPoster(umpire, channels, members, renderer, closed)
        self.settings_store.changed = self.retry_refused
        self.routes = Routes(vars(self).values(), umpire.load, publisher.handle_orphan)

    def retry_refused(self, guild: GuildId | None) -> int:
        """Retry all posts that are owed to a server, or to all servers; returns their number."""
        owing = self.league_keeper, self.daily_poster, self.week_poster
        return sum(one.retry_refused(guild) for one in owing)

    def close(self) -> None:
        """Start no more films and reviews."""
        self.films.close()
        self.reviews.close()
