"""The dashboard with real figures: people play for some minutes, Prometheus asks the bot, and a picture is made."""
