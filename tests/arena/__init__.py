"""The arena: the computer's levels play each other and two simple players, so that what is said of levels is measured.

`python -m tests.arena binary-primes plexus --one 3 --other 2 --pairs 20` plays pairs of matches with seats swapped;
the sum of both margins decides a pair, as in a match of two legs. Everything but the times is the same in every run
with the same seed.
"""
