"""The drill: people play while the bot is killed again and again, and afterwards every move must be there, once.

`python -m tests.drill` runs the sandbox in this process and the bot in one of its own. A stream of moves by several
people, in turn at some tables and all at once at others, goes through the real discord.py client; the bot is ended by
SIGKILL at random times and exactly at each checkpoint of a move, and started again at once. Meanwhile Discord fails:
every route that the bot uses suffers each fault in turn, and nonces are forgotten (`discord_faults`). What the people
were told is then compared with what is stored, and what is stored with what the channels show.
"""
