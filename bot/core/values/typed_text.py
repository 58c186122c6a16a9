"""Brings what keyboards write into plain signs, before anything reads it: the one step in front of every reader.

Phones, keyboards of other languages and pasting put other characters in place of those that are meant, or invisible
ones. `tidied` knows them one by one; nothing is decomposed, since `2²` is not 22. Letters and digits of other scripts
stay: a reader that finds one refuses the text, and the sentence names the letter (`foreign`).
"""

from __future__ import annotations

import re
import unicodedata

UNSEEN = (
    "\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Signs without a width, marks of direction, soft hyphens, the mark at a file's beginning: as a set of a pattern."""
PLAIN = re.compile("[!-~]+(?: [!-~]+)*")
"""A text that is tidy already."""
KEYCAP = re.compile("(?<=[0-9#*])\u20e3")
"""What makes a key of a digit."""
DASHES = "‐‑‒–—―−⸺⸻⸗⹀⁃˗֊־᐀᠆〜〰゠︱︲﹘﹣➖─━⎯⸚⹝𐺭"
APOSTROPHES = "‘’‚‛′‵´ʹʻʼʽˈ❛❜‹›"
QUOTES = "“”„‟″‶ʺ❝❞〝〞〟«»《》「」『』｢｣"
DRAWN_OUT = re.compile("(?<![\u3041-\u30ff\uff66-\uff9f])[ーｰ]")
"""What Japanese keyboards write for a dash, where it does not belong to a word."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that look like a space."""
OTHERS = {
    "。": ".", "｡": ".", "、": ",", "､": ",", "・": "·", "･": "·", "【": "[", "】": "]", "〔": "[",
    "〕": "]", "〖": "[", "〗": "]", "〈": "<", "〉": ">", "⦅": "(", "⦆": ")", "｟": "(", "｠": ")", "￩": "←", "￫": "→",
    "🔟": "10",
}  # fmt: skip
WIDE, SHIFT = range(0xFF01, 0xFF5F), 0xFEE0
"""The full-width forms of ASCII, and how far they are from it."""
SIGNS: dict[int, str] = {
    **{wide: chr(wide - SHIFT) for wide in WIDE},
    **dict.fromkeys(map(ord, DASHES), "-"),
    **dict.fromkeys(map(ord, APOSTROPHES), "'"),
    **dict.fromkeys(map(ord, QUOTES), '"'),
    **dict.fromkeys(map(ord, BLANKS), " "),
    **{ord(sign): plain for sign, plain in OTHERS.items()},
}
"""What a sign is read as."""
NOTHING = re.compile(f"[{UNSEEN}]")

LETTERS = {
    **dict(zip("АВЕНІЈКМОРЅСТУХԚԜԌ", "ABEHIJKMOPSCTYXQWG", strict=True)),
    **dict(zip("аеһіјорѕсухԁԛԝ", "aehijopscyxdqw", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)),
}
"""Letters of other alphabets that nobody can tell from a Latin one."""
SIMILAR = {**LETTERS, **dict(zip("вкмнтαβικνρτυχ", "bkmhtabikvptux", strict=True))}
"""The same, with those that look much like one."""
NAME = re.compile(r"(?P<script>[A-Z -]+?) (?:(?:SMALL|CAPITAL|FINAL|VOWEL|MODIFIER) )*(?P<kind>LETTER|DIGIT)\b")
SCRIPTS = {"ARABIC-INDIC": "Arabic", "EXTENDED ARABIC-INDIC": "Persian", "HALFWIDTH KATAKANA": "Katakana"}
"""Scripts that people call otherwise than Unicode does."""
CHARACTERS = {"CJK": "a Chinese", "HANGUL": "a Korean"}
"""Scripts that are not written in letters of an alphabet."""
LATIN = ("LATIN", "MODIFIER")
"""Letters of ours, with accents and the like; what reads names knows them."""
TWIN = "{sign} is {script} letter. Write a Latin {twin}."
LETTER = "{sign} is {script} letter. Write Latin letters."
DIGIT = "{sign} is {script} digit. Write {twin}."
CHARACTER = "{sign} is {script} character. Write Latin letters and the digits 0 to 9."


def tidied(text: str, rows: bool = False) -> str:
    """A text in plain signs, with one space for any white space and none around it; of `rows`, as a grid has them, each
    on a line.

    >>> tidied("\\ufeff（ｂ２）\\u3000d3–d2\\n"), tidied("2️⃣ 9\\u00a0 \\n\\n3\\t1", rows=True), tidied("2² c4。")
    ('(b2) d3-d2', '2 9\\n3 1', '2² c4.')
    """
    if PLAIN.fullmatch(text):
        return text
    plain = DRAWN_OUT.sub("-", KEYCAP.sub("", NOTHING.sub("", text).translate(SIGNS)))
    lines = (" ".join(line.split()) for line in plain.splitlines())
    return ("\n" if rows else " ").join(line for line in lines if line)


def tidied_so_far(text: str, rows: bool = False) -> str:
    """The same of a text that is being typed: a space at its end stays, since it says that a word is whole."""
    end = " " if text[-1:].isspace() else ""
    return f"{tidied(text, rows)}{end}" if text.strip() else ""


def foreign(text: str) -> str:
    """The sentence about the first letter or digit of another script in a tidied text; empty where there is none.

    >>> foreign("В2"), foreign("c٣"), foreign("São Paulo 2²")
    ('В is a Cyrillic letter. Write a Latin B.', '٣ is an Arabic digit. Write 3.', '')
    """
    return next((said for sign in text if (said := _sentence(sign))), "")


def disguised(text: str) -> str:
    """The same for a name, where words of another alphabet may be meant: only digits, letters beside Latin ones or
    digits, and words that look Latin throughout.

    >>> disguised("Вerlin"), disguised("СЕТ"), disguised("Москва")
    ('В is a Cyrillic letter. Write a Latin B.', 'С is a Cyrillic letter. Write a Latin C.', '')
    """
    signs = [sign for sign in text if _sentence(sign)] if not text.isascii() else []
    beside = any(sign.isascii() and sign.isalnum() for sign in text)
    plain = beside or any(sign.isdecimal() for sign in signs) or all(sign in LETTERS for sign in signs)
    return foreign(text) if plain else ""


def _sentence(sign: str) -> str:
    """What is said of a letter or a digit of another script."""
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
