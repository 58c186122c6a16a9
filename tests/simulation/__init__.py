"""The bot in simulated time: one seed decides what happens, in which order and when, and tells the same story again."""
