"""Reads typed moves: from what keyboards write to canonical notation."""

from __future__ import annotations

import re
import unicodedata

from bot.games.game import Game
from bot.games.legs import Leg, LegMove, Legs, seat_in, translate_seats
from bot.games.notation import quote, quote_whole, strip_brackets, tidy, unwrap_text
from bot.games.position import Position, Seat, Unreadable
from bot.games.wording import join_sentences

# Normalisation of what keyboards write to plain signs, before all parsing.


UNSEEN = (
    "\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Zero-width signs, marks of direction, soft hyphens, byte order marks: as a character class."""
PLAIN = re.compile("[!-~]+(?: [!-~]+)*")
"""A text that needs no tidying."""
KEYCAP = re.compile("(?<=[0-9#*])\u20e3")
"""The combining sign that makes a keycap emoji of a digit."""
DASHES = "‐‑‒–—―−⸺⸻⸗⹀⁃˗֊־᐀᠆〜〰゠︱︲﹘﹣➖─━⎯⸚⹝𐺭"
APOSTROPHES = "‘’‚‛′‵´ʹʻʼʽˈ❛❜‹›"
QUOTES = "“”„‟″‶ʺ❝❞〝〞〟«»《》「」『』｢｣"
DRAWN_OUT = re.compile("(?<![\u3041-\u30ff\uff66-\uff9f])[ーｰ]")
"""What Japanese keyboards write for a dash, outside words."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that look like spaces."""
OTHERS = {
    "。": ".", "｡": ".", "、": ",", "､": ",", "・": "·", "･": "·", "【": "[", "】": "]", "〔": "[",
    "〕": "]", "〖": "[", "〗": "]", "〈": "<", "〉": ">", "⦅": "(", "⦆": ")", "｟": "(", "｠": ")", "￩": "←", "￫": "→",
    "🔟": "10",
}  # fmt: skip
WIDE, SHIFT = range(0xFF01, 0xFF5F), 0xFEE0
"""The full-width forms of ASCII, and their distance from it."""
SIGNS: dict[int, str] = {
    **{wide: chr(wide - SHIFT) for wide in WIDE},
    **dict.fromkeys(map(ord, DASHES), "-"),
    **dict.fromkeys(map(ord, APOSTROPHES), "'"),
    **dict.fromkeys(map(ord, QUOTES), '"'),
    **dict.fromkeys(map(ord, BLANKS), " "),
    **{ord(sign): plain for sign, plain in OTHERS.items()},
}
"""The plain sign for each sign."""
NOTHING = re.compile(f"[{UNSEEN}]")

LETTERS = {
    **dict(zip("АВЕНІЈКМОРЅСТУХԚԜԌ", "ABEHIJKMOPSCTYXQWG", strict=True)),
    **dict(zip("аеһіјорѕсухԁԛԝ", "aehijopscyxdqw", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)),
}
"""Letters of other alphabets that look exactly like Latin ones."""
SIMILAR = {**LETTERS, **dict(zip("вкмнтαβικνρτυχ", "bkmhtabikvptux", strict=True))}
"""The same, with those that look much like one."""
NAME = re.compile(r"(?P<script>[A-Z -]+?) (?:(?:SMALL|CAPITAL|FINAL|VOWEL|MODIFIER) )*(?P<kind>LETTER|DIGIT)\b")
SCRIPTS = {"ARABIC-INDIC": "Arabic", "EXTENDED ARABIC-INDIC": "Persian", "HALFWIDTH KATAKANA": "Katakana"}
"""Common names of scripts that differ from Unicode's."""
CHARACTERS = {"CJK": "a Chinese", "HANGUL": "a Korean"}
"""Scripts without an alphabet."""
LATIN = ("LATIN", "MODIFIER")
"""Latin letters, with accents and the like, which names may have."""
TWIN = "{sign} is {script} letter. Write a Latin {twin}."
LETTER = "{sign} is {script} letter. Write Latin letters."
DIGIT = "{sign} is {script} digit. Write {twin}."
CHARACTER = "{sign} is {script} character. Write Latin letters and the digits 0 to 9."


def tidy_text(text: str, rows: bool = False) -> str:
    """A text in plain signs, with one space for any white space and none around it; with `rows`, line breaks are kept.

    >>> tidy_text("\\ufeff（ｂ２）\\u3000d3–d2\\n"), tidy_text("2² c4。")
    ('(b2) d3-d2', '2² c4.')
    >>> tidy_text("2️⃣ 9\\u00a0 \\n\\n3\\t1", rows=True)
    '2 9\\n3 1'
    """
    if PLAIN.fullmatch(text):
        return text
    plain = DRAWN_OUT.sub("-", KEYCAP.sub("", NOTHING.sub("", text).translate(SIGNS)))
    lines = (" ".join(line.split()) for line in plain.splitlines())
    return ("\n" if rows else " ").join(line for line in lines if line)


def tidy_unfinished(text: str, rows: bool = False) -> str:
    """The same for a text being typed: a space at its end stays, as it completes a word."""
    end = " " if text[-1:].isspace() else ""
    return f"{tidy_text(text, rows)}{end}" if text.strip() else ""


def explain_foreign_sign(text: str) -> str:
    """The sentence about the first letter or digit of another script in a tidied text; empty if there is none.

    >>> explain_foreign_sign("В2"), explain_foreign_sign("c٣"), explain_foreign_sign("São Paulo 2²")
    ('В is a Cyrillic letter. Write a Latin B.', '٣ is an Arabic digit. Write 3.', '')
    """
    return next((said for sign in text if (said := _describe_sign(sign))), "")


def explain_lookalike(text: str) -> str:
    """The same for a name, in which other alphabets are allowed: only about digits, letters beside Latin ones or
    digits, and words that look entirely Latin.

    >>> explain_lookalike("Вerlin"), explain_lookalike("СЕТ"), explain_lookalike("Москва")
    ('В is a Cyrillic letter. Write a Latin B.', 'С is a Cyrillic letter. Write a Latin C.', '')
    """
    signs = [sign for sign in text if _describe_sign(sign)] if not text.isascii() else []
    beside = any(sign.isascii() and sign.isalnum() for sign in text)
    plain = beside or any(sign.isdecimal() for sign in signs) or all(sign in LETTERS for sign in signs)
    return explain_foreign_sign(text) if plain else ""


def _describe_sign(sign: str) -> str:
    """The sentence about a letter or a digit of another script."""
    if sign.isascii() or not (sign.isalpha() or sign.isdecimal()):
        return ""
    name = unicodedata.name(sign, "")
    if script := CHARACTERS.get(name.partition(" ")[0]):
        return CHARACTER.format(sign=sign, script=script)
    if name.startswith("MATHEMATICAL"):
        twin = unicodedata.normalize("NFKC", sign)
        said = DIGIT if sign.isdecimal() else TWIN if twin.isascii() else LETTER
        return said.format(sign=sign, script="a mathematical", twin=twin)
    found = NAME.match(name)
    if not found or any(latin in found["script"] for latin in LATIN):
        return ""
    script = SCRIPTS.get(found["script"], found["script"].title())
    script = f"an {script}" if script[0] in "AEIO" else f"a {script}"
    if sign.isdecimal():
        return DIGIT.format(sign=sign, script=script, twin=unicodedata.decimal(sign))
    return (TWIN if sign in SIMILAR else LETTER).format(sign=sign, script=script, twin=SIMILAR.get(sign))


# Parsing of typed moves, with text around a move, between its pieces and in front of it.


PAUSE = re.compile(r"(?<=[\w)°])\.(?: (?=\S)|(?=\n))")
"""What phones type for two spaces."""
BEGUN = re.compile(r"(?<=[\w)°])\. ")
"""The same in an unfinished text."""
BETWEEN = re.compile(
    r"(?<=[\w)°]) ?(?:[;:=@>]|[-=]{1,3}>|[→⇒⟶⟹➔➙➛➜➝➞➡⇨⇾↦]) ?(?=[\w(])|(?<=[\w)°]) (?:at|in|on|to) (?=[\w(])"
)
"""Separators of the pieces of a move. A sign twice, or at an end, is an error."""
WORD = re.compile(r"([a-z]+)(?: ?: ?|\s|$)\s*(.*)", re.DOTALL)
COULD_WRITE = "You could write {move}."
LONGEST_EXAMPLE = 100
"""The longest move that a refusal shows, in characters."""


def read_move(game: Game, position: Position, seat: Seat, text: str, leg: Leg | None = None) -> str:
    """The canonical notation of a typed move; raises `Unreadable` with a legal move as example, prefixed by `leg` if
    there are two."""
    plain = tidy_text(text, rows=not text.isprintable() and has_row_moves(game, position, seat))
    try:
        return position.read(seat, plain)
    except Unreadable:
        return _read_forgivingly(game, position, seat, plain, leg)


def has_row_moves(game: Game, position: Position, seat: Seat) -> bool:
    """Whether a seat has a kind of move that is written in rows."""
    kinds = (kind for kind in game.moves if any(part.kind == "text" for part in kind.parts))
    return any(kind.when(position, seat) for kind in kinds)


def tidy_beginning(text: str) -> str:
    """The typed beginning of a move, for suggestions."""
    return BEGUN.sub(" ", text).lower()


def _read_forgivingly(game: Game, position: Position, seat: Seat, text: str, leg: Leg | None = None) -> str:
    bare = PAUSE.sub(" ", unwrap_text(tidy(text)))
    if isinstance(position, Legs) and game.single:
        return _read_in_leg(game.single, position, seat, bare)
    try:
        expect_plain(text)
        return position.read(seat, _strip_move_word(game, position, seat, bare))
    except Unreadable as fault:
        shown = find_example_move(position, seat)
        written = str(LegMove(leg, shown)) if leg else shown
        could = COULD_WRITE.format(move=written) if shown else ""
        refusal = str(fault) if explain_foreign_sign(text) else quote_whole(text, str(fault))
        raise Unreadable(join_sentences(refusal, could)) from fault


def expect_plain(text: str) -> None:
    """Raise `Unreadable` for letters and digits of other scripts."""
    if sentence := explain_foreign_sign(text):
        raise Unreadable(sentence)


def _read_in_leg(once: Game, legs: Legs, seat: Seat, text: str) -> str:
    """A move of one of two legs: the leg given in front of it, or the only one that waits."""
    said, waiting = LegMove.parse(text), legs.list_waiting_legs(seat)
    leg = said.leg or (waiting[0] if len(waiting) == 1 else None)
    if leg is None:
        return legs.read(seat, text)
    inner = seat_in(leg, seat)
    try:
        return str(LegMove(leg, read_move(once, legs.get_position(leg), inner, said.move, leg)))
    except Unreadable as fault:
        raise Unreadable(f"Leg {leg}: {translate_seats(leg, str(fault))}") from fault


def _strip_move_word(game: Game, position: Position, seat: Seat, text: str) -> str:
    """A move without its word in front, and with spaces between its pieces."""
    spaced = _restore_head(game, position, seat, text)
    return spaced if has_row_moves(game, position, seat) else BETWEEN.sub(" ", spaced)


def _restore_head(game: Game, position: Position, seat: Seat, text: str) -> str:
    """A move with the first word of its kind's notation in place of another word of the kind."""
    for kind in game.moves:
        # The label of its button may be several words.
        for name in kind.names:
            if " " in name and text.startswith(f"{name} "):
                text = f"{kind.name}{text[len(name) :]}"
    found = WORD.fullmatch(text)
    named = [kind for kind in game.moves if found and found[1] in kind.names]
    if not found or not named:
        return text
    able = next((kind for kind in named if kind.when(position, seat)), None)
    kind = able or named[0]
    if not able and not kind.head:
        raise Unreadable(f"{quote(found[1])} does not fit this part of the match.")
    again = WORD.fullmatch(found[2])
    rest = again[2] if again and again[1] == kind.head != found[1] else strip_brackets(found[2])
    return f"{kind.head} {rest}".strip()


def find_example_move(position: Position, seat: Seat) -> str:
    """A legal move of a seat that is short enough to show; empty without one."""
    shown = position.find_example_move(seat)
    return shown if len(shown) <= LONGEST_EXAMPLE else ""
