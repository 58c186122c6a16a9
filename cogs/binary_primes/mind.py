"""What helps the computer with Binary Primes: the products of primes so far foretell those at the end."""

from __future__ import annotations

from bot.core.mind import Mind
from cogs.binary_primes.rules import BinaryPrimes

MIND: Mind[BinaryPrimes] = Mind(trust=1.0)
