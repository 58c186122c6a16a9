"""Discord without any game: custom_ids, interactions, checks, messages, edits, names, jobs, outbox, shards, metrics."""
