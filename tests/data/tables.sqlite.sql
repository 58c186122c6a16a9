CREATE TABLE leagues (
	id BIGINT NOT NULL, 
	guild BIGINT NOT NULL, 
	channel BIGINT NOT NULL, 
	host BIGINT NOT NULL, 
	games TEXT NOT NULL, 
	pace TEXT NOT NULL, 
	weeks INTEGER NOT NULL, 
	season INTEGER NOT NULL, 
	previous BIGINT, 
	state TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	shown_version INTEGER NOT NULL, 
	ready BOOLEAN DEFAULT 0 NOT NULL, 
	created BIGINT NOT NULL, 
	starts BIGINT NOT NULL, 
	ends BIGINT, 
	ended BIGINT, 
	message BIGINT, 
	farewell BIGINT, 
	CONSTRAINT pk_leagues PRIMARY KEY (id)
);

CREATE TABLE matches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	guild BIGINT, 
	channel BIGINT NOT NULL, 
	thread BIGINT, 
	game TEXT NOT NULL, 
	game_version INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	seats INTEGER NOT NULL, 
	seating TEXT NOT NULL, 
	rated BOOLEAN NOT NULL, 
	host BIGINT NOT NULL, 
	state TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	plies INTEGER NOT NULL, 
	turn TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	expires BIGINT, 
	started BIGINT, 
	ended BIGINT, 
	shown_version INTEGER NOT NULL, 
	lobby_message BIGINT, 
	board_channel BIGINT, 
	board_message BIGINT, 
	shown_plies INTEGER NOT NULL, 
	publish_error TEXT, 
	close_reason TEXT, 
	published BOOLEAN NOT NULL, 
	rematch_of BIGINT, 
	rename_pending BOOLEAN DEFAULT 0 NOT NULL, 
	pace TEXT DEFAULT 'none' NOT NULL, 
	paused BIGINT, 
	proposal TEXT, 
	proposed BIGINT, 
	refused TEXT, 
	substitutions TEXT, 
	legs INTEGER DEFAULT '1' NOT NULL, 
	thinks INTEGER, 
	source_match BIGINT, 
	imported_plies INTEGER DEFAULT '0' NOT NULL, 
	premove_plies TEXT DEFAULT '[]' NOT NULL, 
	awaits_thread BOOLEAN DEFAULT 0 NOT NULL, 
	told_version INTEGER DEFAULT '0' NOT NULL, 
	told_message BIGINT, 
	announce_until BIGINT, 
	announcement BIGINT, 
	round TEXT
);

CREATE TABLE settings (
	guild BIGINT NOT NULL, 
	channels TEXT NOT NULL, 
	threads BOOLEAN NOT NULL, 
	most_open INTEGER, 
	most_from_one INTEGER, 
	most_from_all INTEGER, 
	pace TEXT DEFAULT '7' NOT NULL, 
	zone TEXT DEFAULT 'UTC' NOT NULL, 
	reminders TEXT DEFAULT 'thread' NOT NULL, 
	takebacks BOOLEAN DEFAULT 1 NOT NULL, 
	daily BIGINT, 
	daily_hour INTEGER DEFAULT '8' NOT NULL, 
	week BIGINT, 
	leagues BOOLEAN DEFAULT 1 NOT NULL, 
	league BIGINT, 
	mail BOOLEAN DEFAULT 1 NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (guild)
);

CREATE TABLE preferences (
	user BIGINT NOT NULL, 
	confirm BOOLEAN NOT NULL, 
	zone TEXT, 
	weekends BOOLEAN DEFAULT 1 NOT NULL, 
	reminders TEXT, 
	digest BIGINT, 
	closed BOOLEAN DEFAULT 0 NOT NULL, 
	night INTEGER DEFAULT '22' NOT NULL, 
	morning INTEGER DEFAULT '8' NOT NULL, 
	puzzle BIGINT, 
	CONSTRAINT pk_preferences PRIMARY KEY (user)
);

CREATE TABLE away (
	guild BIGINT NOT NULL, 
	user BIGINT NOT NULL, 
	begins BIGINT NOT NULL, 
	ends BIGINT NOT NULL, 
	CONSTRAINT pk_away PRIMARY KEY (guild, user, begins)
);

CREATE TABLE key_values (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_key_values PRIMARY KEY (name)
);

CREATE TABLE ratings (
	guild BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	season INTEGER DEFAULT '0' NOT NULL, 
	user BIGINT NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	played INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	streak INTEGER DEFAULT '0' NOT NULL, 
	longest INTEGER DEFAULT '0' NOT NULL, 
	places TEXT DEFAULT '[]' NOT NULL, 
	value DOUBLE GENERATED ALWAYS AS (mu - 3 * sigma) STORED, 
	placed BOOLEAN GENERATED ALWAYS AS (CASE WHEN "user" > 0 THEN played >= 3 END) STORED, 
	CONSTRAINT pk_ratings PRIMARY KEY (guild, game, season, user)
);

