"""Acts on matches: rules decide them, and the umpire carries them out with the store, a clock and a random source."""
