"""One interaction: who asks, which checks it passes, which match it means, and how long there is to answer."""
