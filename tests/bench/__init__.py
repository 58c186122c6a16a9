"""The benchmark: how fast the bot answers, in figures that mean the same on any machine.

`python -m tests.bench` compares things that stand beside each other within one run, taking turns so that a busy machine
slows both, and prints medians and their ratios with the limit each is held to. What a player feels is measured through
the sandbox, with the bot in a process of its own.
"""
