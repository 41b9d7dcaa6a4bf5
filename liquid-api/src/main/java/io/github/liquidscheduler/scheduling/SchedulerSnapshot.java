package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The whole state of a scheduler as a value. A scheduler restored from it, on the same topology and
 * with the same policy, decides from then on as the first one would have, as far as that depends on
 * the scheduler: placers and predictors of an embedder's own have to be made alike.
 *
 * @param policy the name of the policy
 * @param now the time of the last event; {@link Instant#MIN} if there was none
 * @param submissions how many jobs have been submitted so far
 * @param waiting the waiting jobs in the order in which the scheduler keeps them
 * @param running the running jobs in the order of their starts
 * @param ended the jobs that are over and still remembered, the oldest first
 * @param draining the nodes that take no new tasks
 * @param lostNodes the nodes that are gone
 * @param lostGpus the GPUs that are gone
 * @param window the batch window, or empty if the scheduler places each job as it comes
 * @param colocations what was learned from jobs that share GPUs, or empty if nobody watches them
 */
public record SchedulerSnapshot(
    String policy,
    Instant now,
    long submissions,
    List<JobRecord> waiting,
    List<JobRecord> running,
    Map<JobId, JobStatus.Outcome> ended,
    List<NodeId> draining,
    List<NodeId> lostNodes,
    List<GpuId> lostGpus,
    Optional<WindowRecord> window,
    Optional<ColocationRecord> colocations) {

  /** Copies the parts, keeping their order. */
  public SchedulerSnapshot {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(now, "now");
    waiting = List.copyOf(waiting);
    running = List.copyOf(running);
    ended = Collections.unmodifiableMap(new LinkedHashMap<>(ended));
    draining = List.copyOf(draining);
    lostNodes = List.copyOf(lostNodes);
    lostGpus = List.copyOf(lostGpus);
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(colocations, "colocations");
  }
}
