"""Tests of profile_pairs: python3 -m unittest discover -s tools -p '*_test.py'.

Those of MeasuringTest run it for real, on one core, where PyTorch is installed. They leave what was
measured in the file that the environment variable PROFILE_PAIRS_OUT names, if it is set.
"""

import collections
import contextlib
import csv
import importlib.util
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
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


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "pairs.csv"


class ProfilerTest(InAFolder):
    def profile(self, runner=fake, minutes=1):
        messages = []
        deadline = time.monotonic() + 60 * minutes
        profiler.Profiler("G", self.out, 1, deadline, runner, messages.append).run([A, B])
        return messages

    def test_the_warm_up_does_not_count(self):
        self.assertAlmostEqual(profiler.steady_rate(A, [(0, 9)] + at_rate(10, 9, 4)), 10)

    def test_waiting_counts_even_if_few_iterations_have_to(self):
        spans = at_rate(10, 0, 9) + [(0.9, 1.8)]
        self.assertAlmostEqual(profiler.steady_rate(A, spans), 8 / 1.6)

    def test_a_rate_from_too_few_iterations_is_refused(self):
        with self.assertRaisesRegex(profiler.Failed, "a-8-fp32 made too few iterations .4."):
            profiler.steady_rate(A, at_rate(10, count=4))

    def test_only_iterations_beside_the_other_count(self):
        self.assertEqual(
            profiler.overlap([(0, 1), (1, 2), (2, 3), (3, 4)], [(0.5, 2), (2, 3.5)]),
            [(1, 2), (2, 3)],
        )

    def test_each_pair_gives_both_directions(self):
        self.profile()
        found = {(r["family"], r["co_family"]): float(r["retained_speed"]) for r in rows(self.out)}
        self.assertEqual(found, {("a", "a"): 0.5, ("a", "b"): 0.5, ("b", "a"): 0.75, ("b", "b"): 0.75})

    def test_the_columns_are_documented_ones_and_unknown_fields_empty(self):
        self.profile()
        first = rows(self.out)[0]
        self.assertEqual(list(first), profiler.COLUMNS)
        self.assertEqual((first["utilization"], first["memory_bytes"]), ("0.5", ""))

    def test_slow_jobs_are_measured_for_longer(self):
        def slow(jobs, seconds):
            return [at_rate(2, count=int(2 * seconds)) for _ in jobs], {}

        messages = self.profile(slow)
        self.assertEqual(len(rows(self.out)), 4)
        self.assertEqual([m for m in messages if "left out" in m], [])

    def test_what_was_measured_is_not_measured_again(self):
        self.profile()
        before = self.out.read_text()
        self.assertIn("of which 0 are left to measure", self.profile()[0])
        self.assertEqual(self.out.read_text(), before)

    def test_a_line_that_was_cut_off_is_measured_again(self):
        self.profile()
        whole = self.out.read_text()
        self.out.write_text(whole[:-20])
        self.profile()
        self.assertEqual(sorted(self.out.read_text().splitlines()), sorted(whole.splitlines()))

    def test_a_pair_with_one_direction_cut_off_is_completed(self):
        self.profile()
        lines = self.out.read_text().splitlines(keepends=True)
        self.out.write_text("".join(lines[:2]))
        self.profile()
        self.assertEqual(sorted(self.out.read_text().splitlines(keepends=True)), sorted(lines))

    def test_another_file_is_not_touched(self):
        self.out.write_text("dear diary")
        with self.assertRaises(profiler.Refused):
            self.profile()
        self.assertEqual(self.out.read_text(), "dear diary")

    def test_it_stops_when_the_budget_is_used_up(self):
        self.assertIn("the budget is used up; start again to go on", self.profile(minutes=-1))

    def test_a_pair_that_does_not_fit_is_left_out(self):
        def cramped(jobs, seconds):
            if len(jobs) == 1:
                return fake(jobs, seconds)
            raise profiler.Failed("b-16-fp32: out of memory")

        messages = self.profile(cramped)
        self.assertIn(
            "left out beside each other: a-8-fp32 and b-16-fp32: b-16-fp32: out of memory", messages)
        self.assertEqual(rows(self.out), [])

    def test_a_job_that_does_not_run_is_tried_once(self):
        def broken(jobs, seconds):
            if A in jobs:
                raise profiler.Failed("a-8-fp32: no kernel image")
            return fake(jobs, seconds)

        self.assertEqual(self.profile(broken).count("left out: a-8-fp32: no kernel image"), 1)
        self.assertEqual([(r["family"], r["co_family"]) for r in rows(self.out)], [("b", "b")])

    def test_machines_that_took_turns_are_all_noted(self):
        path = self.folder / "pairs.machine.json"
        for machine in ({"gpu": "A"}, {"gpu": "A"}, {"gpu": "B"}):
            profiler.note_machine(path, machine)
        self.assertEqual(json.loads(path.read_text()), [{"gpu": "A"}, {"gpu": "B"}])


