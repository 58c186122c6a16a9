"""Requests to Discord: by number, within the rate limit, and measured."""
