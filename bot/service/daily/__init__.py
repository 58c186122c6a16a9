"""The daily puzzle: what people try, what it comes to, and when a server gets its message."""