class ConfigurationsTest(unittest.TestCase):
    def named(self, *names):
        return [profiler.named(c) for c in profiler.chosen(names)]

    def test_the_beginning_of_a_name_stands_for_all_that_begin_so(self):
        self.assertEqual(self.named("mlp"), ["mlp-128-fp32", "mlp-2048-fp16"])
        self.assertEqual(self.named("mlp-128", "convnet-32-fp32"), ["convnet-32-fp32", "mlp-128-fp32"])

    def test_a_part_of_a_word_is_no_name(self):
        for name in ("ml", "mlp-12", "", "resnet"):
            with self.assertRaises(profiler.Refused):
                self.named(name)

    def test_without_a_gpu_the_smallest_of_each_family_in_fp32_are_measured(self):
        found = profiler.configurations_for(None, False, list().append)
        self.assertEqual(len(found), len({family for family, _, _ in profiler.CONFIGURATIONS}))
        self.assertEqual({precision for _, _, precision in found}, {"fp32"})

    def test_half_precision_needs_a_gpu(self):
        found = profiler.configurations_for(["mlp"], False, list().append)
        self.assertEqual(found, [("mlp", 128, "fp32")])
        with self.assertRaises(profiler.Refused):
            profiler.configurations_for(["mlp-2048"], False, list().append)


class NvmlTest(unittest.TestCase):
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


class MpsTest(InAFolder):
    def setUp(self):
        super().setUp()
        before = os.environ.get("CUDA_MPS_PIPE_DIRECTORY")
        self.addCleanup(lambda: os.environ.update({"CUDA_MPS_PIPE_DIRECTORY": before}) if before
                        else os.environ.pop("CUDA_MPS_PIPE_DIRECTORY"))
        os.environ["CUDA_MPS_PIPE_DIRECTORY"] = str(self.folder)

    def test_mps_runs_where_its_daemon_has_a_control_pipe(self):
        self.assertFalse(profiler.mps_runs())
        os.mkfifo(self.folder / "control")
        self.assertTrue(profiler.mps_runs())

    def test_under_mps_it_is_another_gpu(self):
        self.assertEqual(profiler.name_in_csv("A100", True), "A100 MPS")
        self.assertEqual(profiler.name_in_csv("A100", False), "A100")


class CommandLineTest(InAFolder):
    def refusal(self, *arguments):
        """What is said on the error stream; nothing may be said elsewhere, and nothing written."""
        errors, output = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(output):
            self.assertEqual(profiler.main(arguments), 2)
        self.assertEqual((output.getvalue(), list(self.folder.iterdir())), ("", []))
        self.assertEqual(errors.getvalue().count("\n"), 1)
        return errors.getvalue()

    def test_bad_arguments_are_refused_in_one_line(self):
        for seconds in ("0", "nan", "soon"):
            self.assertIn("must be a positive number, but was '%s'" % seconds,
                          self.refusal("--out", str(self.out), "--seconds", seconds))
        self.assertIn("unrecognized arguments: --gpus", self.refusal("--gpus"))

    def test_a_folder_that_is_not_there_is_refused(self):
        out = self.folder / "results" / "pairs.csv"
        self.assertIn(str(out), self.refusal("--out", str(out)))
        self.assertIn("directory", self.refusal("--out", str(self.folder)))


@unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch for " + sys.executable)
class MeasuringTest(InAFolder):
    # Batches so small that even a slow core makes many iterations in a second.
    SMALL = [("embedding", 1, "fp32"), ("mlp", 1, "fp32")]

    def setUp(self):
        super().setUp()
        self.out = pathlib.Path(os.environ.get("PROFILE_PAIRS_OUT", self.out))

    def start(self):
        program = ("import profile_pairs, sys; profile_pairs.CONFIGURATIONS = %r;"
                   " sys.exit(profile_pairs.main(sys.argv[1:]))" % self.SMALL)
        process = subprocess.Popen(
            [sys.executable, "-c", program, "--out", str(self.out), "--only", "embedding,mlp", "--seconds", "1.5"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=pathlib.Path(profiler.__file__).parent, env=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def stop_after(self, pairs, how):
        """Stops a run once so many pairs are measured."""
        process = self.start()
        for line in process.stdout:
            if line.startswith("%d/3 " % pairs):
                process.send_signal(how)
        return process.wait(), process.stderr.read()

    def test_a_run_that_was_stopped_twice_goes_on_to_the_end(self):
        self.assertEqual(
            self.stop_after(1, signal.SIGTERM), (130, "stopped; start again to go on\n"))
        first = self.out.read_text()
        self.assertEqual(self.stop_after(2, signal.SIGKILL), (-signal.SIGKILL, ""))
        last = self.start()
        output, errors = last.communicate(timeout=120)
        self.assertEqual((last.returncode, errors), (0, ""))
        self.assertIn("of which 1 are left to measure", output)
        self.assertTrue(self.out.read_text().startswith(first))
        self.assert_complete()

    def assert_complete(self):
        found = rows(self.out)
        pairs = collections.Counter((r["family"], r["co_family"]) for r in found)
        both = ("embedding", "mlp")
        self.assertEqual(pairs, collections.Counter((one, other) for one in both for other in both))
        for each in found:
            self.assertEqual((each["gpu"], each["precision"], each["utilization"]), ("CPU", "fp32", ""))
            self.assertGreater(float(each["isolated_rate"]), 0)
            self.assertTrue(0 < float(each["retained_speed"]) <= 1.05, each)
        machines = json.loads(self.out.with_suffix(".machine.json").read_text())
        self.assertEqual([m["sharing"] for m in machines], ["time slicing"])

    def test_a_job_that_fails_says_why_in_one_line(self):
        with self.assertRaises(profiler.Failed) as failed:
            profiler.run([("tree", 1, "fp32")], 1, profiler.Nvml(None))
        self.assertEqual(str(failed.exception), "tree-1-fp32: ValueError: unknown family tree")


if __name__ == "__main__":
    unittest.main()
