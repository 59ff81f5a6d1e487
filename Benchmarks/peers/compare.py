#!/usr/bin/env python3
"""Runs Vitrine and other programs that make previews on one folder, in turns, and prints what each took and made.

README.md beside this file says what is compared and how to read it.
"""

import argparse
import os
import shlex
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import measure
from comparison import Comparison
from contenders import ROOT, Contender, all_contenders
from figures import Scope, common_families
from report import REFERENCE, Report
from staging import FAMILIES, choose, stage

NAMES = tuple(one.name for one in all_contenders(Path(), Path()))


def listed(allowed: tuple[str, ...]):
    def parse(text: str) -> tuple[str, ...]:
        wanted = text.split(",")
        unknown = [one for one in wanted if one not in allowed]
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: known are {', '.join(allowed)}")
        return tuple(one for one in allowed if one in wanted)

    return parse


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be a number from 1 on")
    return int(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="real files, looked for below it; nothing is written there")
    parser.add_argument("--rounds", type=positive, default=3, help="turns that everybody has (3)")
    parser.add_argument("--only", type=listed(NAMES), default=NAMES, help=f"who takes part, of {','.join(NAMES)}")
    parser.add_argument("--families", type=listed(FAMILIES), default=FAMILIES, help=f"of {','.join(FAMILIES)}")
    parser.add_argument("--limit", type=positive, help="at most so many files of each family, chosen by chance")
    parser.add_argument("--seed", type=int, default=1, help="of that chance; the same seed chooses the same files (1)")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="leave out files so named")
    parser.add_argument("--by-family", action="store_true", help="also run over each family alone")
    parser.add_argument("--failures", action="store_true", help="name the files of which each made nothing useful")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--time-limit", type=positive, default=900, help="seconds for one run of one program (900)")
    parser.add_argument("--scratch", type=Path, default=Path("/dev/shm"), help="where copies and caches go (/dev/shm)")
    parser.add_argument("--vitrine", type=Path, default=ROOT / ".build/release/vitrine", help="the program")
    parser.add_argument("--environment", type=Path, default=ROOT / ".build/peers/venv", help="has preview-generator")
    return parser.parse_args()


def usable(contenders: list[Contender]) -> list[Contender]:
    for contender in contenders:
        missing = [program for program in contender.needs if not shutil.which(program)]
        if missing:
            lacking = ", ".join(missing)
            sys.exit(f"compare: {contender.name} needs {lacking}: `make peers` installs it, --only does without")
    if not shutil.which("mogrify"):
        sys.exit("compare: pictures are judged with mogrify: apt install imagemagick")
    return contenders


def typed_command() -> str:
    """As it was typed, without where the folder lies on this machine."""
    words = [Path(word).name if Path(word).is_dir() else word for word in sys.argv[1:]]
    return shlex.join(["Benchmarks/peers/compare.py", *words])


def compare(options: argparse.Namespace, contenders: list[Contender], originals: dict[str, Path], scratch: Path) -> str:
    names = [one.name for one in contenders]
    comparison = Comparison(contenders, scratch, originals, options.time_limit)
    report = Report(contenders, options.markdown)
    load = os.getloadavg()[0]
    families = tuple(dict.fromkeys(name.split("/")[0] for name in originals))
    comparison.warm_up(families)

    everything = comparison.scope(families)
    for number in range(options.rounds):
        comparison.round(everything, names, number)
    shared = shared_scopes(comparison, everything, options.rounds)
    alone = {}
    if options.by_family:
        alone = {family: comparison.scope((family,)) for family in families}
        for number in range(options.rounds):
            for scope in alone.values():
                comparison.round(scope, names, number)

    files = {family: len(comparison.names((family,))) for family in families}
    parts = [report.title(), report.heading("Circumstances"), report.circumstances(typed_command(), load)]
    title = f"All {everything.files} files, {options.rounds} round{'s'[: options.rounds > 1]}"
    parts += ["", report.heading(title), report.totals(everything)]
    parts += ["", report.by_family(everything, files)]
    for name, scope in shared.items():
        title = f"Families that {name} does too: {', '.join(scope.families)}; {scope.files} files"
        parts += ["", report.heading(title), report.totals(scope)]
    if alone:
        parts += ["", report.heading("Each family alone"), report.each_family(alone)]
    if REFERENCE in names and len(names) > 1:
        parts += ["", report.heading("Goals"), report.goals(everything, shared)]
    if options.failures:
        parts += ["", report.heading("Without a useful picture")]
        for name, failed in comparison.failures.items():
            parts += [report.entry(name, str(originals[one].relative_to(options.folder))) for one in sorted(failed)]
    return "\n".join(parts)


def shared_scopes(comparison: Comparison, everything: Scope, rounds: int) -> dict[str, Scope]:
    """For each program that leaves families out which Vitrine does: both over what remains."""
    shared = {}
    for name, contender in comparison.contenders.items():
        if REFERENCE not in everything.runs or not contender.leaves_families_out:
            continue
        families = common_families(everything, name, REFERENCE)
        if families and families != everything.families:
            shared[name] = comparison.scope(families)
            for number in range(rounds):
                comparison.round(shared[name], [REFERENCE, name], number)
    return shared


def main() -> None:
    options = arguments()
    wanted = [one for one in all_contenders(options.vitrine.resolve(), options.environment.absolute())
              if one.name in options.only]  # fmt: skip
    contenders = usable(wanted)
    options.folder = options.folder.expanduser().resolve()
    if not options.folder.is_dir():
        sys.exit(f"compare: {options.folder} is no folder")
    chosen = choose(options.folder, options.families, options.limit, options.seed, options.exclude)
    if not chosen:
        sys.exit(f"compare: below {options.folder} is no file of {', '.join(options.families)}")
    measure.adopt_orphans()
    # Whoever ends this program ends what it started, and finds no folder left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(prefix="vitrine-peers-", dir=options.scratch) as folder:
        try:
            scratch = Path(folder)
            scratch.chmod(0o711)
            originals = stage(chosen, scratch / "files")
            print(compare(options, contenders, originals, scratch))
        finally:
            measure.end_all()


if __name__ == "__main__":
    main()
