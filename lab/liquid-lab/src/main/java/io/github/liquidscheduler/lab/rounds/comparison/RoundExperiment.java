package io.github.liquidscheduler.lab.rounds.comparison;

import static io.github.liquidscheduler.lab.rounds.comparison.SyntheticRoundJobs.K80;
import static io.github.liquidscheduler.lab.rounds.comparison.SyntheticRoundJobs.M60;
import static io.github.liquidscheduler.lab.rounds.comparison.SyntheticRoundJobs.T4;
import static io.github.liquidscheduler.lab.rounds.comparison.SyntheticRoundJobs.V100;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Random jobs on a fleet.
 *
 * @param name what people call it
 * @param fleet its GPUs
 * @param jobs how many jobs come
 * @param gap half the longest time between two arrivals, in seconds; 0 if all come at the beginning
 */
public record RoundExperiment(String name, List<GpuModel> fleet, int jobs, int gap) {

  /** Seeds of neighbouring numbers would begin alike. */
  private static final long SEED_STEP = 7919;

  /** Copies the fleet. */
  public RoundExperiment {
    fleet = List.copyOf(fleet);
  }

  /**
   * Returns experiments on the 15 GPUs that Hare was measured on, and on 160 GPUs of which the
   * models have the same parts.
   */
  public static List<RoundExperiment> likeHare() {
    List<GpuModel> small = fleet(8, 4, 1, 2);
    List<GpuModel> large = fleet(85, 43, 11, 21);
    return List.of(
        new RoundExperiment("15 GPUs, 30 jobs at once", small, 30, 0),
        new RoundExperiment("15 GPUs, 40 jobs, 20 s apart", small, 40, 20),
        new RoundExperiment("15 GPUs, 60 jobs, 10 s apart", small, 60, 10),
        new RoundExperiment("160 GPUs, 300 jobs at once", large, 300, 0),
        new RoundExperiment("160 GPUs, 300 jobs, 1.5 s apart", large, 300, 2));
  }

  private static List<GpuModel> fleet(int v100, int t4, int k80, int m60) {
    List<GpuModel> fleet = new ArrayList<>(Collections.nCopies(v100, V100));
    fleet.addAll(Collections.nCopies(t4, T4));
    fleet.addAll(Collections.nCopies(k80, K80));
    fleet.addAll(Collections.nCopies(m60, M60));
    return fleet;
  }

  /** Returns the problem of a repetition, counted from 1. */
  public RoundProblem problem(int repetition) {
    return new RoundProblem(SyntheticRoundJobs.draw(SEED_STEP * repetition, jobs, gap), fleet);
  }
}
