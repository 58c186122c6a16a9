"""Moving a whole database to another one: its rows, and the notes in both that keep a bot off the wrong one."""
