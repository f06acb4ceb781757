"""Pages of requests, holds, the schedule and destruction."""
