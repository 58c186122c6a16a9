"""Several processes on one database: who leads, who is alive, whose turn it is to identify."""
