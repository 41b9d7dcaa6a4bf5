package io.github.liquidscheduler.rounds.planner;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs of four kinds on a fleet of 8 V100s, 4 T4s, a K80 and 2 M60s, as Hare was measured on. */
public final class GeneratedRounds {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel T4 = GpuModel.of("T4");
  private static final GpuModel K80 = GpuModel.of("K80");
  private static final GpuModel M60 = GpuModel.of("M60");

  private static final List<Map<GpuModel, Double>> SPEEDS =
      List.of(
          Map.of(V100, 6.9, T4, 2.2, M60, 1.5, K80, 1.0),
          Map.of(V100, 2.2, T4, 1.95, M60, 1.2, K80, 1.0),
          Map.of(V100, 4.1, T4, 1.7, M60, 1.4, K80, 1.0),
          Map.of(V100, 5.6, T4, 1.85, M60, 1.3, K80, 1.0));

  private static final int LANGUAGE = 3;

  private long state;

  private GeneratedRounds(long seed) {
    state = seed;
  }

  /**
   * Returns so many jobs, of which each comes less than twice {@code gap} seconds after the last.
   */
  public static RoundProblem problem(long seed, int jobs, int gap) {
    GeneratedRounds random = new GeneratedRounds(seed);
    List<RoundJob> made = new ArrayList<>();
    long time = 0;
    for (int job = 0; job < jobs; job++) {
      int kind = random.next(4);
      int base = 20 + random.next(100);
      int scale = new int[] {1, 2, 4, 4}[random.next(4)];
      int rounds = (2 + random.next(10)) * (kind == LANGUAGE ? 2 : 1);
      time += gap > 0 ? random.next(2 * gap) : 0;
      made.add(
          new RoundJob(JobId.of("j" + job), time, 1, rounds, scale, times(SPEEDS.get(kind), base)));
    }
    List<GpuModel> fleet = new ArrayList<>(Collections.nCopies(8, V100));
    fleet.addAll(Collections.nCopies(4, T4));
    fleet.add(K80);
    fleet.addAll(Collections.nCopies(2, M60));
    return new RoundProblem(made, fleet);
  }

  private static Map<GpuModel, TaskTime> times(Map<GpuModel, Double> speeds, int base) {
    double synchronize = 0.1 * base / requireNonNull(speeds.get(V100));
    Map<GpuModel, TaskTime> times = new HashMap<>();
    speeds.forEach((model, speed) -> times.put(model, new TaskTime(base / speed, synchronize)));
    return times;
  }

  private int next(int bound) {
    state = (state * 1_103_515_245L + 12_345) % (1L << 31);
    return (int) ((state >> 8) % bound);
  }
}
