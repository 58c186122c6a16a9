"""What an interaction must look like to be read at all: as much of Discord's form as discord.py and we go by.

Discord sends nothing else, and whatever it adds is let through. What has another form is refused before anything is
made of it, so that nobody further in has to ask whether a list is a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
SLASH = 1
"""The only kind of command that there is here."""
GROUPS = (1, 2)
"""The types of options that hold options: subcommands, and groups of them."""
VALUES: Mapping[int, type] = {3: str, 5: bool, **dict.fromkeys((6, 7, 8, 9, 11), str)}
"""What stands in an option of each type; people, channels and the like are named by their numbers as text. Whoever
reads a whole number says what is wrong with it."""


def storable(number: str) -> str:
    """A number of Discord's, which has room in a database."""
    if int(number) >= 2**63:
        raise ValueError("too large")
    return number


Number = Annotated[str, Field(pattern="^[0-9]{1,20}$"), AfterValidator(storable)]


class Part(BaseModel):
    """A part of a payload; what we do not read may be anything."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class Option(Part):
    """An option of a command, or a subcommand with its options."""

    name: str
    type: int
    value: Any = None
    focused: bool = False
    options: list[Option] = []

    def fits(self) -> bool:
        """Whether the values in it are of the types that it says; what is being typed is not of any type yet."""
        if self.type in GROUPS:
            return all(option.fits() for option in self.options)
        return self.focused or isinstance(self.value, VALUES.get(self.type, object))


class Entry(Part):
    """A component of a form, with what was entered."""

    type: int
    custom_id: str | None = None
    value: str | None = None
    values: list[str] | None = None
    component: Entry | None = None
    components: list[Entry] = []

    @field_validator("component", "value", "values", mode="before")
    @classmethod
    def given(cls, value: object) -> object:
        """Check that what is there is not nothing."""
        if value is None:
            raise ValueError("empty")
        return value


class User(Part):
    """Somebody who is named."""

    id: Number


class Channel(Part):
    """Where it was."""

    id: Number


class Resolved(Part):
    """Those who were named, by their numbers."""

    users: dict[str, User] = {}
    members: dict[str, dict[str, Any]] = {}


class Data(Part):
    """What was called, pressed or entered."""

    type: Any = SLASH
    name: str | None = None
    custom_id: str | None = None
    component_type: int | None = None
    values: list[str] | None = None
    options: list[Option] = []
    components: list[Entry] = []
    resolved: Resolved = Resolved()


class Member(Part):
    """Who it was, in a server."""

    user: User


class Message(Part):
    """What was used, or opened a form."""

    flags: int = 0
    components: list[dict[str, Any]]


class Payload(Part):
    """An interaction."""

    id: Number
    token: str
    type: Literal[2, 3, 4, 5]
    data: Data
    guild_id: Number | None = None
    channel: Channel | None = None
    message: Message | None = None
    member: Member | None = None
    user: User | None = None

    @model_validator(mode="after")
    def whole(self) -> Payload:
        """Check what hangs together."""
        data, named = self.data, self.data.name if self.type in (COMMAND, AUTOCOMPLETE) else self.data.custom_id
        if (self.member if self.guild_id else self.user) is None:
            raise ValueError("nobody did it")
        if named is None or (self.type == COMPONENT and data.component_type is None):
            raise ValueError("it does not say what was used")
        if self.type in (COMMAND, AUTOCOMPLETE) and data.type != SLASH:
            raise ValueError("it is a command of another kind than ours")
        if not all(option.fits() for option in data.options):
            raise ValueError("an option's value is not of its type")
        return self


def focused(options: Sequence[Mapping[str, Any]]) -> str | None:
    """The name of the option that is being typed."""
    for option in options:
        if option.get("focused"):
            return option["name"]
        if name := focused(option.get("options", ())):
            return name
    return None


def oddity(payload: Any) -> str | None:
    """What is wrong with a payload, in words that hold nothing of what a person has entered; None if it can be read."""
    try:
        Payload.model_validate(payload)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_context=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'payload'}: {first['msg']}"
    return None
