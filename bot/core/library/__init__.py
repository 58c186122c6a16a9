"""What stands in the folders of the games: tables, recorded matches, lessons."""
