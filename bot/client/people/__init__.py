"""Who is in a server, and what they are called."""
