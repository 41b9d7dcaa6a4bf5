package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random problems that are small enough to find the best plan of. */
public final class SmallRounds {

  private static final int MOST_TASKS = 9;

  private SmallRounds() {}

  /**
   * Returns 1 to 4 jobs of up to 3 rounds of up to 3 tasks, up to 9 tasks in all, on 1 to 3 GPUs of
   * models of their own; weights are 1 to 3, arrivals 0 to 3 s, tasks compute for .5 to 4 s.
   */
  public static RoundProblem problem(long seed) {
    Random random = new Random(seed);
    List<GpuModel> gpus = new ArrayList<>();
    for (int gpu = 1 + random.nextInt(3); gpu > 0; gpu--) {
      gpus.add(GpuModel.of("GPU" + gpu));
    }
    List<RoundJob> jobs = new ArrayList<>();
    int left = MOST_TASKS;
    for (int job = 1 + random.nextInt(4); job > 0 && left > 0; job--) {
      int rounds = 1 + random.nextInt(Math.min(3, left));
      int scale = 1 + random.nextInt(Math.min(3, left / rounds));
      left -= rounds * scale;
      jobs.add(job(random, "j" + job, rounds, scale, gpus));
    }
    return new RoundProblem(jobs, gpus);
  }

  private static RoundJob job(
      Random random, String id, int rounds, int scale, List<GpuModel> gpus) {
    Map<GpuModel, TaskTime> times = new HashMap<>();
    for (GpuModel gpu : gpus) {
      double compute = (1 + random.nextInt(8)) / 2.0;
      times.put(gpu, new TaskTime(compute, compute * random.nextInt(4) / 10));
    }
    double arrival = random.nextInt(7) / 2.0;
    int weight = 1 + random.nextInt(3);
    return new RoundJob(JobId.of(id), arrival, weight, rounds, scale, times);
  }
}
