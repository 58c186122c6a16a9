"""The commands of hosts as they are typed: a sentence, the right exit status, and nothing changed by a refusal."""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.__main__ import main
from data.upkeep.hindrance import known_revisions
from data.upkeep.sole_writer import be_sole_writer

ROOT = Path(__file__).parents[2]


class Said(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


Host = Callable[..., Said]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Host:
    """Types commands in a folder of their own, about the database matches.db."""
    monkeypatch.setattr("data.upkeep.file_check.MAKING_SECONDS", 0.05)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///matches.db")

    def typed(*words: str) -> Said:
        status = main(words)
        told = capsys.readouterr()
        return Said(status, told.out, told.err)

    return typed


@pytest.fixture(scope="session")
def made(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database in one file."""
    file = Path(shutil.copy(empty, tmp_path_factory.mktemp("made") / "matches.db"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return file


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """The database that the commands are about."""
    return Path(shutil.copy(made, tmp_path / "matches.db"))


def now() -> int:
    return int(time.time())


def beats(file: Path) -> None:
    """Note that the bot is alive and connected."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT OR REPLACE INTO key_values VALUES ('heartbeat', ?)", (f"{now()} {now()}",))


# --- health


def test_health_is_for_a_bot_that_runs(host: Host, file: Path) -> None:
    assert host("health").status == 1, "no bot has run yet"
    beats(file)
    said = host("health")
    assert (said.status, said.out) == (
        0,
        "The database is readable and writable, and the bot is connected. Matches: none yet.\n",
    )


def test_health_is_red_on_a_disk_without_room(host: Host, file: Path) -> None:
    beats(file)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, limits[1]))
    try:
        said = host("health")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert said.status == 1, said


