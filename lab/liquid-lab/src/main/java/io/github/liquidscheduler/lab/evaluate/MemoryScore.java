package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.training.statistics.Sample;
import java.util.List;
import java.util.Locale;

/**
 * The quality of the estimates of some tasks' device memory.
 *
 * @param count the tasks
 * @param error the median of the error over the truth
 * @param underRequested the part of the tasks that would have been granted too little
 * @param coverage the part of the truths within their 90 % interval
 * @param request the median of what was requested over the truth
 */
record MemoryScore(
    int count, double error, double underRequested, double coverage, double request) {
  private static final ResourceTarget MEMORY = ResourceTarget.GPU_MEMORY;

  static MemoryScore of(List<Outcome> outcomes) {
    TargetScore score = TargetScore.of(MEMORY, outcomes).orElseThrow();
    double request =
        Sample.of(outcomes.stream().mapToDouble(MemoryScore::requestedOverTruth)).median();
    return new MemoryScore(
        score.count(),
        score.medianRelativeError(),
        score.underestimated(),
        score.coverage(),
        request);
  }

  /** Returns the numbers in one line, as wide as {@link #header()}. */
  String line(String name) {
    return String.format(
        Locale.ROOT,
        "%-14s %6d %9.3f %9.3f %9.3f %9.2f",
        name,
        count,
        error,
        underRequested,
        coverage,
        request);
  }

  static String header() {
    return String.format(
        Locale.ROOT,
        "%-14s %6s %9s %9s %9s %9s",
        "source",
        "rows",
        "error",
        "under",
        "coverage",
        "request");
  }

  private static double requestedOverTruth(Outcome outcome) {
    double truth = outcome.sample().value(MEMORY).orElseThrow();
    return (double) outcome.estimate().gpuMemoryRequested().bytes() / truth;
  }
}
