package io.github.liquidscheduler.lab.reference.pollux.application;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Made-up applications: two epochs of 100 steps at batch size 10, 50 at 20. A step takes a second
 * for 10 samples, and synchronising a tenth of a second.
 */
public final class TestApplications {

  private static final GradientNoise NOISE = new GradientNoise(1, 1);

  private TestApplications() {}

  /**
   * Returns an application that was measured on 1 to 4 GPUs of a node, and on 5 and 8 GPUs of two.
   */
  public static MeasuredApplication elastic() {
    Map<String, NavigableMap<Integer, StepTime>> times = new HashMap<>();
    List.of("1", "2", "3", "4", "14", "44").forEach(layout -> times.put(layout, times()));
    Convergence convergence = new Convergence(Map.of(10, run(1, 100, 200), 20, run(1, 50, 100)));
    List<CountedTime> counted = StepTimes.counted(times, List.of());
    return new MeasuredApplication(
        "made-up", convergence, new StepTimes(times, counted, List.of()), 20, 2);
  }

  static ValidationRun run(double progress, double... iterations) {
    List<ValidationRun.EpochEnd> ends = new ArrayList<>();
    for (double steps : iterations) {
      ends.add(new ValidationRun.EpochEnd(100 * progress * (ends.size() + 1), steps, NOISE));
    }
    return new ValidationRun(ends);
  }

  private static NavigableMap<Integer, StepTime> times() {
    return new TreeMap<>(Map.of(2, new StepTime(0.3, 0.1), 20, new StepTime(2.1, 0.1)));
  }
}
