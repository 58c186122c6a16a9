"""What a game is: positions, moves, options, notation, grids."""
