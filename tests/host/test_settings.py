"""A host's settings: from the environment, and from the secrets of a container, which never appear in a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import settings
from bot.settings import Settings


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of secrets, and an environment with nothing of ours in it."""
    monkeypatch.chdir(tmp_path)  # where there is no .env
    for name in ("DISCORD_TOKEN", "GRAPHPAPER_DATABASE", "GRAPHPAPER_DATABASE_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(settings, "SECRETS", tmp_path)
    return tmp_path


def test_the_token_may_be_a_secret(secrets: Path) -> None:
    (secrets / "discord_token").write_text("quiet.token\n")
    token = Settings().token
    assert token and token.get_secret_value() == "quiet.token"


def test_a_secret_is_called_as_the_setting_is(secrets: Path) -> None:
    (secrets / "DISCORD_TOKEN").write_text("quiet.token")
    (secrets / "graphpaper_database").write_text("postgresql://who:what@there/name\n")
    assert Settings().database == "postgresql://who:what@there/name"
    assert Settings().token is not None


def test_what_is_in_the_environment_comes_first(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (secrets / "discord_token").write_text("quiet.token")
    monkeypatch.setenv("DISCORD_TOKEN", "loud.token")
    token = Settings().token
    assert token and token.get_secret_value() == "loud.token"


def test_an_empty_secret_is_none(secrets: Path) -> None:
    (secrets / "discord_token").write_text("\n")
    (secrets / "graphpaper_database_password").write_text("")
    assert Settings().token is None and Settings().database_password is None


@pytest.mark.parametrize(
    ("address", "whole"),
    [
        ("postgresql://graphpaper@postgres/graphpaper", "postgresql://graphpaper:p%40s%2Fs%20%25@postgres/graphpaper"),
        ("postgresql+asyncpg://who@there:5433/name", "postgresql+asyncpg://who:p%40s%2Fs%20%25@there:5433/name"),
        ("postgresql://who:own@there/name", "postgresql://who:own@there/name"),
        ("postgresql://there/name", "postgresql://there/name"),
        ("sqlite:////data/graphpaper.db", "sqlite:////data/graphpaper.db"),
    ],
)
def test_a_password_is_put_into_an_address_that_names_none(
    secrets: Path, monkeypatch: pytest.MonkeyPatch, address: str, whole: str
) -> None:
    (secrets / "graphpaper_database_password").write_text("p@s/s %\n")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", address)
    assert Settings().database == whole


def test_no_secret_is_told(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (secrets / "discord_token").write_text("quiet.token")
    (secrets / "graphpaper_database_password").write_text("hush")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "postgresql://who@there/name")
    said = f"{Settings()!r} {Settings()}"
    assert "quiet" not in said and "hush" not in said


def test_without_a_folder_of_secrets_there_are_none(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECRETS", secrets / "nowhere")
    assert Settings().token is None
