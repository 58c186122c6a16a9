"""Discord's error codes and the JSON shape in which it reports them.

One table has the status and wording of every code that the sandbox can answer with; `BodyCheck` collects the errors of
a request body in the nested shape of code 50035, so that a bot's author sees the same complaint as from Discord.
"""

import json
from typing import Any, TypeGuard

Json = dict[str, Any]

# code: (HTTP status, Discord's wording)
ERRORS: dict[int, tuple[int, str]] = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    20016: (429, "This action cannot be performed due to slowmode rate limit"),
    30034: (429, "Max number of daily application command creates has been reached (200)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
    40003: (403, "You are opening direct messages too fast"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40094: (400, "This interaction has reached its maximum number of follow-up messages"),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50003: (403, "Cannot execute action on a DM channel"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50021: (403, "Cannot execute action on a system message"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
    240000: (400, "Message blocked by harmful links filter"),
}


def is_object(value: Any) -> TypeGuard[Json]:
    """Whether an untrusted value is a JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether an untrusted value is a JSON list."""
    return isinstance(value, list)


def list_under(value: Json, key: str) -> list[Any]:
    """The list under a key, empty where there is none."""
    found: list[Any] = value.get(key) or []
    return found


def object_under(value: Json, key: str) -> Json:
    """The object under a key, empty where there is none."""
    found: Json = value.get(key) or {}
    return found


def parse_object(raw: str | bytes) -> Json:
    """Parse a JSON object; ValueError for anything else."""
    value: Any = json.loads(raw)
    if not is_object(value):
        raise ValueError("not a JSON object")
    return value


class ApiError(Exception):
    """A refusal as Discord words it: HTTP status, code, message and, for 50035, the nested `errors`."""

    def __init__(self, code: int, errors: Json | None = None, retry_after: float = 1.0) -> None:
        self.status, self.message = ERRORS[code]
        self.code = code
        self.errors = errors
        self.retry_after = retry_after
        super().__init__(f"{self.status} ({code}): {self.message} {errors or ''}".rstrip())

    def body(self) -> Json:
        """The JSON body of the answer."""
        body: Json = {"message": self.message, "code": self.code}
        if self.errors:
            body["errors"] = self.errors
        if self.status == 429:
            body |= {"retry_after": self.retry_after, "global": False}
        return body


class BodyCheck:
    """The errors of one request body; `raise_errors` raises them all at once, as Discord does."""

    def __init__(self) -> None:
        self.errors: Json = {}

    def add_error(self, path: tuple[str | int, ...], code: str, text: str) -> None:
        """Add an error for the value at `path` (keys and indexes from the top of the body)."""
        place = self.errors
        for step in path:
            place = place.setdefault(str(step), {})
        place.setdefault("_errors", []).append({"code": code, "message": text})

    def check_length(self, path: tuple[str | int, ...], value: Any, low: int, high: int) -> None:
        """Require a string of `low` to `high` characters, counted in UTF-16 as clients do: an emoji is two."""
        if not isinstance(value, str):
            self.add_error(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
        elif low and not value:
            self.add_error(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not low <= len(value.encode("utf-16-le")) // 2 <= high:
            between = f"Must be between {low} and {high} in length."
            text = between if low else f"Must be {high} or fewer in length."
            self.add_error(path, "BASE_TYPE_BAD_LENGTH" if low else "BASE_TYPE_MAX_LENGTH", text)

    def check_optional(self, path: tuple[str | int, ...], value: Any, high: int) -> None:
        """Require nothing, null, or a string of at most `high` characters."""
        if value is not None:
            self.check_length(path, value, 0, high)

    def check_list(self, path: tuple[str | int, ...], value: Any, low: int, high: int) -> list[Any]:
        """Require a list of `low` to `high` elements; returns it, or an empty list for any other value."""
        if not is_list(value):
            self.add_error(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not low <= len(value) <= high:
            self.add_error(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        return value

    def check_range(self, path: tuple[str | int, ...], value: Any, low: float, high: float) -> None:
        """Require a number from `low` to `high`."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.add_error(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')
        elif not low <= value <= high:
            self.add_error(path, "NUMBER_TYPE_MAX", f"Value should be between {low} and {high}.")

    def check_whole(self, path: tuple[str | int, ...], value: Any, low: int, high: int) -> None:
        """Require an integer from `low` to `high`, as a number or a string."""
        text = str(value)
        if isinstance(value, bool) or not text.removeprefix("-").isascii() or not text.removeprefix("-").isdecimal():
            self.add_error(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif int(text) < low:
            self.add_error(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}.")
        elif int(text) > high:
            self.add_error(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}.")

    def check_snowflakes(self, path: tuple[str | int, ...], values: list[Any]) -> None:
        """Require snowflakes without repetition."""
        for index, value in enumerate(values):
            if not (isinstance(value, int | str) and str(value).isascii() and str(value).isdecimal()):
                self.add_error((*path, index), "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
            elif str(value) in map(str, values[:index]):
                self.add_error((*path, index), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")

    def check_boolean(self, path: tuple[str | int, ...], value: Any) -> None:
        """Require true, false, null or no value."""
        if value is not None and not isinstance(value, bool):
            self.add_error(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")

    def check_one_of(self, path: tuple[str | int, ...], value: Any, allowed: tuple[Any, ...]) -> None:
        """Require one of the listed values."""
        if value not in allowed:
            self.add_error(path, "BASE_TYPE_CHOICES", f"Value must be one of {set(allowed)}.")

    def raise_errors(self) -> None:
        """Raise ApiError 50035 if there were any errors."""
        if self.errors:
            raise ApiError(50035, self.errors)
