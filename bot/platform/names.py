"""Users' names in the bot's messages. Pure.

Texts write a user as ``<@id>``. Discord shows that as a name only to users whom the message pings, and to others only
if their client has met that user. So before a message is sent, each `<@id>` of a user whom it does not ping is replaced
by their name. Markup in a name is escaped, and the name is isolated, so that its direction of writing ends with it.

>>> ann, bea, cem, dora = (UserId(10**15 + number) for number in range(4))
>>> names = disambiguate_names({ann: MemberName("*Ann*", "ann"), bea: MemberName("Bea", "bea"), cem: None})
>>> print(strip_isolates(insert_names(f"<@{ann}> beat <@{bea}> and <@{cem}>; <@{dora}> looks on.", names, told=[bea])))
\\*Ann\\* beat <@1000000000000001> and a former member; <@1000000000000003> looks on.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, cast

import discord

from bot.games.wording import count_units, shorten_text
from bot.play.ids import UserId

MENTION = re.compile(r"<@!?([0-9]{15,20})>")
ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
NAME = re.compile(f"{MENTION.pattern}|{ISOLATE}[^{END}]*{END}")
"""A user in a text, mentioned or by name."""
LENGTHS = 32, 20, 12, 6
"""The longest name (Discord's own limit), and shorter ones for where the text would be too long with such names."""
MOST_TEXT, MOST_TEXTS = 2000, 4000
"""The longest content of a plain message, and the longest texts of one with components, all together (Discord's
limits)."""
LABELS: Mapping[str, int] = {"label": 80, "placeholder": 150, "description": 1024}
"""Fields of components that show no markup, with their longest texts (Discord's limits)."""
MOST_OPTION = 100
"""The longest label and description of an option in a select, and the longest name of a suggestion (Discord's
limits)."""
FORMER_MEMBER, NAMELESS = "a former member", "somebody"
"""The words for a user who left before their name was known, and in suggestions for any unknown name."""
JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""Zero-width characters that join letters and emoji."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters without a visible glyph."""
NOT_A_NAME = r"(?:a(?= former (?:member|player)\b)|the(?= computer \(level)|computer(?= [0-9] \(level))"
"""The first word in place of a name: for a user who has left, and a computer."""
UNNAMED = re.compile(NOT_A_NAME, re.IGNORECASE)
AT_THE_START = re.compile(rf"(^(?:-# |> )?|[.!?] )((?:\*\*)?(?:[^\w\s*]\s)?{ISOLATE}?)({NOT_A_NAME})", re.MULTILINE)
"""Such a word at the start of a line or sentence, after its marker, two stars, and a player's square."""
MARKUP = re.compile(r"[\\*_~`|<>\[\]()@#:-]")
"""Characters that Discord may read as markup."""


class MemberName(NamedTuple):
    """A user's name in a server, and their unique username."""

    name: str
    username: str

    @classmethod
    def of(cls, user: discord.User | discord.Member) -> MemberName:
        """By nickname, else display name, else username."""
        return cls(user.display_name, user.name)


Names = Mapping[UserId, str]
"""How users are written in a message."""


def find_people(said: Any) -> list[UserId]:
    """The users in a text, or in the texts of components, in order."""
    if isinstance(said, str):
        return list(dict.fromkeys(UserId(int(found)) for found in MENTION.findall(said)))
    if isinstance(said, dict):
        return find_people([*cast(dict[str, Any], said).values()])
    if isinstance(said, list):
        return list(dict.fromkeys(one for part in cast(list[Any], said) for one in find_people(part)))
    return []


def disambiguate_names(called: Mapping[UserId, MemberName | None]) -> dict[UserId, str]:
    """How the users of one message are written: by name, and where two have the same, with their usernames; a user
    without a name as a former member."""
    shown = {user: format_visible_name(one) for user, one in called.items() if one}
    times = Counter(map(_fold_name, shown.values()))
    return {
        user: FORMER_MEMBER if one is None or user not in shown
        else shown[user] if times[_fold_name(shown[user])] == 1
        else f"{shown[user]} ({one.username})"
        for user, one in called.items()
    }  # fmt: skip


def format_visible_name(called: MemberName) -> str:
    """A name in one line and without hidden characters; a username where nothing of it is visible."""
    name = tidy_name(called.name)
    seen = any(unicodedata.category(one)[0] in "LNPS" and one not in BLANK for one in name)
    return name if seen else tidy_name(called.username)


def tidy_name(name: str) -> str:
    """A name without line breaks, direction marks and other invisible characters."""
    kept = (" " if _is_space(one) else one for one in name if one in JOINERS or not _is_hidden(one))
    return " ".join("".join(kept).split())


def _is_space(one: str) -> bool:
    return one.isspace() or unicodedata.category(one)[0] == "Z"


def _is_hidden(one: str) -> bool:
    return unicodedata.category(one)[0] == "C" and not one.isspace()


def _fold_name(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def insert_names(text: str, names: Names, told: Collection[UserId] = (), longest: int = LENGTHS[0]) -> str:
    """A text with markup, with users by name except those whom it pings, or whose name is unknown."""
    return _replace_mentions(text, names, told, lambda name: MARKUP.sub(r"\\\g<0>", shorten_text(name, longest)))


def insert_plain_names(text: str, names: Names, longest: int = LENGTHS[0]) -> str:
    """A text without markup, with users by name."""
    return _replace_mentions(text, names, (), lambda name: shorten_text(name, longest))


def _replace_mentions(text: str, names: Names, told: Collection[UserId], write: Callable[[str], str]) -> str:
    def name(found: re.Match[str]) -> str:
        user = UserId(int(found[1]))
        return found[0] if user in told or user not in names else f"{ISOLATE}{write(names[user])}{END}"

    return AT_THE_START.sub(lambda found: f"{found[1]}{found[2]}{found[3].capitalize()}", MENTION.sub(name, text))


def format_suggestion(text: str, names: Names) -> str:
    """The name of a suggestion, which shows no mentions and no markup, with names shortened to fit."""
    made = (MENTION.sub(NAMELESS, strip_isolates(insert_plain_names(text, names, longest))) for longest in LENGTHS)
    return next(
        (one for one in made if count_units(one) <= MOST_OPTION), shorten_text(MENTION.sub(NAMELESS, text), MOST_OPTION)
    )


def format_content(text: str, names: Names, told: Collection[UserId] = ()) -> str:
    """The content of a plain message, with names shortened to fit."""
    made = (insert_names(text, names, told, longest) for longest in LENGTHS)
    return next((one for one in made if count_units(one) <= MOST_TEXT), text)


def format_label(text: str, names: Names) -> str:
    """The label of a button, with names shortened to fit."""
    made = (insert_plain_names(text, names, longest) for longest in LENGTHS)
    return next((one for one in made if count_units(one) <= LABELS["label"]), shorten_text(text, LABELS["label"]))


def format_components(parts: list[Any], names: Names, told: Collection[UserId] = ()) -> list[Any]:
    """The components of a message or of a form, with names shortened to fit."""
    made = (_name_components(parts, names, told, longest) for longest in LENGTHS)
    return next((one for one in made if _fits(one)), parts)


def _name_components(part: Any, names: Names, told: Collection[UserId], longest: int) -> Any:
    if isinstance(part, list):
        return [_name_components(one, names, told, longest) for one in cast(list[Any], part)]
    if not isinstance(part, dict):
        return part

    def name_field(key: str, value: Any) -> Any:
        if not isinstance(value, str):
            return _name_components(value, names, told, longest)
        if key == "content":
            return insert_names(value, names, told, longest)
        return insert_plain_names(value, names, longest) if key in LABELS else value

    return {key: name_field(key, value) for key, value in cast(dict[str, Any], part).items()}


def _fits(parts: list[Any]) -> bool:
    """Whether all texts are within Discord's limits."""
    found = [*_list_fields(parts)]
    contents = sum(count_units(value) for key, value, _ in found if key == "content")
    return contents <= MOST_TEXTS and all(count_units(value) <= most for _, value, most in found)


def _list_fields(part: Any, *, option: bool = False) -> list[tuple[str, str, int]]:
    """The texts in components, each with its key and its longest length."""
    if isinstance(part, list):
        return [one for inner in cast(list[Any], part) for one in _list_fields(inner, option=option)]
    if not isinstance(part, dict):
        return []
    found: list[tuple[str, str, int]] = []
    for key, value in cast(dict[str, Any], part).items():
        if isinstance(value, str) and (key == "content" or key in LABELS):
            found.append((key, value, MOST_TEXTS if key == "content" else MOST_OPTION if option else LABELS[key]))
        else:
            found += _list_fields(value, option=key == "options")
    return found


def strip_isolates(text: str) -> str:
    """A text without the marks that isolate its names."""
    return text.replace(ISOLATE, "").replace(END, "")


def remove_names(text: str) -> str:
    """A text without its users, mentioned or by name, to compare texts that differ in names alone."""
    return UNNAMED.sub(lambda found: found[0].lower(), NAME.sub("@", text))
