"""What a host runs: a serving process, the sandbox beside it and what watches both. The commands are a room inside."""
