"""Measures index, changes and find on synthetic trees, against find(1) on the same tree in the same run."""

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tree import make

QUERIES = [
    "invoice", "rechnung", "img_2019", "jpg", "j", "pd", "報", "報告", "報告書", "договор", "größe müller", "a", "e 2",
    "photo 2012 jpg", "budget.pdf", "zzzzqqq", "track", "mp3 garden", "\"family garden\"", "会議 2",
    "design draft final report", "DSC00042", "img_20190105_101010.jpg", "x",
]
FILTERED = [
    ["report", "--type", "pdf"], ["--type", "video"], ["jpg", "--after", "2024-06-01"],
    ["img", "--before", "2005-03-01"],
    ["--larger", "1"],
]


def clear(program: Path, home: Path) -> dict[str, str]:
    """The surroundings of a user who has nothing yet."""
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    names = {"XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data"}
    return os.environ | {name: str(home / folder) for name, folder in names.items()} | {"VITRINE": str(program)}


def run(command: list[str], environment: dict[str, str]) -> tuple[float, float, int]:
    """Seconds by the clock, seconds of processor time, and the most memory in bytes."""
    began = time.perf_counter()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"scale: {' '.join(command)} ended with {child.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def inside(command: list[str], environment: dict[str, str]) -> tuple[float, int]:
    """Milliseconds of a search by its own account, and how many items it found."""
    done = subprocess.run(command + ["--time", "--json"], env=environment, capture_output=True, text=True, check=True)
    line = next(line for line in done.stderr.splitlines() if line.startswith("searched in "))
    return float(line.split()[2]), len(done.stdout.splitlines())


def best(command: list[str], environment: dict[str, str], rounds: int) -> tuple[float, float, int]:
    """The fastest of some runs."""
    return min(run(command, environment) for _ in range(rounds))


def measure(program: Path, folder: Path, count: int, rounds: int) -> None:
    tree, home = folder / "tree", folder / "home"
    began = time.perf_counter()
    tree.mkdir()
    make(tree, count)
    folders = sum(1 for _ in os.walk(tree))
    print(f"\n## {count:,} files in {folders:,} folders (made in {time.perf_counter() - began:.0f} s)\n")
    walk = ["find", str(tree), "-printf", "%i %s %T@\n"]
    environment = clear(program, home)
    base = best(walk, environment, rounds)
    rows = [("find -printf", base)]
    firsts = []
    for _ in range(rounds):
        environment = clear(program, home)
        firsts.append(run([str(program), "index", str(tree)], environment))
    rows.append(("index, first", min(firsts)))
    rows.append(("find, first: indexes names", run([str(program), "find", "invoice"], environment)))
    rows.append(("index, second", best([str(program), "index", str(tree)], environment, rounds)))
    rows.append(("changes --since 0", run([str(program), "changes", "--since", "0"], environment)))
    print("| | seconds | × find | CPU s | peak MiB |\n|---|---:|---:|---:|---:|")
    for name, (wall, cpu, peak) in rows:
        print(f"| {name} | {wall:.2f} | {wall / base[0]:.2f} | {cpu:.2f} | {peak / (1 << 20):.0f} |")
    catalog = home / "cache/vitrine/catalog.sqlite"
    size = sum(path.stat().st_size for path in catalog.parent.glob("catalog.sqlite*"))
    print(f"\nCatalog: {size / (1 << 20):.0f} MiB, {size / count:.0f} bytes an item.\n")
    print("| query | whole process, ms | inside, ms | found |\n|---|---:|---:|---:|")
    wholes, insides = [], []
    for words in [[query] for query in QUERIES] + FILTERED:
        command = [str(program), "find", *words]
        whole = statistics.median(run(command, environment)[0] for _ in range(3)) * 1000
        within, found = inside(command, environment)
        if len(words) == 1:
            wholes.append(whole)
            insides.append(within)
        print(f"| {' '.join(words)} | {whole:.1f} | {within:.1f} | {found} |")
    print(
        f"\nWords alone: whole process median {statistics.median(wholes):.1f} ms, worst {max(wholes):.1f} ms; "
        f"inside median {statistics.median(insides):.1f} ms, worst {max(insides):.1f} ms."
    )
    shutil.rmtree(tree)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", default="100000", help="how many files, several with commas")
    parser.add_argument("--folder", default="/dev/shm", help="where the trees are made")
    parser.add_argument("--program", type=Path, default=Path(".build/release/vitrine"))
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    program = arguments.program.absolute()
    if not program.exists():
        sys.exit(f"scale: there is no '{program}'; 'make release' builds it")
    print(f"Machine: {os.cpu_count()} cores, {platform.release()}; load {os.getloadavg()[0]:.1f}")
    for count in arguments.files.split(","):
        with tempfile.TemporaryDirectory(prefix="vitrine-scale-", dir=arguments.folder) as folder:
            measure(program, Path(folder), int(count), arguments.rounds)


if __name__ == "__main__":
    main()
