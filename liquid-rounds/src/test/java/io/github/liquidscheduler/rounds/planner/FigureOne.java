package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Map;

/** The example of Hare's figure 1: three jobs on three GPUs of models of their own. */
public final class FigureOne {

  /** The GPUs. */
  public static final List<GpuModel> GPUS =
      List.of(GpuModel.of("GPU1"), GpuModel.of("GPU2"), GpuModel.of("GPU3"));

  private FigureOne() {}

  /**
   * Returns the three jobs. The figure does not tell the rounds of the first, of two tasks, and of
   * the second, of three.
   */
  public static RoundProblem problem(int roundsOfFirst, int roundsOfSecond) {
    return new RoundProblem(
        List.of(
            job("J1", roundsOfFirst, 2 / roundsOfFirst, 1.5, 2, 1),
            job("J2", roundsOfSecond, 3 / roundsOfSecond, 1, 2, 1),
            job("J3", 2, 2, 2, 1.5, 0.5)),
        GPUS);
  }

  /** Returns a job on the three GPUs. */
  public static RoundJob job(
      String id, int rounds, int scale, double first, double second, double third) {
    Map<GpuModel, TaskTime> times =
        Map.of(
            GPUS.get(0), new TaskTime(first, 0),
            GPUS.get(1), new TaskTime(second, 0),
            GPUS.get(2), new TaskTime(third, 0));
    return new RoundJob(JobId.of(id), 0, 1, rounds, scale, times);
  }
}
