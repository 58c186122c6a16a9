"""One interaction: who asks, whether they may, which match they mean, and how long there is to answer."""
