"""Which files take part, and their copies under plain names in a folder of families."""

import random
import shutil
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

EXTENSIONS = {
    "pdf": "pdf",
    "image": "jpg jpeg png gif tif tiff webp bmp tga ico jp2 heic heif avif exr psd svg svgz",
    "video": "mp4 m4v mov mkv webm avi ts mts m2ts mpg mpeg flv wmv 3gp ogv",
    "office": "doc docx docm dot dotx xls xlsx xlsm xlsb xltx ppt pptx pptm pps ppsx odt ods odp ott ots otp rtf",
    "audio": "mp3 m4a m4b flac ogg oga opus wav wma aac aif aiff ape",
}
FAMILIES = tuple(EXTENSIONS)
_FAMILY_OF = {extension: family for family, all_of_it in EXTENSIONS.items() for extension in all_of_it.split()}


def family_of(path: Path) -> str | None:
    """The family by the extension, as the lines with `find` would have it too; None for what nobody here draws."""
    return _FAMILY_OF.get(path.suffix[1:].lower())


def choose(
    folder: Path, families: tuple[str, ...], limit: int | None = None, seed: int = 1, exclude: Sequence[str] = ()
) -> dict[str, list[Path]]:
    """The files of each family that has any, without those whose names match a pattern of `exclude`; the same ones for
    the same folder, limit and seed."""
    found: dict[str, list[Path]] = {family: [] for family in families}
    for path in sorted(folder.rglob("*")):
        family = family_of(path)
        left_out = any(fnmatchcase(path.name, pattern) for pattern in exclude)
        if family in found and not left_out and path.is_file() and not path.is_symlink():
            found[family].append(path)
    for family, paths in found.items():
        if limit is not None and len(paths) > limit:
            # A chance of its own, so that what is taken of one family does not depend on the others.
            found[family] = sorted(random.Random(f"{family} {seed}").sample(paths, limit))
    return {family: paths for family, paths in found.items() if paths}


def stage(chosen: dict[str, list[Path]], target: Path) -> dict[str, Path]:
    """Copies the files to `target`/FAMILY/NUMBER.extension and returns which file each name stands for.

    Numbers are unique, so that a program that names pictures by the stem overwrites none; no shell line stumbles
    over a blank; and all programs read from memory.
    """
    originals: dict[str, Path] = {}
    for family, paths in chosen.items():
        (target / family).mkdir(parents=True)
        for path in paths:
            name = f"{family}/{len(originals) + 1:05}{path.suffix.lower()}"
            shutil.copyfile(path, target / name)
            originals[name] = path
    return originals
