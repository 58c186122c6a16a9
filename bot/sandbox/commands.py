"""Discord's rules for application commands, and the command list that a bot overwrites in bulk."""

import unicodedata
from typing import Any

from bot.sandbox.errors import ApiError, BodyCheck, Json, is_list, list_under, object_under

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
MOST = {CHAT_INPUT: 100, USER_MENU: 15, MESSAGE_MENU: 15}
MOST_CHARACTERS = 8000
MOST_PERMISSIONS = 2**54 - 1
# field of an option: the types that have it
FIELDS: dict[str, tuple[int, ...]] = {
    "channel_types": (CHANNEL,),
    "min_value": (INTEGER, NUMBER),
    "max_value": (INTEGER, NUMBER),
    "min_length": (STRING,),
    "max_length": (STRING,),
}
CHANNEL_TYPES = (*range(6), *range(10, 17))
LOCALES = frozenset(
    (
        "id",
        "da",
        "de",
        "en-GB",
        "en-US",
        "es-ES",
        "es-419",
        "fr",
        "hr",
        "it",
        "lt",
        "hu",
        "nl",
        "no",
        "pl",
        "pt-BR",
        "ro",
        "fi",
        "sv-SE",
        "vi",
        "tr",
        "cs",
        "el",
        "bg",
        "ru",
        "uk",
        "hi",
        "th",
        "zh-CN",
        "ja",
        "zh-TW",
        "ko",
    )
)

Path = tuple[str | int, ...]


def name_is_valid(name: str) -> bool:
    r"""Whether a name is `^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$` and lower case where it has cases."""
    if not 1 <= len(name) <= 32 or name != name.lower():
        return False
    return all(one in "-_'" or unicodedata.category(one)[0] in "LN" or _is_indic(one) for one in name)


def _is_indic(one: str) -> bool:
    return "\u0900" <= one <= "\u097f" or "\u0e00" <= one <= "\u0e7f"


