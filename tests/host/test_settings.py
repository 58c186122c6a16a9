"""A host's settings: from the environment, and from the secrets of a container, which never appear in a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import settings
from bot.settings import BadSettings, Settings


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of secrets, and an environment with nothing of ours in it."""
    monkeypatch.chdir(tmp_path)  # where there is no .env
    for name in ("DISCORD_TOKEN", "GRAPHPAPER_DATABASE", "GRAPHPAPER_DATABASE_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(settings, "SECRETS", tmp_path)
    monkeypatch.setattr(settings, "PROGRAMS_ENV_FILE", tmp_path / "program/.env")
    return tmp_path


@pytest.fixture
def program(secrets: Path) -> Path:
    """The program's folder with a file of settings in it, while the current folder is another."""
    folder = secrets / "program"
    folder.mkdir()
    (folder / ".env").write_text("GRAPHPAPER_PORT=1\n")
    return folder


def test_the_programs_file_is_read_from_whichever_folder(program: Path) -> None:
    read = Settings.read()
    assert (read.port, read.remarks) == (1, ())


def test_the_current_folders_file_goes_before_the_programs_and_they_are_not_mixed(program: Path) -> None:
    Path(".env").write_text("GRAPHPAPER_RETRY=2\n")
    read = Settings.read()
    assert (read.port, read.retry) == (8420, 2)
    assert read.remarks == (f"The settings in {program}/.env are passed over, since there is a .env in this folder.",)


def test_in_the_programs_folder_there_is_one_file_and_nothing_to_remark(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program)
    read = Settings.read()
    assert (read.port, read.remarks) == (1, ())


def test_a_fault_in_the_programs_file_is_said_with_where_it_lies(program: Path) -> None:
    (program / ".env").write_text("GRAPHPAPER_PORT\n")
    with pytest.raises(BadSettings, match=rf"^{program}/\.env can't be read in line 1: write NAME=value there\.$"):
        Settings.read()


def test_secrets_in_the_programs_file_that_others_can_read_are_remarked_on(program: Path) -> None:
    (program / ".env").write_text("DISCORD_TOKEN=quiet.secret.token\n")
    (program / ".env").chmod(0o644)
    file = f"{program}/.env"
    assert Settings.read().remarks == (
        f"Others on this machine can read {file}, which holds secrets: chmod 600 {file}",
    )


def test_the_token_may_be_a_secret(secrets: Path) -> None:
    (secrets / "discord_token").write_text("quiet.secret.token\n")
    token = Settings.read().token
    assert token == "quiet.secret.token"


def test_a_secret_is_called_as_the_setting_is(secrets: Path) -> None:
    (secrets / "DISCORD_TOKEN").write_text("quiet.secret.token")
    (secrets / "graphpaper_database").write_text("postgresql://who:what@there/name\n")
    assert Settings.read().database == "postgresql://who:what@there/name"
    assert Settings.read().token is not None


def test_what_is_in_the_environment_comes_first(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (secrets / "discord_token").write_text("quiet.secret.token")
    monkeypatch.setenv("DISCORD_TOKEN", "loud.secret.token")
    token = Settings.read().token
    assert token == "loud.secret.token"


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("GRAPHPAPER_SANDBOX_FOLDER=here/and there", "here/and there"),
        ("  export graphpaper_sandbox_folder = here  # where it was", "here"),
        ("GRAPHPAPER_SANDBOX_FOLDER='here # too'", "here # too"),
        ('GRAPHPAPER_SANDBOX_FOLDER="here" # too', "here"),
        ("GRAPHPAPER_SANDBOX_FOLDER=here#too", "here#too"),
        ("GRAPHPAPER_SANDBOX_FOLDER=", str(settings.PROGRAM / "var/sandbox")),
        ("GRAPHPAPER_SANDBOX_FOLDER=   # nowhere", str(settings.PROGRAM / "var/sandbox")),
        ("#GRAPHPAPER_SANDBOX_FOLDER=here", str(settings.PROGRAM / "var/sandbox")),
    ],
)
def test_a_file_of_settings_is_read(secrets: Path, line: str, path: str) -> None:
    (secrets / ".env").write_text(f"# Copy this file.\n\n{line}\nSOMETHING=else\n")
    assert Settings.read().sandbox_folder == Path(path)


def test_the_environment_comes_before_the_file_and_the_file_before_secrets(
    secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (secrets / ".env").write_text("GRAPHPAPER_PORT=2\nGRAPHPAPER_RETRY=2\n")
    for name in ("port", "retry", "reconcile"):
        (secrets / f"graphpaper_{name}").write_text("3\n")
    monkeypatch.setenv("GRAPHPAPER_PORT", "1")
    monkeypatch.setenv("GRAPHPAPER_RETRY", "")
    found = Settings.read()
    assert (found.port, found.retry, found.reconcile) == (1, 2, 3)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("PORT", "-1", "it is a whole number from 0 to 65535"),
        ("SEARCHERS", "many", "it is a whole number from 0 to 64"),
        ("RETRY", "0", "it is a number of seconds, more than 0"),
        ("WATCHDOG", "nan", "it is a number of seconds, 0 or more"),
        ("CONTAINER", "perhaps", "it is 1 or 0"),
    ],
)
def test_what_cannot_be_used_is_said_of_every_setting(
    secrets: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, sentence: str
) -> None:
    monkeypatch.setenv(f"GRAPHPAPER_{name}", text)
    monkeypatch.setenv("GRAPHPAPER_METRICS", "there")
    with pytest.raises(BadSettings) as refusal:
        Settings.read()
    said = [f"GRAPHPAPER_{name} can't be used: {sentence}.", "GRAPHPAPER_METRICS can't be used: it is a port, like"]
    assert all(one in str(refusal.value) for one in said)


def test_an_empty_secret_is_none(secrets: Path) -> None:
    (secrets / "discord_token").write_text("\n")
    (secrets / "graphpaper_database_password").write_text("")
    assert Settings.read().token is None


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
    assert Settings.read().database == whole


def test_no_secret_is_told(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (secrets / "discord_token").write_text("quiet.secret.token")
    (secrets / "graphpaper_database_password").write_text("hush")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "postgresql://who@there/name")
    said = f"{Settings.read()!r} {Settings.read()}"
    assert "quiet" not in said and "hush" not in said


def test_without_a_folder_of_secrets_there_are_none(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECRETS", secrets / "nowhere")
    assert Settings.read().token is None
