package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: to the scheduler of the cluster a job of rounds is an elastic job of one GPU or more, up to
 * as many as a round has tasks. All GPUs that the jobs of one pool are given so are one pool, on
 * which the tasks of all of them run. Every other feature applies to the elastic job as to any.
 * Invariants: a pool has no GPU that the scheduler of the cluster does not let one of its jobs hold
 * (PooledSchedulerLaws). What a pool has to do follows from the status of its jobs in the cluster,
 * so that only two things are remembered: the owner of each GPU, and the jobs a resize waits for.
 * Cost: O(jobs of rounds) for each event.
 * Rejected: one job of the cluster for a whole pool. Its priority and its sizes would have to change
 * with the jobs that come and go, but a running job cannot be updated; and the jobs of a pool would
 * have one place in the turn order. Pools of other tasks: a task must fit on every GPU of its pool.
 */

/**
 * A scheduler of a cluster that also takes jobs which train in {@linkplain
 * Synchronization.RelaxedRounds relaxed rounds}, beside all others: a decorator of any {@link
 * Scheduler}. Jobs of rounds are submitted, updated and cancelled as any job; what happens to their
 * tasks is reported by {@link #on(List)}. Jobs of one queue whose tasks request the same share a
 * pool of GPUs, which grows and shrinks with what the scheduler of the cluster gives each of them,
 * and closes with the last.
 *
 * <p>A job that is done gives its GPUs back when the tasks on them are; they take no others.
 *
 * <p>Deterministic, as {@link Scheduler} is, and not thread-safe.
 */
public final class PooledScheduler {

  /** A part of an answer. The parts are carried out in order. */
  public sealed interface Step {

    /** A decision about any job, to carry out, but for those that change a {@link Pool}. */
    record Cluster(Decision decision) implements Step {}

    /**
     * A decision by which the pool of a job of rounds gets GPUs, or has to give some back. There is
     * nothing to carry out, but others may start after that job.
     */
    record Pool(Decision decision) implements Step {}

    /** A decision about a task of a job of rounds, to carry out. */
    record Task(RoundDecision decision) implements Step {}

    /** What the scheduler of the cluster was told about the GPUs of a job of rounds. */
    record Report(ClusterEvent event) implements Step {}
  }

  private static final String SECTION = "rounds";

  private final Scheduler cluster;
  private final RoundScheduler.Builder tasks;
  private final Duration grace;
  private final TreeMap<JobId, PooledJob> jobs = new TreeMap<>();

  /** Jobs that are done, but were not running in the cluster when they were. */
  private final Set<JobId> finished = new TreeSet<>();

  private Instant now = Instant.MIN;
  private boolean isWhole = true;

  private PooledScheduler(Scheduler cluster, RoundScheduler.Builder tasks, Duration grace) {
    this.cluster = Objects.requireNonNull(cluster, "cluster");
    this.tasks = Objects.requireNonNull(tasks, "tasks");
    this.grace = grace;
    if (grace.isNegative()) {
      throw new IllegalArgumentException("a grace must not be negative, but was " + grace);
    }
  }

  /**
   * Returns a scheduler without jobs of rounds.
   *
   * @param cluster the scheduler of the cluster, used through this one alone from now on
   * @param tasks the policy and the speeds by which tasks go to the GPUs of each pool
   * @param grace how long tasks may go on where a pool has to get smaller; where it is pre-empted
   *     the scheduler of the cluster says how long
   * @throws IllegalArgumentException if the grace is negative
   */
  public static PooledScheduler around(
      Scheduler cluster, RoundScheduler.Builder tasks, Duration grace) {
    return new PooledScheduler(cluster, tasks, grace);
  }

