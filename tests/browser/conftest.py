"""Imports discord.py without its one warning: it imports audioop, which Python 3.11 and 3.12 call deprecated."""

import importlib
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    importlib.import_module("discord")
