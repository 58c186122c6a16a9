"""Wrong settings and wrong files: a host reads what is wrong and what to do, never a traceback, never a secret."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from bot import settings
from bot.__main__ import main
from bot.host import run
from bot.host.machine import version
from bot.settings import Settings

SECRET = "MTk4NjIy.hush.quiet"
"""A token that must not be told."""
PORTAL = (
    "DISCORD_TOKEN can't be used: it isn't a bot's token, which has three parts with dots between them: copy it from"
    " the developer portal, under Bot."
)


class Said(NamedTuple):
    """What a command came to: its status, what it said, and what stood in its log that is nothing to be done about."""

    status: int
    lines: list[str]
    log: list[str] = []


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Types commands in an empty folder, with nothing of ours in the environment; nothing is ever served."""
    monkeypatch.chdir(tmp_path)
    for name in os.environ:
        if name.startswith(("GRAPHPAPER", "DISCORD")):
            monkeypatch.delenv(name)
    monkeypatch.setattr(settings, "SECRETS", tmp_path / "secrets")

    def served() -> None:
        raise AssertionError("it was started")

    async def sandboxed(_: object) -> None:
        served()

    monkeypatch.setattr(run, "_load_serve", served)
    monkeypatch.setattr("bot.host.supervisor.serve_sandbox", sandboxed)

    def typed(*words: str) -> Said:
        status = main(words)
        told = capsys.readouterr()
        lines = [*told.out.splitlines(), *told.err.splitlines()]
        return Said(
            status, [line for line in lines if " INFO " not in line], [line for line in lines if " INFO " in line]
        )

    return typed


def number(name: str, most: int) -> str:
    return f"GRAPHPAPER_{name} can't be used: it is a whole number from 0 to {most}."


def some(name: str) -> str:
    return f"GRAPHPAPER_{name} can't be used: it is a number of seconds, more than 0."


