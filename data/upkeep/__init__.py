"""What hosts do to a whole database: back up and restore, check, migrate, move elsewhere, watch its health."""
