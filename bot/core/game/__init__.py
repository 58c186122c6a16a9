"""The contract between a game's rules and everything that plays it: positions, moves, options, notation, grids."""
