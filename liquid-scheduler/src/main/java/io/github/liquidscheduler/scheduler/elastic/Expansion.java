package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.GangResize;
import io.github.liquidscheduler.scheduler.deadline.SharePlan;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.resize.MeasuredPauses;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.PlacementCheck;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: EDL's expansion. GPUs that no waiting job could take go to running elastic jobs, one size
 *   step at a time to the job with the largest gain; a job then grows to the largest paying size
 *   that fits beside its tasks.
 * Invariants: a job grows only if the saved time exceeds the pause and no promise is delayed; jobs
 *   that found no capacity are skipped until capacity grows; sizes keep to the cool-down
 *   (ElasticityLaws).
 * Cost: O(elastic jobs) to find candidates, then one SizeSpread and O(log sizes) placements per
 *   growing job; a candidate without capacity costs one placement. Measured by ElasticBench.
 * Source: EDL (expansion).
 */
/**
 * Gives GPUs that no waiting job could take to running elastic jobs, one size step at a time to the
 * job that gains most; a job grows where capacity beside its tasks exists and the change pays
 * (EDL's expansion).
 */
public final class Expansion implements Stage {

  private final Elasticity rules;
  private final Placer placer;
  private final NetGains gains;

  /** Makes the stage; jobs grow only where {@code placer} allows it. */
  public Expansion(Elasticity rules, Placer placer) {
    this.rules = rules;
    this.placer = placer;
    gains = new NetGains(rules);
  }

  @Override
  public void run(Turn turn) {
    JobTable jobs = turn.jobs();
    learn(turn);
    if (turn.mayAdjust(Agenda.Rest.ALL)) {
      grow(turn, jobs);
    }
  }

  private void grow(Turn turn, JobTable jobs) {
    long nextGrowth = jobs.agenda().nextGrowth();
    Set<JobId> unplaceable = new LinkedHashSet<>(jobs.elastic().cannotGrow(nextGrowth));
    Promises promises = new Promises(jobs, rules);
    if (promises.allowGrowth()) {
      SizeSpread spread = new SizeSpread(rules.sizing(), candidates(jobs, unplaceable));
      for (Map<SizedJob, Integer> sizes = spread.next(jobs.cluster().freeGpus());
          !sizes.isEmpty();
          sizes = spread.next(jobs.cluster().freeGpus())) {
        sizes.forEach(
            (job, most) -> {
              if (!enlarge(turn, job, most, promises)) {
                unplaceable.add(job.entry().id());
              }
            });
      }
    }
    jobs.elastic().noteCannotGrow(unplaceable, nextGrowth);
  }

  /** The deadline promises; computed on first use. */
  private static final class Promises {

    private final JobTable jobs;
    private final Elasticity rules;
    private @Nullable SharePlan plan;

    Promises(JobTable jobs, Elasticity rules) {
      this.jobs = jobs;
      this.rules = rules;
    }

    boolean allowGrowth() {
      return rules.lateJobs().isEmpty() || !SharePlan.isPromiseDue(jobs);
    }

    boolean allowGrowthOf(JobEntry job) {
      if (rules.lateJobs().isEmpty()) {
        return true;
      }
      if (plan == null) {
        plan = new SharePlan(jobs, rules);
      }
      return plan.mayGrow(job);
    }
  }

  /** Learns the measured pauses of jobs that have switched sizes. */
  private void learn(Turn turn) {
    for (ClusterEvent each : turn.event().events()) {
      if (each instanceof ClusterEvent.ResizeReported event && event.paused().isPresent()) {
        learn(turn.jobs(), event.job(), event.paused().get());
      }
    }
  }

  private void learn(JobTable jobs, JobId id, Duration paused) {
    @Nullable JobEntry job = jobs.find(id);
    if (job != null && job.isRunning()) {
      Duration expected = rules.cost().pause(job.job(), job.size());
      jobs.elastic().learnPause(GpuTime.exactSeconds(paused), GpuTime.exactSeconds(expected));
    }
  }