ADDRESS = (
    "I can't read the database's address. It looks like sqlite:////srv/graphpaper.db (four slashes: from the root on),"
    " sqlite:///var/graphpaper.db (three: from the current folder on) or postgresql://user:password@host/name."
)
PLACE = "GRAPHPAPER_METRICS can't be used: it is a port, like 9464, or a host and a port, like 0.0.0.0:9464."
SPACE = "DISCORD_TOKEN can't be used: there is a space in it."
BOT = "DISCORD_TOKEN can't be used: leave out the word Bot before the token."
MEANT_TOKEN = "did you mean DISCORD_TOKEN?"
NO_LINE = ".env can't be read in line {}: write NAME=value there."
NO_TEXT = ".env isn't text that can be read: save it in UTF-8."
IN_ENVIRONMENT: list[tuple[str, str, str]] = [
    ("DISCORD_TOKEN", "none", PORTAL),
    ("DISCORD_TOKEN", "…", PORTAL),
    ("DISCORD_TOKEN", "123456789012345678", PORTAL),
    ("DISCORD_TOKEN", "a" * 64, PORTAL),
    ("DISCORD_TOKEN", f'"{SECRET}"', PORTAL),
    ("DISCORD_TOKEN", f"<{SECRET}>", PORTAL),
    ("DISCORD_TOKEN", "mfa.hush", PORTAL),
    ("DISCORD_TOKEN", f"Bot {SECRET}", BOT),
    ("DISCORD_TOKEN", f"bot {SECRET}", BOT),
    ("DISCORD_TOKEN", f"Bearer {SECRET}", SPACE),
    ("DISCORD_TOKEN", "MTk4NjIy. hush.quiet", SPACE),
    ("DISCORD_TOKEN", f"{SECRET}\n{SECRET}", SPACE),
    ("DISCORD_TOKN", SECRET, f"DISCORD_TOKN is no setting: {MEANT_TOKEN}"),
    ("discord_toekn", SECRET, f"DISCORD_TOEKN is no setting: {MEANT_TOKEN}"),
    ("DISCORD_BOT_TOKEN", SECRET, f"DISCORD_BOT_TOKEN is no setting: {MEANT_TOKEN}"),
    ("DISCORD_TOKEN_FILE", "/run/secrets/token", f"DISCORD_TOKEN_FILE is no setting: {MEANT_TOKEN}"),
    ("GRAPHPAPER_TOKEN", SECRET, f"GRAPHPAPER_TOKEN is no setting: {MEANT_TOKEN}"),
    ("GRAPHPAPER_PROT", "80", "GRAPHPAPER_PROT is no setting: did you mean GRAPHPAPER_PORT?"),
    ("GRAPH_PAPER_PORT", "80", "GRAPH_PAPER_PORT is no setting: did you mean GRAPHPAPER_PORT?"),
    ("GRAPHPAPER_DATABSE", "x", "GRAPHPAPER_DATABSE is no setting: did you mean GRAPHPAPER_DATABASE?"),
    ("GRAPHPAPER_METRIC", "1", "GRAPHPAPER_METRIC is no setting: did you mean GRAPHPAPER_METRICS?"),
    ("GRAPHPAPER_SHARD", "0/1", "GRAPHPAPER_SHARD is no setting: did you mean GRAPHPAPER_SHARDS?"),
    ("GRAPHPAPER_WATCH_DOG", "1", "GRAPHPAPER_WATCH_DOG is no setting: did you mean GRAPHPAPER_WATCHDOG?"),
    ("GRAPHPAPER_PORT", "-1", number("PORT", 65535)),
    ("GRAPHPAPER_PORT", "70000", number("PORT", 65535)),
    ("GRAPHPAPER_PORT", "٨٠", number("PORT", 65535)),
    ("GRAPHPAPER_PORT", "9" * 5000, number("PORT", 65535)),
    ("GRAPHPAPER_SEARCHERS", "1.5", number("SEARCHERS", 64)),
    ("GRAPHPAPER_SEARCHERS", "65", number("SEARCHERS", 64)),
    ("GRAPHPAPER_RETRY", "0", some("RETRY")),
    ("GRAPHPAPER_RECONCILE", "inf", "GRAPHPAPER_RECONCILE can't be used: it is a number of seconds, 0 or more."),
    ("GRAPHPAPER_ANSWER_WITHIN", "soon", "GRAPHPAPER_ANSWER_WITHIN can't be used: it is a number of seconds, 0 or"),
    ("GRAPHPAPER_ANSWER_WITHIN", "1e999", "GRAPHPAPER_ANSWER_WITHIN can't be used: it is a number of seconds, 0 or"),
    ("GRAPHPAPER_WATCHDOG", "nan", "GRAPHPAPER_WATCHDOG can't be used: it is a number of seconds, 0 or more."),
    ("GRAPHPAPER_WATCHDOG", "-5", "GRAPHPAPER_WATCHDOG can't be used: it is a number of seconds, 0 or more."),
    ("GRAPHPAPER_CONTAINER", "perhaps", "GRAPHPAPER_CONTAINER can't be used: it is 1 or 0."),
    ("GRAPHPAPER_LOG", "LOUD", "GRAPHPAPER_LOG can't be used: it is DEBUG, INFO, WARNING, ERROR or CRITICAL."),
    ("GRAPHPAPER_SHARDS", "4/4", "GRAPHPAPER_SHARDS can't be used: of 4 shards the first is 0 and the last 3: 4/4 is "),
    ("GRAPHPAPER_SHARDS", "all", "GRAPHPAPER_SHARDS can't be used: write shards like 0-3/16, "),
    ("GRAPHPAPER_METRICS", "there", PLACE),
    ("GRAPHPAPER_METRICS", "0.0.0.0:99999", PLACE),
    ("GRAPHPAPER_METRICS", "http://here:9464/", PLACE),
    ("GRAPHPAPER_DATABASE", "graphpaper.db", ADDRESS),
    ("GRAPHPAPER_DATABASE", "sqlite://var/graphpaper.db", ADDRESS),
    ("GRAPHPAPER_DATABASE", "sqlite:///", "The database needs a file, like sqlite:////srv/graphpaper.db."),
    ("GRAPHPAPER_DATABASE", "sqlite:///:memory:", "The database needs a file, like sqlite:////srv/graphpaper.db."),
    ("GRAPHPAPER_DATABASE", "sqlite:///here%00there", ADDRESS),
    ("GRAPHPAPER_DATABASE", "mysql://ann:hush@db/matches", "The database is SQLite or PostgreSQL, not mysql."),
    ("GRAPHPAPER_DATABASE", "postgresql://ann:hush@[::1/matches", ADDRESS),
    ("GRAPHPAPER_DATABASE", "postgresql://ann:hush@db:99999/matches", ADDRESS),
    ("GRAPHPAPER_DATABASE", f"postgresql://ann:hush@db:{'9' * 5000}/matches", ADDRESS),
    ("GRAPHPAPER_DATABASE", "postgresql://ann:hush@a..b/matches", ADDRESS),
]
IN_FILE: list[tuple[bytes, str]] = [
    (b"DISCORD_TOKN=hush", f"DISCORD_TOKN is no setting: {MEANT_TOKEN}"),
    (b"GRAPHPAPER_PROT=80", "GRAPHPAPER_PROT is no setting: did you mean GRAPHPAPER_PORT?"),
    (b"GRAPHPAPER_DB=x", "GRAPHPAPER_DB is no setting: docs/hosting.md lists all settings."),
    (b"\n# The token\nDISCORD_TOKEN: hush.hush.hush", NO_LINE.format(3)),
    (b"DISCORD_TOKEN:hush.hush.hush\n", NO_LINE.format(1)),
    (b"GRAPHPAPER_LOG=INFO\n\nDISCORD_TOKEN hush", NO_LINE.format(3)),
    (b"DISCORD_TOKEN\n", NO_LINE.format(1)),
    (b"DISCORD_TOKEN='hush.hush", NO_LINE.format(1)),
    (b"hush.hush.hush\n", NO_LINE.format(1)),
    ("DISCORD_TOKEN=hush".encode("utf-16-le"), NO_TEXT),
    ("DISCORD_TOKEN=hush".encode("utf-32"), NO_TEXT),
    (b"# Gr\xfc\xdfe\nDISCORD_TOKEN=hush.hush.hush", NO_TEXT),
    (b"\x7fELF\x02\x01\0\0\0", NO_TEXT),
    ("DISCORD_TOKEN=hush".encode("utf-16"), PORTAL),
    (b"\xef\xbb\xbfDISCORD_TOKEN=hush", PORTAL),
    (b"DISCORD_TOKEN=Bot hush.hush.hush", BOT),
]


