"""The contract of a game, and shared parts: positions, moves, options, notation, grids, legs, the catalogue. Pure."""
