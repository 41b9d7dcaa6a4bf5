package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduling.JobRecord;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.WindowRecord;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Refuses snapshots that no scheduler can have given. */
final class SnapshotCheck {

  private final SchedulerSnapshot snapshot;
  private final Set<JobId> jobs = new HashSet<>();
  private final Set<Long> sequences = new HashSet<>();
  private final Set<NodeId> lostNodes;
  private final Set<GpuId> lostGpus;

  SnapshotCheck(SchedulerSnapshot snapshot) {
    this.snapshot = snapshot;
    lostNodes = new HashSet<>(snapshot.lostNodes());
    lostGpus = new HashSet<>(snapshot.lostGpus());
  }

  /**
   * Checks the snapshot as far as that is possible without the cluster.
   *
   * @throws IllegalArgumentException if it is of another policy or mode, or contradicts itself
   */
  void require(String policy, boolean batch) {
    if (!snapshot.policy().equals(policy)) {
      throw new IllegalArgumentException(
          "a snapshot must be restored with its own policy, but it is of '%s' and this is '%s'"
              .formatted(snapshot.policy(), policy));
    }
    if (snapshot.window().isPresent() != batch) {
      throw new IllegalArgumentException(
          "a snapshot must be restored in its own mode, but it %s a batch window and this %s"
              .formatted(batch ? "has not" : "has", batch ? "has one" : "has not"));
    }
    snapshot.ended().keySet().forEach(this::requireOnce);
    snapshot.waiting().forEach(record -> requireRecord(record, false));
    snapshot.running().forEach(record -> requireRecord(record, true));
    snapshot.window().ifPresent(this::requireWaiting);
  }

  private void requireRecord(JobRecord record, boolean runs) {
    JobId job = record.job().id();
    requireOnce(job);
    require(
        record.placement().isPresent() == runs,
        "a running job must have a placement and a waiting one none",
        record.placement().map(Placement::toString).orElse("none"),
        job);
    require(
        record.sequence() >= 0
            && record.sequence() < snapshot.submissions()
            && sequences.add(record.sequence()),
        "a job's sequence must be its own, from 0 and below the "
            + snapshot.submissions()
            + " submissions",
        record.sequence(),
        job);
    require(
        !record.submittedAt().isAfter(record.since()) && !record.since().isAfter(snapshot.now()),
        "a job's last change must lie between its submission and " + snapshot.now(),
        record.since(),
        job);
    require(
        record.bypassed() >= 0,
        "a job must not have been bypassed by less than no job",
        record.bypassed(),
        job);
    requireTimes(record);
    record.placement().ifPresent(this::requireNothingLost);
  }

  private void requireWaiting(WindowRecord window) {
    Set<JobId> waiting = new HashSet<>();
    snapshot.waiting().forEach(record -> waiting.add(record.job().id()));
    Stream.of(window.entered(), window.requested(), window.immediate())
        .flatMap(List::stream)
        .forEach(
            job ->
                require(
                    waiting.contains(job), "the jobs of a window must wait", "not waiting", job));
  }

  private void requireTimes(JobRecord record) {
    List<Duration> times = List.of(record.executed(), record.attained(), record.forgiven());
    require(
        times.stream().noneMatch(Duration::isNegative)
            && times.stream().allMatch(time -> time.compareTo(GpuTime.MOST) <= 0)
            && record.forgiven().compareTo(record.attained()) <= 0,
        "a job's executed, attained and forgiven time must not be negative, nor more be forgiven"
            + " than attained",
        times,
        record.job().id());
  }

  private void requireNothingLost(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      boolean lost =
          lostNodes.contains(task.node())
              || task.gpus().stream()
                  .anyMatch(gpu -> lostGpus.contains(new GpuId(task.node(), gpu)));
      require(!lost, "no task may run on what is lost", task, placement.job());
    }
  }

  private void requireOnce(JobId job) {
    if (!jobs.add(job)) {
      throw new IllegalArgumentException(
          "a snapshot must name each job once, but named '" + job + "' twice");
    }
  }

  private static void require(boolean holds, String rule, Object value, JobId job) {
    if (!holds) {
      throw new IllegalArgumentException(
          "%s, but was %s, for job '%s'".formatted(rule, value, job));
    }
  }
}
