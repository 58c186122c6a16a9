"""What people may do to a match, decided without waiting or writing."""
