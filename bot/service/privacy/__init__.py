"""People and servers that are forgotten: for good, also where an older copy of the database is put back."""
