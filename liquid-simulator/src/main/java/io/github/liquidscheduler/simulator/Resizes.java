package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import io.github.liquidscheduler.simulator.SimulationResult.SizeCounts;
import io.github.liquidscheduler.simulator.SimulationResult.StragglerCounts;
import io.github.liquidscheduler.simulator.elastic.CurveSpeed;
import io.github.liquidscheduler.simulator.elastic.ResizeConditions;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.ledger.GpuOccupancy;
import io.github.liquidscheduler.simulator.ledger.UsageMeter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The changes of running jobs' sizes, as they take their time: a change waits until others have
 * left the GPUs that it needs, then new workers are prepared, then the job stands still, then it
 * works at its new size. A start waits for GPUs in the same way. Does nothing if sizes stay as they
 * are. Mutable.
 */
final class Resizes {

  private static final long NEVER = SimulatedJob.NEVER;

  /** The mini-batches that are discarded and measured at each size of a profile. */
  private static final int PROFILED_ITERATIONS = 25;

  private final Instant start;
  private final @Nullable ResizeConditions conditions;
  private final ClusterTopology topology;
  private final GpuOccupancy occupancy;
  private final SimulatedJobs jobs;
  private final UsageMeter meter;
  private final EventQueue queue;
  private final long checkpointInterval;
  private final Map<SimulatedJob, Change> changes = new HashMap<>();
  private final Map<SimulatedJob, Long> overheads = new HashMap<>();
  private final Map<SimulatedJob, Profile> profiles = new HashMap<>();
  // Where jobs work until others have left the GPUs to which they move.
  private final Map<SimulatedJob, Placement> moving = new LinkedHashMap<>();
  private final Set<SimulatedJob> blocked = new LinkedHashSet<>();
  private long resizes;
  private double held;
  private double active;

  /**
   * A change of size that is under way.
   *
   * @param decision what was decided
   * @param from where the job works until it switches
   * @param grows whether it gets new workers
   * @param stage how far it has come
   * @param until when this stage ends; never while it is blocked
   * @param pause for how long the job stands still before it switches
   */
  private record Change(
      Decision.Resize decision,
      Placement from,
      boolean grows,
      Stage stage,
      long until,
      long pause) {

    Change at(Stage next, long end, long standing) {
      return new Change(decision, from, grows, next, end, standing);
    }
  }

  private enum Stage {
    BLOCKED,
    PREPARING,
    SWITCHING
  }

  private record Profile(List<Integer> sizes, long until) {}

  Resizes(Simulation options, SimulatedJobs jobs, UsageMeter meter, EventQueue queue) {
    start = options.start;
    conditions = options.elastic;
    topology = options.scheduler.view().topology();
    occupancy = new GpuOccupancy();
    this.jobs = jobs;
    this.meter = meter;
    this.queue = queue;
    checkpointInterval = options.checkpointInterval.toNanos();
  }

  /** Returns the durations of size changes; all zero if there are none. */
  ResizeTimes times() {
    return conditions == null ? ResizeTimes.ZERO : conditions.times();
  }

  /** Returns where a running job works: at the old placement during a change or before a move. */
  Placement working(SimulatedJob job) {
    Change change = conditions == null ? null : changes.get(job);
    return change == null ? moving.getOrDefault(job, job.placed()) : change.from();
  }

  int workingGpus(SimulatedJob job) {
    return working(job).gpus();
  }

  /** Lets a booked job start; returns when it works, or never if that is not known yet. */
  long start(SimulatedJob job, Placement placement, boolean isFirst, long worksFrom) {
    if (conditions == null) {
      return worksFrom;
    }
    long resuming = isFirst ? 0 : conditions.times().resume(placement.gpus());
    long works = VirtualTime.after(worksFrom, resuming);
    if (occupancy.others(placement).isEmpty()) {
      occupancy.enter(placement);
      return works;
    }
    overheads.put(job, resuming);
    blocked.add(job);
    return NEVER;
  }

