"""Makes small pictures and PDF documents as cameras and office programs make them, the same ones every time."""

import argparse
import io
import multiprocessing
import random
import zlib
from pathlib import Path

import numpy
from PIL import Image, ImageDraw

from tree import WORDS

SIDES = [(640, 480), (800, 600), (1024, 768), (1280, 960), (1600, 1200)]
FORMS = ["real", "tiny"]


def photo(chance: random.Random, size: tuple[int, int], quality: int) -> bytes:
    """A JPEG picture with soft shapes, a sky of one gradient, and the noise of a sensor."""
    numbers = numpy.random.default_rng(chance.randrange(1 << 32))
    width, height = size

    def noise(columns: int, rows: int) -> numpy.ndarray:
        grid = Image.fromarray(numbers.integers(0, 256, (rows, columns, 3), dtype=numpy.uint8))
        return numpy.asarray(grid.resize(size, Image.Resampling.BICUBIC), dtype=numpy.int16)

    # Grain of another picture's size would be smoothed away; one tile of it costs less than a whole picture of it.
    grain = numbers.integers(-6, 7, (64, 64, 1), dtype=numpy.int16)
    tiles = numpy.tile(grain, (height // 64 + 1, width // 64 + 1, 1))[:height, :width]
    sky = numpy.linspace(60, -60, height, dtype=numpy.int16)[:, None, None]
    pixels = noise(8, 6) * 3 // 4 + noise(60, 45) // 5 + sky + tiles
    return encoded(Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8)), "JPEG", quality=quality)


def screenshot(chance: random.Random, size: tuple[int, int]) -> bytes:
    """A PNG picture of windows with lines of text in them."""
    picture = Image.new("RGB", size, tuple(chance.choices(range(256), k=3)))
    pen = ImageDraw.Draw(picture)
    for _ in range(chance.randint(2, 5)):
        left, top = chance.randrange(size[0] // 2), chance.randrange(size[1] // 2)
        right, bottom = left + size[0] // 2, top + size[1] // 2
        pen.rectangle((left, top, right, bottom), fill=(250, 250, 250), outline=(90, 90, 90))
        pen.rectangle((left, top, right, top + 18), fill=tuple(chance.choices(range(256), k=3)))
        for line in range(top + 26, bottom - 10, 14):
            pen.text((left + 8, line), " ".join(chance.choices(WORDS["en"].split(), k=6)), fill=(20, 20, 20))
    return encoded(picture, "PNG", compress_level=6)


def encoded(picture: Image.Image, form: str, **options: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def document(chance: random.Random, pages: int, lines: int, strokes: int, picture: bytes | None) -> bytes:
    """A PDF document with paragraphs, a chart on each page, and perhaps a photograph on the first one.

    Format: ISO 32000-1, 7.5.
    """
    objects = ["", "", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    if picture:
        width, height = Image.open(io.BytesIO(picture)).size
        head = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB"
        objects.append(stream(picture, f"{head} /BitsPerComponent 8 /Filter /DCTDecode"))
    image = "/XObject << /P 4 0 R >>" if picture else ""
    for page in range(pages):
        drawing = "q 200 0 0 150 340 640 cm /P Do Q\n" if picture and page == 0 else ""
        drawing += text(chance, lines) + chart(chance, strokes)
        objects.append(stream(zlib.compress(drawing.encode(), 6), "/Filter /FlateDecode"))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R "
            f"/Resources << /Font << /F 3 0 R >> {image} >> >>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {pages} >>".encode()
    file, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF\n"
    return file + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def stream(content: bytes, entries: str) -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), entries.encode(), content)


def text(chance: random.Random, lines: int) -> str:
    words = WORDS["en"].split()
    shown = "".join(f"({' '.join(chance.choices(words, k=9))}) '\n" for _ in range(lines))
    return f"BT /F 10 Tf 13 TL 50 800 Td\n{shown}ET\n"


def chart(chance: random.Random, strokes: int) -> str:
    """A grid, columns, and curves of many points."""
    drawing = "0.8 G 0.5 w\n" + "".join(f"60 {y} m 540 {y} l S\n" for y in range(60, 340, 20))
    for column in range(12 if strokes else 0):
        colour = " ".join(f"{chance.random():.2f}" for _ in range(3))
        drawing += f"{colour} rg {70 + column * 38} 60 26 {chance.randint(10, 250)} re f\n"
    for _ in range(strokes):
        colour = " ".join(f"{chance.random():.2f}" for _ in range(3))
        height = chance.uniform(80, 300)
        drawing += f"{colour} RG 1 w 60 {height:.1f} m\n"
        for x in range(64, 540, 4):
            height = min(330, max(60, height + chance.uniform(-14, 14)))
            drawing += f"{x} {height:.1f} l\n"
        drawing += "S\n"
    return drawing


def paper(number: int, form: str) -> tuple[str, bytes]:
    """One file: every second one is a document, and of three pictures one is a PNG.

    - form: `real`, as cameras and programs save them, or `tiny`, of which each is drawn in no time.
    """
    chance = random.Random(number)
    if number % 2:
        if form == "tiny":
            return f"{number:05}.pdf", document(chance, 1, 1, 0, None)
        picture = photo(chance, (400, 300), 70) if chance.random() < 0.3 else None
        return f"{number:05}.pdf", document(chance, chance.randint(1, 4), 34, chance.randint(4, 12), picture)
    size = (48, 36) if form == "tiny" else chance.choice(SIDES)
    if number % 6 == 0:
        return f"{number:05}.png", screenshot(chance, size)
    return f"{number:05}.jpg", photo(chance, size, 80 if form == "tiny" else 60)


def write(work: tuple[Path, int, str]) -> int:
    folder, number, form = work
    name, content = paper(number, form)
    place = folder / f"{number // 100:03}"
    place.mkdir(exist_ok=True)
    (place / name).write_bytes(content)
    return len(content)


def make(folder: Path, count: int, form: str) -> int:
    """Fills a folder with so many files, a hundred in each of its folders.

    - returns: their bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool() as pool:
        return sum(pool.imap_unordered(write, ((folder, number, form) for number in range(count)), 50))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--form", choices=FORMS, default="real")
    arguments = parser.parse_args()
    print(make(arguments.folder, arguments.files, arguments.form), "bytes")
