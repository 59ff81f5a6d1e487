import tempfile
import unittest
from pathlib import Path

from staging import choose, family_of, stage


class StagingTests(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name, "in")
        self.target = Path(kept.name, "out")
        self.folder.mkdir()

    def add(self, *names: str) -> None:
        for name in names:
            (self.folder / name).write_text(name)

    def test_same_stems_get_names_of_their_own(self):
        self.add("a b.doc", "a b.DOCX", "a b.pdf", "notes")
        originals = stage(choose(self.folder, ("pdf", "office")), self.target)
        stems = [Path(name).stem for name in originals]
        self.assertEqual(len(set(stems)), 3)
        self.assertEqual((self.target / "office/00003.doc").read_text(), "a b.doc")
        self.assertEqual(originals["office/00002.docx"], self.folder / "a b.DOCX")

    def test_a_seed_chooses_the_same_files_whatever_else_takes_part(self):
        self.add(*(f"{number}.pdf" for number in range(50)), *(f"{number}.jpg" for number in range(50)))
        alone = choose(self.folder, ("pdf",), 5, 1)
        both = choose(self.folder, ("image", "pdf"), 5, 1)
        other = choose(self.folder, ("pdf",), 5, 2)
        self.assertEqual(alone["pdf"], both["pdf"])
        self.assertEqual(len(both["image"]), 5)
        self.assertNotEqual(alone["pdf"], other["pdf"])

    def test_patterns_leave_out_names(self):
        self.add("poc-1.pdf", "report.pdf")
        self.assertEqual(choose(self.folder, ("pdf",), exclude=["poc-*"])["pdf"], [self.folder / "report.pdf"])
        self.assertEqual(choose(self.folder, ("pdf",), exclude=["*.pdf"]), {})

    def test_families_go_by_the_extension(self):
        self.assertEqual(family_of(Path("x.PPTX")), "office")
        self.assertIsNone(family_of(Path("x.txt")))
        self.assertIsNone(family_of(Path("pdf")))
