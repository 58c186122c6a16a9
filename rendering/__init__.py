"""Pictures of positions: games describe them as frozen shapes, `paint` and `animation` turn these into files."""