def _check_localisations(form: BodyCheck, item: Json, key: str, path: Path, name: bool) -> None:
    for locale, text in object_under(item, f"{key}_localizations").items():
        here = (*path, f"{key}_localizations", locale)
        if locale not in LOCALES:
            form.add_error(here, "ENUM_TYPE_COERCE", f'Value "{locale}" is not a valid locale.')
        if name and not name_is_valid(text):
            form.add_error(here, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
        if not name:
            form.check_length(here, text, 1, 100)


def _check_names(form: BodyCheck, item: Json, path: Path) -> None:
    name = item.get("name")
    if not isinstance(name, str) or not name_is_valid(name):
        form.add_error((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    form.check_length((*path, "description"), item.get("description"), 1, 100)
    _check_localisations(form, item, "name", path, True)
    _check_localisations(form, item, "description", path, False)


def _check_choices(form: BodyCheck, option: Json, path: Path) -> None:
    choices = form.check_list((*path, "choices"), list_under(option, "choices"), 0, 25)
    if choices and option.get("autocomplete"):
        form.add_error(path, "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE", "Choices and autocomplete exclude each other.")
    if option["type"] not in (STRING, INTEGER, NUMBER) and (choices or option.get("autocomplete")):
        form.add_error(
            path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This type takes no choices or autocompletion."
        )
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        here = (*path, "choices", index)
        form.check_length((*here, "name"), choice.get("name"), 1, 100)
        _check_choice_names(form, choice, here)
        if option["type"] == STRING:
            form.check_length((*here, "value"), choice.get("value"), 1, 100)
        else:
            form.check_range((*here, "value"), choice.get("value"), -(2**53), 2**53)
        if choice.get("name") in seen:
            form.add_error(here, "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATED", "This name is already used.")
        seen.add(str(choice.get("name")))


def _check_choice_names(form: BodyCheck, choice: Json, path: Path) -> None:
    for locale, text in object_under(choice, "name_localizations").items():
        form.check_length((*path, "name_localizations", locale), text, 1, 100)
        form.check_one_of((*path, "name_localizations", locale), locale, tuple(sorted(LOCALES)))


def _check_options(form: BodyCheck, options: Any, path: Path, depth: int) -> None:
    items = form.check_list(path, [] if options is None else options, 0, 25)
    seen: set[str] = set()
    optional_before = False
    for index, option in enumerate(items):
        here = (*path, index)
        _check_names(form, option, here)
        form.check_one_of((*here, "type"), option.get("type"), tuple(range(1, 12)))
        if option.get("name") in seen:
            form.add_error(
                (*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option name is already used."
            )
        seen.add(str(option.get("name")))
        if option.get("required") and optional_before:
            text = "Required options must be placed before non-required options"
            form.add_error(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
        optional_before = optional_before or not option.get("required")
        _check_option(form, option, here, depth)
    nested = {option.get("type") in (SUBCOMMAND, GROUP) for option in items}
    if len(nested) > 1:
        form.add_error(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands and options cannot be mixed.")


def _check_option(form: BodyCheck, option: Json, path: Path, depth: int) -> None:
    kind = option.get("type")
    if kind in (SUBCOMMAND, GROUP):
        if (kind == GROUP and depth > 0) or depth > 1:
            text = "Sub-command groups go one level deep."
            form.add_error((*path, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
        return _check_options(form, option.get("options"), (*path, "options"), depth + 1 if kind == GROUP else 2)
    if depth > 2:
        return None
    for key, kinds in FIELDS.items():
        if option.get(key) is not None and kind not in kinds:
            form.add_error((*path, key), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", f"This type takes no {key}.")
    for index, one in enumerate(list_under(option, "channel_types")):
        form.check_one_of((*path, "channel_types", index), one, CHANNEL_TYPES)
    for key, low in (("min_length", 0), ("max_length", 1)):
        if option.get(key) is not None:
            form.check_range((*path, key), option[key], low, 6000)
    for key in ("min_value", "max_value"):
        if option.get(key) is not None:
            form.check_range((*path, key), option[key], -(2**53), 2**53)
    for unit in ("value", "length"):
        low, high = option.get(f"min_{unit}"), option.get(f"max_{unit}")
        if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
            text = f"min_{unit} is above max_{unit}."
            form.add_error((*path, f"min_{unit}"), "APPLICATION_COMMAND_OPTIONS_MIN_ABOVE_MAX", text)
    return _check_choices(form, option, path)


def _longest_localisation(item: Json, key: str) -> int:
    texts = [str(item.get(key) or ""), *object_under(item, f"{key}_localizations").values()]
    return max(map(len, texts))


def command_size(command: Json) -> int:
    """The characters of a command that count towards 8000: names, descriptions and values, longest localisation."""
    total = _longest_localisation(command, "name") + _longest_localisation(command, "description")
    for choice in list_under(command, "choices"):
        total += _longest_localisation(choice, "name") + len(str(choice.get("value")))
    return total + sum(command_size(option) for option in list_under(command, "options"))


def _check_places(form: BodyCheck, command: Json, index: int) -> None:
    """Where a command may be used and installed, and by whom."""
    for key, allowed in (("contexts", (0, 1, 2)), ("integration_types", (0, 1))):
        if command.get(key) is not None:
            for number, one in enumerate(form.check_list((index, key), command[key], 1, len(allowed))):
                form.check_one_of((index, key, number), one, allowed)
    if command.get("default_member_permissions") is not None:
        path = (index, "default_member_permissions")
        form.check_whole(path, command["default_member_permissions"], 0, MOST_PERMISSIONS)


def check_commands(commands: list[Json]) -> None:
    """Check a whole command set; ApiError 50035 names every broken rule."""
    form = BodyCheck()
    seen: set[tuple[int, str]] = set()
    counts: dict[int, int] = {}
    for index, command in enumerate(commands):
        kind = command.get("type") or CHAT_INPUT
        counts[kind] = counts.get(kind, 0) + 1
        if (kind, str(command.get("name"))) in seen:
            form.add_error(
                (index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        seen.add((kind, str(command.get("name"))))
        if kind == CHAT_INPUT:
            _check_names(form, command, (index,))
            _check_options(form, command.get("options"), (index, "options"), 0)
        else:
            form.check_length((index, "name"), command.get("name"), 1, 32)
        _check_places(form, command, index)
        if command_size(command) > MOST_CHARACTERS:
            text = f"Command exceeds maximum size of {MOST_CHARACTERS} ({command_size(command)})"
            form.add_error((index,), "APPLICATION_COMMAND_TOO_LARGE", text)
    for kind, count in counts.items():
        if count > MOST.get(kind, 0):
            form.add_error(
                (), "APPLICATION_COMMANDS_MAX", f"Maximum number of application commands reached ({MOST.get(kind)})."
            )
    form.raise_errors()


def commands_in(register: list[Json], guild_id: str) -> list[Json]:
    """The commands of a server: the global ones and its own."""
    return [one for one in register if one.get("guild_id") in (None, guild_id)]


def list_offered(register: list[Json], guild_id: str | None, installs: Json) -> list[Json]:
    """The commands that are offered in a server, or in the bot's direct messages (None), by these installations: those
    without `contexts` everywhere, those without `integration_types` by a server's."""
    return [
        one
        for one in commands_in(register, guild_id or "")
        if one.get("guild_id")
        or (
            (1 if guild_id is None else 0) in (one.get("contexts") or (0, 1, 2))
            and any(str(kind) in installs for kind in one.get("integration_types") or (0,))
        )
    ]


def overwrite_commands(old: list[Json], new: Any, application: str, guild_id: str | None, new_id: Any) -> list[Json]:
    """The commands after a bulk overwrite: same type and name keeps its id, a change gives a new version."""
    if not is_list(new):
        raise ApiError(50035)
    wanted = new
    check_commands(wanted)
    known = {(one["type"], one["name"]): one for one in old if one.get("guild_id") == guild_id}
    made = [one for one in old if one.get("guild_id") != guild_id]
    for command in wanted:
        kind = command.get("type") or CHAT_INPUT
        before = known.get((kind, command["name"]), {})
        after = _stored_command(command, kind, application, guild_id) | {"id": before.get("id") or new_id()}
        same = {key: value for key, value in before.items() if key != "version"} == after
        made.append(after | {"version": before["version"] if same else new_id()})
    return made


def _stored_command(command: Json, kind: int, application: str, guild_id: str | None) -> Json:
    made: Json = {key: command.get(key) for key in ("name_localizations", "description_localizations")}
    needed = command.get("default_member_permissions")
    made["default_member_permissions"] = None if needed is None else str(needed)
    made |= {"name": command["name"], "description": command.get("description") or "", "type": kind}
    made |= {"application_id": application, "nsfw": bool(command.get("nsfw"))}
    if guild_id:
        made["guild_id"] = guild_id
    else:
        made |= {"contexts": command.get("contexts"), "integration_types": command.get("integration_types") or [0]}
        made["dm_permission"] = command.get("dm_permission") is not False
    return made | ({"options": command["options"]} if command.get("options") else {})
