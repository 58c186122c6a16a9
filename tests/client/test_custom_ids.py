"""custom_ids are read back as written, nothing else is read, and each fits into Discord's 100 characters."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import get_args

import pytest
from bot.client.app.router import pressed_price
from hypothesis import given
from hypothesis import strategies as st

from bot.client.interactions.custom_ids import (
    AGAINS,
    COMPONENT,
    ButtonId,
    ComponentId,
    FormId,
    PageId,
    ReplayId,
    Tap,
    TrialId,
    component_id,
    match_named,
    renewed_id,
)
from bot.client.interactions.rate_limit import named_matches
from bot.core.library.catalogue import games
from bot.core.values.ids import InteractionId, MatchId

MATCHES, VERSIONS, INTERACTIONS = (
    st.integers(0, 10**15 - 1).map(MatchId),
    st.integers(0, 10**9 - 1),
    st.integers(0, 10**20 - 1).map(InteractionId),
)
VERBS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=20)
ANYTHING = st.text(max_size=120) | st.text(string.ascii_lowercase + string.digits + ":", max_size=120)


@given(MATCHES, VERSIONS, VERBS, st.booleans())
def test_a_button_is_read_back(match: MatchId, version: int, verb: str, own: bool) -> None:
    button = ButtonId(match, version, verb, own)
    assert ButtonId.parse(str(button)) == button
    assert FormId.parse(str(button)) is None
    assert len(str(button)) <= 100


@given(MATCHES, VERSIONS, VERBS, INTERACTIONS)
def test_a_form_is_read_back(match: MatchId, version: int, verb: str, interaction: InteractionId) -> None:
    form = FormId(match, version, verb, interaction)
    assert FormId.parse(str(form)) == form
    assert ButtonId.parse(str(form)) is None
    assert len(str(form)) <= 100


@given(VERBS, st.text(string.ascii_lowercase + string.digits + "-", max_size=60))
def test_a_page_is_read_back(page: str, about: str) -> None:
    there = PageId(page, about)
    assert component_id(str(there)) == there
    assert (ButtonId.parse(str(there)), FormId.parse(str(there))) == (None, None)
    assert len(str(there)) <= 100


@given(VERBS, st.text(string.ascii_lowercase + string.digits + "-", max_size=60), MATCHES, INTERACTIONS)
def test_a_select_means_the_same_by_another_custom_id(
    page: str, about: str, match: MatchId, number: InteractionId
) -> None:
    """Those of old messages have nothing at their end, and those of new ones where nothing was refused."""
    for there in (ButtonId(match, 3, page), PageId(page, about), ReplayId(match, 3, page)):
        again = renewed_id(str(there), number)
        read = component_id(again)
        assert isinstance(read, ButtonId | PageId | ReplayId) and replace(read, again=0) == there
        assert again == str(read) and re.fullmatch(COMPONENT, again) and len(again) <= 100
        assert (again == str(there)) == (number % AGAINS == 0)
        assert pressed_price(again) == pressed_price(str(there))
        assert [*named_matches({"custom_id": again})] == [*named_matches({"custom_id": str(there)})]
        assert renewed_id(again, number + 1) != again, "it is another one each time, and grows no longer"
    tap = f"k:{match}:0:move:0:pick:a"
    assert renewed_id(tap, number) == tap


@given(MATCHES, VERSIONS, VERBS)
def test_a_place_in_a_replay_is_read_back(match: MatchId, at: int, step: str) -> None:
    there = ReplayId(match, at, step)
    assert component_id(str(there)) == there
    assert (ButtonId.parse(str(there)), FormId.parse(str(there)), PageId.parse(str(there))) == (None, None, None)
    assert len(str(there)) <= 100


@given(
    st.text(string.ascii_lowercase + string.digits + "-", min_size=1, max_size=40),
    st.text(string.ascii_lowercase, min_size=1, max_size=20),
    st.integers(0, 9999),
    st.sampled_from(("back", "done", "page", "pick", "play")),
    st.text(string.ascii_lowercase + string.digits, max_size=19),
)
def test_a_tap_in_a_lesson_is_read_back(game: str, kind: str, step: int, does: str, key: str) -> None:
    there = TrialId(game, Tap(kind, step, does, key))
    assert component_id(str(there)) == there
    assert (ButtonId.parse(str(there)), FormId.parse(str(there)), PageId.parse(str(there))) == (None, None, None)
    assert len(str(there)) <= 100


@pytest.mark.long
@given(ANYTHING)
def test_whatever_is_read_is_bounded(text: str) -> None:
    for named in (ButtonId.parse(text), FormId.parse(text)):
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
        "f:1:0:move:" + "1" * 21, "f:1:0::1", "p", "p:", "p::", "p:records", "p:records:Plexus", "p:records:a:b",
        "p:records:a:1", "p:records::",
        "p:records:a::", "p:records:a::x", "p:records:a::1::2", "r:1:2:next::", "p:records:a::" + "1" * 13,
        "r", "r:1", "r:1:2", "r:1:2:", "r:1:2:Next", "r:1:2s:next", "r:1:-1:next", "r:1:1000000000:next",
        f"r:{10**15}:0:next", "r:1:0:" + "x" * 21, "r:1:2:next:3", "r:1:\u0661:next",
        "p:rec-ords:", "p:records:" + "x" * 61, "p:" + "x" * 21 + ":", "p:records:\n",
    ],
)  # fmt: skip
def test_what_is_not_read(text: str) -> None:
    assert component_id(text) is None
    assert FormId.parse(text) is None


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
def test_every_kind_of_move_can_be_a_verb(game: object) -> None:
    names = [kind.name for kind in getattr(game, "moves", ())]
    assert len(set(names)) == len(names)
    for name in names:
        assert ButtonId.parse(str(ButtonId(MatchId(1), 0, name)))


TAPPED = "move:0:pick:a1"
NAMING = (
    "m:7:0:move", "m:7:0s:move", f"k:7:0:{TAPPED}", f"q:7:0:{TAPPED}", f"o:7:0:{TAPPED}", f"a:7:1:1:3:{TAPPED}",
    "r:7:0:next", "r:7:0:next::5", "f:7:0:move:1",
)  # fmt: skip
OTHERS = "p:records:7", f"t:plexus:{TAPPED}", f"d:7:1:{TAPPED}", "doctor:7", "7", ""


def test_what_names_a_match_is_read_in_one_place() -> None:
    assert {type(component_id(one)) for one in (*NAMING, *OTHERS)} == {*get_args(ComponentId), type(None)}
    assert {match_named(one) for one in NAMING} == {7} and {match_named(one) for one in OTHERS} == {None}
