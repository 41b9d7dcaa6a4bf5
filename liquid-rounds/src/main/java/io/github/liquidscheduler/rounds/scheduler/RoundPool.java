package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The GPUs that jobs of rounds of one queue share, because each of their tasks fits on each.
 * Compared by identity.
 */
final class RoundPool {

  private final JobSpec first;
  private final RoundScheduler tasks;

  /** Makes the pool of a job and of those like it. */
  RoundPool(JobSpec first, RoundScheduler tasks) {
    this.first = first;
    this.tasks = tasks;
  }

  /** Returns what gives the tasks of all its jobs to its GPUs. */
  RoundScheduler tasks() {
    return tasks;
  }

  /** Returns true if the tasks of a job may run on all its GPUs, and those of others on its own. */
  boolean takes(JobSpec job) {
    return needs(job).equals(needs(first));
  }

  private static List<Object> needs(JobSpec job) {
    return List.of(
        job.queue(),
        job.roles().getFirst().request(),
        job.gpuModels(),
        job.nodeLabels(job.roles().getFirst()),
        job.excludedNodes(),
        job.datasets());
  }

  /** Returns what an event of the cluster takes from its GPUs, if it takes any. */
  Optional<RoundEvent> losses(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.NodeLost lost ->
          Optional.of(new RoundEvent.NodeLost(lost.at(), lost.node()));
      case ClusterEvent.GpuLost lost when tasks.gpus().contains(lost.gpu()) ->
          Optional.of(new RoundEvent.GpuLost(lost.at(), lost.gpu()));
      default -> Optional.empty();
    };
  }

  SnapshotSection save(List<PooledJob> jobs) {
    SchedulerSnapshot snapshot = tasks.snapshot();
    SnapshotSection.Builder sections = SnapshotSection.builder();
    snapshot.sections().forEach(sections::put);
    return SnapshotSection.builder()
        .put("first", first)
        .put("version", snapshot.version())
        .text("now", snapshot.now())
        .put("tasks", sections.build())
        .list("jobs", jobs, PooledJob::save)
        .build();
  }

  /** Returns the jobs of a pool that was saved. */
  static List<PooledJob> load(SnapshotSection.Reader in, RoundScheduler.Builder builder) {
    Map<String, SnapshotSection> sections = new LinkedHashMap<>();
    SnapshotSection saved = in.value("tasks", SnapshotSection.class);
    saved.values().forEach((name, section) -> sections.put(name, (SnapshotSection) section));
    Instant now = in.text("now", Instant::parse);
    RoundScheduler tasks =
        builder.restore(new SchedulerSnapshot(in.count("version"), now, sections));
    RoundPool pool = new RoundPool(in.value("first", JobSpec.class), tasks);
    return in.list(
        "jobs", SnapshotSection.class, job -> job.read(each -> PooledJob.load(each, pool)));
  }
}
