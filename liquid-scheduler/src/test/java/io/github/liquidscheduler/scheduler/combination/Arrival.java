package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TopologyConstraint;
import java.time.Duration;

/**
 * A job of a stage, before features give it their traits.
 *
 * @param at the second at which it is submitted
 * @param gpus the number of its tasks, of one GPU each
 * @param seconds its run time after each start, which the scheduler is told
 * @param onOneNode whether all its tasks must be on one node
 * @param stays whether it may not be pre-empted
 */
record Arrival(
    long at,
    String id,
    Role role,
    String queue,
    int gpus,
    long seconds,
    boolean onOneNode,
    boolean stays) {

  /** Returns a job that may span nodes; holders are of queue a, others of queue b. */
  static Arrival of(long at, String id, Role role, int gpus, long seconds) {
    boolean isEarly = role == Role.HOLDER || role == Role.HOST || role == Role.LONG;
    return new Arrival(at, id, role, isEarly ? "a" : "b", gpus, seconds, false, false);
  }

  /** Returns this job on one node. */
  Arrival together() {
    return new Arrival(at, id, role, queue, gpus, seconds, true, stays);
  }

  /** Returns this job in another queue. */
  Arrival in(String other) {
    return new Arrival(at, id, role, other, gpus, seconds, onOneNode, stays);
  }

  /** Returns this job, but that it may not be pre-empted. */
  Arrival staying() {
    return new Arrival(at, id, role, queue, gpus, seconds, onOneNode, true);
  }

  /** Returns a specification without traits. */
  JobSpec.Builder plain() {
    JobSpec.Builder job =
        JobSpec.builder(id)
            .queue(queue)
            .gpus(gpus)
            .preemptible(!stays)
            .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
    return onOneNode ? job.topology(TopologyConstraint.required("node")) : job;
  }
}
