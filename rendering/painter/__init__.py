"""The painter: makes PNG and GIF files of pictures."""
