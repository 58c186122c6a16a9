"""Pictures of positions: described by frozen shapes, laid out by generators, painted in one module."""
