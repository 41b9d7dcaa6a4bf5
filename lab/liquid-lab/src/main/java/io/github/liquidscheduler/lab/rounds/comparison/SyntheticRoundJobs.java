package io.github.liquidscheduler.lab.rounds.comparison;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs of four kinds (vision, graphs, speech, language) with the speeds that figure 2 of Hare
 * (HPDC'22) shows of a K80, an M60, a T4 and a V100. A linear congruential generator draws them, so
 * that others can draw the same.
 */
final class SyntheticRoundJobs {

  static final GpuModel V100 = GpuModel.of("V100");
  static final GpuModel T4 = GpuModel.of("T4");
  static final GpuModel K80 = GpuModel.of("K80");
  static final GpuModel M60 = GpuModel.of("M60");

  private static final List<Map<GpuModel, Double>> SPEEDS =
      List.of(
          speeds(6.9, 2.2, 1.5),
          speeds(2.2, 1.95, 1.2),
          speeds(4.1, 1.7, 1.4),
          speeds(5.6, 1.85, 1.3));

  private static final int LANGUAGE = 3;
  private static final double SYNCHRONIZING = 0.1;

  private long state;

  private SyntheticRoundJobs(long seed) {
    state = seed;
  }

  private static Map<GpuModel, Double> speeds(double v100, double t4, double m60) {
    return Map.of(V100, v100, T4, t4, M60, m60, K80, 1.0);
  }

  /**
   * Returns so many jobs, of which each comes less than twice {@code gap} seconds after the last.
   */
  static List<RoundJob> draw(long seed, int jobs, int gap) {
    SyntheticRoundJobs random = new SyntheticRoundJobs(seed);
    List<RoundJob> drawn = new ArrayList<>();
    long time = 0;
    for (int job = 0; job < jobs; job++) {
      int kind = random.next(4);
      int base = 20 + random.next(100);
      int scale = List.of(1, 2, 4, 4).get(random.next(4));
      int rounds = (2 + random.next(10)) * (kind == LANGUAGE ? 2 : 1);
      time += gap > 0 ? random.next(2 * gap) : 0;
      Map<GpuModel, TaskTime> times = times(SPEEDS.get(kind), base);
      drawn.add(new RoundJob(JobId.of("j" + job), time, 1, rounds, scale, times));
    }
    return drawn;
  }

  private static Map<GpuModel, TaskTime> times(Map<GpuModel, Double> speeds, int base) {
    double synchronize = SYNCHRONIZING * base / requireNonNull(speeds.get(V100));
    Map<GpuModel, TaskTime> times = new HashMap<>();
    for (GpuModel model : List.of(V100, T4, K80, M60)) {
      times.put(model, new TaskTime(base / requireNonNull(speeds.get(model)), synchronize));
    }
    return times;
  }

  private int next(int bound) {
    state = (state * 1_103_515_245L + 12_345) % (1L << 31);
    return (int) ((state >> 8) % bound);
  }
}
