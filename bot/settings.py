"""The settings of a host: read once from the environment, a `.env` file and the secrets of a container, and frozen.

The token and the database's password are kept out of logs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, SecretStr, ValidationInfo
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from bot.core.values.shards import WHOLE, Share

LOOPBACK = "127.0.0.1"
SECRETS = Path("/run/secrets")
"""Where containers find what is to be kept from others, a file each."""
Level = Literal["CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG"]


def read_shards(given: object) -> object:
    """What is written for shards, read."""
    return Share.parse(given) if isinstance(given, str) else given


class Address(NamedTuple):
    """Where something is served on this machine; port 0 is any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read a port, which is for this machine alone, or a host and a port."""
        found = re.fullmatch(r"(?:(?P<host>[^:\s]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>[0-9]{1,5})", text.strip())
        if found is None or int(found["port"]) > 65535:
            raise ValueError("It is a port, like 9464, or a host and a port, like 0.0.0.0:9464")
        return cls((found["host"] or LOOPBACK).strip("[]"), int(found["port"]))


def read_address(given: object) -> object:
    """What is written for an address, read; a port may come as a number."""
    return Address.parse(str(given)) if isinstance(given, str | int) else given


def nothing(given: object) -> object:
    """None for an empty text: a secret's file that nobody has filled."""
    return None if given == "" else given


def with_password(url: str, given: ValidationInfo) -> str:
    """The address of a database server with the password that is kept apart from it, where it names none itself."""
    password: SecretStr | None = given.data.get("database_password")
    found = re.fullmatch(r"(postgresql[^:/]*://[^:@/]+)(@.*)", url)
    if found is None or password is None:
        return url
    return f"{found[1]}:{quote(password.get_secret_value(), safe='')}{found[2]}"


def usual_database(given: dict[str, Any]) -> str:
    """Where matches are kept if the host names no place: in a container in the folder that stays."""
    return "sqlite:////data/graphpaper.db" if given.get("container") else "sqlite:///var/graphpaper.db"


class Settings(BaseSettings):
    """Everything a host may set; docs/hosting.md has the same table in words."""

    model_config = SettingsConfigDict(
        env_prefix="GRAPHPAPER_", env_file=".env", env_ignore_empty=True, frozen=True, extra="ignore"
    )

    token: Annotated[SecretStr | None, BeforeValidator(nothing)] = Field(
        default=None, validation_alias=AliasChoices("DISCORD_TOKEN")
    )
    """The bot's token; without one the sandbox is served."""
    database_password: Annotated[SecretStr | None, BeforeValidator(nothing)] = None
    """The password for a database server, where its address names none."""
    container: bool = False
    """Set in the container image, where a missing token is an error unless the sandbox is asked for."""
    database: Annotated[str, AfterValidator(with_password)] = Field(default_factory=usual_database, repr=False)
    log: Annotated[Level, BeforeValidator(str.upper)] = "INFO"
    port: int = Field(default=8420, ge=0, le=65535)
    """The port of the sandbox's chat page; 0 takes any free one."""
    sandbox_folder: Path = Path("var/sandbox")
    """Where the sandbox keeps its channels and messages."""
    api: str | None = None
    """The address of a stand-in for Discord's API; set by the sandbox for the bot it starts."""
    gateway: str | None = None
    """The address of that stand-in's gateway."""
    answer_within: float = Field(default=2.5, gt=0)
    """Seconds for an answer; Discord takes one within 3. The sandbox waits half a second longer than this, so that
    a machine too slow for Discord is not too slow for trying the bot."""
    reconcile: float = Field(default=5.0, gt=0)
    """Seconds between two looks for boards that do not show the committed state."""

    retry: float = Field(default=1.0, gt=0)
    """Seconds before a board that Discord did not take is tried again, at the next look; each further time twice as
    many, up to five minutes."""

    shards: Annotated[Share | None, NoDecode, BeforeValidator(read_shards)] = None
    """Which of how many shards this process serves, like 0-3/16; without it, all, as many as Discord recommends."""

    metrics: Annotated[Address | None, NoDecode, BeforeValidator(read_address)] = None
    """Where Prometheus may ask what is measured: a port of this machine, or host:port; without it nothing listens."""

    watchdog: float = Field(default=60.0, ge=0)
    """Seconds for which the event loop may be held up before the process ends, to be started again; 0: for ever."""

    searchers: int = Field(default=1, ge=0, le=64)
    """How many processes think for the computer opponent, one search each at a time; 0: it does not play here."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is set comes from the environment, then from .env, then from secrets, each a file with the setting's
        name, where containers have them."""
        secrets = (SecretsSettingsSource(settings_cls, SECRETS),) if SECRETS.is_dir() else ()
        return init_settings, env_settings, dotenv_settings, *secrets

    @property
    def sandbox_database(self) -> str:
        """Where the bot on the sandbox keeps its matches."""
        return f"sqlite:///{self.sandbox_folder / 'graphpaper.db'}"

    def watched(self, sandbox: bool) -> str:
        """The database of the bot that runs with these settings: the sandbox's where that was asked for, or where there
        is neither a token nor a database."""
        sandboxed = sandbox or (self.token is None and "database" not in self.model_fields_set)
        return self.sandbox_database if sandboxed else self.database

    @property
    def share(self) -> Share:
        """The servers that this process serves."""
        return self.shards or WHOLE

    @property
    def sandboxed(self) -> bool:
        """Whether the bot talks to the sandbox instead of Discord."""
        return self.api is not None
