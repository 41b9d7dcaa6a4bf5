package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.UnmetConstraintSearch;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The constraints that a waiting job does not meet: of placement, of quotas, and of time. */
public final class UnmetConstraints {

  private UnmetConstraints() {}

  /**
   * Returns the constraints that keep a job from being placed, also if its placer does not report
   * them; empty if the job fits.
   */
  public static List<UnmetConstraint> of(Placer placer, ClusterState state, JobSpec job) {
    List<UnmetConstraint> said = placer.unmetConstraints(state, job);
    return said.isEmpty() ? UnmetConstraintSearch.explain(placer, state, job) : said;
  }

  /**
   * Returns what adopted jobs keep from others: nodes that are over-full, and the GPUs of those
   * that were not started here, most first.
   *
   * @param most the largest number of each that is named
   */
  static List<UnmetConstraint> ofAdopted(SchedulerState state, int most) {
    Stream<UnmetConstraint> nodes =
        state.failures().overfull().stream()
            .limit(most)
            .map(node -> overfull(state.cluster().topology().node(node), state.cluster().index()));
    Stream<UnmetConstraint> jobs =
        state.jobs().running().inOrder().stream()
            .filter(job -> job.history().sighting() == Sighting.FOREIGN && job.gpus() > 0)
            .sorted(Comparator.comparing(JobEntry::gpus).reversed())
            .limit(most)
            .map(
                job ->
                    unmet(
                        Constraint.NOT_STARTED_HERE,
                        "job '" + job.id() + "', which was not started here",
                        job.gpus()));
    return Stream.concat(nodes, jobs).toList();
  }

  private static UnmetConstraint overfull(Node node, CapacityIndex index) {
    int position = index.topology().position(node.id());
    List<String> held = new ArrayList<>();
    long twice =
        IntStream.range(0, node.gpus().size())
            .filter(gpu -> index.isOverfull(position, gpu))
            .count();
    if (twice > 0) {
      held.add(twice + " of " + Count.of(node.gpus().size(), "GPU") + " twice");
    }
    if (index.freeCpu(position) < 0) {
      long millicores = node.cpu().millicores() - index.freeCpu(position);
      held.add(CpuCores.ofMillicores(millicores) + " of " + node.cpu());
    }
    if (index.freeMemory(position) < 0) {
      long bytes = node.memory().bytes() - index.freeMemory(position);
      held.add(Memory.ofBytes(bytes) + " of " + node.memory());
    }
    String scope = "node '" + node.id() + "', of which is held: " + String.join(", ", held);
    return unmet(Constraint.OVER_FULL, scope, Math.max(1, twice));
  }

  private static UnmetConstraint unmet(Constraint constraint, String scope, long requested) {
    return new UnmetConstraint(constraint, scope, requested, 0, Optional.empty());
  }

  /** Returns the constraint for an exceeded quota. */
  public static UnmetConstraint of(QuotaExcess excess) {
    String scope =
        excess.isOfGuaranteed()
            ? "%s guaranteed to queue '%s', for jobs that may not be pre-empted"
            : "limit of %s of queue '%s'";
    int grain = excess.resource().kind() == QuotaResource.Kind.GPU ? 1000 : 1;
    return new UnmetConstraint(
        switch (excess.resource().kind()) {
          case GPU -> Constraint.QUEUE_GPUS;
          case CPU -> Constraint.QUEUE_CPU;
          case MEMORY -> Constraint.QUEUE_MEMORY;
        },
        scope.formatted(excess.resource(), excess.queue()),
        Math.ceilDiv(excess.asked(), grain),
        excess.available() / grain,
        Optional.empty());
  }

  /**
   * Returns what keeps a waiting job from being tried, other than its turn: that it is held, or has
   * a delay, with the seconds required and waited; else empty.
   */
  public static Optional<UnmetConstraint> backOff(JobEntry job, Instant now) {
    return job.history()
        .hold()
        .map(why -> why.isEmpty() ? "by its user" : why)
        .map(why -> unmet(Constraint.HELD, why, 1))
        .or(
            () ->
                Optional.ofNullable(job.delayedUntil())
                    .map(until -> delay(until, job.since(), now)));
  }

  private static UnmetConstraint delay(Instant until, Instant since, Instant now) {
    return new UnmetConstraint(
        Constraint.BACK_OFF,
        isForEver(until) ? "until it is updated" : "until " + until,
        isForEver(until)
            ? Long.MAX_VALUE
            : Duration.between(since, until).plusNanos(999_999_999).toSeconds(),
        Duration.between(since, now).toSeconds(),
        Optional.empty());
  }

  private static boolean isForEver(Instant until) {
    return until.isAfter(GpuTime.LATEST);
  }
}
