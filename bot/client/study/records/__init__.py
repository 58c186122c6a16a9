"""Records in and out, and what begins from a position of one."""
