"""The drill: people play while the bot is killed again and again, and afterwards every move must be there, once.

`python -m tests.drill` runs the sandbox in this process and the bot in one of its own. A stream of moves by several
people goes through the real discord.py client; the bot is ended by SIGKILL at random times and exactly at each
checkpoint of a move, and started again at once. What the people were told is then compared with what is stored, and
what is stored with what the channels show.
"""
