"""What the computer is asked, and what its answers say about a match."""
