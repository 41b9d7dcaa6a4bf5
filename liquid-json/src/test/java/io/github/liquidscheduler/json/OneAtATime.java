package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The smallest scheduler: runs one job of one GPU at a time, on the first GPU of the cluster. */
final class OneAtATime implements Scheduler {

  static final String POLICY = "fifo";

  private final Node node = Samples.CLUSTER.nodes().get(0);
  private final Deque<JobId> waiting = new ArrayDeque<>();
  private Optional<JobId> running = Optional.empty();

  @Override
  public List<Decision> on(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted submitted -> waiting.add(submitted.job());
      case ClusterEvent.JobFinished finished -> finish(finished.job());
      default -> {
        // Nothing else matters to it.
      }
    }
    if (running.isPresent() || waiting.isEmpty()) {
      return List.of();
    }
    running = Optional.of(waiting.remove());
    return List.of(start(running.get()));
  }

  private void finish(JobId job) {
    if (!running.equals(Optional.of(job))) {
      throw new IllegalArgumentException("job '" + job + "' does not run");
    }
    running = Optional.empty();
  }

  private Decision start(JobId job) {
    TaskPlacement task =
        new TaskPlacement(
            new TaskId("worker", 0), node.id(), List.of(0), ResourceRequest.ofGpus(1));
    return new Decision.Start(
        job, new Placement(job, List.of(task)), new Reason.Scheduled(POLICY, 0));
  }

  @Override
  public List<JobId> waiting() {
    return List.copyOf(waiting);
  }

  @Override
  public Optional<Instant> nextWakeUp() {
    return Optional.empty();
  }

  @Override
  public ClusterView view() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<JobStatus> status(JobId job) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Explanation explain(JobId job) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SchedulerSnapshot snapshot() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Scheduler copy() {
    throw new UnsupportedOperationException();
  }
}
