"""The settings of a host: read once from the environment, a `.env` file and the secrets of a container, and frozen.

The token and the database's password are kept out of logs. python-dotenv reads the file; the values are parsed here.
Libraries that do both take longer to import than all else that the health check needs, which containers run once a
minute.
"""

from __future__ import annotations

import codecs
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import quote, urlsplit

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from bot.play.ids import WHOLE, ShardShare
from data.engine.address import address_of_file

LOOPBACK, ANYWHERE = "127.0.0.1", "0.0.0.0"
SECRETS = Path("/run/secrets")
"""The folder of a container's secrets, one a file."""
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
PROGRAM = Path(__file__).parents[1]
"""The folder of this program, in which default paths are, whatever the current folder."""
ENV_FILE, PROGRAMS_ENV_FILE = Path(".env"), PROGRAM / ".env"
"""A file of settings in the current folder is read in place of the program's."""
READ = "Settings: {file}, and before it the environment."
READ_IN_PLACE = "Settings: {file}, as it is in this folder, in place of {other}, and before it the environment."
NO_ENV_FILE = "Settings: the environment alone, since there is no {place}."
PASSED_OVER = "The settings in {other} are passed over, since there is a .env in this folder."
USUAL_FOLDER, FOLDER_IN_CONTAINER = "var", Path("/data")
USUAL, USUAL_SANDBOX = "var/graphpaper.db", "var/sandbox"
USUAL_IN_CONTAINER, USUAL_BACKUPS = "sqlite:////data/graphpaper.db", Path("/data/backups")
"""The default database and backups of a container: in its volume."""
PREFIX = "GRAPHPAPER_"
TOKEN = re.compile(r"[\w-]+(?:\.[\w-]+){2,}", re.ASCII)
SECRET = {"DISCORD_TOKEN", "GRAPHPAPER_DATABASE_PASSWORD", "GRAPHPAPER_ALIVE"}
"""Variables that other users of the machine must not read."""
OTHERS = 0o077
"""The file permissions of all but the owner."""
NEAR, NEAR_END = 0.8, 0.7
"""The least similarity of two names, or of two names after our prefix, for one to be a misspelling of the other."""
MISSPELT = "{name} is no setting: did you mean {meant}?"
STRANGE = "{name} is no setting: docs/hosting.md lists all settings."
IDLE = "{name} is no setting, and does nothing. docs/hosting.md lists all settings."


class BadSettings(ValueError):
    """Invalid settings: a sentence about each, with the name of its variable, never with its value."""


class Address(NamedTuple):
    """An address to listen on; port 0 is any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read a port, on the loopback interface, or a host and a port."""
        found = re.fullmatch(r"(?:(?P<host>[^:\s]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>[0-9]{1,5})", text.strip())
        if found is None or int(found["port"]) > 65535:
            raise ValueError("it is a port, like 9464, or a host and a port, like 0.0.0.0:9464")
        return cls((found["host"] or LOOPBACK).strip("[]"), int(found["port"]))


def make_whole_reader(most: int) -> Callable[[str], int]:
    """A reader of whole numbers from 0 to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch(r"\s*[0-9]{1,9}\s*", text) or int(text) > most:
            raise ValueError(f"it is a whole number from 0 to {most}")
        return int(text)

    return read


def read_seconds(text: str) -> float:
    """Read a number of seconds, 0 or more; like all readers, raises `ValueError` with a sentence."""
    try:
        read = float(text)
    except ValueError:
        read = -1.0
    if not (read >= 0 and math.isfinite(read)):
        raise ValueError("it is a number of seconds, 0 or more")
    return read


def read_positive_seconds(text: str) -> float:
    """Read a number of seconds above 0."""
    if not (read := read_seconds(text)):
        raise ValueError("it is a number of seconds, more than 0")
    return read


def read_log_level(text: str) -> str:
    if text.upper() not in LEVELS:
        raise ValueError(f"it is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")
    return text.upper()


def read_yes(text: str) -> bool:
    if text.lower() not in (*YES, *NO):
        raise ValueError("it is 1 or 0")
    return text.lower() in YES


def read_token(text: str) -> str:
    """Read a bot's token, as Discord's developer portal shows it."""
    given = text.strip()
    if re.match(r"bot\s", given, re.IGNORECASE):
        raise ValueError("leave out the word Bot before the token")
    if re.search(r"\s", given):
        raise ValueError("there is a space in it")
    if not TOKEN.fullmatch(given):
        raise ValueError(
            "it isn't a bot's token, which has three parts with dots between them: copy it from the developer portal,"
            " under Bot"
        )
    return given


def allow_off(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A reader that also takes an empty text or one of `NO`, as None."""
    return lambda text: None if text.strip().lower() in ("", *NO) else read(text)


