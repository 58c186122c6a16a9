"""The board of a match in its channel: its message, pictures, sentences and buttons, the publisher, and how matches are found."""
