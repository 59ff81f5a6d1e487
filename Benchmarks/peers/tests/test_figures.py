import unittest

from figures import Run, Scope, common_families
from measure import Usage


def run(cpu: float, **useful: int) -> Run:
    return Run(Usage(cpu, cpu, 0, 0, False), useful, useful)


class RatioTests(unittest.TestCase):
    def test_rounds_are_compared_within_themselves(self):
        # The second round was twice as slow for both, which says nothing about either.
        scope = Scope(("pdf",), 10, {
            "vitrine": [run(1, pdf=10), run(2, pdf=10), run(1, pdf=10)],
            "naive": [run(4, pdf=8), run(8, pdf=8), run(4, pdf=8)],
        })  # fmt: skip
        self.assertAlmostEqual(scope.ratio("naive", "vitrine"), 0.2)
        self.assertAlmostEqual(scope.ratio("vitrine", "naive"), 5)
        self.assertEqual(scope.ratio("vitrine", "vitrine"), 1)

    def test_a_reference_that_made_nothing_gives_no_number(self):
        scope = Scope(("pdf",), 10, {"vitrine": [run(1, pdf=10)], "naive": [run(1, pdf=0)]})
        ratio = scope.ratio("vitrine", "naive")
        self.assertNotEqual(ratio, ratio)
        self.assertEqual(scope.ratio("naive", "vitrine"), 0)


class CommonFamiliesTests(unittest.TestCase):
    def test_half_of_the_pictures_makes_a_family_common(self):
        scope = Scope(("pdf", "office", "audio"), 30, {
            "vitrine": [run(1, pdf=10, office=10, audio=0)],
            "tumblerd": [run(1, pdf=5, office=4, audio=0)],
        })  # fmt: skip
        self.assertEqual(common_families(scope, "tumblerd", "vitrine"), ("pdf",))
