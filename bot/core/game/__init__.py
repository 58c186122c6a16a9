"""What a game is, for its rules and for everything that plays it: positions, moves, options, notation, grids."""
