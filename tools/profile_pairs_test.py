"""Tests what of profile_pairs needs no PyTorch: python3 -m unittest discover -s tools -p '*_test.py'."""

import csv
import pathlib
import tempfile
import time
import unittest

import profile_pairs as profiler

A, B = ("a", 8, "fp32"), ("b", 16, "fp32")


def at_rate(rate, begin=0.0, count=50):
    return [(begin + i / rate, begin + (i + 1) / rate) for i in range(count)]


def fake(jobs, seconds):
    """Job a makes 10 iterations per second alone and 5 in company, b 20 and 15."""
    alone, shared = {"a": 10, "b": 20}, {"a": 5, "b": 15}
    rates = alone if len(jobs) == 1 else shared
    return [at_rate(rates[job[0]]) for job in jobs], {"utilization": 0.5}


class ProfilePairsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name, "pairs.csv")

    def profile(self, runner=fake, minutes=1):
        messages = []
        deadline = time.monotonic() + 60 * minutes
        profiler.Profiler("G", self.out, 1, deadline, runner, messages.append).run([A, B])
        return messages

    def rows(self):
        with self.out.open(newline="") as file:
            return list(csv.DictReader(file))

    def test_a_slow_first_iteration_does_not_count(self):
        self.assertAlmostEqual(profiler.steady_rate([9, 9, 0.1, 0.1, 0.3], 2), 10)

    def test_only_iterations_beside_the_other_count(self):
        self.assertEqual(
            profiler.overlap([(0, 1), (1, 2), (2, 3), (3, 4)], [(0.5, 2), (2, 3.5)]),
            [(1, 2), (2, 3)],
        )

    def test_each_pair_gives_both_directions(self):
        self.profile()
        found = {(r["family"], r["co_family"]): float(r["retained_speed"]) for r in self.rows()}
        self.assertEqual(found, {("a", "a"): 0.5, ("a", "b"): 0.5, ("b", "a"): 0.75, ("b", "b"): 0.75})

    def test_the_columns_are_documented_ones_and_unknown_fields_empty(self):
        self.profile()
        first = self.rows()[0]
        self.assertEqual(list(first), profiler.COLUMNS)
        self.assertEqual((first["utilization"], first["memory_bytes"]), ("0.5", ""))

    def test_what_was_measured_is_not_measured_again(self):
        self.profile()
        before = self.out.read_text()
        self.assertEqual(self.profile(), [])
        self.assertEqual(self.out.read_text(), before)

    def test_a_line_that_was_cut_off_is_measured_again(self):
        self.profile()
        whole = self.out.read_text()
        self.out.write_text(whole[:-20])
        self.profile()
        self.assertEqual(sorted(self.out.read_text().splitlines()), sorted(whole.splitlines()))

    def test_it_stops_when_the_budget_is_used_up(self):
        self.assertIn("the budget is used up; start again to go on", self.profile(minutes=-1))

    def test_a_pair_that_does_not_fit_is_left_out(self):
        def cramped(jobs, seconds):
            return fake(jobs, seconds) if len(jobs) == 1 else (None, [])

        self.profile(cramped)
        self.assertFalse(self.out.exists() and self.rows())

    def test_nvml_is_asked_for_the_gpu_that_cuda_shows_first(self):
        self.assertEqual(profiler.nvml_device("3f-2a", "5"), "GPU-3f-2a")
        self.assertEqual(profiler.nvml_device("GPU-3f-2a", None), "GPU-3f-2a")
        self.assertEqual(profiler.nvml_device("", None), 0)
        self.assertEqual(profiler.nvml_device("", "5,2"), 5)
        self.assertEqual(profiler.nvml_device("", "MIG-1b, 0"), "MIG-1b")
        for none in ("", "-1", "NoDevFiles"):
            self.assertIsNone(profiler.nvml_device("", none))

    def test_without_a_gpu_nvml_answers_nothing(self):
        self.assertIsNone(profiler.Nvml(None).sample())

    def test_figures_of_memory_are_above_those_of_an_idle_gpu(self):
        figures = profiler.mean_figures([(0.2, 0.1, 500), (0.4, 0.3, 700)], 100)
        self.assertAlmostEqual(figures["utilization"], 0.3)
        self.assertEqual(figures["memory_bytes"], 600)


if __name__ == "__main__":
    unittest.main()
