"""Measures which part of the processor time of `vitrine prebuild` is spent in workers, over many small files."""

import argparse
import ctypes
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from papers import FORMS, make
from scale import clear

PR_SET_CHILD_SUBREAPER = 36
TICK = os.sysconf("SC_CLK_TCK")


def children() -> float:
    """Seconds of processor time of all processes below this one that are gone."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def own(process: int) -> float:
    """Seconds of processor time of a process alone, as long as it was not waited for. See proc(5)."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def prebuild(program: Path, folder: Path, home: Path, options: list[str]) -> tuple[float, float, float]:
    """One run with an empty cache.

    - returns: seconds of the host, of its workers, and by the clock.
    """
    environment = clear(program, home)
    before, began = children(), time.perf_counter()
    command = [str(program), "prebuild", str(folder), "--progress", "none", *options]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    wall = time.perf_counter() - began
    host = own(process.pid)
    if process.wait() != 0:
        sys.exit(f"share: {' '.join(command)} ended with {process.returncode}")
    # Whom it left behind became a child of this process.
    try:
        while os.wait():
            pass
    except ChildProcessError:
        pass
    return host, children() - before - host, wall


def measure(programs: list[Path], form: str, folder: Path, arguments: argparse.Namespace) -> None:
    files, home = folder / form, folder / "home"
    size = make(files, arguments.files, form)
    print(f"\n## {arguments.files:,} {form} files, {size / arguments.files / 1024:.1f} KiB each\n")
    runs: dict[Path, list[tuple[float, float, float]]] = {program: [] for program in programs}
    for _ in range(arguments.rounds):
        for program in programs:
            runs[program].append(prebuild(program, files, home, arguments.option))
    print("| program | host, ms a file | workers, ms a file | wall, ms a file | in workers | least … most |")
    print("|---|---:|---:|---:|---:|---:|")
    for program, rows in runs.items():
        each = [statistics.median(row[column] for row in rows) * 1000 / arguments.files for column in range(3)]
        shares = sorted(workers / (host + workers) * 100 for host, workers, _ in rows)
        print(
            f"| {program.parent.name}/{program.name} | {each[0]:.3f} | {each[1]:.3f} | {each[2]:.3f} "
            f"| {statistics.median(shares):.1f} % | {shares[0]:.1f} … {shares[-1]:.1f} % |"
        )
    shutil.rmtree(files)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--forms", default=",".join(FORMS), help="real, tiny, or both with a comma")
    parser.add_argument("--folder", default="/dev/shm", help="where the files are made")
    parser.add_argument("--program", type=Path, action="append", help="several are run in turns")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--option", action="append", default=[], help="a further one for prebuild: --option=--size=512")
    arguments = parser.parse_args()
    programs = [program.absolute() for program in arguments.program or [Path(".build/release/vitrine")]]
    for program in programs:
        if not program.exists():
            sys.exit(f"share: there is no '{program}'; 'make release' builds it")
    # Else a worker whose parent is gone would be counted for nobody.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print(f"Machine: {os.cpu_count()} cores, {platform.release()}; load {os.getloadavg()[0]:.1f}")
    for form in arguments.forms.split(","):
        with tempfile.TemporaryDirectory(prefix="vitrine-share-", dir=arguments.folder) as folder:
            measure(programs, form, Path(folder), arguments)


if __name__ == "__main__":
    main()