  /**
   * Applies an event of the cluster, also the submission, update and cancellation of jobs of
   * rounds.
   *
   * @throws io.github.liquidscheduler.scheduling.StaleEventException as {@link Scheduler#on} does
   * @throws IllegalArgumentException as {@link Scheduler#on} does, or if it says of a job of rounds
   *     what only its tasks can tell; the state is unchanged
   * @throws IllegalStateException if a part has failed within an event before: the state is half
   *     changed then, and has to be restored from a snapshot
   */
  public List<Step> on(ClusterEvent event) {
    requireUsable(event.at());
    if (event instanceof ClusterEvent.Bundle) {
      throw new IllegalArgumentException(
          "events must come one by one beside jobs of rounds, but there was " + event);
    }
    if (event instanceof ClusterEvent.JobSubmitted e
        && e.spec().synchronization() instanceof Synchronization.RelaxedRounds) {
      return submit(new RoundEvent.JobSubmitted(e.at(), e.spec(), ComputeTimes.UNKNOWN));
    }
    @Nullable PooledJob job =
        event instanceof ClusterEvent.AboutJob about ? jobs.get(about.job()) : null;
    if (job != null && event instanceof ClusterEvent.JobCancelled) {
      return on(List.of(new RoundEvent.JobCancelled(event.at(), job.id())));
    }
    if (job != null && event instanceof ClusterEvent.JobUpdated update) {
      return update(update, job);
    }
    if (job != null
        && !(event instanceof ClusterEvent.JobSubmitted
            || event instanceof ClusterEvent.JobProgressed)) {
      throw new IllegalArgumentException(
          "of a job of rounds its tasks tell, by events of rounds, but there was " + event);
    }
    List<Step> steps = new ArrayList<>();
    tell(event, steps);
    return settled(steps);
  }

  /**
   * Applies what has happened at one instant to jobs of rounds and their tasks. A submission can
   * say how long tasks are expected to compute, and comes alone. GPUs come and go by {@link
   * #on(ClusterEvent)} alone.
   *
   * @throws io.github.liquidscheduler.scheduling.StaleEventException as {@link RoundScheduler#on}
   *     does
   * @throws IllegalArgumentException as {@link RoundScheduler#on} does; the state is unchanged
   * @throws IllegalStateException as {@link #on(ClusterEvent)} does
   */
  public List<Step> on(List<RoundEvent> events) {
    if (events.size() == 1 && events.getFirst() instanceof RoundEvent.JobSubmitted submission) {
      requireUsable(submission.at());
      return submit(submission);
    }
    Map<RoundPool, List<RoundEvent>> byPool = new LinkedHashMap<>();
    for (RoundEvent event : events) {
      requireUsable(event.at());
      poolsOf(event).forEach(p -> byPool.computeIfAbsent(p, k -> new ArrayList<>()).add(event));
    }
    byPool.forEach((pool, theirs) -> pool.tasks().require(theirs));
    isWhole = false;
    List<Step> steps = new ArrayList<>();
    byPool.forEach((pool, theirs) -> decide(pool, theirs, steps));
    for (RoundEvent event : events) {
      now = event.at();
      if (event instanceof RoundEvent.JobCancelled cancelled) {
        job(cancelled.job()).cancel();
      }
    }
    release(List.of(), steps);
    return settled(steps);
  }

  private List<RoundPool> poolsOf(RoundEvent event) {
    return switch (event) {
      case RoundEvent.JobCancelled cancelled -> List.of(job(cancelled.job()).pool());
      case RoundEvent.AboutRun about -> List.of(job(about.run().task().job()).pool());
      case RoundEvent.PlanProposed plan -> List.copyOf(pools());
      default ->
          throw new IllegalArgumentException(
              "GPUs and time are told by events of the cluster, and jobs submitted one by one, but"
                  + " there was "
                  + event);
    };
  }

  private PooledJob job(JobId id) {
    @Nullable PooledJob job = jobs.get(id);
    if (job == null) {
      throw RoundEventChecks.gone(id);
    }
    return job;
  }

  private void requireUsable(Instant at) {
    if (!isWhole) {
      throw new IllegalStateException(
          "a scheduler of which a part has failed within an event must be restored from a"
              + " snapshot");
    }
    if (at.isBefore(now)) {
      throw new IllegalArgumentException(
          "events must come in the order of their times, but %s came after %s".formatted(at, now));
    }
  }

  private List<Step> submit(RoundEvent.JobSubmitted event) {
    PooledJob job = new PooledJob(event.spec().id(), poolOf(event.spec()));
    job.pool().tasks().require(List.of(event));
    return begin(
        job,
        List.of(event),
        new ClusterEvent.JobSubmitted(event.at(), PooledJob.inCluster(event.spec())));
  }

  /** A job of which no task has run may change its rounds and its pool. */
  private List<Step> update(ClusterEvent.JobUpdated event, PooledJob job) {
    JobSpec spec = event.spec();
    RoundEventChecks.requireRounds(spec);
    ClusterEvent updated = new ClusterEvent.JobUpdated(event.at(), PooledJob.inCluster(spec));
    if (job.pool().takes(spec) && job.pool().tasks().hasRounds(spec)) {
      return begin(job, List.of(), updated);
    }
    job.requireUnbegun();
    PooledJob next = new PooledJob(spec.id(), poolOf(spec));
    RoundEvent again = new RoundEvent.JobSubmitted(event.at(), spec, ComputeTimes.UNKNOWN);
    return begin(next, List.of(again), updated);
  }

