"""The composition root: makes the platform and the features, routes interactions to them, makes the games' commands."""
