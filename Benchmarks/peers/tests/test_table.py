import unittest

from table import number, table, whole


class TableTests(unittest.TestCase):
    rows = [["Vitrine", "9.60"], ["naive", "151"]]

    def test_numbers_stand_below_each_other(self):
        text = table(["", "CPU s"], self.rows, markdown=False)
        self.assertEqual(text, "         CPU s\nVitrine   9.60\nnaive      151")

    def test_markdown_says_which_columns_are_numbers(self):
        lines = table(["", "CPU s"], self.rows, markdown=True).splitlines()
        self.assertEqual(lines[0], "|         | CPU s |")
        self.assertEqual(lines[1], "| ------- | ----: |")
        self.assertEqual(lines[3], "| naive   |   151 |")

    def test_three_digits_count(self):
        self.assertEqual([number(value) for value in (0.044, 9.6, 42.26, 151.4, 1234)],
                         ["0.04", "9.60", "42.3", "151", "1234"])  # fmt: skip
        self.assertEqual(number(float("nan")), "–")
        self.assertEqual([whole(3.0), whole(2.5)], ["3", "2.5"])
