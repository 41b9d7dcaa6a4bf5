package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.reconcile.ObservedState;
import io.github.liquidscheduler.slurm.JobLine.Column;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Turns the jobs of Slurm into those of an observation. */
record JobReader(SlurmConfig config, SlurmCluster cluster, Instant now) {

  List<ObservedJob> read(List<ListedJob> jobs, Throttles throttles) throws IOException {
    List<ObservedJob> observed = new ArrayList<>();
    for (ListedJob job : jobs) {
      observed.add(observed(job, throttles));
    }
    return observed;
  }

  private ObservedJob observed(ListedJob job, Throttles throttles) throws IOException {
    JobState states = new JobState(config.ownership(), now);
    boolean isOwned = isInside(config, job) && states.isOurs(job);
    ObservedState state = states.of(job);
    ObservedRequest request = request(job);
    if (isOwned && request instanceof ObservedRequest.Understood) {
      state = throttles.state(job, state);
    }
    return new ObservedJob(
        JobId.of(job.id()),
        job.line().time(Column.SUBMITTED),
        Math.toIntExact(job.line().number(Column.RESTARTS)),
        state,
        on(job, state),
        request,
        isOwned);
  }

  /** Returns whether a job is in the partitions of the scheduler. */
  static boolean isInside(SlurmConfig config, ListedJob job) {
    return Set.copyOf(config.partitions())
        .containsAll(List.of(job.text(Column.PARTITION).split(",", -1)));
  }

  private ObservedRequest request(ListedJob job) throws IOException {
    try {
      return RequestReader.read(config, cluster, job);
    } catch (IllegalArgumentException e) {
      return new ObservedRequest.Unsupported(String.valueOf(e.getMessage()));
    }
  }

  private static List<NodeId> on(ListedJob job, ObservedState state) throws IOException {
    if (!(state instanceof ObservedState.Running) && !(state instanceof ObservedState.Ending)) {
      return List.of();
    }
    Optional<JobAllocation> allocation = JobAllocation.of(job);
    return allocation.isPresent()
        ? allocation.get().nodes()
        : job.nodes().stream().map(NodeId::of).toList();
  }
}
