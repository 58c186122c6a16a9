"""Pictures of positions: games describe them as frozen shapes, and the painter turns these into files."""
