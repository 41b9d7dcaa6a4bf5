package io.github.liquidscheduler.simulator.elastic;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.simulator.failure.Slowdown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slow workers of running jobs. A job works at the speed of its slowest worker. With
 * replacement, a straggler is found by the rule of the elastic layer: over 1.2 times the median in
 * eight mini-batches, and none found in its job in the ten minutes before. A new worker is then
 * prepared while all train, and takes its place in a switch; if the job's size is changing, in that
 * switch. Times are nanoseconds since the start of the trace. Mutable.
 */
public final class SlowWorkers {

  /** The time of an event that never happens. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final double SLOW = 1.2;
  private static final int SLOW_BATCHES = 8;
  private static final long COOL_DOWN = Duration.ofMinutes(10).toNanos();
  private static final double NANOS = 1e9;

  private final @Nullable Stragglers conditions;
  private final Iterator<Slowdown> slowdowns;
  private final ResizeTimes times;
  private final ListMultimap<JobId, Slow> slow = ArrayListMultimap.create();
  private final Map<JobId, Long> found = new HashMap<>();
  private long slowed;
  private long replaced;

  /**
   * A slow worker.
   *
   * @param until when it is as fast as before
   * @param next when a new worker is ready to take its place, or else the same
   * @param isReady whether that one waits for the switch of another change
   */
  private record Slow(GpuId gpu, long until, long next, boolean isReady) {}

  /** Makes an empty set, which stays empty if {@code conditions} is null. */
  public SlowWorkers(@Nullable Stragglers conditions, ResizeTimes times, ClusterTopology topology) {
    this.conditions = conditions;
    this.times = times;
    slowdowns =
        conditions == null
            ? Collections.emptyIterator()
            : conditions.slowdowns().slowdowns(topology);
  }

  /** Returns the next slowdown, or null if there is none. */
  public @Nullable Slowdown draw() {
    return slowdowns.hasNext() ? slowdowns.next() : null;
  }

  /** Returns true if a placement has a worker on a GPU. */
  public static boolean isOn(Placement placement, GpuId gpu) {
    return placement.tasks().stream().anyMatch(task -> isOn(task, gpu));
  }

  private static boolean isOn(TaskPlacement task, GpuId gpu) {
    return task.node().equals(gpu.node()) && task.gpus().contains(gpu.index());
  }

  /**
   * Lets a worker of a job be slow, which does {@code perSecond} mini-batches without stragglers;
   * one that is slow already is so for longer.
   */
  public void slowDown(Placement working, Slowdown slowdown, long now, double perSecond) {
    JobId job = working.job();
    List<Slow> others = slow.get(job);
    long until = slowdown.until().toNanos();
    others.removeIf(other -> other.gpu().equals(slowdown.gpu()));
    long ready =
        isFound(others.size() + 1, working.tasks().size())
            ? ready(job, now, until, perSecond)
            : NEVER;
    others.add(new Slow(slowdown.gpu(), until, Math.min(until, ready), false));
    slowed++;
  }

  /** Returns true if a number of slow workers of a job can be told from the others. */
  private boolean isFound(int slowOnes, int workers) {
    boolean isMedianFast = 2 * slowOnes <= workers;
    return conditions != null
        && conditions.areReplaced()
        && isMedianFast
        && conditions.speed() * SLOW < 1;
  }

  private long ready(JobId job, long now, long until, double perSecond) {
    long seen = now + Math.round(SLOW_BATCHES / (perSecond * speed()) * NANOS);
    long at = Math.max(seen, found.getOrDefault(job, -COOL_DOWN) + COOL_DOWN);
    if (at >= until) {
      return NEVER;
    }
    found.put(job, at);
    return at + times.preparing(true);
  }

  private double speed() {
    return conditions == null ? 1 : conditions.speed();
  }

  /** Returns the speed of a job relative to no stragglers. */
  public double retained(JobId job) {
    return conditions != null && slow.containsKey(job) ? speed() : 1;
  }

  /** Returns the time of a job's next change; {@link #NEVER} if none. */
  public long next(JobId job) {
    return slow.get(job).stream().mapToLong(Slow::next).min().orElse(NEVER);
  }

  /** Applies a job's changes due now, and returns the pause for replacing slow workers. */
  public long advance(JobId job, int gpus, long now, boolean isChanging) {
    List<Slow> after = new ArrayList<>();
    long pause = 0;
    for (Slow worker : slow.get(job)) {
      if (worker.next() > now) {
        after.add(worker);
      } else if (worker.next() < worker.until()) {
        if (isChanging) {
          after.add(new Slow(worker.gpu(), worker.until(), worker.until(), true));
        } else {
          replaced++;
          pause = times.pause(true, gpus);
        }
      }
    }
    slow.replaceValues(job, after);
    return pause;
  }

  /** Applies a job's new placement, in a switch that ready replacements join. */
  public void switched(Placement to) {
    List<Slow> stay = new ArrayList<>();
    for (Slow worker : slow.get(to.job())) {
      replaced += worker.isReady() ? 1 : 0;
      if (!worker.isReady() && isOn(to, worker.gpu())) {
        stay.add(worker);
      }
    }
    slow.replaceValues(to.job(), stay);
  }

  /** Lets a job have no workers any more. */
  public void leave(JobId job) {
    if (conditions != null) {
      slow.removeAll(job);
      found.remove(job);
    }
  }

  /** Returns the number of times that a worker became slow. */
  public long slowed() {
    return slowed;
  }

  /** Returns the number of replaced slow workers. */
  public long replaced() {
    return replaced;
  }
}
