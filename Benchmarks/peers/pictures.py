"""Which pictures are useful: they can be decoded, are no crumbs, and show more than one colour."""

import subprocess
import tempfile
from pathlib import Path

LEAST_SIDE = 16
# Of 255. JPEG may leave a plain page not quite plain.
SAME_COLOUR = 2
_BATCH = 64


def useful(pictures: list[Path], scratch: Path) -> set[Path]:
    """Those of `pictures` that are useful. All are decoded by ImageMagick, whoever made them."""
    found: set[Path] = set()
    for first in range(0, len(pictures), _BATCH):
        found |= _useful(pictures[first : first + _BATCH], scratch)
    return found


def _useful(pictures: list[Path], scratch: Path) -> set[Path]:
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        links = [Path(folder, f"{number}.picture") for number in range(len(pictures))]
        for link, picture in zip(links, pictures):
            link.symlink_to(picture.resolve())
        # Large ones are made smaller, which leaves no plain picture with colours and no other without. Its exit code
        # says that some could not be read; which ones, the missing results say.
        subprocess.run(
            ["timeout", "-k", "5", "300", "mogrify", "-path", folder, "-resize", "256x256>", "-depth", "8",
             "-format", "pam", *links],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        results = [link.with_suffix(".pam") for link in links]
        return {
            picture
            for picture, result in zip(pictures, results)
            if result.is_file() and shows_something(result.read_bytes())
        }


def shows_something(pam: bytes) -> bool:
    """Whether a picture in netpbm's PAM format with 8 bits a channel is large enough and of more than one colour.

    Format: https://netpbm.sourceforge.net/doc/pam.html
    """
    head, separator, pixels = pam.partition(b"ENDHDR\n")
    lines = [line.split() for line in head.splitlines()]
    fields = {line[0]: line[1] for line in lines if len(line) == 2}
    if not separator or not lines or lines[0] != [b"P7"] or fields.get(b"MAXVAL") != b"255":
        return False
    width, height, depth = (int(fields[name]) for name in (b"WIDTH", b"HEIGHT", b"DEPTH"))
    if max(width, height) < LEAST_SIDE or len(pixels) < width * height * depth:
        return False
    channels = [pixels[channel : width * height * depth : depth] for channel in range(depth)]
    if fields.get(b"TUPLTYPE", b"").endswith(b"_ALPHA") and max(channels[-1]) <= SAME_COLOUR:
        return False
    return any(max(channel) - min(channel) > SAME_COLOUR for channel in channels)
