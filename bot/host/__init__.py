"""What a host runs: the serving process, the sandbox beside it, and the commands that look after the database."""
