package io.github.liquidscheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** What runs on a cluster where each decision is carried out as it is handed out. */
final class Processes {

  private final Map<JobId, Set<TaskPlacement>> there = new LinkedHashMap<>();
  private final Map<JobId, Instant> stopping = new HashMap<>();
  private final Map<JobId, Decision.Resize> resizes = new HashMap<>();
  private final Map<JobId, Set<TaskPlacement>> beforeResize = new HashMap<>();

  /** Returns true if a report is about a change of size that the job was told of. */
  boolean knows(ClusterEvent event) {
    return !(event instanceof ClusterEvent.ResizeReported report)
        || (resizes.containsKey(report.job())
            && Objects.requireNonNull(resizes.get(report.job())).number() == report.number());
  }

  /** Takes note of an event. */
  void note(ClusterEvent event) {
    for (JobId job : List.copyOf(stopping.keySet())) {
      if (!Objects.requireNonNull(stopping.get(job)).isAfter(event.at())) {
        end(job);
      }
    }
    switch (event) {
      case ClusterEvent.JobFinished e -> end(e.job());
      case ClusterEvent.JobFailed e -> end(e.job());
      case ClusterEvent.JobCancelled e -> end(e.job());
      case ClusterEvent.JobStopped e -> end(e.job());
      case ClusterEvent.ResizeReported e -> note(e);
      case ClusterEvent.NodeLost e -> lose(task -> task.node().equals(e.node()));
      case ClusterEvent.GpuLost e -> lose(task -> task.gpuIds().anyMatch(e.gpu()::equals));
      default -> {}
    }
  }

  private void note(ClusterEvent.ResizeReported report) {
    Decision.Resize resize = Objects.requireNonNull(resizes.get(report.job()));
    if (report.step() == ResizeStep.SWITCHED) {
      there.put(report.job(), new HashSet<>(resize.placement().tasks()));
      resizes.remove(report.job());
    } else if (report.step() != ResizeStep.READY) {
      Set<TaskPlacement> before = Objects.requireNonNull(beforeResize.get(report.job()));
      if (resize.placement().tasks().size() > before.size()) {
        there.put(report.job(), before);
        resizes.remove(report.job());
      }
    }
  }

  private void lose(Predicate<TaskPlacement> isLost) {
    there.values().forEach(tasks -> tasks.removeIf(isLost));
    there.keySet().stream()
        .filter(job -> stopping.containsKey(job) && tasks(job).isEmpty())
        .toList()
        .forEach(this::end);
  }

  private void end(JobId job) {
    there.remove(job);
    stopping.remove(job);
    resizes.remove(job);
  }

  /** Carries out a decision and checks that no GPU has more on it than it has. */
  void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> {
        assertThat(there).as("starts twice").doesNotContainKey(start.job());
        put(start.placement());
      }
      case Decision.Migrate move -> {
        assertThat(there).as("%s moves", move).containsKey(move.job());
        assertThat(tasks(move.job()))
            .as("moves")
            .isNotEqualTo(Set.copyOf(move.placement().tasks()));
        put(move.placement());
      }
      case Decision.Resize resize -> {
        assertThat(there).as("%s", resize).containsKey(resize.job());
        beforeResize.put(resize.job(), tasks(resize.job()));
        resizes.put(resize.job(), resize);
        Set<TaskPlacement> both = tasks(resize.job());
        both.addAll(resize.placement().tasks());
        there.put(resize.job(), both);
      }
      case Decision.Preempt preempt -> {
        assertThat(there).as("%s", preempt).containsKey(preempt.job());
        preempt
            .until()
            .ifPresentOrElse(until -> stopping.put(preempt.job(), until), () -> end(preempt.job()));
        resizes.remove(preempt.job());
      }
      case Decision.Reject reject -> end(reject.job());
      default -> {}
    }
    requireEachGpuForOne();
  }

  private void put(Placement placement) {
    there.put(placement.job(), new HashSet<>(placement.tasks()));
    resizes.remove(placement.job());
  }

  private Set<TaskPlacement> tasks(JobId job) {
    return new HashSet<>(Objects.requireNonNull(there.get(job)));
  }

  private void requireEachGpuForOne() {
    Map<GpuId, JobId> users = new HashMap<>();
    there.forEach(
        (job, tasks) ->
            tasks.stream()
                .flatMap(TaskPlacement::gpuIds)
                .distinct()
                .forEach(gpu -> assertThat(users.put(gpu, job)).as("%s on %s", job, gpu).isNull()));
  }

  /** Checks that the scheduler says what is there. */
  void requireAsSaid(Scheduler scheduler) {
    List<JobId> said = new ArrayList<>();
    for (JobId job : scheduler.view().runningJobs()) {
      JobStatus status = scheduler.status(job).orElseThrow();
      if (!(status instanceof JobStatus.Starting)) {
        said.add(job);
      }
      if (status instanceof JobStatus.Running at) {
        assertThat(there.get(job))
            .as("%s", job)
            .containsExactlyInAnyOrderElementsOf(at.placement().tasks());
      }
    }
    scheduler.waiting().stream()
        .filter(job -> scheduler.status(job).orElseThrow() instanceof JobStatus.Stopping)
        .forEach(said::add);
    assertThat(there.keySet()).containsExactlyInAnyOrderElementsOf(said);
  }
}
