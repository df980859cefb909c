"""Everything that needs torch."""

import os

# Read once, when torch loads: a thread that waits for another must not burn a core that somebody else could use.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
