"""Adapters to what lies outside the core: second readers with a deadline, and memory systems of others.

Nothing here is imported by the core, and nothing here imports another's library when it is itself imported.
"""
