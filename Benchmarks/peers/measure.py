"""Runs a command and measures it with all that it starts: processor time, time by the clock, memory together."""

import ctypes
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

SAMPLES_A_SECOND = 20
SECONDS_TO_LEAVE = 2
PR_SET_CHILD_SUBREAPER = 36
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Usage:
    """What one run took. `cpu` and `wall` are seconds; `peak` is the most memory, in bytes, that any sample found."""

    cpu: float
    wall: float
    peak: int
    status: int
    stopped: bool


def adopt_orphans() -> None:
    """Makes this process the parent of orphans below it, so that daemons are waited for and their time counts."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER) failed")


def descendants() -> list[int]:
    """All processes below this one. Needs /proc/PID/task/TID/children, which Debian's kernels have."""
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        for task in _tasks(waiting.pop()):
            try:
                below = [int(pid) for pid in (task / "children").read_text().split()]
            except (FileNotFoundError, ProcessLookupError):
                continue
            found += below
            waiting += below
    return found


def _tasks(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        return []


def memory_of(pid: int) -> int:
    """The proportional set size: what several processes share is divided among them. Where the kernel does not let us
    look, which it denies for processes that forbid to be inspected, the resident size."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except PermissionError:
        return _resident(pid)
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (FileNotFoundError, ProcessLookupError):
        return 0


def end_all() -> None:
    """Kills what runs below this process."""
    for pid in descendants():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class _Sampler(threading.Thread):
    """Looks at the memory of all that runs below this process, and ends it when its time is over."""

    def __init__(self, seconds: float):
        super().__init__(daemon=True)
        self.deadline = time.monotonic() + seconds
        self.peak = 0
        self.stopped = False
        self.done = threading.Event()

    def leave_soon(self) -> None:
        """What outlives the command is given a moment, and is not counted as stopped for its time."""
        self.deadline = min(self.deadline, time.monotonic() + SECONDS_TO_LEAVE)

    def run(self) -> None:
        while not self.done.wait(1 / SAMPLES_A_SECOND):
            self.peak = max(self.peak, sum(memory_of(pid) for pid in descendants()))
            if time.monotonic() > self.deadline:
                self.stopped = True
                end_all()


def run(command: list[str], folder: Path, environment: dict[str, str], log: Path, seconds: float) -> Usage:
    """Runs `command` in `folder`; its output goes to `log`. After `seconds` it is killed with all that it started.

    This process must have called `adopt_orphans` and must have no other children.
    """
    with log.open("wb") as output:
        started = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    sampler = _Sampler(seconds)
    sampler.start()
    cpu, wall, status, stopped = 0.0, 0.0, 0, False
    while True:
        try:
            pid, code, used = os.wait4(-1, 0)
        except ChildProcessError:
            break
        cpu += used.ru_utime + used.ru_stime
        if pid == process.pid:
            wall = time.monotonic() - started
            status = process.returncode = os.waitstatus_to_exitcode(code)
            stopped = sampler.stopped
            sampler.leave_soon()
    sampler.done.set()
    sampler.join()
    return Usage(cpu, wall, sampler.peak, status, stopped)
