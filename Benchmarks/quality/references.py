"""Pictures of files by the tools that people take for the format's own."""

import json
import subprocess
from pathlib import Path

from PIL import Image

from similarity import load

# Seconds that a tool may take for a file.
PATIENCE = 60
# Parts of a video at which to look for the frame that a preview shows.
MOMENTS = (0.15, 0.35, 0.6, 0.85, 0.0)
# Documents that one soffice is given.
BATCH = 20


class References:
    """Draws references of one size into a scratch folder."""

    def __init__(self, side: int, scratch: Path):
        self.side = side
        self.scratch = scratch
        self._number = 0

    def of(self, file: Path, family: str) -> list[Image.Image]:
        """What a file should look like: several pictures where the tool leaves a choice, none where it fails."""
        pictures: list[Image.Image] = []
        for picture in getattr(self, f"_{family}")(file):
            try:
                pictures.append(load(picture))
            except (OSError, ValueError, Image.DecompressionBombError):
                continue
        return pictures

    def to_pdf(self, documents: list[Path]) -> dict[Path, Path]:
        """Lets LibreOffice convert documents, several at a time, and alone where it failed."""
        found: dict[Path, Path] = {}
        batches = [documents[start : start + BATCH] for start in range(0, len(documents), BATCH)]
        for batch in batches:
            found |= self._convert(batch)
        for document in documents:
            if document not in found:
                found |= self._convert([document])
        return found

    def _convert(self, documents: list[Path]) -> dict[Path, Path]:
        folder = self._new("pdf")
        folder.mkdir()
        # Names that do not clash, whatever their stems are.
        links = {document: folder / f"{number}{document.suffix}" for number, document in enumerate(documents)}
        for document, link in links.items():
            link.symlink_to(document.resolve())
        profile = f"-env:UserInstallation=file://{self.scratch}/profile"
        self._run("soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", folder, *links.values(),
                  patience=PATIENCE * len(documents) // 4 + PATIENCE)  # fmt: skip
        made = {document: link.with_suffix(".pdf") for document, link in links.items()}
        return {document: pdf for document, pdf in made.items() if pdf.is_file()}

    def _pdf(self, file: Path) -> list[Path]:
        # Four times as large and then reduced: drawn at its own size, hinted letters are those of another engine's.
        direct, fine = self._new("direct"), self._new("fine")
        self._run("pdftoppm", "-png", "-singlefile", "-cropbox", "-scale-to", self.side, file, direct)
        self._run("pdftoppm", "-png", "-singlefile", "-cropbox", "-scale-to", 4 * self.side, file, fine)
        made = [path.with_suffix(".png") for path in (direct, fine)]
        try:
            with Image.open(made[1]) as large:
                size = [max(1, round(length / 4)) for length in large.size]
                large.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(made[1])
        except (OSError, Image.DecompressionBombError):
            # There is none, or a tool that failed left an empty one: reduced it cannot be.
            made.pop()
        return [path for path in made if path.is_file()]

    def _image(self, file: Path) -> list[Path]:
        made = self._new("image.png")
        if file.suffix.lower() in (".svg", ".svgz"):
            self._run("rsvg-convert", "--keep-aspect-ratio", "--width", self.side, "--height", self.side,
                      "--output", made, file)  # fmt: skip
        else:
            # Never larger than the picture is, as the standard of thumbnails wants it. Without a profile of its own
            # vips takes a picture for something else than sRGB as soon as it is told to export.
            profile = ("--export-profile", "srgb") if self._run("vipsheader", "-f", "icc-profile-data", file) else ()
            self._run("vipsthumbnail", "--size", f"{self.side}x{self.side}>", *profile, "-o", made, file)
        return [made] if made.is_file() else []

    def _video(self, file: Path) -> list[Path]:
        seconds = self._duration(file)
        fit = f"scale=w='min({self.side},iw*sar)':h='min({self.side},ih)':force_original_aspect_ratio=decrease"
        frames = []
        for moment in MOMENTS if seconds else (0.0,):
            made = self._new("frame.png")
            self._run("ffmpeg", "-v", "error", "-noaccurate_seek", "-ss", moment * seconds, "-i", file, "-map", "0:V:0",
                      "-frames:v", 1, "-vf", f"scale=iw*sar:ih,setsar=1,{fit}:flags=area", "-y", made)  # fmt: skip
            frames += [made] if made.is_file() else []
        return frames

    def _duration(self, file: Path) -> float:
        told = self._run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "json", file)
        try:
            return float(json.loads(told)["format"]["duration"])
        except (KeyError, ValueError):
            return 0.0

    def _new(self, name: str) -> Path:
        self._number += 1
        return self.scratch / f"{self._number}-{name}"

    @staticmethod
    def _run(*command: object, patience: int = PATIENCE) -> bytes:
        try:
            return subprocess.run(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, timeout=patience, check=False,
            ).stdout  # fmt: skip
        except subprocess.TimeoutExpired:
            return b""