  private RoundPool poolOf(JobSpec job) {
    return pools().stream()
        .filter(pool -> pool.takes(job))
        .findFirst()
        .orElseGet(() -> new RoundPool(job, tasks.build()));
  }

  private List<Step> begin(PooledJob job, List<RoundEvent> events, ClusterEvent told) {
    List<Step> steps = new ArrayList<>();
    List<Decision> decisions = cluster.on(told);
    isWhole = false;
    @Nullable PooledJob before = jobs.put(job.id(), job);
    if (before != null && before != job) {
      decide(before.pool(), List.of(new RoundEvent.JobCancelled(told.at(), job.id())), steps);
    }
    decide(job.pool(), events, steps);
    take(told, decisions, steps);
    return settled(steps);
  }

  /** Tells the scheduler of the cluster what has happened, and does what it decides. */
  private void tell(ClusterEvent event, List<Step> steps) {
    List<Decision> decisions = cluster.on(event);
    isWhole = false;
    take(event, decisions, steps);
  }

  /** GPUs are given back before others begin there, and taken when others have left. */
  private void take(ClusterEvent event, List<Decision> decisions, List<Step> steps) {
    now = event.at();
    jobs.values().forEach(job -> job.note(event, decisions, cluster));
    release(List.of(event), steps);
    for (Decision decision : decisions) {
      boolean isOfPool =
          decision instanceof Decision.AboutJob about
              && jobs.containsKey(about.job())
              && !(decision instanceof Decision.Reject);
      steps.add(isOfPool ? new Step.Pool(decision) : new Step.Cluster(decision));
    }
    for (RoundPool pool : pools()) {
      List<RoundEvent> arrivals = new ArrayList<>();
      in(pool).forEach(job -> arrivals.addAll(job.arrivals(now, cluster)));
      decide(pool, arrivals, steps);
    }
    for (PooledJob job : List.copyOf(jobs.values())) {
      if (job.isRejected(cluster)) {
        decide(job.pool(), List.of(new RoundEvent.JobCancelled(now, job.id())), steps);
        jobs.remove(job.id());
      }
    }
  }

  /** Has all pools give back what they must not keep, and lose what is lost. */
  private void release(List<ClusterEvent> happened, List<Step> steps) {
    for (RoundPool pool : pools()) {
      List<RoundEvent> events = new ArrayList<>(List.of(new RoundEvent.TimePassed(now)));
      happened.forEach(event -> pool.losses(event).ifPresent(events::add));
      in(pool).forEach(job -> events.addAll(job.releases(now, grace, cluster)));
      decide(pool, events, steps);
    }
  }

  private void decide(RoundPool pool, List<RoundEvent> events, List<Step> steps) {
    if (events.isEmpty()) {
      return;
    }
    for (RoundDecision decision : pool.tasks().on(events)) {
      steps.add(new Step.Task(decision));
      if (decision instanceof RoundDecision.Complete complete) {
        job(complete.job()).complete();
      }
    }
    Set<GpuId> there = new LinkedHashSet<>(pool.tasks().gpus());
    in(pool).forEach(job -> job.gpus().retainAll(there));
  }

  /** Reports what has become of the cluster's decisions until there is nothing to report. */
  private List<Step> settled(List<Step> steps) {
    Optional<ClusterEvent> report = report();
    while (report.isPresent()) {
      steps.add(new Step.Report(report.get()));
      tell(report.get(), steps);
      report = report();
    }
    isWhole = true;
    return steps;
  }

  private Optional<ClusterEvent> report() {
    for (PooledJob job : List.copyOf(jobs.values())) {
      Optional<ClusterEvent> report = job.report(now, cluster);
      if (report.isPresent()) {
        if (job.isOver() && job.gpus().isEmpty()) {
          jobs.remove(job.id());
          remember(job, report.get());
        }
        return report;
      }
    }
    return Optional.empty();
  }

  private void remember(PooledJob job, ClusterEvent end) {
    finished.removeIf(other -> cluster.status(other).isEmpty());
    if (end instanceof ClusterEvent.JobCancelled && !job.isCancelled()) {
      finished.add(job.id());
    }
  }

