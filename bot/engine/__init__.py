"""The computer opponent, pure: search, levels, values of positions. Imports only games; runs in worker processes."""
