"""Moving a whole database to another one, with all its rows."""
