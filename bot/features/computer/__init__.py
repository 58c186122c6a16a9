"""The computer's seats: worker processes of the engine, and the loop that plays for them."""
