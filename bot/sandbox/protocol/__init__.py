"""Discord's gateway and HTTP API, as a bot sees them."""
