"""The commands of hosts: what each does, what it prints and with which status it ends."""
