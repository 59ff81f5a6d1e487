"""Measures `vitrine index` over very many objects of S3, against a plain client that fetches the same pages."""

import argparse
import http.client
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import seaweed

TOKEN = re.compile(rb"<NextContinuationToken>([^<]*)</NextContinuationToken>")
ROOT = Path(__file__).resolve().parent.parent.parent


def pages(port: int, prefix: str) -> tuple[float, int]:
    """Fetches all pages over one connection and looks for nothing but where the next one begins.
    Gives seconds and keys."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    began = time.perf_counter()
    token, keys = None, 0
    while True:
        target = f"/bucket/?delimiter=%2F&encoding-type=url&list-type=2&max-keys=1000&prefix={prefix}%2F"
        if token:
            target += f"&continuation-token={quote(token, safe='')}"
        body = seaweed.ask(connection, "GET", target)
        keys += body.count(b"<Key>")
        found = TOKEN.search(body)
        if not found:
            return time.perf_counter() - began, keys
        token = found.group(1).decode()


def index(program: Path, port: int, prefix: str, folder: str) -> tuple[float, float, int]:
    """Indexes the same folder with an empty catalog.
    Gives seconds by the clock, seconds of processor time and the most memory in bytes."""
    home = Path(tempfile.mkdtemp(prefix="vitrine-home-", dir=folder))
    environment = os.environ | {f"XDG_{name}_HOME": str(home / name) for name in ("CACHE", "CONFIG", "DATA")}
    source = f"s3://bucket/{prefix}?endpoint=http://127.0.0.1:{port}&anonymous=true"
    began = time.perf_counter()
    child = subprocess.Popen([str(program), "index", source], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    shutil.rmtree(home)
    if child.returncode != 0:
        sys.exit(f"s3_listing: vitrine index ended with {child.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def measure(arguments: argparse.Namespace, port: int, count: int) -> None:
    prefix = f"photos-{count}"
    began = time.perf_counter()
    seaweed.fill(port, prefix, count)
    print(f"\n## {count:,} objects (written in {time.perf_counter() - began:.0f} s)\n")
    print("| round | plain client, s | vitrine index, s | ratio | CPU s of vitrine | peak MiB |")
    print("|---:|---:|---:|---:|---:|---:|", flush=True)
    ratios, peaks = [], []
    pages(port, prefix)
    for number in range(arguments.rounds):
        # Who is first changes: the server keeps some of what it has just read.
        if number % 2 == 0:
            plain, keys = pages(port, prefix)
            own, cpu, peak = index(arguments.program, port, prefix, arguments.folder)
        else:
            own, cpu, peak = index(arguments.program, port, prefix, arguments.folder)
            plain, keys = pages(port, prefix)
        if keys != count:
            sys.exit(f"s3_listing: the server listed {keys} of {count} objects")
        ratios.append(own / plain)
        peaks.append(peak)
        row = f"| {number + 1} | {plain:.2f} | {own:.2f} | {own / plain:.2f} | {cpu:.2f} | {peak / (1 << 20):.0f} |"
        print(row, flush=True)
    print(
        f"\nRatio: median {statistics.median(ratios):.2f}, least {min(ratios):.2f}; "
        f"peak {max(peaks) / (1 << 20):.0f} MiB."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", default="10000,100000", help="how many objects, several with commas")
    parser.add_argument("--folder", default="/dev/shm", help="where the server keeps them")
    parser.add_argument("--program", type=Path, default=ROOT / ".build/release/vitrine")
    parser.add_argument("--server", type=Path, default=ROOT / ".build/servers/venv/bin/weed")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    arguments.program = arguments.program.absolute()
    for program, maker in ((arguments.program, "make release"), (arguments.server, "scripts/install-servers")):
        if not program.exists():
            sys.exit(f"s3_listing: there is no '{program}'; '{maker}' makes it")
    print(f"Machine: {os.cpu_count()} cores, {platform.release()}; load {os.getloadavg()[0]:.1f}")
    with seaweed.running(arguments.server, arguments.folder) as port:
        for count in arguments.objects.split(","):
            measure(arguments, port, int(count))


if __name__ == "__main__":
    main()
