package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.simulator.storage.EventClock;
import io.github.liquidscheduler.simulator.storage.JobLaunches;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The launches of jobs that read from a storage, and the transfers that are on their way in the
 * queue of a simulation. Does nothing if no storage is simulated. Mutable.
 */
final class SimulatedLaunches implements EventClock {

  /** The prefix of a scheduler's prefetching parameters. */
  private static final String PREFETCHES = "prefetching.";

  private final EventQueue queue;
  private final LongSupplier now;
  private final Instant start;
  private final @Nullable JobLaunches launches;
  // Neither is ever iterated.
  private final Map<SimulatedJob, JobLaunches.Launch> running = new HashMap<>();
  private final Map<Integer, Runnable> tasks = new HashMap<>();
  private int added;

  /** Makes launches without any; {@code told} hears of copies that are brought or go. */
  SimulatedLaunches(
      Simulation options, EventQueue queue, LongSupplier now, Consumer<ClusterEvent> told) {
    start = options.start;
    this.queue = queue;
    this.now = now;
    boolean isTold =
        options.scheduler.parameters().keySet().stream()
            .anyMatch(name -> name.startsWith(PREFETCHES));
    launches =
        options.storage == null
            ? null
            : new JobLaunches(
                options.scheduler.view().topology(),
                options.storage,
                this,
                isTold ? told : event -> {});
  }

  @Override
  public Instant instant() {
    return VirtualTime.instant(start, now.getAsLong());
  }

  @Override
  public Runnable schedule(Duration delay, Runnable task) {
    int index = added++;
    tasks.put(index, task);
    queue.add(VirtualTime.after(now.getAsLong(), delay.toNanos()), EventType.TRANSFER, index);
    return () -> tasks.remove(index);
  }

  /** Returns true if something that was to happen was called off. */
  boolean isCalledOff(int index) {
    return !tasks.containsKey(index);
  }

  /** Lets something happen that was not called off. */
  void take(int index) {
    Objects.requireNonNull(tasks.remove(index)).run();
  }

  /** Returns true if jobs read from a storage. */
  boolean areSimulated() {
    return launches != null;
  }

  /** Lets a job launch that is booked already; {@code trains} once it has all that it reads. */
  void begin(SimulatedJob job, Placement placement, long processes, Runnable trains) {
    JobLaunches.Launch launch =
        required().begin(job.spec(), placement, Duration.ofNanos(processes), trains);
    running.put(job, launch);
  }

  /** Lets a job leave its nodes. */
  void leave(SimulatedJob job) {
    JobLaunches.@Nullable Launch launch = running.remove(job);
    if (launch != null) {
      launch.leave();
    }
  }

  void bring(Decision.Prefetch prefetch) {
    if (launches != null) {
      launches.bring(prefetch);
    }
  }

  void cancel(Decision.CancelPrefetch cancel) {
    if (launches != null) {
      launches.cancel(cancel);
    }
  }

  /** Returns the launch report, if a storage is simulated. */
  Optional<LaunchReport> report() {
    return Optional.ofNullable(launches).map(JobLaunches::report);
  }

  private JobLaunches required() {
    return Objects.requireNonNull(launches, "launches from a storage");
  }
}
