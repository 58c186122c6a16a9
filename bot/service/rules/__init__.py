"""Pure rules for everything that people do to a match: they neither wait nor write."""
