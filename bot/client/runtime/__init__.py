"""The ground floor of the client: metrics, threads, single-flight work, the time by Discord's clock."""
