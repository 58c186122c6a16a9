"""The painter: turns pictures, which are frozen shapes, into PNG and GIF files."""
