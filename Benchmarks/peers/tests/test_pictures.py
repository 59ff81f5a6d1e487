import struct
import tempfile
import unittest
import zlib
from pathlib import Path

from pictures import shows_something, useful


def pam(width: int, height: int, pixels: list[bytes], kind: str = "RGB") -> bytes:
    head = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {len(pixels[0])}\nMAXVAL 255\nTUPLTYPE {kind}\nENDHDR\n"
    return head.encode() + b"".join(pixels)


def png(width: int, height: int, grey: bytes) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + grey[row * width : (row + 1) * width] for row in range(height))
    return b"\x89PNG\r\n\x1a\n" + b"".join([
        chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        chunk(b"IDAT", zlib.compress(rows)),
        chunk(b"IEND", b""),
    ])  # fmt: skip


class ColourTests(unittest.TestCase):
    def test_one_colour_is_nothing_whichever_it_is(self):
        self.assertFalse(shows_something(pam(16, 2, [b"\xff\xff\xff"] * 32)))
        self.assertFalse(shows_something(pam(16, 2, [b"\xff\x00\x80"] * 32)))

    def test_noise_of_jpeg_is_no_second_colour_but_a_pale_line_is(self):
        plain = [b"\xff\xff\xff"] * 31
        self.assertFalse(shows_something(pam(16, 2, [*plain, b"\xfd\xff\xff"])))
        self.assertTrue(shows_something(pam(16, 2, [*plain, b"\xff\xf0\xff"])))

    def test_a_shape_may_lie_in_the_transparency_alone(self):
        black = [b"\0\0\0\xff"] * 31
        self.assertTrue(shows_something(pam(16, 2, [*black, b"\0\0\0\0"], "RGB_ALPHA")))
        unseen = [b"\0\0\0\0"] * 31
        self.assertFalse(shows_something(pam(16, 2, [*unseen, b"\xff\0\0\0"], "RGB_ALPHA")))

    def test_crumbs_and_halves_are_nothing(self):
        pixels = [b"\0\0\0"] * 15 + [b"\xff\xff\xff"] * 15
        self.assertFalse(shows_something(pam(15, 2, pixels)))
        self.assertTrue(shows_something(pam(2, 16, [*pixels, b"\0\0\0", b"\0\0\0"])))
        self.assertFalse(shows_something(pam(16, 2, pixels)))
        self.assertFalse(shows_something(b""))


class FileTests(unittest.TestCase):
    def test_files_are_judged_by_what_they_hold(self):
        with tempfile.TemporaryDirectory() as folder:
            content = {
                "drawn.png": png(20, 20, bytes(range(200)) * 2),
                "named-wrongly.jpeg": png(20, 20, bytes(range(200)) * 2),
                "plain.png": png(20, 20, b"\x80" * 400),
                "small.png": png(4, 4, bytes(range(16))),
                "broken.png": b"\x89PNG\r\n\x1a\nand no more",
                "empty.png": b"",
            }
            for name, data in content.items():
                Path(folder, name).write_bytes(data)
            seen = useful([Path(folder, name) for name in content], Path(folder))
            self.assertEqual({path.name for path in seen}, {"drawn.png", "named-wrongly.jpeg"})