def told_of(said: Said, sentence: str) -> None:
    """One line, which begins with the sentence, holds no secret, and a status that asks for somebody."""
    assert (said.status, len(said.lines)) == (2, 1), said
    assert said.lines[0][: len(sentence)] == sentence
    assert "hush" not in said.lines[0].lower()


@pytest.mark.parametrize(("name", "text", "sentence"), IN_ENVIRONMENT)
def test_a_wrong_setting_is_named(
    host: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, name: str, text: str, sentence: str
) -> None:
    if name.startswith("GRAPHPAPER_DATABASE"):
        monkeypatch.setenv("DISCORD_TOKEN", SECRET)  # else the sandbox runs, with a database of its own
    monkeypatch.setenv(name, text)
    told_of(host("run"), sentence)


@pytest.mark.parametrize(("content", "sentence"), IN_FILE)
def test_a_wrong_file_of_settings_is_named(host: Callable[..., Said], content: bytes, sentence: str) -> None:
    Path(".env").write_bytes(content)
    told_of(host("run"), sentence)


def folder(file: Path) -> str:
    file.mkdir(parents=True)
    return f"{file} is a folder, so there are no settings in it: put a file in its place."


def link(file: Path) -> str:
    file.parent.mkdir(exist_ok=True)
    file.symlink_to("nowhere")
    return f"{file} can't be read (No such file or directory)."


def circle(file: Path) -> str:
    file.parent.mkdir(exist_ok=True)
    file.symlink_to(file.name)
    return f"{file} can't be read (Too many levels of symbolic links)."


@pytest.mark.parametrize("where", [".env", "secrets/discord_token", "secrets/graphpaper_database"])
@pytest.mark.parametrize("made", [folder, link, circle])
def test_what_is_no_file_is_said_so(
    host: Callable[..., Said], tmp_path: Path, made: Callable[[Path], str], where: str
) -> None:
    sentence = made(Path(where) if where == ".env" else tmp_path / where)
    told_of(host("run"), sentence)


