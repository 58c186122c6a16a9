"""Keeps the world in a folder, so that the sandbox can be killed at any moment and go on where it was.

The state is one JSON file, replaced as a whole shortly after every change; the bytes of attachments lie beside it,
one file each, written before anything refers to them.
"""

import asyncio
import json
import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path

from bot.sandbox.world.api_errors import Json, parse
from bot.sandbox.world.world import World

VERSION = 2
READABLE = (1, VERSION)
"""Before there were several servers, files said 1."""
# Seconds between a change and the file; more when writing itself takes long.
DELAY = 0.05
OTHER_VERSION = "{file} was written by another version of the sandbox: move it away to start anew."
NO_WORLD = "{file} isn't the world of a sandbox: move it away to start anew."


class Unreadable(ValueError):
    """A file that is no world which this sandbox can go on with; the text says what to do."""


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    os.replace(beside, path)


class Files(MutableMapping[str, bytes]):
    """The bytes of attachments by id, each a file of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __getitem__(self, key: str) -> bytes:
        try:
            return (self.folder / key).read_bytes()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, data: bytes) -> None:
        _replace(self.folder / key, data)

    def __delitem__(self, key: str) -> None:
        try:
            (self.folder / key).unlink()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        return (path.name for path in self.folder.iterdir() if path.suffix != ".new")

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Storage:
    """Loads a world from a folder and saves it there after every change."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world = world
        self.path = folder / "world.json"
        self.delay = DELAY
        self.timer: asyncio.TimerHandle | None = None
        world.files = Files(folder / "attachments")
        if self.path.exists():
            self._load(self.path.read_bytes())
        world.listeners.append(self._changed)

    def _load(self, written: bytes) -> None:
        try:
            state = parse(written)
        except ValueError as fault:
            raise Unreadable(NO_WORLD.format(file=self.path)) from fault
        if state.pop("version", None) not in READABLE:
            raise Unreadable(OTHER_VERSION.format(file=self.path))
        self.world.load(state)

    def _changed(self, event: str, data: Json) -> None:
        if self.timer is None:
            try:
                loop = asyncio.get_running_loop()
            except RuntimeError:  # changed before the server runs
                self.save()
            else:
                self.timer = loop.call_later(self.delay, self._save_in, loop)

    def _save_in(self, loop: asyncio.AbstractEventLoop) -> None:
        started = loop.time()
        self.save()
        self.delay = max(DELAY, 10 * (loop.time() - started))

    def save(self) -> None:
        """Write the state now."""
        self.close()
        _replace(self.path, json.dumps(self.world.dump() | {"version": VERSION}).encode())

    def close(self) -> None:
        """Forget a save that is due."""
        if self.timer:
            self.timer.cancel()
            self.timer = None
