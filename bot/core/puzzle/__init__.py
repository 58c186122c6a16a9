"""The daily puzzle: which there is on a day, and how people are doing."""
