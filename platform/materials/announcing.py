"""What worker processes tell whoever in the house wants to know, without knowing whom."""

from django.dispatch import Signal

# Sent once when a run has become done, with `run_id`.
run_done = Signal()
