"""The ground floor of the client: metrics, threads, single-flight work, the time by the loop's clock and by Discord's."""
