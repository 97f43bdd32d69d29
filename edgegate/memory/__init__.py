"""Memory operations: what a message asks, the facts in it, what a request to forget means."""

from edgegate.memory.extract import Fact
from edgegate.memory.intent import Message, read_message

__all__ = ["Fact", "Message", "read_message"]
