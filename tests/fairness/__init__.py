"""Whom the games favour: exact values of small boards, and shares of the computer's matches against itself.

`python -m tests.fairness` computes what is missing in docs/fairness.jsonl, cell by cell, and writes the tables of
docs/fairness.md from it. It can be stopped at any time and goes on where it was.
"""
