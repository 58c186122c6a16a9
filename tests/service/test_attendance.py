"""Who is at which board, and for whom an answer of the computer rings: once, for whoever has left."""

from __future__ import annotations

from bot.play.ids import ChannelId, UserId
from bot.umpire.umpire import STAYS, Attendance

HERE, THERE, ANN, BEA = ChannelId(1), ChannelId(2), UserId(11), UserId(12)


def test_an_answer_rings_once_for_whoever_has_left() -> None:
    attendance = Attendance()
    attendance.note_visit(HERE, ANN, 1000)
    assert not attendance.should_notify(HERE, ANN, 1000 + STAYS)
    assert attendance.should_notify(HERE, ANN, 1001 + STAYS), "she has left"
    attendance.note_notified(HERE, ANN, 1001 + STAYS)
    assert not attendance.should_notify(HERE, ANN, 9000), "she has heard it, and a second answer rings no more"
    attendance.note_visit(HERE, ANN, 10_000)
    assert attendance.should_notify(HERE, ANN, 10_001 + STAYS), "she was back, and has left again"


def test_who_is_elsewhere_is_not_here() -> None:
    attendance = Attendance()
    attendance.note_visit(HERE, ANN, 1000)
    assert attendance.should_notify(THERE, ANN, 1000) and attendance.should_notify(HERE, BEA, 1000)
    attendance.note_notified(THERE, BEA, 1000)
    assert not attendance.should_notify(THERE, BEA, 1000), "nobody knows when she was there, but she has heard it"


def test_a_clock_that_was_ahead_keeps_nobody_there() -> None:
    attendance = Attendance()
    attendance.note_visit(HERE, ANN, 9000)
    assert attendance.should_notify(HERE, ANN, 1000)
