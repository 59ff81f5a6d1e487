"""The order of runs: a warm-up, then rounds in which everybody has a turn, and another one first each time."""

import os
import shutil
import sys
from pathlib import Path

import measure
import pictures
from contenders import Contender, Place
from figures import Run, Scope

# Beside PATH, what programs look at to find their folders; the rest of the caller's environment stays out.
_KEPT = ("PATH", "LD_LIBRARY_PATH")


class Comparison:
    def __init__(self, contenders: list[Contender], scratch: Path, originals: dict[str, Path], seconds: float):
        self.contenders = {one.name: one for one in contenders}
        self.scratch = scratch
        self.originals = originals
        self.seconds = seconds
        # By contender: the files of which it has ever made no useful picture.
        self.failures: dict[str, set[str]] = {name: set() for name in self.contenders}

    @property
    def files(self) -> Path:
        return self.scratch / "files"

    def scope(self, families: tuple[str, ...]) -> Scope:
        return Scope(families, len(self.names(families)))

    def names(self, families: tuple[str, ...]) -> list[str]:
        return [name for name in self.originals if name.split("/")[0] in families]

    def warm_up(self, families: tuple[str, ...]) -> None:
        """One file of each family for everybody, so that nobody pays for being the first to read a library from disk,
        and that GStreamer's list of plugins exists."""
        few = self.scratch / "warm-up"
        for family in families:
            (few / family).mkdir(parents=True)
            name = self.names((family,))[0]
            shutil.copyfile(self.files / name, few / name)
        for contender in self.contenders.values():
            self.run(contender, families, few)

    def round(self, scope: Scope, names: list[str], number: int) -> None:
        """Everybody's turn over the families of `scope`."""
        first = number % len(names)
        for name in names[first:] + names[:first]:
            run = self.run(self.contenders[name], scope.families, self.files)
            scope.runs.setdefault(name, []).append(run)
            told = f"{sum(run.useful.values())} useful, {run.usage.cpu:.1f} CPU s, {run.usage.wall:.1f} s {run.note}"
            print(f"round {number + 1}, {' '.join(scope.families)}: {name}: {told}", file=sys.stderr, flush=True)

    def run(self, contender: Contender, families: tuple[str, ...], files: Path) -> Run:
        """One run with an empty cache and an empty home."""
        output = self.scratch / "output"
        place = Place(files, output, self.scratch / f"{contender.name}.log")
        for folder in ("home", "cache", "config", "data", "run"):
            (output / folder).mkdir(parents=True, mode=0o700)
        # Started by root, Vitrine's workers are nobody, and must be able to pass through to their temporary files.
        (output / "tmp").mkdir(mode=0o711)
        try:
            environment = self._environment(place) | contender.environment()
            usage = measure.run(contender.command(place, families), files, environment, place.log, self.seconds)
            return self._judged(contender, place, families, usage)
        finally:
            shutil.rmtree(output)

    def _judged(self, contender: Contender, place: Place, families: tuple[str, ...], usage: measure.Usage) -> Run:
        names = [name for name in self.names(families) if (place.files / name).is_file()]
        places = {name: contender.picture(place, name) for name in names}
        # Some tools leave an empty file behind when they fail.
        made = {name: path for name, path in places.items() if path.is_file() and path.stat().st_size > 0}
        seen = pictures.useful(list(made.values()), self.scratch)
        useful = [name for name, path in made.items() if path in seen]
        if place.files == self.files:
            self.failures[contender.name].update(set(names) - set(useful))
        notes = [contender.note(place)]
        notes.append("stopped at the time limit" if usage.stopped else f"exit {usage.status}" if usage.status else "")
        cpu = max(0.0, usage.cpu - contender.own_cpu(place))
        return Run(
            measure.Usage(cpu, usage.wall, usage.peak, usage.status, usage.stopped),
            _counted(made, families),
            _counted(useful, families),
            ", ".join(note for note in notes if note),
        )

    def _environment(self, place: Place) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        return kept | {
            "HOME": str(place.output / "home"),
            "XDG_CACHE_HOME": str(place.cache),
            "XDG_CONFIG_HOME": str(place.output / "config"),
            "XDG_DATA_HOME": str(place.output / "data"),
            "XDG_RUNTIME_DIR": str(place.output / "run"),
            "TMPDIR": str(place.output / "tmp"),
            "GST_REGISTRY": str(self.scratch / "gstreamer-registry.bin"),
            "LANG": "C.UTF-8",
        }


def _counted(names, families: tuple[str, ...]) -> dict[str, int]:
    counts = dict.fromkeys(families, 0)
    for name in names:
        counts[name.split("/")[0]] += 1
    return counts
