"""Questions to the engine about a match, and the moves, hints and reviews made from its answers."""
