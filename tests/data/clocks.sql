BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE asks (
	"match" BIGINT NOT NULL, 
	asked BIGINT NOT NULL, 
	guild BIGINT NOT NULL, 
	asker BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_asks PRIMARY KEY ("match", asked), 
	CONSTRAINT fk_asks_match FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "asks" VALUES(1,2,10,1,1000000);
CREATE TABLE away (
	guild BIGINT NOT NULL, 
	user BIGINT NOT NULL, 
	begins BIGINT NOT NULL, 
	ends BIGINT NOT NULL, 
	CONSTRAINT pk_away PRIMARY KEY (guild, user, begins)
);
INSERT INTO "away" VALUES(10,3,2000000,2100000);
CREATE TABLE deliveries (
	interaction BIGINT NOT NULL, 
	"match" BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_deliveries PRIMARY KEY (interaction), 
	CONSTRAINT fk_deliveries_match FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "deliveries" VALUES(1,1,1000000);
INSERT INTO "deliveries" VALUES(2,2,1000000);
INSERT INTO "deliveries" VALUES(3,2,1000000);
INSERT INTO "deliveries" VALUES(4,2,1000000);
INSERT INTO "deliveries" VALUES(5,2,1000000);
INSERT INTO "deliveries" VALUES(6,2,1000000);
INSERT INTO "deliveries" VALUES(7,3,1000000);
INSERT INTO "deliveries" VALUES(8,3,1000000);
INSERT INTO "deliveries" VALUES(9,3,1000000);
INSERT INTO "deliveries" VALUES(10,3,1000000);
INSERT INTO "deliveries" VALUES(11,3,1000000);
INSERT INTO "deliveries" VALUES(12,3,1000000);
INSERT INTO "deliveries" VALUES(13,4,1000000);
INSERT INTO "deliveries" VALUES(14,4,1000000);
INSERT INTO "deliveries" VALUES(15,4,1000000);
INSERT INTO "deliveries" VALUES(16,5,1000000);
INSERT INTO "deliveries" VALUES(17,5,1000000);
CREATE TABLE leftovers (
	message BIGINT NOT NULL, 
	channel BIGINT NOT NULL, 
	"match" BIGINT NOT NULL, 
	version INTEGER NOT NULL, 
	plies INTEGER, 
	tries INTEGER DEFAULT '0' NOT NULL, 
	due BIGINT DEFAULT '0' NOT NULL, 
	remove BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_leftovers PRIMARY KEY (message), 
	CONSTRAINT fk_leftovers_match FOREIGN KEY("match") REFERENCES matches (id)
);
CREATE TABLE matches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	guild BIGINT NOT NULL, 
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
	parked TEXT, 
	closing TEXT, 
	published BOOLEAN NOT NULL
, rematch_of BIGINT, "rename" BOOLEAN DEFAULT 0 NOT NULL, pace TEXT DEFAULT 'none' NOT NULL, paused BIGINT, proposal TEXT, proposed BIGINT, refused TEXT, handed TEXT, legs INTEGER DEFAULT '1' NOT NULL, thinks INTEGER);
INSERT INTO "matches" VALUES(1,10,20,NULL,'marks',1,'{}',2,'host',1,1,'open',1,0,'[]',1000000,1172800,NULL,NULL,0,NULL,NULL,NULL,0,NULL,NULL,0,NULL,0,'7',NULL,NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "matches" VALUES(2,10,20,NULL,'binary-primes',1,'{"size": 5}',2,'host',1,1,'live',5,3,'[2]',1000000,1172800,1000000,NULL,5,NULL,20,2005,3,NULL,NULL,0,NULL,0,'2',NULL,NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "matches" VALUES(3,10,20,NULL,'binary-primes',1,'{"size": 3}',2,'host',1,2,'finished',6,4,'[]',1000000,1172800,1000000,1000000,0,NULL,NULL,NULL,0,NULL,NULL,0,NULL,1,'2',NULL,NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "matches" VALUES(4,10,20,NULL,'marks',1,'{"squares": 6}',2,'host',1,3,'finished',3,1,'[]',1000000,1172800,1000000,1000001,0,NULL,NULL,NULL,0,NULL,NULL,0,NULL,1,'2',NULL,NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "matches" VALUES(5,10,20,NULL,'marks',1,'{"squares": 6}',2,'host',1,1,'live',2,0,'[1]',1000000,1172800,1000000,NULL,0,NULL,NULL,NULL,0,'I may not write there',NULL,0,NULL,0,'2',NULL,NULL,NULL,NULL,NULL,1,NULL);
CREATE TABLE moves (
	"match" BIGINT NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_moves PRIMARY KEY ("match", ply), 
	CONSTRAINT fk_moves_match FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "moves" VALUES(2,1,1,'a1',1000000);
INSERT INTO "moves" VALUES(2,2,2,'b2',1000000);
INSERT INTO "moves" VALUES(2,3,1,'c3',1000000);
INSERT INTO "moves" VALUES(3,1,1,'a1',1000000);
INSERT INTO "moves" VALUES(3,2,2,'b1',1000000);
INSERT INTO "moves" VALUES(3,3,1,'c1',1000000);
INSERT INTO "moves" VALUES(3,4,2,'a2',1000000);
INSERT INTO "moves" VALUES(4,1,1,'resign',1000000);
CREATE TABLE notes (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_notes PRIMARY KEY (name)
);
INSERT INTO "notes" VALUES('a note','kept');
CREATE TABLE players (
	"match" BIGINT NOT NULL, 
	user BIGINT NOT NULL, 
	joined INTEGER NOT NULL, 
	seat INTEGER, 
	invited BOOLEAN NOT NULL, 
	consent BOOLEAN NOT NULL, 
	rank INTEGER, 
	score TEXT, due INTEGER DEFAULT '0' NOT NULL, wished BIGINT, agrees BOOLEAN DEFAULT 0 NOT NULL, allotted INTEGER, "left" INTEGER, since BIGINT, deadline BIGINT, lapse BIGINT, remind BIGINT, reminded INTEGER DEFAULT '0' NOT NULL, reminder BIGINT, gifts INTEGER DEFAULT '0' NOT NULL, hints INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY ("match", user), 
	CONSTRAINT fk_players_match FOREIGN KEY("match") REFERENCES matches (id)
);
INSERT INTO "players" VALUES(1,1,1,NULL,0,0,NULL,NULL,0,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(1,2,2,NULL,1,0,NULL,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(2,1,1,1,0,0,NULL,NULL,0,NULL,0,172800,172800,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(2,2,2,2,0,0,NULL,NULL,5,NULL,0,172800,172800,1000000,1172800,NULL,1086400,0,NULL,0,0);
INSERT INTO "players" VALUES(3,2,1,1,0,0,2,'27',6,NULL,0,172800,172800,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(3,3,2,2,0,0,1,'147',0,NULL,0,172800,172800,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(4,3,1,1,0,0,2,'0',0,NULL,0,172800,172800,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(4,1,2,2,0,0,1,'0',3,NULL,0,172800,172800,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(5,1,1,1,0,0,NULL,NULL,2,NULL,0,172800,172800,NULL,NULL,NULL,NULL,0,NULL,0,0);
INSERT INTO "players" VALUES(5,3,2,2,0,0,NULL,NULL,0,NULL,0,172800,172800,NULL,NULL,NULL,NULL,0,NULL,0,0);
CREATE TABLE preferences (
	user BIGINT NOT NULL, 
	confirm BOOLEAN NOT NULL, 
	zone TEXT, 
	weekends BOOLEAN DEFAULT 1 NOT NULL, 
	reminders TEXT, 
	digest BIGINT, 
	closed BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_preferences PRIMARY KEY (user)
);
INSERT INTO "preferences" VALUES(2,0,NULL,1,NULL,NULL,0);
CREATE TABLE "ratings" (
	guild BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	user BIGINT NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	played INTEGER NOT NULL, 
	won INTEGER NOT NULL, 
	drawn INTEGER NOT NULL, 
	lost INTEGER NOT NULL, 
	season INTEGER DEFAULT '0' NOT NULL, 
	streak INTEGER DEFAULT '0' NOT NULL, 
	longest INTEGER DEFAULT '0' NOT NULL, 
	places TEXT DEFAULT '[]' NOT NULL, 
	value DOUBLE GENERATED ALWAYS AS (mu - 3 * sigma) STORED, 
	placed BOOLEAN GENERATED ALWAYS AS (CASE WHEN "user" > 0 THEN played >= 3 END) STORED, 
	CONSTRAINT pk_ratings PRIMARY KEY (guild, game, season, user)
);
INSERT INTO "ratings" VALUES(10,'binary-primes',2,2.23646105068595026912e+01,8.06590141354368,1,0,0,1,0,0,0,'[0, 1]');
INSERT INTO "ratings" VALUES(10,'binary-primes',3,2.76353894931404973087e+01,8.06590141354368,1,1,0,0,0,1,1,'[1]');
INSERT INTO "ratings" VALUES(10,'binary-primes',2,2.23646105068595026912e+01,8.06590141354368,1,0,0,1,19701,0,0,'[0, 1]');
INSERT INTO "ratings" VALUES(10,'binary-primes',3,2.76353894931404973087e+01,8.06590141354368,1,1,0,0,19701,1,1,'[1]');
INSERT INTO "ratings" VALUES(10,'',2,2.23646105068595026912e+01,8.06590141354368,1,0,0,1,0,0,0,'[0, 1]');
INSERT INTO "ratings" VALUES(10,'',3,2.76353894931404973087e+01,8.06590141354368,1,1,0,0,0,1,1,'[1]');
INSERT INTO "ratings" VALUES(10,'',2,2.23646105068595026912e+01,8.06590141354368,1,0,0,1,19701,0,0,'[0, 1]');
INSERT INTO "ratings" VALUES(10,'',3,2.76353894931404973087e+01,8.06590141354368,1,1,0,0,19701,1,1,'[1]');
CREATE TABLE reviews (
	"match" BIGINT NOT NULL, 
	version INTEGER NOT NULL, 
	found TEXT NOT NULL, 
	CONSTRAINT pk_reviews PRIMARY KEY ("match"), 
	CONSTRAINT fk_reviews_match FOREIGN KEY("match") REFERENCES matches (id)
);
CREATE TABLE sendings (
	user BIGINT NOT NULL, 
	"match" BIGINT NOT NULL, 
	mark INTEGER NOT NULL, 
	place BIGINT, 
	closed BOOLEAN NOT NULL, 
	begun BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	CONSTRAINT pk_sendings PRIMARY KEY (user, "match")
);
CREATE TABLE settings (
	guild BIGINT NOT NULL, 
	channels TEXT NOT NULL, 
	threads BOOLEAN NOT NULL, most_open INTEGER, most_from_one INTEGER, most_from_all INTEGER, pace TEXT DEFAULT '7' NOT NULL, zone TEXT DEFAULT 'UTC' NOT NULL, reminders TEXT DEFAULT 'thread' NOT NULL, takebacks BOOLEAN DEFAULT 1 NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (guild)
);
INSERT INTO "settings" VALUES(10,'[]',1,1000,1000,1000,'7','UTC','thread',1);
CREATE INDEX ix_matches_guild_state_ended ON matches (guild, state, ended);
CREATE INDEX ix_matches_state_expires ON matches (state, expires);
CREATE INDEX ix_matches_thread ON matches (thread);
CREATE INDEX ix_matches_lagging ON matches (id) WHERE shown_version < version AND parked IS NULL;
CREATE UNIQUE INDEX uq_players_match_seat ON players ("match", seat);
CREATE INDEX ix_players_user ON players (user);
CREATE INDEX ix_matches_rematch_of ON matches (rematch_of);
CREATE INDEX ix_matches_rename ON matches (id) WHERE rename;
CREATE INDEX ix_matches_parked ON matches (id) WHERE parked IS NOT NULL;
CREATE INDEX ix_matches_state_game_game_version ON matches (state, game, game_version);
CREATE INDEX ix_leftovers_due ON leftovers (due);
CREATE INDEX ix_leftovers_match ON leftovers ("match");
CREATE INDEX ix_ratings_guild_game_season_placed_value_user ON ratings (guild, game, season, placed, value, user);
CREATE INDEX ix_ratings_user_guild ON ratings (user, guild);
CREATE INDEX ix_asks_guild_asked ON asks (guild, asked);
CREATE INDEX ix_preferences_digest ON preferences (digest) WHERE digest IS NOT NULL;
CREATE INDEX ix_matches_proposed ON matches (proposed) WHERE paused IS NOT NULL AND proposed IS NOT NULL;
CREATE INDEX ix_players_deadline ON players (deadline) WHERE deadline IS NOT NULL AND lapse IS NULL;
CREATE INDEX ix_players_lapse ON players (lapse) WHERE lapse IS NOT NULL;
CREATE INDEX ix_players_remind ON players (remind) WHERE remind IS NOT NULL;
CREATE INDEX ix_players_reminder ON players (reminder) WHERE reminder IS NOT NULL AND since IS NULL;
CREATE INDEX ix_away_ends ON away (ends);
CREATE INDEX ix_sendings_due ON sendings (due);
CREATE INDEX ix_matches_thinks ON matches (id) WHERE thinks IS NOT NULL AND paused IS NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('matches',5);
COMMIT;
