"""Whether all who can see a post can see another channel: the short answer against everybody there could be."""

from __future__ import annotations

import random
from itertools import combinations

from bot.platform.members import NOBODY, ChannelAccess, all_see

ROLES, PEOPLE = (1, 2, 3, 4), (11, 12)


def drawn(rng: random.Random, granted: bool, granting: tuple[int, ...]) -> ChannelAccess:
    """A channel with any rights, in a server that grants some of them."""
    said = (None, None, True, False)
    return ChannelAccess(
        rng.choice(said),
        {role: one for role in ROLES if (one := rng.choice(said)) is not None},
        {person: one for person in PEOPLE if (one := rng.choice(said)) is not None},
        granted,
        granting,
    )


def everybody_sees(post: ChannelAccess, other: ChannelAccess) -> bool:
    """The same by looking at everybody, with all roles that they could have."""
    held = [roles for number in range(len(ROLES) + 1) for roles in combinations(ROLES, number)]
    return all(
        other.is_visible_to(roles, person)
        for roles in held
        for person in (NOBODY, *PEOPLE)
        if post.is_visible_to(roles, person)
    )


def test_two_roles_are_enough_to_know_whether_all_see_a_channel() -> None:
    rng = random.Random(46)
    answers = list[bool]()
    for _ in range(4000):
        granted, granting = rng.random() < 0.5, tuple(role for role in ROLES if rng.random() < 0.3)
        post, other = (drawn(rng, granted, granting) for _ in range(2))
        answers.append(all_see(post, other))
        assert answers[-1] == everybody_sees(post, other), (post, other)
    assert 50 < sum(answers) < 3950


def test_everybody_who_sees_a_place_sees_it() -> None:
    rng = random.Random(47)
    for _ in range(200):
        place = drawn(rng, True, ())
        assert all_see(place, place)
