"""What everything else runs on: metrics, threads, single-flight work, the time by Discord's clock."""