  /** Begins a change of a job that is booked already, instead of the one that is under way. */
  void change(SimulatedJob job, Decision.Resize decision, Placement before, long now) {
    Change old = changes.get(job);
    Placement from = old == null ? before : old.from();
    if (overheads.containsKey(job)) {
      // It does not work yet, so that nobody notices.
      changes.put(job, new Change(decision, from, false, Stage.SWITCHING, now, 0));
      queue.add(now, EventType.RESIZE, job);
      return;
    }
    boolean grows = isMore(from, decision.placement());
    changes.put(job, new Change(decision, from, grows, Stage.BLOCKED, NEVER, 0));
    blocked.add(job);
    prepareIfFree(job, now);
  }

  /** Returns true if others are on the GPUs to which a job is to move. */
  boolean isTaken(Placement placement) {
    return conditions != null && !occupancy.others(placement).isEmpty();
  }

  /** Lets a job booked at another placement work where it was until that is free. */
  void moveLater(SimulatedJob job, Placement from) {
    moving.putIfAbsent(job, from);
  }

  /** Returns a job that can move now, and the GPUs that it has left for that; empty if none. */
  Optional<Map.Entry<SimulatedJob, Placement>> nextToMove() {
    Optional<Map.Entry<SimulatedJob, Placement>> next =
        moving.entrySet().stream()
            .filter(move -> !isTaken(move.getKey().placed()))
            .findFirst()
            .map(move -> Map.entry(move.getKey(), move.getValue()));
    next.ifPresent(
        move -> {
          moving.remove(move.getKey());
          occupancy.leave(move.getKey().id());
        });
    return next;
  }

  /** Starts the jobs whose GPUs have been left, and returns those that now work. */
  List<SimulatedJob> beginWhoCan(long now) {
    List<SimulatedJob> begun = new ArrayList<>();
    for (SimulatedJob job : List.copyOf(blocked)) {
      if (!overheads.containsKey(job)) {
        prepareIfFree(job, now);
      } else if (occupancy.others(job.placed()).isEmpty()) {
        occupancy.enter(job.placed());
        blocked.remove(job);
        job.begin(VirtualTime.after(now, Objects.requireNonNull(overheads.remove(job))));
        begun.add(job);
      }
    }
    return begun;
  }

  /** Removes a job from all its GPUs, cancels its change, and returns the jobs that now work. */
  List<SimulatedJob> leave(SimulatedJob job, long now) {
    if (conditions == null) {
      return List.of();
    }
    moving.remove(job);
    changes.remove(job);
    overheads.remove(job);
    profiles.remove(job);
    blocked.remove(job);
    occupancy.leave(job.id());
    return beginWhoCan(now);
  }

  /** Returns true if a change of a job's size is under way. */
  boolean isChanging(SimulatedJob job) {
    return changes.containsKey(job);
  }

  boolean goesOnAt(SimulatedJob job, long time) {
    Change change = changes.get(job);
    return change != null && change.until() == time;
  }

  /** Ends a stage of a change and returns the job's report. */
  ClusterEvent goOn(SimulatedJob job, long now) {
    Change change = Objects.requireNonNull(changes.get(job));
    if (change.stage() == Stage.PREPARING) {
      int gpus = change.decision().placement().gpus();
      long pause = elastic().times().pause(change.grows(), gpus);
      long end = VirtualTime.after(now, pause);
      job.pause(now, end, checkpointInterval);
      expect(job, change.at(Stage.SWITCHING, end, pause));
      return report(change, now, ResizeStep.READY, Optional.empty());
    }
    changes.remove(job);
    switchOver(job, change, now);
    return report(change, now, ResizeStep.SWITCHED, Optional.of(Duration.ofNanos(change.pause())));
  }

