"""The programs that are compared: how each is started, and where its pictures lie."""

import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# As long as Vitrine gives an office document, the slowest family; a file that makes a program spin costs this much.
SECONDS_FOR_A_FILE = 30


@dataclass(frozen=True)
class Place:
    """Where one run works: the folder of families, one for pictures, and its log."""

    files: Path
    output: Path
    log: Path

    @property
    def cache(self) -> Path:
        """What the program is told to be the cache folder of its user."""
        return self.output / "cache"


class Contender:
    """A program under test. `goal` is how many times its pictures per processor second Vitrine shall make: over all
    files or, where it `leaves_families_out`, over the families that both do."""

    name = ""
    title = ""
    goal: float | None = None
    leaves_families_out = False
    needs: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    def command(self, place: Place, families: tuple[str, ...]) -> list[str]:
        raise NotImplementedError

    def picture(self, place: Place, name: str) -> Path:
        """Where the picture of the staged file `name` is, if there is one."""
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        """What it is told beside the folders of its user."""
        return {}

    def own_cpu(self, _place: Place) -> float:
        """Seconds of processor time that the comparison itself used within the run."""
        return 0

    def note(self, _place: Place) -> str:
        return ""

    def versions(self) -> list[str]:
        return [f"{package} {package_version(package)}" for package in self.packages]


class Vitrine(Contender):
    name = "vitrine"
    title = "Vitrine"

    def __init__(self, program: Path):
        self.program = program
        self.needs = (str(program),)

    def command(self, place, families):
        # The folder above has nothing but families, which may be fewer than are there.
        return [str(self.program), "prebuild", "--progress", "none", "--size", "large", *families]

    def picture(self, place, name):
        return freedesktop_thumbnail(place, name)

    def versions(self):
        own = first_line([str(self.program), "--version"])
        commit = first_line(["git", "-C", str(ROOT), "describe", "--always", "--dirty"])
        return [f"{own} ({commit})"]


class Tumbler(Contender):
    name = "tumblerd"
    title = "tumblerd, D-Bus Queue"
    goal = 5
    leaves_families_out = True
    needs = ("dbus-run-session", "/usr/bin/python3")
    packages = ("tumbler",)

    def command(self, place, families):
        client = [str(HERE / "tumbler_client.py"), str(self._report(place)), str(SECONDS_FOR_A_FILE), *families]
        return ["dbus-run-session", "--", *client]

    def picture(self, place, name):
        return freedesktop_thumbnail(place, name)

    def own_cpu(self, place):
        return self._said(place).get("client_cpu", 0)

    def note(self, place):
        said = self._said(place)
        if not said:
            return "no report"
        return ", ".join(f"{said[what]} × {what}" for what in ("ended", "stalled") if said[what])

    def _report(self, place: Place) -> Path:
        return place.output / "report.json"

    def _said(self, place: Place) -> dict:
        return json.loads(self._report(place).read_text()) if self._report(place).is_file() else {}


class PreviewGenerator(Contender):
    name = "preview-generator"
    title = "preview-generator, a Python loop"
    goal = 6

    def __init__(self, environment: Path):
        self.python = environment / "bin/python"
        self.needs = (str(self.python),)

    def command(self, place, families):
        loop = HERE / "preview_generator_loop.py"
        return [str(self.python), str(loop), str(place.output / "previews"), *families]

    def picture(self, place, name):
        for line in place.log.read_text(errors="replace").splitlines():
            file, tab, picture = line.partition("\t")
            if tab and file == name:
                return Path(picture)
        return place.output / "none"

    def environment(self):
        return {"LIBREOFFICE_PROCESS_TIMEOUT": str(SECONDS_FOR_A_FILE)}

    def versions(self):
        code = "from importlib.metadata import version; print('preview-generator', version('preview_generator'))"
        return [first_line([str(self.python), "-c", code])]


class Lines(Contender):
    """One of the two shell scripts beside this file."""

    def __init__(self, script: str):
        self.script = HERE / script

    def command(self, place, families):
        return [str(self.script), str(place.output), *families]

    def picture(self, place, name):
        whole = place.output / f"{name}.png"
        # soffice and vipsthumbnail with many files name pictures by the stem, which staging makes unique.
        return whole if whole.is_file() else (place.output / name).with_suffix(".png")


class Naive(Lines):
    name = "naive"
    title = "find, xargs -P, a process a file"
    goal = 5
    needs = ("pdftoppm", "ffmpegthumbnailer", "vipsthumbnail", "soffice")
    packages = ("poppler-utils", "ffmpegthumbnailer", "libvips-tools", "libreoffice-core")

    def __init__(self):
        super().__init__("naive.sh")


class Tuned(Lines):
    name = "tuned"
    title = "the best lines by hand"
    goal = 1.8
    needs = ("mutool", "pdftoppm", "ffmpeg", "vipsthumbnail", "soffice")
    packages = ("mupdf-tools", "poppler-utils", "ffmpeg", "libvips-tools", "libreoffice-core")

    def __init__(self):
        super().__init__("tuned.sh")


def all_contenders(program: Path, environment: Path) -> list[Contender]:
    return [Vitrine(program), Tumbler(), PreviewGenerator(environment), Naive(), Tuned()]


def freedesktop_thumbnail(place: Place, name: str) -> Path:
    """https://specifications.freedesktop.org/thumbnail-spec/latest/ for the size `large`."""
    uri = (place.files / name).resolve().as_uri()
    key = hashlib.md5(uri.encode(), usedforsecurity=False).hexdigest()
    return place.cache / "thumbnails/large" / f"{key}.png"


def first_line(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["unknown version"])[0]


def package_version(package: str) -> str:
    return first_line(["dpkg-query", "-W", "-f", "${Version}\n", package])