CREATE TABLE pending_reminders (
	user BIGINT NOT NULL, 
	"match" BIGINT NOT NULL, 
	mark INTEGER NOT NULL, 
	place BIGINT, 
	closed BOOLEAN NOT NULL, 
	begun BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	CONSTRAINT pk_pending_reminders PRIMARY KEY (user, "match")
);

CREATE TABLE rewritings (
	place BIGINT NOT NULL, 
	guild BIGINT NOT NULL, 
	"match" BIGINT, 
	series TEXT, 
	tries INTEGER DEFAULT '0' NOT NULL, 
	due BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_rewritings PRIMARY KEY (place)
);

CREATE TABLE puzzle_attempts (
	user BIGINT NOT NULL, 
	day INTEGER NOT NULL, 
	move TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	guild BIGINT, 
	at BIGINT NOT NULL, 
	solved BOOLEAN NOT NULL, 
	CONSTRAINT pk_puzzle_attempts PRIMARY KEY (user, day, move)
);

CREATE TABLE daily_posts (
	guild BIGINT NOT NULL, 
	first INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	channel BIGINT NOT NULL, 
	message BIGINT, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	CONSTRAINT pk_daily_posts PRIMARY KEY (guild)
);

CREATE TABLE weeklies (
	guild BIGINT NOT NULL, 
	first INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	channel BIGINT NOT NULL, 
	message BIGINT, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	CONSTRAINT pk_weeklies PRIMARY KEY (guild)
);

CREATE TABLE league_members (
	league BIGINT NOT NULL, 
	user BIGINT NOT NULL, 
	joined INTEGER NOT NULL, 
	division INTEGER, 
	place INTEGER, 
	left_at BIGINT, 
	struck BOOLEAN DEFAULT 0 NOT NULL, 
	gone BIGINT, 
	CONSTRAINT pk_league_members PRIMARY KEY (league, user), 
	CONSTRAINT fk_league_members_league FOREIGN KEY(league) REFERENCES leagues (id)
);

