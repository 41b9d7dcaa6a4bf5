package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tasks that have started until now, in seconds, by the position of their GPU in the order in
 * which they started there, which a new plan leaves as they are.
 */
public record StartedTasks(double now, List<List<RoundPlan.Run>> sequences) {

  /**
   * Copies the sequences.
   *
   * @throws IllegalArgumentException if a task starts at {@code now} or later
   */
  public StartedTasks {
    sequences = sequences.stream().map(List::copyOf).toList();
    for (List<RoundPlan.Run> sequence : sequences) {
      for (RoundPlan.Run run : sequence) {
        if (!(run.start() < now)) {
          throw new IllegalArgumentException(
              "a started task must have started before %s s, but one of job '%s' starts at %s s"
                  .formatted(now, run.job(), run.start()));
        }
      }
    }
  }

  /** Returns no started tasks, on this number of GPUs. */
  public static StartedTasks none(int gpus, double now) {
    List<List<RoundPlan.Run>> empty = new ArrayList<>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      empty.add(List.of());
    }
    return new StartedTasks(now, empty);
  }

  /** Returns what of a plan has started before {@code now}, if all went as planned. */
  public static StartedTasks of(RoundPlan plan, double now) {
    return new StartedTasks(
        now,
        plan.sequences().stream()
            .map(sequence -> sequence.stream().filter(run -> run.start() < now).toList())
            .toList());
  }

  /** Returns when a GPU is free: now, or when the last task that started there has computed. */
  double freeAt(int gpu) {
    List<RoundPlan.Run> sequence = sequences.get(gpu);
    return sequence.isEmpty() ? now : Math.max(now, sequence.getLast().end());
  }

  /** Returns the tasks of each job. */
  Map<JobId, List<RoundPlan.Run>> byJob() {
    Map<JobId, List<RoundPlan.Run>> byJob = new HashMap<>();
    for (List<RoundPlan.Run> sequence : sequences) {
      for (RoundPlan.Run run : sequence) {
        byJob.computeIfAbsent(run.job(), job -> new ArrayList<>()).add(run);
      }
    }
    return byJob;
  }
}
