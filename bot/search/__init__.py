"""The computer opponent: one search for every game, which sees what its seat may see. It runs in worker processes."""