  private List<SizedJob> candidates(JobTable jobs, Set<JobId> unplaceable) {
    List<SizedJob> candidates = new ArrayList<>();
    boolean isFree = jobs.cluster().freeGpus() > 0;
    for (JobEntry job : jobs.elastic().all()) {
      if ((isFree || SizedJob.needsNoGpus(job.job()))
          && job.size() < job.job().parallelism().max()
          && jobs.elastic().mayChange(job)
          && !unplaceable.contains(job.id())
          && mayHaveCapacity(jobs.cluster(), job)) {
        SizedJob sized = new SizedJob(job, jobs.now(), rules, jobs.cluster().topology());
        if (mayPay(sized, jobs.elastic().pauses())) {
          candidates.add(sized);
        }
      }
    }
    return candidates;
  }

  /** Returns false if too few GPUs of the job's model are free for its next size. */
  private static boolean mayHaveCapacity(ClusterState cluster, JobEntry job) {
    JobSpec spec = job.job();
    int size = job.size();
    int next = spec.parallelism().next(size).orElse(size);
    return spec.roles().size() > 1
        || GangResize.freeBeside(cluster, job.placement().orElseThrow())
            >= spec.sizedGpus(next) - spec.sizedGpus(size);
  }

  /** Returns true if the next larger size or the largest one pays. */
  private boolean mayPay(SizedJob job, MeasuredPauses pauses) {
    List<Integer> sizes = job.job().parallelism().allowedSizes();
    OptionalInt next = job.job().parallelism().next(job.tasks());
    return (next.isPresent() && gains.of(job, next.getAsInt(), pauses).isPresent())
        || gains.of(job, sizes.getLast(), pauses).isPresent();
  }

  /**
   * Grows a job to the largest paying size that fits, up to {@code most}, unless a promise forbids
   * it; returns true if a paying size fits. Smaller sizes fit whenever larger ones do, so the
   * smallest is tried first, then sizes by bisection.
   */
  private boolean enlarge(Turn turn, SizedJob job, int most, Promises promises) {
    MeasuredPauses pauses = turn.jobs().elastic().pauses();
    List<Integer> paying =
        job.job().parallelism().allowedSizes().stream()
            .filter(
                size ->
                    size > job.tasks() && size <= most && gains.of(job, size, pauses).isPresent())
            .toList();
    if (paying.isEmpty()) {
      return true;
    }
    @Nullable Growth found = largest(turn, job, paying);
    if (found != null && promises.allowGrowthOf(job.entry())) {
      turn.resize(job.entry(), found.to(), found.gain());
      lookAgain(turn.jobs());
    }
    return found != null;
  }

  /** In a tree a queue may take back what one of another queue has just grown to. */
  private static void lookAgain(JobTable jobs) {
    if (jobs.quotas().hasQueueTree() && !jobs.eligible().isEmpty()) {
      jobs.agenda().lookAgain();
    }
  }

  private @Nullable Growth largest(Turn turn, SizedJob job, List<Integer> sizes) {
    @Nullable Growth found = null;
    if (placement(turn, job.entry(), sizes.getFirst()).isEmpty()) {
      return found;
    }
    int fitting = -1;
    int tooLarge = sizes.size();
    for (int at = sizes.size() - 1; tooLarge - fitting > 1; at = (fitting + tooLarge) >>> 1) {
      @Nullable Growth larger = growth(turn, job, sizes.get(at));
      found = larger == null ? found : larger;
      fitting = larger == null ? fitting : at;
      tooLarge = larger == null ? at : tooLarge;
    }
    return found;
  }

  /** A job's larger placement and its gain. */
  private record Growth(Placement to, Reason gain) {}

  private @Nullable Growth growth(Turn turn, SizedJob job, int size) {
    MeasuredPauses pauses = turn.jobs().elastic().pauses();
    return placement(turn, job.entry(), size)
        .flatMap(
            to ->
                gains.of(job, size, job.acceleration(to), pauses).map(gain -> new Growth(to, gain)))
        .orElse(null);
  }

  private Optional<Placement> placement(Turn turn, JobEntry job, int size) {
    Placement has = job.placement().orElseThrow();
    return new GangResize(turn.cluster(), job.job(), has)
        .larger(size)
        .filter(to -> turn.jobs().quotas().admission().admitsChange(job, to))
        .filter(to -> new PlacementCheck(turn.cluster(), placer).mayMove(job.job(), to))
        .filter(to -> turn.delaysNobody(job, to));
  }
}