def read_web_address(text: str) -> str:
    """Read an http or https address."""
    given = text.strip()
    try:
        parts = urlsplit(given)
        possible = parts.scheme in ("https", "http") and parts.hostname and (parts.port or True)
    except ValueError:  # its message would repeat the value, which is secret
        possible = False
    if not possible or re.search(r"\s", given):
        raise ValueError("it is an address that begins with https:// or http://")
    return given


READERS: Mapping[str, Callable[[str], Any]] = {
    "token": read_token, "database_password": str, "database": str, "container": read_yes, "log": read_log_level,
    "port": make_whole_reader(65535), "sandbox_folder": Path, "api": str, "gateway": str,
    "answer_within": read_positive_seconds, "reconcile": read_positive_seconds, "retry": read_positive_seconds,
    "shards": ShardShare.parse, "watchdog": read_seconds, "searchers": make_whole_reader(64),
    "metrics": allow_off(Address.parse), "backups": allow_off(Path), "alive": allow_off(read_web_address),
}  # fmt: skip
"""The reader of each setting."""


def name_variable(name: str) -> str:
    """The environment variable of a setting."""
    return "DISCORD_TOKEN" if name == "token" else f"GRAPHPAPER_{name.upper()}"


VARIABLES = tuple(map(name_variable, READERS))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings of a host; docs/hosting.md describes them."""

    token: str | None = field(default=None, repr=False)
    """The bot's token; without one the sandbox is served."""
    container: bool = False
    """Set in the container image, where a missing token is an error unless the sandbox is asked for."""
    database: str = field(default_factory=lambda: address_of_file(PROGRAM / USUAL), repr=False)
    names_database: bool = False
    """Whether the host has set the database."""
    backups: Path | None = None
    """The folder for copies of a SQLite database each day and before each migration; None for no copies."""
    alive: str | None = field(default=None, repr=False)
    """An address that is called each minute while all is well."""
    log: str = "INFO"
    port: int = 8420
    """The port of the sandbox's chat page; 0 takes any free one."""
    sandbox_folder: Path = field(default_factory=lambda: PROGRAM / USUAL_SANDBOX)
    """Where the sandbox keeps its channels and messages."""
    api: str | None = None
    """The address of a stand-in for Discord's API; set by the sandbox for the bot it starts."""
    gateway: str | None = None
    """The address of that stand-in's gateway."""
    answer_within: float = 2.5
    """Seconds for an answer; Discord takes one within 3. The sandbox waits half a second longer than this, so that
    a machine too slow for Discord is not too slow for trying the bot."""
    reconcile: float = 5.0
    """Seconds between two searches for boards that lag behind the committed state."""
    retry: float = 1.0
    """Seconds before a board that Discord refused is tried again; doubled at each further try, up to five minutes."""
    shards: ShardShare | None = None
    """The shards that this process serves, like 0-3/16; None for all, as many as Discord recommends."""
    metrics: Address | None = None
    """Where metrics are served for Prometheus: a port of this machine, or host:port; None for nowhere."""
    watchdog: float = 60.0
    """Seconds for which the event loop may be blocked before the process exits, to be restarted; 0: no limit."""
    searchers: int = 1
    """The number of engine processes, one search each at a time; 0: this process has no computer opponent."""
    file: Path | None = None
    """The file of settings that was read, if any."""
    remarks: tuple[str, ...] = ()
    """Warnings for the host about settings with which the bot can run."""

    @classmethod
    def read(cls) -> Self:
        """The settings from the environment, else from `.env`, else from a container's secrets, each a file with the
        variable's name. An empty value counts as unset. Raises `BadSettings`."""
        place = ENV_FILE if os.path.lexists(ENV_FILE) else PROGRAMS_ENV_FILE
        file, faults = _read_env_file(place)
        secrets, hidden = _read_secrets(SECRETS)
        environment = _drop_empty(os.environ)
        written = {**secrets, **file, **environment}
        wrong = [*faults, *hidden, *list_misspelt_names({**secrets, **file}, written)]
        meant, unknown = list(list_misspelt_names(environment, written, near=True)), _list_unknown_names(environment)
        wrong += [sentence for sentence in meant if sentence not in wrong]
        found = dict[str, Any]()
        for name, read in READERS.items():
            if name_variable(name) in written:
                try:
                    found[name] = read(written[name_variable(name)])
                except ValueError as fault:
                    wrong.append(f"{name_variable(name)} can't be used: {str(fault)[:1].lower()}{str(fault)[1:]}.")
        if wrong:
            raise BadSettings(" ".join(wrong))
        password, named = found.pop("database_password", None), found.get("database")
        usual = USUAL_IN_CONTAINER if found.get("container") else address_of_file(PROGRAM / USUAL)
        found["database"] = with_password(named, password) if named else usual
        if found.get("container"):
            found.setdefault("backups", USUAL_BACKUPS)
            if found.get("metrics") and ":" not in written[name_variable("metrics")]:  # else it could not be reached
                found["metrics"] = found["metrics"]._replace(host=ANYWHERE)
        remarks = (*unknown, *_warn_of_other_file(place), *_warn_of_readable(place, file))
        there = place.absolute() if os.path.lexists(place) else None
        return cls(**found, names_database=named is not None, file=there, remarks=remarks)

    @property
    def read_from(self) -> str:
        """A sentence about the file of settings that was read."""
        if self.file is None:
            return NO_ENV_FILE.format(place=PROGRAMS_ENV_FILE)
        told = READ_IN_PLACE if os.path.lexists(PROGRAMS_ENV_FILE) and not _is_programs_file(self.file) else READ
        return told.format(file=self.file, other=PROGRAMS_ENV_FILE)

    @property
    def database_folder(self) -> Path:
        """The local folder for files that belong to a database on a server."""
        return FOLDER_IN_CONTAINER if self.container else PROGRAM / USUAL_FOLDER

    @property
    def sandbox_database(self) -> str:
        """The database of the bot on the sandbox."""
        return address_of_file(self.sandbox_folder / "graphpaper.db")

    def choose_database(self, sandbox: bool) -> str:
        """The database of the bot with these settings: the sandbox's if that is asked for, or if neither a token nor a
        database is set."""
        return self.sandbox_database if self.watches_sandbox(sandbox) else self.database

    def watches_sandbox(self, sandbox: bool) -> bool:
        """Whether `choose_database` gives the sandbox's."""
        return sandbox or (self.token is None and not self.names_database)

    @property
    def share(self) -> ShardShare:
        """The servers that this process serves."""
        return self.shards or WHOLE

    @property
    def is_sandboxed(self) -> bool:
        """Whether the bot talks to the sandbox instead of Discord."""
        return self.api is not None