  private Set<RoundPool> pools() {
    Set<RoundPool> pools = new LinkedHashSet<>();
    jobs.values().forEach(job -> pools.add(job.pool()));
    return pools;
  }

  private Stream<PooledJob> in(RoundPool pool) {
    return jobs.values().stream().filter(job -> job.pool() == pool);
  }

  /** Returns the cluster as {@link Scheduler#view} does. */
  public ClusterView view() {
    return cluster.view();
  }

  /** Returns the jobs that wait for GPUs, the next first; tasks of those of rounds may run. */
  public List<JobId> waiting() {
    return cluster.waiting();
  }

  /**
   * Returns the state of a job. Of a job of rounds it says which GPUs it holds for its pool; it
   * ends when the tasks on them are done.
   */
  public Optional<JobStatus> status(JobId job) {
    return finished.contains(job)
        ? Optional.of(new JobStatus.Ended(JobStatus.Outcome.FINISHED))
        : cluster.status(job);
  }

  /**
   * Returns why a job waits for GPUs. Those of the pool of a job of rounds may run its tasks
   * meanwhile.
   *
   * @throws IllegalArgumentException if the job does not wait
   */
  public Explanation explain(JobId job) {
    return cluster.explain(job);
  }

  /** Returns how far a job of rounds has come; empty if it is over, or not of rounds. */
  public Optional<RoundProgress> progress(JobId job) {
    return Optional.ofNullable(jobs.get(job)).flatMap(each -> each.pool().tasks().progress(job));
  }

  /** Returns the GPUs of the pool of a job of rounds, also those asked back; else none. */
  public List<GpuId> gpus(JobId job) {
    return Optional.ofNullable(jobs.get(job))
        .map(each -> each.pool().tasks().gpus())
        .orElse(List.of());
  }

  /** Returns when time alone may change decisions, as {@link Scheduler#nextWakeUp} does. */
  public Optional<Instant> nextWakeUp() {
    return Stream.concat(
            cluster.nextWakeUp().stream(),
            pools().stream().flatMap(pool -> pool.tasks().nextWakeUp().stream()))
        .filter(PooledJob.NEVER::isAfter)
        .min(Instant::compareTo);
  }

  /** Returns the whole state as a value, to restore a scheduler from. */
  public SchedulerSnapshot snapshot() {
    SchedulerSnapshot snapshot = cluster.snapshot();
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(snapshot.sections());
    sections.put(
        SECTION,
        SnapshotSection.builder()
            .text("now", now)
            .text("grace", grace)
            .list("pools", pools(), pool -> pool.save(in(pool).toList()))
            .texts("finished", finished)
            .build());
    return new SchedulerSnapshot(snapshot.version(), snapshot.now(), sections);
  }

  /**
   * Returns a scheduler that goes on where {@code snapshot} was taken.
   *
   * @param cluster restores the scheduler of the cluster
   * @param tasks the policy and the speeds of tasks, as they were
   * @param grace as it was
   * @throws IllegalArgumentException if it was taken under other parameters, or contradicts itself
   */
  public static PooledScheduler restore(
      Function<SchedulerSnapshot, ? extends Scheduler> cluster,
      RoundScheduler.Builder tasks,
      Duration grace,
      SchedulerSnapshot snapshot) {
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(snapshot.sections());
    sections.remove(SECTION);
    Scheduler inner =
        cluster.apply(new SchedulerSnapshot(snapshot.version(), snapshot.now(), sections));
    PooledScheduler restored = new PooledScheduler(inner, tasks, grace);
    snapshot.section(SECTION).readAll(restored::load);
    return restored;
  }

  /** Returns a scheduler of the same state that goes its own way from here. */
  public PooledScheduler copy() {
    return restore(inner -> cluster.copy(), tasks, grace, snapshot());
  }

  private void load(SnapshotSection.Reader in) {
    now = in.text("now", Instant::parse);
    Duration before = in.text("grace", Duration::parse);
    if (!before.equals(grace)) {
      throw new IllegalArgumentException(
          "a snapshot must be of the same grace, %s, but is of %s".formatted(grace, before));
    }
    for (SnapshotSection pool : in.list("pools", SnapshotSection.class, each -> each)) {
      pool.read(each -> RoundPool.load(each, tasks)).forEach(job -> jobs.put(job.id(), job));
    }
    finished.addAll(in.texts("finished", JobId::of));
  }
}
