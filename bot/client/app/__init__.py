"""The whole bot put together: what Discord sends comes in here and is handed to the room that answers it."""