def test_health_is_red_where_the_bot_has_not_been_heard(host: Host, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO key_values VALUES ('heartbeat', ?)", (f"{now() - 250} {now() - 250}",))
    said = host("health")
    assert said.status == 1, said
    assert said.out == "The database is readable and writable; the bot hasn't been heard from for 4 minutes.\n"


def test_health_gives_no_other_status_than_containers_know(
    host: Host, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(b"x" * 5000)
    assert host("health").status == 1
    file.unlink()
    assert host("health").status == 1
    monkeypatch.setenv("GRAPHPAPER_PORT", "many")
    assert host("health").status == 1


HEAVY = ("aiohttp", "alembic", "discord", "openskill", "PIL", "prometheus_client", "sqlalchemy", "sympy", "tqdm")
LOADED = f"""
import sys
from bot.__main__ import main
from data.upkeep.sole_writer import be_sole_writer
from data.upkeep.hindrance import known_revisions
status = main(["health"])
print(*(name for name in {HEAVY} if name in sys.modules))
sys.exit(status)
"""


def test_health_loads_no_library_that_it_does_not_need(host: Host, file: Path) -> None:
    """What loads is what it costs: a container looks once a minute."""
    beats(file)
    looked = [sys.executable, "-c", LOADED]
    done = subprocess.run(looked, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout.splitlines()[1:]) == (0, [""]), done


NEEDLESS = (
    "aiohttp.web", "alembic", "asyncpg", "bot.host.commands", "bot.sandbox", "mako", "openskill",
    "pygments", "sqlalchemy.dialects.postgresql", "sympy", "tqdm",
)  # fmt: skip
STARTED = f"""
import asyncio, sys
import bot.host.run, bot.host.serving
from bot.games import catalogue
from bot.settings import Settings
modules = [__import__(module) for module in catalogue.list_cog_modules()]
for _ in range(2):
    asyncio.run(bot.host.serving.open_store(Settings.read()))
print(*(name for name in {NEEDLESS} if name in sys.modules))
"""


@pytest.mark.long
def test_a_start_loads_nothing_that_only_others_need(host: Host, tmp_path: Path) -> None:
    """Neither where the database is made nor where it is there: people wait for a bot that starts."""
    starts = [sys.executable, "-c", STARTED]
    done = subprocess.run(starts, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout.strip()) == (0, ""), done
    assert (tmp_path / "matches.db").exists()


def test_health_without_a_token_looks_at_the_database_that_is_named(
    host: Host, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    beats(file)
    assert host("health").status == host("status").status == 0
    assert host("--sandbox", "health").status == 1


def test_health_without_a_token_looks_at_the_sandbox(host: Host, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.settings.PROGRAM", Path())
    monkeypatch.delenv("DISCORD_TOKEN")
    monkeypatch.delenv("GRAPHPAPER_DATABASE")
    assert host("health") == (
        1,
        "There is no database at var/sandbox/graphpaper.db. The first start makes one; if there was one, put it or a"
        " copy of it back.\n",
        "",
    )
    Path("var/sandbox").mkdir(parents=True)
    beats(Path(shutil.copy(made, "var/sandbox/graphpaper.db")))
    assert host("health").status == 0
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///matches.db")
    assert host("--sandbox", "health").status == host("health", "--sandbox").status == 0
    assert host("health").status == 1


# --- restoring


def challenged(file: Path) -> int:
    """The number of a new match."""
    ones = ("guild", "channel", "game_version", "seats", "rated", "host", "version", "plies", "shown_version")
    new = dict.fromkeys(ones, 1) | {
        "game": "plexus", "options": "{}", "seating": "lot", "state": "open", "turn": "[]", "created": now(),
        "expires": now() + 60, "shown_plies": 0, "published": 0,
    }  # fmt: skip
    with closing(sqlite3.connect(file)) as connection, connection:
        marks = ", ".join("?" * len(new))
        made = connection.execute(f"INSERT INTO matches ({', '.join(new)}) VALUES ({marks})", [*new.values()])
        return made.lastrowid or 0


def test_a_restored_backup_hands_out_no_number_twice(host: Host, file: Path) -> None:
    """Not where the database that it replaces is there to be asked, and not where that is lost."""
    handed = {challenged(file) for _ in range(3)}
    host("backup", "copy.db")
    for lose in (False, True):
        handed |= {challenged(file) for _ in range(5)}
        if lose:
            file.unlink()
        assert host("restore", "copy.db", "--force").status == 0
        number = challenged(file)
        assert number not in handed and number < 10**9
        handed.add(number)


# --- what only a host can put right


def digest(folder: Path) -> dict[str, str]:
    """Every file below a folder, with a sum over what is in it."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def text(file: Path) -> None:
    file.write_text("Dear diary, " * 1000)


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def dangling(file: Path) -> None:
    file.unlink()
    file.symlink_to("nowhere.db")


def stranger(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE songs (title)")


def other_alembic(file: Path) -> None:
    """Another program whose schema counts as ours does."""
    stranger(file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")


def signed(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA application_id = 77")


def halved(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def zeroed(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:8192] + bytes(len(content) - 8192))


def unreferred(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO deliveries VALUES (1, 99, 1)")


def emptied(file: Path) -> None:
    """Nothing is left of the database but what SQLite had beside it."""
    file.with_name("matches.db-wal").write_bytes(file.read_bytes())
    file.write_bytes(b"")


def table_dropped(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE players")


def column_dropped(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("ALTER TABLE matches DROP COLUMN close_reason")


def set_back(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0002'")


def two_schemas(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO alembic_version VALUES ('0002')")


DAMAGE = [
    (text, "matches.db isn't a database, or is too damaged to read"),
    (folder, "The database cannot be at matches.db, which is a folder"),
    (dangling, "The database cannot be at matches.db, which is a link to nothing"),
    (stranger, "matches.db belongs to another program"),
    (other_alembic, "matches.db belongs to another program"),
    (signed, "matches.db belongs to another program"),
    (halved, "The database at matches.db is damaged"),
    (zeroed, "The database at matches.db is damaged"),
    (unreferred, "The database at matches.db is damaged (a row of deliveries refers to nothing)"),
    (emptied, "The database at matches.db is empty, but matches.db-wal is left of it"),
    (table_dropped, "The database at matches.db is damaged (its table players is missing)"),
]
MISMADE = [
    (column_dropped, "The database is damaged (the table matches has no column close_reason)"),
    (set_back, "The database's tables aren't as they were created (index ix_matches_rename already exists)"),
    (two_schemas, "The database's tables aren't as they were created ("),
]


@pytest.mark.parametrize(("harm", "sentence"), DAMAGE, ids=[harm.__name__ for harm, _ in DAMAGE])
def test_a_start_on_what_is_no_sound_database_of_ours_is_refused(
    host: Host, file: Path, tmp_path: Path, harm: Callable[[Path], None], sentence: str
) -> None:
    harm(file)
    before = digest(tmp_path)
    said = host("migrate")
    assert (said.status, said.out) == (2, ""), said
    assert said.err.startswith(sentence)
    assert len(said.err.splitlines()) == 1 and ("GRAPHPAPER_DATABASE" in said.err or "restore" in said.err)
    assert digest(tmp_path) == before


@pytest.mark.parametrize(("harm", "sentence"), MISMADE, ids=[harm.__name__ for harm, _ in MISMADE])
def test_a_start_on_tables_that_are_not_ours_any_more_is_refused(
    host: Host, file: Path, harm: Callable[[Path], None], sentence: str
) -> None:
    harm(file)
    for _ in range(2):
        said = host("migrate")
        assert (said.status, said.out) == (2, ""), said
        assert said.err.startswith(sentence) and len(said.err.splitlines()) == 1


@pytest.mark.parametrize("harm", [harm for harm, _ in [*DAMAGE, *MISMADE]])
def test_what_is_no_sound_database_of_ours_replaces_none(
    host: Host, file: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    shutil.copy(file, tmp_path / "elsewhere.db")
    os.rename(file, tmp_path / "good.db")
    os.rename(tmp_path / "elsewhere.db", file)
    harm(file)
    os.rename(file, tmp_path / "copy.db")
    file.with_name("matches.db-wal").unlink(missing_ok=True)
    os.rename(tmp_path / "good.db", file)
    before = digest(tmp_path)
    said = host("restore", "copy.db", "--force")
    assert (said.status, said.out) == (2, ""), said
    assert len(said.err.splitlines()) == 1
    assert digest(tmp_path) == before


def test_the_other_commands_refuse_it_too_and_change_nothing(
    host: Host, made: Path, file: Path, tmp_path: Path
) -> None:
    for harm, _ in DAMAGE:
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()
        os.chdir(tmp_path)
        shutil.copy(made, file)
        harm(file)
        before = digest(tmp_path)
        for words, statuses in ((("check",), (1, 2)), (("health",), (1,)), (("backup", "copy.db"), (2,))):
            said = host(*words)
            assert said.status in statuses, (harm, words, said)
            assert "Traceback" not in said.err and said.out + said.err
            assert digest(tmp_path) == before, (harm, words)


def test_a_missing_database_is_not_begun_anew_beside_what_is_left_of_it(host: Host, file: Path, tmp_path: Path) -> None:
    assert host("backup", "copy.db").status == 0
    file.unlink()
    said = host("migrate")
    assert said.status == 2
    assert said.err == (
        "There is no database at matches.db, but copy.db beside it is one of Graph Paper's: put it in place with"
        " `python -m bot restore copy.db`; to begin with an empty one anyway, run"
        " `python -m bot migrate --new` once.\n"
    )
    assert not file.exists()
    (tmp_path / "copy.db").rename(tmp_path / "matches.db-wal")
    assert "matches.db-wal is left of one" in host("migrate").err
    assert not file.exists()
    assert host("migrate", "--new").status == 0
    assert host("migrate").status == 0


def test_what_begins_like_a_database_is_none_of_ours(host: Host, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("SQLite format 3\0 is how they begin")
    assert "notes.txt" not in host("migrate").err
    assert host("migrate", "--new").status == 0


def test_a_bad_address_is_said_in_a_sentence(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("", "nonsense", "sqlite://", "mysql://there/it", "sqlite:///notes.txt/matches.db"):
        Path("notes.txt").touch()
        monkeypatch.setenv("GRAPHPAPER_DATABASE", address or "sqlite:")
        said = host("migrate")
        assert said.status == 2 and len(said.err.splitlines()) == 1, (address, said)


def test_what_is_kept_is_its_owners_alone(
    host: Host, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///kept/matches.db")
    old = os.umask(0o022)
    try:
        host("migrate", "--new")
        host("backup", "copy.db")
        host("restore", "copy.db", "--force")
        Path("kept/matches.db").chmod(0o644)  # as an earlier version left it
        host("migrate")
        with closing(sqlite3.connect("kept/matches.db")) as connection:
            connection.execute("BEGIN IMMEDIATE")
            kept = [path for path in tmp_path.rglob("*") if path.is_file()]
            assert {path.name: oct(path.stat().st_mode & 0o777) for path in kept} == {
                path.name: "0o600" for path in kept
            }
            assert {"matches.db", "matches.db-wal", "matches.db.replaced-1", "copy.db"} <= {path.name for path in kept}
    finally:
        os.umask(old)
    assert Path("kept").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_restores_is_still_the_bots(
    host: Host, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sudo` before a command must not take the database away from the bot's user."""
    user = 12_345
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, user, user)
    monkeypatch.setenv("GRAPHPAPER_DATABASE", f"sqlite:///{home}/var/matches.db")
    whole = str(shutil.copy(made, tmp_path / "copy.db"))
    assert host("restore", whole).status == 0
    assert host("restore", whole, "--force").status == 0
    assert host("backup", f"{home}/another.db").status == 0
    there = {path.name: (path.stat().st_uid, path.stat().st_gid) for path in home.rglob("*")}
    assert there.keys() >= {"var", "matches.db", "matches.db.replaced-1", "another.db"}
    assert {*there.values()} == {(user, user)}
    os.chown(home / "var/matches.db", user + 1, user + 1)
    assert host("restore", whole, "--force").status == 0
    assert (home / "var/matches.db").stat().st_uid == user + 1, "whose the database was"
    shutil.rmtree(home)
    os.mkdir(home)
    os.chown(home, user, user)
    assert host("migrate", "--new").status == 0
    assert {path.stat().st_uid for path in home.rglob("*")} == {user}, "a new one too"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
async def test_what_a_command_of_roots_leaves_when_it_is_killed_keeps_no_bot_from_the_lock(tmp_path: Path) -> None:
    user = 12_345
    os.chown(tmp_path, user, user)
    async with be_sole_writer(f"sqlite:///{tmp_path}/matches.db", "process 12 on pi"):
        assert os.stat(tmp_path / "matches.db-lock").st_uid == user


def test_ones_own_file_without_rights_is_said_so(host: Host, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def allowed(path: Path, _: int) -> bool:
        return path != file.relative_to(Path.cwd())

    monkeypatch.setattr(os, "access", allowed)
    said = host("migrate")
    assert (said.status, said.err) == (
        2,
        "The database at matches.db can't be written: its rights keep its own user out: run `chmod u+rw matches.db`.\n",
    )


def test_a_database_is_not_migrated_below_a_bot_that_runs(host: Host, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0013'")
    beats(file)
    said = host("migrate")
    assert said.status == 2 and said.err.startswith("A bot was heard on this database "), said
    assert said.err.endswith(
        " seconds ago: stop it first. If it is stopped already, wait until it has not been heard for 90 seconds, or"
        " give --force.\n"
    )
    head = known_revisions()[-1]
    looked = host("health")
    assert (looked.status, looked.out) == (
        1,
        f"The database is not at schema {head}, and a bot of an earlier version runs on it: start the bot again, which"
        " updates the database.\n",
    )
    assert "run `python -m bot migrate` while the bot is stopped" in host("check").err
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE key_values SET value = '0 0' WHERE name = 'heartbeat'")
    assert "run `python -m bot migrate` while the bot is stopped" in host("health").out


def test_a_restored_copy_knows_no_process_any_more(host: Host, file: Path) -> None:
    """Or a bot that starts on it waits for a leader that is long gone."""
    notes = ("leader", "process 0/1", "identify 0", "twins 0/1", "heartbeat", "heartbeat 0/2")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executemany("INSERT INTO key_values VALUES (?, 'web:1:0f 7')", [(name,) for name in notes])
        before = {name for (name,) in connection.execute("SELECT name FROM key_values")}
    assert host("backup", "copy.db").status == host("restore", "copy.db", "--force").status == 0
    with closing(sqlite3.connect(file)) as connection:
        after = {name for (name,) in connection.execute("SELECT name FROM key_values")}
    assert before >= {*notes} and not after & {*notes}


def test_ctrl_c_ends_every_command_without_a_traceback(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bot.host.run.start_logging", pressed)
    monkeypatch.setattr("bot.play.records.main", pressed)
    monkeypatch.setattr("data.upkeep.health.check_health", pressed)
    for words in (("run",), ("replay", "-"), ("health",)):
        assert host(*words) == (130, "", "Interrupted.\n")


# --- moving


def test_a_moved_database_is_not_started_on_unless_its_host_stays(host: Host, file: Path) -> None:
    said = host("move-to", "sqlite:///other.db")
    other = f"sqlite:///{file.absolute().with_name('other.db')}"
    assert said.status == 0 and said.out.startswith(f"0 matches and 0 rows in all were moved to {other}."), said
    started = host("run")
    assert started.status == 2 and f"moved to {other} (" in started.err, started
    assert "set GRAPHPAPER_DATABASE to that" in started.err
    looked = host("health")
    assert (looked.status, looked.out) == (1, started.err.splitlines(keepends=True)[-1]), (
        "the bot is not merely stopped"
    )
    assert looked.out in host("status").out
    assert host("move-to", "sqlite:///third.db").status == 2
    stayed = host("move-to", "--stay")
    assert stayed.status == 0 and f"does without {other}" in stayed.out, stayed
    assert "Nothing was dropped" in host("move-to", "sqlite:///other.db", "--drop").err
    for words in ([], ["--stay", "sqlite:///other.db"], ["nonsense"], ["mysql://ann:hush@db/name"]):
        wrong = host("move-to", *words)
        assert wrong.status == 2 and wrong.err and "hush" not in wrong.err, wrong
