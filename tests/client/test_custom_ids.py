"""custom_ids are read back as written, nothing else is read, and each fits into Discord's 100 characters."""

from __future__ import annotations

import re
import string
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.board.ids import ActButton
from bot.features.settings.handlers import SettingSelect
from bot.features.study.lessons import TrialId
from bot.features.study.replays import ReplayButton
from bot.games.catalogue import load_games
from bot.platform.custom_ids import (
    AGAINS,
    COMPONENT,
    CustomId,
    FormId,
    Match,
    MatchButton,
    PadId,
    Tap,
    Word,
    find_overlapping,
    renew_id,
)
from bot.play.ids import InteractionId, MatchId
from tests.support.routes import ROUTES

MATCHES, VERSIONS, INTERACTIONS = (
    st.integers(0, 10**15 - 1).map(MatchId),
    st.integers(0, 10**9 - 1),
    st.integers(0, 10**20 - 1).map(InteractionId),
)
VERBS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=20)
ANYTHING = st.text(max_size=120) | st.text(string.ascii_lowercase + string.digits + ":", max_size=120)


@pytest.mark.parametrize("kind", ROUTES.kinds, ids=lambda kind: kind.__name__)
def test_ids_of_each_kind_are_read_back(kind: type[CustomId]) -> None:
    for text in kind.samples():
        read = kind.parse(text)
        assert read and kind.parse(str(read)) == read
        assert len(text) <= 100 and re.fullmatch(COMPONENT, text)


@given(MATCHES, VERSIONS, VERBS, st.booleans())
def test_a_button_is_read_back(match: MatchId, version: int, verb: str, own: bool) -> None:
    button = MatchButton(match, version, own, False, verb)
    read = MatchButton.parse(str(button))
    assert read == button or (read and read.sure and f"sure{read.verb}" == verb)
    assert FormId.parse(str(button)) is None
    assert len(str(button)) <= 100


@given(MATCHES, VERSIONS, VERBS, INTERACTIONS)
def test_a_form_is_read_back(match: MatchId, version: int, verb: str, interaction: InteractionId) -> None:
    for purpose in ("", "ifthen"):
        form = FormId(match, version, purpose, verb, interaction)
        assert ROUTES.parse(str(form)) == form or verb.startswith("ifthen")
        assert MatchButton.parse(str(form)) is None
        assert len(str(form)) <= 100


@given(VERBS, MATCHES, INTERACTIONS)
def test_a_select_means_the_same_by_another_custom_id(name: str, match: MatchId, number: InteractionId) -> None:
    """Those of old messages have nothing at their end, and those of new ones where nothing was refused."""
    for there in (
        ActButton(match, 3, False, "askelse"),
        SettingSelect("settings", name),
        ReplayButton(match, 3, "next"),
    ):
        again = renew_id(str(there), number)
        assert ROUTES.parse(again) == there
        assert re.fullmatch(COMPONENT, again) and len(again) <= 100
        assert (again == str(there)) == (number % AGAINS == 0)
        assert renew_id(again, number + 1) != again, "it is another one each time, and grows no longer"
    tap = f"k:{match}:0:move:0:pick:a"
    assert renew_id(tap, number) == tap


@given(
    st.text(string.ascii_lowercase + string.digits + "-", min_size=1, max_size=40),
    st.text(string.ascii_lowercase, min_size=1, max_size=20),
    st.integers(0, 9999),
    st.sampled_from(("back", "done", "page", "pick", "play")),
    st.text(string.ascii_lowercase + string.digits, max_size=19),
)
def test_a_tap_in_a_lesson_is_read_back(game: str, kind: str, step: int, does: Any, key: str) -> None:
    there = TrialId(game, Tap(kind, step, does, key))
    assert ROUTES.parse(str(there)) == there
    assert len(str(there)) <= 100


@pytest.mark.long
@given(ANYTHING)
def test_whatever_is_read_is_bounded(text: str) -> None:
    for named in (MatchButton.parse(text), FormId.parse(text)):
        if named:
            assert text.isascii()
            assert named.match < 2**63 and named.version < 2**31


