#!/usr/bin/python3
"""Holds Vitrine's previews of a folder against pictures by each format's reference tool. See README.md."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from statistics import median

from explanations import Explanations
from references import References
from similarity import is_plain, load, same_shape, sharpness, similarity

HERE = Path(__file__).resolve().parent
FAMILIES = {
    "pdf": ("pdf",),
    "image": ("avif bmp exr gif heic ico jp2 jpg jpeg jxl pbm png ppm psd svg svgz tga tif tiff webp").split(),
    "video": "3gp avi flv m4v mkv mov mp4 mpg mxf ogv ts webm wmv".split(),
    "office": "doc docx dot dotx odg odp ods odt pot potx pps ppsx ppt pptx rtf vsd xls xlsb xlsm xlsx xlt".split(),
}
ENOUGH = 0.95
VERDICTS = ["alike", "different", "another shape", "blank, as it is", "blank, the reference is not", "only Vitrine",
            "only the reference", "neither"]  # fmt: skip
# A picture of one colour is no success, unless somebody looked and listed the file.
BAD = ("different", "another shape", "blank, as it is", "blank, the reference is not", "only the reference")


@dataclass
class Finding:
    """What came of one file."""

    file: Path
    family: str
    verdict: str = ""
    score: float | None = None
    sharper: float | None = None
    reason: str = ""
    detail: str = ""


@dataclass
class Made:
    """What Vitrine made of a folder."""

    pictures: dict[Path, Path] = field(default_factory=dict)
    failures: dict[Path, str] = field(default_factory=dict)


def family_of(file: Path) -> str | None:
    ending = file.suffix.lower().removeprefix(".")
    return next((family for family, endings in FAMILIES.items() if ending in endings), None)


def previews(vitrine: Path, folder: Path, size: str, scratch: Path) -> Made:
    """Runs `vitrine prebuild` with a cache of its own."""
    homes = {name: str(scratch / name) for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    command = [str(vitrine), "prebuild", str(folder), "--size", size, "--progress", "json"]
    told = subprocess.run(command, env=os.environ | homes, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    made = Made()
    for line in told.splitlines():
        event = json.loads(line)
        if event.get("event") != "item":
            continue
        file = path_of(event["uri"])
        if event.get("previews"):
            made.pictures[file] = Path(event["previews"][size])
        elif event.get("reason"):
            made.failures[file] = f"{event.get('code')}: {event['reason']}"
    return made


def path_of(uri: str) -> Path:
    from urllib.parse import unquote, urlsplit

    return Path(unquote(urlsplit(uri).path))


def compare(file: Path, family: str, made: Made, references: References, drawn_from: Path | None) -> Finding:
    finding = Finding(file, family)
    wanted = references.of(drawn_from, "pdf" if family == "office" else family) if drawn_from else []
    shows = [picture for picture in wanted if not is_plain(picture)]
    preview = made.pictures.get(file)
    if preview is None:
        finding.reason = made.failures.get(file, "nothing was said about it")
        finding.verdict = "only the reference" if shows else "neither"
        return finding
    picture = load(preview)
    if is_plain(picture):
        finding.verdict = "blank, the reference is not" if shows else "blank, as it is"
        return finding
    if not shows:
        finding.verdict = "only Vitrine"
        return finding
    shaped = [reference for reference in shows if same_shape(picture, reference)]
    if not shaped:
        finding.verdict = "another shape"
        finding.detail = f"{picture.size[0]} × {picture.size[1]}, not {shows[0].size[0]} × {shows[0].size[1]}"
        return finding
    finding.score, best = max(((similarity(picture, one), one) for one in shaped), key=lambda pair: pair[0])
    finding.sharper = sharpness(picture) / max(1e-9, sharpness(best.resize(picture.size)))
    finding.verdict = "alike" if finding.score >= ENOUGH else "different"
    return finding


def report(findings: list[Finding], known: Explanations) -> int:
    """Prints the table and every file that is not as it should be, and counts those that nobody explains."""
    print("| | files |", " | ".join(VERDICTS), "| median SSIM | sharpness |")
    print("|---|" + "---:|" * (len(VERDICTS) + 3))
    for family in FAMILIES:
        own = [finding for finding in findings if finding.family == family]
        if not own:
            continue
        counts = [sum(finding.verdict == verdict for finding in own) for verdict in VERDICTS]
        scores = [finding.score for finding in own if finding.score is not None]
        sharper = [finding.sharper for finding in own if finding.sharper is not None and finding.verdict == "alike"]
        print(f"| {family} | {len(own)} |", " | ".join(map(str, counts)),
              f"| {median(scores or [0]):.3f} | {median(sharper or [0]):.2f} |")  # fmt: skip
    open_questions = 0
    print()
    for finding in sorted(findings, key=lambda finding: (finding.family, finding.verdict, finding.score or 0)):
        if finding.verdict not in (*BAD, "neither"):
            continue
        reason = known.of(finding.file.name, finding.verdict, finding.score)
        open_questions += reason is None and finding.verdict in BAD
        score = "" if finding.score is None else f" {finding.score:.3f}"
        said = "; ".join(text for text in (finding.detail, finding.reason, reason and f"known: {reason}") if text)
        print(f"{finding.family}: {finding.file.name}: {finding.verdict}{score}" + (f"; {said}" if said else ""))
    for one in known.unused([finding.file.name for finding in findings]):
        print(f"explained for nothing: {one.pattern}: {one.verdict}")
    print(f"\n{len(findings)} files, {open_questions} of them to be explained")
    return open_questions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="real files; read only")
    parser.add_argument("--vitrine", type=Path, default=HERE.parents[1] / ".build/release/vitrine", metavar="PROGRAM")
    parser.add_argument("--families", default=",".join(FAMILIES), help="of: %(default)s")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="file names to leave out")
    parser.add_argument("--explained", type=Path, metavar="FILE", help="why previews get a verdict")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a new folder for pairs that are not alike")
    options = parser.parse_args()
    # First: a mistake in it is found before an hour is spent.
    known = Explanations(options.explained, VERDICTS)
    wanted = set(options.families.split(","))
    files = [path for path in sorted(options.folder.resolve().rglob("*")) if path.is_file()]
    files = [file for file in files if not any(fnmatch(file.name, pattern) for pattern in options.exclude)]
    chosen = [(file, family) for file in files if (family := family_of(file)) in wanted]
    with tempfile.TemporaryDirectory(prefix="vitrine-quality-") as scratch:
        references = References(256, Path(scratch))
        made = previews(options.vitrine, options.folder.resolve(), "large", Path(scratch))
        pages = references.to_pdf([file for file, family in chosen if family == "office"])
        findings = []
        for file, family in chosen:
            source = pages.get(file) if family == "office" else file
            findings.append(compare(file, family, made, references, source))
            keep(findings[-1], made, references, source, options.keep)
            if sys.stderr.isatty():
                print(f"\r{len(findings)} of {len(chosen)}", end="", file=sys.stderr)
    return 1 if report(findings, known) else 0


def keep(finding: Finding, made: Made, references: References, source: Path | None, folder: Path | None) -> None:
    """Puts a preview and its reference side by side, for eyes."""
    if not folder or finding.verdict in ("alike", "neither", "only Vitrine", "blank, as it is"):
        return
    from PIL import Image

    preview = made.pictures.get(finding.file)
    pictures = [load(preview)] if preview else []
    family = "pdf" if finding.family == "office" else finding.family
    pictures += references.of(source, family) if source else []
    sheet = Image.new("RGB", (sum(picture.width + 8 for picture in pictures), 264), "grey")
    left = 4
    for picture in pictures:
        sheet.paste(picture, (left, 4))
        left += picture.width + 8
    folder.mkdir(parents=True, exist_ok=True)
    sheet.save(folder / f"{finding.family}-{finding.score or 0:.3f}-{finding.file.name}.png")


if __name__ == "__main__":
    sys.exit(main())
