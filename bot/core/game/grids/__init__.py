"""What games on square grids share: squares and lines, kinds of positions, which are mixins, and boards as text."""
