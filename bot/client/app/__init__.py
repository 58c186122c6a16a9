"""The whole bot put together: it takes in what Discord sends and hands it to the room that answers."""