def with_password(url: str, password: str | None) -> str:
    """The address of a database server with the separately stored password, if it has none itself."""
    found = re.fullmatch(r"(postgresql[^:/]*://[^:@/]+)(@.*)", url)
    return f"{found[1]}:{quote(password, safe='')}{found[2]}" if found and password else url


def list_misspelt_names(given: Mapping[str, str], written: Mapping[str, str], near: bool = False) -> Iterator[str]:
    """A sentence about each name that looks like one of our variables and is none; with `near` only for names similar
    to one of ours, as an environment is shared with other programs."""
    for name in given:
        meant = find_nearest_name(name)
        others = not name.startswith(PREFIX) and (meant is None or meant in written)
        if name in VARIABLES or others or (near and meant is None):
            continue
        yield MISSPELT.format(name=name, meant=meant) if meant else STRANGE.format(name=name)


def find_nearest_name(name: str) -> str | None:
    """The most similar variable of ours, if any is similar."""
    from difflib import get_close_matches  # here: rarely needed

    if name.startswith(PREFIX):  # the prefix, which all share, must not count
        ends = {one.partition("_")[2]: one for one in VARIABLES}
        found = get_close_matches(name.removeprefix(PREFIX), ends, 1, NEAR_END)
        return ends[found[0]] if found else None
    return next(iter(get_close_matches(name, VARIABLES, 1, NEAR)), None)


