"""The board of a match in its channel: message, pictures, sentences and buttons; the publisher; finding matches."""