CREATE TABLE pairings (
	league BIGINT NOT NULL, 
	number INTEGER NOT NULL, 
	division INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	home BIGINT NOT NULL, 
	guest BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	legs INTEGER NOT NULL, 
	"match" BIGINT, 
	void BOOLEAN DEFAULT 0 NOT NULL, 
	home_untold BOOLEAN DEFAULT 0 NOT NULL, 
	guest_untold BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_pairings PRIMARY KEY (league, number), 
	CONSTRAINT fk_pairings_league FOREIGN KEY(league) REFERENCES leagues (id), 
	CONSTRAINT fk_pairings_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE TABLE players (
	"match" BIGINT NOT NULL, 
	user BIGINT NOT NULL, 
	joined INTEGER NOT NULL, 
	seat INTEGER, 
	invited BOOLEAN NOT NULL, 
	consent BOOLEAN NOT NULL, 
	rank INTEGER, 
	score TEXT, 
	mention_version INTEGER DEFAULT '0' NOT NULL, 
	abort_asked_at BIGINT, 
	agrees BOOLEAN DEFAULT 0 NOT NULL, 
	allotted INTEGER, 
	seconds_left INTEGER, 
	since BIGINT, 
	deadline BIGINT, 
	forfeit_at BIGINT, 
	next_reminder_at BIGINT, 
	reminder_count INTEGER DEFAULT '0' NOT NULL, 
	reminder BIGINT, 
	extra_time_count INTEGER DEFAULT '0' NOT NULL, 
	hints INTEGER DEFAULT '0' NOT NULL, 
	weekend TEXT, 
	prepared TEXT, 
	gone BOOLEAN DEFAULT 0 NOT NULL, 
	parted INTEGER, 
	wakes BIGINT, 
	mail BIGINT, 
	mailbox BIGINT, 
	CONSTRAINT pk_players PRIMARY KEY ("match", user), 
	CONSTRAINT fk_players_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE UNIQUE INDEX uq_players_match_seat ON players ("match", seat);

CREATE TABLE reviews (
	"match" BIGINT NOT NULL, 
	version INTEGER NOT NULL, 
	found TEXT NOT NULL, 
	CONSTRAINT pk_reviews PRIMARY KEY ("match"), 
	CONSTRAINT fk_reviews_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE TABLE move_losses (
	"match" BIGINT NOT NULL, 
	user BIGINT NOT NULL, 
	moves INTEGER NOT NULL, 
	points DOUBLE NOT NULL, 
	by_lot DOUBLE NOT NULL, 
	CONSTRAINT pk_move_losses PRIMARY KEY ("match", user), 
	CONSTRAINT fk_move_losses_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE TABLE moves (
	"match" BIGINT NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_moves PRIMARY KEY ("match", ply), 
	CONSTRAINT fk_moves_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE TABLE deliveries (
	interaction BIGINT NOT NULL, 
	"match" BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_deliveries PRIMARY KEY (interaction), 
	CONSTRAINT fk_deliveries_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE TABLE challenge_requests (
	"match" BIGINT NOT NULL, 
	asked BIGINT NOT NULL, 
	guild BIGINT NOT NULL, 
	asker BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_challenge_requests PRIMARY KEY ("match", asked), 
	CONSTRAINT fk_challenge_requests_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE TABLE pending_edits (
	message BIGINT NOT NULL, 
	channel BIGINT NOT NULL, 
	"match" BIGINT NOT NULL, 
	version INTEGER NOT NULL, 
	plies INTEGER, 
	tries INTEGER DEFAULT '0' NOT NULL, 
	due BIGINT DEFAULT '0' NOT NULL, 
	remove BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_pending_edits PRIMARY KEY (message), 
	CONSTRAINT fk_pending_edits_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE TABLE notices (
	"match" BIGINT NOT NULL, 
	user BIGINT NOT NULL, 
	since BIGINT NOT NULL, 
	version INTEGER NOT NULL, 
	told INTEGER NOT NULL, 
	place BIGINT, 
	begun BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	message BIGINT, 
	CONSTRAINT pk_notices PRIMARY KEY ("match", user), 
	CONSTRAINT fk_notices_match FOREIGN KEY("match") REFERENCES matches (id)
);

CREATE INDEX ix_away_ends ON away (ends);

CREATE INDEX ix_challenge_requests_guild_asked ON challenge_requests (guild, asked);

CREATE INDEX ix_league_members_user ON league_members (user);

CREATE INDEX ix_leagues_guild_state ON leagues (guild, state);

CREATE INDEX ix_leagues_previous ON leagues (previous);

CREATE INDEX ix_matches_announce ON matches (id) WHERE announce_until IS NOT NULL;

CREATE INDEX ix_matches_guild_state_ended ON matches (guild, state, ended);

CREATE INDEX ix_matches_lagging ON matches (id) WHERE shown_version < version AND publish_error IS NULL;

CREATE INDEX ix_matches_parked ON matches (id) WHERE publish_error IS NOT NULL;

CREATE INDEX ix_matches_proposed ON matches (proposed) WHERE paused IS NOT NULL AND proposed IS NOT NULL;

CREATE INDEX ix_matches_rematch_of ON matches (rematch_of);

CREATE INDEX ix_matches_rename ON matches (id) WHERE rename_pending;

CREATE INDEX ix_matches_state_expires ON matches (state, expires);

CREATE INDEX ix_matches_state_game_game_version ON matches (state, game, game_version);

CREATE INDEX ix_matches_thinks ON matches (id) WHERE thinks IS NOT NULL AND paused IS NULL;

CREATE INDEX ix_matches_thread ON matches (thread);

CREATE INDEX ix_move_losses_user ON move_losses (user);

CREATE INDEX ix_notices_since ON notices (since);

CREATE INDEX ix_pairings_match ON pairings ("match");

CREATE INDEX ix_pairings_untold ON pairings (league) WHERE home_untold OR guest_untold;

CREATE INDEX ix_pending_edits_due ON pending_edits (due);

CREATE INDEX ix_pending_edits_match ON pending_edits ("match");

CREATE INDEX ix_pending_reminders_due ON pending_reminders (due);

CREATE INDEX ix_players_deadline ON players (deadline) WHERE deadline IS NOT NULL AND forfeit_at IS NULL;

CREATE INDEX ix_players_forfeit_at ON players (forfeit_at) WHERE forfeit_at IS NOT NULL;

CREATE INDEX ix_players_next_reminder_at ON players (next_reminder_at) WHERE next_reminder_at IS NOT NULL;

CREATE INDEX ix_players_reminder ON players (reminder) WHERE reminder IS NOT NULL AND since IS NULL;

CREATE INDEX ix_players_user ON players (user);

CREATE INDEX ix_players_wakes ON players (wakes) WHERE wakes > 0;

CREATE INDEX ix_preferences_digest ON preferences (digest) WHERE digest IS NOT NULL;

CREATE INDEX ix_preferences_puzzle ON preferences (puzzle) WHERE puzzle IS NOT NULL;

CREATE INDEX ix_puzzle_attempts_guild_day ON puzzle_attempts (guild, day);

CREATE INDEX ix_ratings_guild_game_season_placed_value_user ON ratings (guild, game, season, placed, value, user);

CREATE INDEX ix_ratings_user_guild ON ratings (user, guild);

CREATE INDEX ix_rewritings_due ON rewritings (due);

CREATE INDEX ix_rewritings_match ON rewritings ("match");