COMMANDS = (
    ("run",), ("health",), ("status",), ("doctor", "--channel", "1"), ("backup", "copy.db"), ("restore", "copy.db"),
    ("check",), ("migrate",), ("renew",), ("move-to", "sqlite:///other.db"),
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_every_command_says_what_is_wrong_with_the_settings(host: Callable[..., Said], words: tuple[str, ...]) -> None:
    Path(".env").write_bytes(b"DISCORD_TOKEN=hush")
    Path(".env").chmod(0o600)
    said = host(*words)
    assert said.status == (1 if words[0] in ("health", "status") else 2), "containers know 0 and 1 alone"
    assert said.lines == [PORTAL]
    assert [path.name for path in Path().iterdir()] == [".env"], "nothing was made"


def test_everything_that_is_wrong_is_said_at_once(host: Callable[..., Said], monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("GRAPHPAPER_PROT=80\nDISCORD_TOKEN=Bot hush.hush.hush\n")
    monkeypatch.setenv("GRAPHPAPER_SEARCHERS", "many")
    told_of(
        host("run"),
        f"GRAPHPAPER_PROT is no setting: did you mean GRAPHPAPER_PORT? {BOT} {number('SEARCHERS', 64)}",
    )


def test_a_file_that_windows_wrote_is_read(host: Callable[..., Said]) -> None:
    for coding in ("utf-16", "utf-8-sig"):
        Path(".env").write_bytes(f"DISCORD_TOKEN={SECRET}\r\nGRAPHPAPER_PORT=1\r\n".encode(coding))
        assert (Settings.read().token, Settings.read().port) == (SECRET, 1)


def test_a_space_around_a_token_is_left_out(host: Callable[..., Said], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f" {SECRET}\n")
    token = Settings.read().token
    assert token == SECRET


def test_what_other_programs_are_told_is_theirs(host: Callable[..., Said], monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a token of ours a name like it is somebody else's; one that is like none of ours is only remarked on."""
    Path(".env").write_text("SOMETHING=else\nGITHUB_TOKEN=hush\n")
    for name in ("DISCORD_WEBHOOK", "GITHUB_TOKEN", "TOKEN", "GRAPHPAPER_SEED", "PORT", "DATABASE", "LOG"):
        monkeypatch.setenv(name, "1")
    assert Settings.read().remarks == (
        "GRAPHPAPER_SEED is no setting, and does nothing. docs/hosting.md lists all settings.",
    )
    monkeypatch.setenv("DISCORD_TOKEN", SECRET)
    monkeypatch.setenv("DISCORD_BOT_TOKEN", SECRET)
    assert Settings.read().token


def test_secrets_that_others_can_read_are_remarked_on(host: Callable[..., Said]) -> None:
    file = Path(".env")
    file.write_text(f"DISCORD_TOKEN={SECRET}\n")
    file.chmod(0o600)
    assert Settings.read().remarks == ()
    file.chmod(0o644)
    assert Settings.read().remarks == ("Others on this machine can read .env, which holds secrets: chmod 600 .env",)
    file.write_text("GRAPHPAPER_PORT=1\n")
    assert Settings.read().remarks == (), "there is nothing to hide"


def test_a_start_says_what_is_to_be_remarked_once(
    host: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not by the bot on the sandbox, which is told the same settings, and not by every look at its health."""
    monkeypatch.setenv("GRAPHPAPER_SEED", "1")

    async def served(_: Settings) -> None:
        pass

    monkeypatch.setattr(run, "_load_serve", lambda: served)
    for sandboxed in (False, True):
        monkeypatch.setenv("DISCORD_TOKEN", SECRET)
        if sandboxed:
            monkeypatch.setenv("GRAPHPAPER_API", "http://127.0.0.1:1/api/v10")
        said = host("run")
        assert said.log[0].endswith(f"Graph Paper {version()} starts.")
        told = " ".join(said.lines).count("GRAPHPAPER_SEED is no setting")
        assert told == (0 if sandboxed else 1)
    assert "SEED" not in " ".join(host("health").lines)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (
            OSError(errno.EACCES, "error while attempting to bind on address ('127.0.0.1', 80): permission denied"),
            "Port 80 is for programs with special rights. Set GRAPHPAPER_PORT to one from 1024 on, or to 0 for any.",
        ),
        (OSError(errno.EADDRINUSE, "taken"), "Port 80 is taken. Set GRAPHPAPER_PORT to another one, or to 0 for any."),
        (
            PermissionError(errno.EACCES, "Permission denied", "there/discord"),
            "The sandbox can't be stored in there. there/discord can't be used: ",
        ),
    ],
)
def test_what_keeps_the_sandbox_from_starting_is_said(
    host: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, fault: OSError, sentence: str
) -> None:
    async def refused(_: Settings) -> None:
        raise fault

    monkeypatch.setattr("bot.host.supervisor.serve_sandbox", refused)
    monkeypatch.setenv("GRAPHPAPER_PORT", "80")
    monkeypatch.setenv("GRAPHPAPER_SANDBOX_FOLDER", "there")
    said = host("run")
    assert said.status == 2 and len(said.lines) == 1
    assert said.lines[0].startswith(sentence)
