package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs that Slurm shows no more: as they were last observed, and as its accounting has them. */
final class GoneJobs {

  private static final int MOST_GONE = 10_000;

  private Map<JobId, ObservedJob> shown = new HashMap<>();
  private final Map<JobId, ObservedJob> gone = new HashMap<>();
  private final Deque<JobId> order = new ArrayDeque<>();

  void see(List<ObservedJob> jobs) {
    Map<JobId, ObservedJob> now = new HashMap<>();
    for (ObservedJob job : jobs) {
      now.put(job.id(), job);
      gone.remove(job.id());
    }
    for (ObservedJob before : shown.values()) {
      if (!now.containsKey(before.id()) && gone.put(before.id(), before) == null) {
        order.add(before.id());
      }
    }
    while (order.size() > MOST_GONE) {
      gone.remove(order.remove());
    }
    shown = now;
  }

  private Optional<ObservedJob> lastSeen(JobId job) {
    return Optional.ofNullable(shown.getOrDefault(job, gone.get(job)));
  }

  /**
   * Returns a job that ended as the accounting knows it; empty if there is no accounting, or none
   * of the job.
   */
  Optional<ObservedJob> accounted(CommandRunner runner, JobId job) throws IOException {
    List<String> command =
        List.of("sacct", "-X", "-n", "-P", "-j", job.value(), "-o", "JobID,State");
    CommandRunner.Answer answer = runner.run(command).answered("sacct");
    if (!answer.isDone()) {
      if (answer.said().contains("storage is disabled")) {
        return Optional.empty();
      }
      throw new IOException("sacct failed: " + answer.said());
    }
    for (String line : answer.output().lines().toList()) {
      String[] values = line.split("\\|", -1);
      if (values.length == 2 && values[0].equals(job.value())) {
        return Optional.of(ended(job, lastSeen(job), values[1].replaceFirst("[ +].*", "")));
      }
    }
    return Optional.empty();
  }

  private static ObservedJob ended(JobId job, Optional<ObservedJob> before, String state)
      throws IOException {
    return new ObservedJob(
        job,
        before.flatMap(ObservedJob::submitted),
        before.map(ObservedJob::attempt).orElse(0),
        new ObservedState.Ended(JobState.outcome(state)),
        List.of(),
        before
            .map(ObservedJob::request)
            .orElseGet(
                () ->
                    new ObservedRequest.Understood(
                        JobSpec.builder(job).gpus(1).build(), List.of())),
        before.map(ObservedJob::isOwned).orElse(false));
  }
}
