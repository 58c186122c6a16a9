"""What players ask of each other: draw, takeback, pause, replace, abort, claim; and confirmations."""
