"""How strong people seem to be, and how that changed."""
