import subprocess
import sys
import unittest

from measure import Usage

# In a process of its own, since measuring waits for all children that there are, and adopts orphans.
PROGRAM = """
import sys, tempfile
from pathlib import Path
import measure
measure.adopt_orphans()
with tempfile.TemporaryDirectory() as folder:
    usage = measure.run(sys.argv[2:], Path(folder), {"PATH": "/usr/bin:/bin"}, Path(folder, "log"), float(sys.argv[1]))
print(repr(usage))
"""
BUSY = "end=$((SECONDS+1)); while [ $SECONDS -le $end ]; do :; done"


def measured(seconds: float, *command: str) -> Usage:
    done = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM, str(seconds), *command], capture_output=True, text=True, check=True,
        cwd=__file__.rsplit("/", 2)[0],
    )  # fmt: skip
    return eval(done.stdout, {"Usage": Usage})


class MeasureTests(unittest.TestCase):
    def test_orphans_count_and_are_waited_for(self):
        usage = measured(60, "bash", "-c", f"( setsid bash -c '{BUSY}' & )")
        self.assertGreater(usage.cpu, 0.2)
        self.assertGreater(usage.peak, 100_000)
        self.assertEqual(usage.status, 0)

    def test_memory_of_all_processes_counts_together(self):
        hold = "import signal; kept = bytes(range(250)) * 200_000; signal.pause()"
        usage = measured(2, "bash", "-c", f'python3 -c "{hold}" & python3 -c "{hold}"; wait')
        self.assertGreater(usage.peak, 100_000_000)

    def test_the_time_limit_ends_all(self):
        usage = measured(0.3, "bash", "-c", "setsid sleep 600 & sleep 600; :")
        self.assertTrue(usage.stopped)
        self.assertLess(usage.wall, 60)
        self.assertNotEqual(usage.status, 0)

    def test_exit_codes_are_kept(self):
        self.assertEqual(measured(60, "bash", "-c", "exit 3").status, 3)
