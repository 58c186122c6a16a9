"""People at the keyboard: the chat page, and the same people for tests."""
