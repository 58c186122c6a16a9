"""What runs without anybody asking: clocks, reminders, the computer's moves and the processes that think."""
