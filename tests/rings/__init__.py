"""The alarms, tried with a real bot and a real Prometheus in real time: troubles are made, and what rings is noted."""
