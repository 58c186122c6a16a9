"""Requests to Discord: messages and threads by id, throttled and measured."""