@pytest.mark.parametrize(
    "text",
    [
        "", "m", "m:1:0", "m:1:0:", "m:1:0:move:", "m:1:0:move ", " m:1:0:move", "m:1:0:move\n", "M:1:0:move",
        "m:1:0:Move", "m:1:0:mo-ve", "m:-1:0:move", "m:+1:0:move", "m:1.0:0:move", "m:1_0:0:move", "m:\u0661:0:move",
        "m:\uff11:0:move", "m:1:\u0660:move", "m:1:0t:move", "m:1:s:move", f"m:{10**15}:0:move", "m:1:0:" + "x" * 21,
        "m:1:1000000000:move", "m:" + "9" * 5000 + ":0:move", "f:1:0s:move:1", "f:1:0:move:", "f:1:0:move:x",
        "f:1:0:move:" + "1" * 21, "p", "p:", "p::", "p:records", "p:records:Plexus", "p:records:a:b",
        "p:records:a:1", "p:records::", "p:nonsense:a", "p:profile:ann", "p:weekend:x", "r:1:2:nonsense",
        "p:records:a::", "p:records:a::x", "p:records:a::1::2", "r:1:2:next::", "p:records:a::" + "1" * 13,
        "r", "r:1", "r:1:2", "r:1:2:", "r:1:2:Next", "r:1:2s:next", "r:1:-1:next", "r:1:1000000000:next",
        f"r:{10**15}:0:next", "r:1:0:" + "x" * 21, "r:1:2:next:3", "r:1:\u0661:next", f"p:leaguejoin:{2**63}",
        f"p:profile:{2**63}", "k:1:2:move:0:pick:a::5", "k:1:2:move:0:eat:a",
        "p:rec-ords:", "p:records:" + "x" * 61, "p:" + "x" * 21 + ":", "p:records:\n",
    ],
)  # fmt: skip
def test_what_is_not_read(text: str) -> None:
    assert ROUTES.parse(text) is None


@pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.key)
def test_every_kind_of_move_can_be_a_verb_and_is_that_of_no_other_button(game: Any) -> None:
    names = [kind.name for kind in game.moves]
    assert len(set(names)) == len(names)
    for name in names:
        for sure in (False, True):
            button = MatchButton(MatchId(1), 0, False, sure, name)
            assert ROUTES.parse(str(button)) == button


class Joined(CustomId, template="p:join:{number}"):
    number: Match


class Said(CustomId, template="p:{verb}[-{number}]"):
    verb: Literal["stay", "quit"]
    number: Annotated[int, "[1-9]"] = 0


class Anything(CustomId, template="p:{page}:{about}"):
    page: Word
    about: Word


class Quit(CustomId, template="p:quit"):
    pass


class Otherwise(CustomId, template="p:{page}:{about}", otherwise=True):
    page: Word
    about: Word


def test_templates_that_overlap_are_found() -> None:
    assert find_overlapping([Joined, Said, Otherwise]) == []
    assert find_overlapping([Joined, Said, Anything]) == [(Joined, Anything)]
    assert find_overlapping([Joined, Said, Quit]) == [(Said, Quit), (Quit, Said)]


def test_what_is_empty_is_left_out() -> None:
    assert [str(one) for one in (Said("stay"), Said("quit", 3))] == ["p:stay", "p:quit-3"]
    assert [Said.parse(one) for one in ("p:stay", "p:quit-3", "p:quit-", "p:quit3")] == [
        Said("stay"), Said("quit", 3), None, None,
    ]  # fmt: skip


TAPPED = "move:0:pick:a1"
NAMING = (
    "m:7:0:move", "m:7:0s:move", f"k:7:0:{TAPPED}", f"q:7:0:{TAPPED}", f"o:7:0:{TAPPED}", f"a:7:1:1:3:{TAPPED}",
    "r:7:0:next", "r:7:0:next::5", "f:7:0:move:1",
)  # fmt: skip
OTHERS = "p:records:plexus", f"t:plexus:{TAPPED}", f"d:7:1:{TAPPED}"


def test_what_names_a_match_is_read_in_one_place() -> None:
    assert {getattr(ROUTES.parse(one), "match", None) for one in NAMING} == {7}
    assert {getattr(ROUTES.parse(one), "match", None) for one in OTHERS} == {None} and all(map(ROUTES.parse, OTHERS))
    assert isinstance(ROUTES.parse(NAMING[2]), PadId)
