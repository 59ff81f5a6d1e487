"""How alike two pictures are, how sharp one is, and whether it shows anything."""

from pathlib import Path

import numpy
from PIL import Image
from scipy import ndimage
from skimage.metrics import structural_similarity

# Of 255; what differs by less in every channel is one colour.
SAME_COLOUR = 2
# Pixels. Smaller pictures have no structure to compare.
LEAST_SIDE = 7


def load(path: Path) -> Image.Image:
    """A picture on white, as file managers show it on their light background."""
    with Image.open(path) as picture:
        picture.load()
        whole = picture.convert("RGBA")
    paper = Image.new("RGBA", whole.size, "white")
    return Image.alpha_composite(paper, whole).convert("RGB")


def is_plain(picture: Image.Image) -> bool:
    """Whether a picture is nearly of one colour."""
    return all(most - least <= SAME_COLOUR for least, most in picture.getextrema())


def same_shape(picture: Image.Image, reference: Image.Image) -> bool:
    """Whether two pictures have the same sides but for the rounding of the shorter one."""
    (width, height), (other_width, other_height) = picture.size, reference.size
    scale = max(width, height) / max(other_width, other_height)
    return abs(width - other_width * scale) <= 1.5 and abs(height - other_height * scale) <= 1.5


def similarity(picture: Image.Image, reference: Image.Image) -> float:
    """The structural similarity of two pictures of the same shape, 1 for equal ones: the mean over R, G and B.

    With the window and the constants of Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, "Image quality assessment: from
    error visibility to structural similarity", 2004. A reference of other sides is brought to the picture's first.
    """
    if reference.size != picture.size:
        reference = reference.resize(picture.size, Image.Resampling.LANCZOS)
    if min(picture.size) < LEAST_SIDE * 2:
        difference = numpy.abs(numpy.asarray(picture, float) - numpy.asarray(reference, float))
        return float(1 - difference.mean() / 255)
    return float(
        structural_similarity(
            numpy.asarray(picture), numpy.asarray(reference), gaussian_weights=True, sigma=1.5,
            use_sample_covariance=False, channel_axis=2, data_range=255,
        )  # fmt: skip
    )


def sharpness(picture: Image.Image) -> float:
    """The root mean square of the Laplacian of the picture's brightness: larger for more and harder edges."""
    brightness = numpy.asarray(picture.convert("L"), float)
    return float(numpy.sqrt((ndimage.laplace(brightness) ** 2).mean()))
