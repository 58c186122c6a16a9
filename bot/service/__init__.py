"""What people do to matches: decisions, and the umpire who carries them out with store, clock and lots."""
