"""Memory operations: what a message asks, the facts in it, what a request to forget means."""

from edgegate.memory.extract import Fact
from edgegate.memory.forget import ForgetPlan, plan_forget, report_forget
from edgegate.memory.intent import Message, read_message
from edgegate.memory.kinds import group, is_visible

__all__ = ["Fact", "ForgetPlan", "Message", "group", "is_visible", "plan_forget", "read_message", "report_forget"]
