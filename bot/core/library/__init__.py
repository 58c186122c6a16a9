"""The contents of the games' folders: tables, recorded matches, lessons."""
