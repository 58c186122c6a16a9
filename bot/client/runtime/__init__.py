"""The ground floor of the client: metrics, threads, single-flight work, the loop's time and Discord's clock."""
