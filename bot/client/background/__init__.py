"""The background work: clocks, reminders, the computer's moves and the processes that think."""
