"""Small values that everything shares: ids, seats, primes, shards, typed text."""