def _list_unknown_names(environment: Mapping[str, str]) -> Iterator[str]:
    """A sentence about each name in the environment that has our prefix, and is similar to none of ours."""
    strange = (name for name in environment if name.startswith(PREFIX) and name not in VARIABLES)
    return (IDLE.format(name=name) for name in strange if not find_nearest_name(name))


def _drop_empty(texts: Mapping[str, str | None]) -> dict[str, str]:
    return {name.upper(): text for name, text in texts.items() if text}


def _read_text(file: Path) -> str:
    """The text of a file, in UTF-8 or, as Windows writes it, UTF-16; raises `BadSettings`."""
    try:
        read = file.read_bytes()
    except IsADirectoryError:
        raise BadSettings(f"{file} is a folder, so there are no settings in it: put a file in its place.") from None
    except OSError as fault:
        raise BadSettings(f"{file} can't be read ({fault.strerror}).") from None
    coding = "utf-16" if read.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = read.decode(coding)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise BadSettings(f"{file} isn't text that can be read: save it in UTF-8.")
    return text


def _read_env_file(file: Path) -> tuple[dict[str, str], list[str]]:
    """The settings in a file, if there is one, and a sentence about each line that can't be read."""
    if not os.path.lexists(file):
        return {}, []
    try:
        text = _read_text(file)
    except BadSettings as fault:
        return {}, [str(fault)]
    wrong = list[str]()
    for line in parse_stream(StringIO(text)):
        alone = line.key is not None and line.value is None and line.key.upper() not in os.environ
        if line.error or alone:  # without its text, which may hold the token
            before = len(line.original.string) - len(line.original.string.lstrip())
            number = line.original.line + line.original.string[:before].count("\n")
            wrong.append(f"{file} can't be read in line {number}: write NAME=value there.")
    return _drop_empty(dotenv_values(stream=StringIO("" if wrong else text))), wrong


def _is_programs_file(file: Path) -> bool:
    """Whether a file of settings is the one in the program's folder."""
    return file == PROGRAMS_ENV_FILE or (PROGRAMS_ENV_FILE.exists() and PROGRAMS_ENV_FILE.samefile(file))


def _warn_of_other_file(file: Path) -> Iterator[str]:
    """A warning if the program's folder has another file of settings than the one that is read."""
    if PROGRAMS_ENV_FILE.exists() and not _is_programs_file(file):
        yield PASSED_OVER.format(other=PROGRAMS_ENV_FILE)


def _warn_of_readable(file: Path, given: Mapping[str, str]) -> Iterator[str]:
    """A warning if other users of the machine can read a file with secrets."""
    if os.name == "posix" and SECRET & given.keys() and file.stat().st_mode & OTHERS:
        yield f"Others on this machine can read {file}, which holds secrets: chmod 600 {file}"


def _read_secrets(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The settings in the files of secrets, if any, and a sentence about each file that can't be read."""
    found, wrong = dict[str, str | None](), list[str]()
    for file in sorted(folder.iterdir()) if folder.is_dir() else []:
        name = file.name.upper()
        if name in VARIABLES or name.startswith(PREFIX):
            try:
                found[name] = _read_text(file).strip()
            except BadSettings as fault:
                wrong.append(str(fault))
    return _drop_empty(found), wrong
