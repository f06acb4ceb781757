"""Who comes in where, and how an act is done once; as `permits.views.doors` says."""

from permits.views.doors import act_once, only, step_of, token_of, who

__all__ = ["act_once", "only", "step_of", "token_of", "who"]
