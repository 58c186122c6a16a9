"""The contract of a game and what games share: positions, moves, options, notation, grids, legs, and the catalogue of all games. Pure."""