  /** Lets a job measure how fast it is; it stands still meanwhile, as far as its work goes. */
  void profile(SimulatedJob job, List<Integer> sizes, long now) {
    double seconds = 0;
    for (int size : sizes) {
      seconds += PROFILED_ITERATIONS / speed(job, size);
    }
    long end = VirtualTime.after(now, Math.round(seconds * 1e9));
    end = VirtualTime.after(end, elastic().times().pause(sizes.size() > 1, workingGpus(job)));
    job.pause(now, end, checkpointInterval);
    profiles.put(job, new Profile(sizes, end));
    queue.add(end, EventType.PROFILE, job);
    queue.add(job.end(), EventType.END, job);
  }

  boolean isProfiledAt(SimulatedJob job, long time) {
    Profile profile = profiles.get(job);
    return profile != null && profile.until() == time;
  }

  /** Returns the report of a job that has profiled its speed. */
  ClusterEvent profiled(SimulatedJob job, long now) {
    List<SizeSpeed> speeds =
        Objects.requireNonNull(profiles.remove(job)).sizes().stream()
            .map(size -> new SizeSpeed(size, speed(job, size)))
            .toList();
    return new ClusterEvent.JobProfiled(VirtualTime.instant(start, now), job.id(), speeds);
  }

  /** Counts for how long a job that leaves held its GPUs and was active. */
  void count(SimulatedJob job) {
    held += VirtualTime.seconds(job.held());
    active += VirtualTime.seconds(job.work().active());
  }

  /** Returns the counts over all jobs that left their GPUs; to be called once. */
  SizeCounts counts(long starts, Optional<StragglerCounts> stragglers) {
    jobs.inSystem().forEach(this::count);
    return new SizeCounts(
        resizes,
        starts,
        OptionalDouble.of(Math.max(0, held - active)),
        held > 0 ? OptionalDouble.of(meter.heldTime() / held) : OptionalDouble.empty(),
        stragglers);
  }

  private void prepareIfFree(SimulatedJob job, long now) {
    Change change = Objects.requireNonNull(changes.get(job));
    Placement to = change.decision().placement();
    Set<JobId> others = occupancy.others(to);
    if (others.isEmpty()) {
      occupancy.enter(to);
      blocked.remove(job);
      long end = VirtualTime.after(now, elastic().times().preparing(change.grows()));
      expect(job, change.at(Stage.PREPARING, end, 0));
    } else if (!change.decision().after().containsAll(others)) {
      throw new IllegalStateException(
          "a change of size must name who has to leave before, but %s are there, for %s"
              .formatted(others, change.decision()));
    }
  }

  private void switchOver(SimulatedJob job, Change change, long now) {
    Placement to = change.decision().placement();
    double rate = elastic().speed().rate(job.job(), to, topology);
    meter.worked(change.from().gpus(), job.resize(rate, now, checkpointInterval));
    if (!overheads.containsKey(job)) {
      occupancy.keepOnly(to);
    }
    resizes++;
  }

  private void expect(SimulatedJob job, Change change) {
    changes.put(job, change);
    queue.add(change.until(), EventType.RESIZE, job);
  }

  private static boolean isMore(Placement from, Placement to) {
    Set<GpuId> before = from.gpuIds().collect(Collectors.toSet());
    return !to.gpuIds().allMatch(before::contains);
  }

  private double speed(SimulatedJob job, int size) {
    CurveSpeed truth = elastic().speed();
    return truth.iterationsPerSecond(job.job(), size) * truth.retainedOn(job.placed(), topology);
  }

  private ClusterEvent report(Change change, long now, ResizeStep step, Optional<Duration> paused) {
    Decision.Resize decision = change.decision();
    return new ClusterEvent.ResizeReported(
        VirtualTime.instant(start, now), decision.job(), decision.number(), step, paused);
  }

  private ResizeConditions elastic() {
    return Objects.requireNonNull(conditions, "a simulation of elastic jobs");
  }
}
