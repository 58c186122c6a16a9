"""The only way to change a match."""
