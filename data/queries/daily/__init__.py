"""What is kept of the daily puzzle."""
