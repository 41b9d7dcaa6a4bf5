package io.github.liquidscheduler.simulator.published;

import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long GPUs idle while jobs launch if data sets are brought before jobs start, after Liquid's
 * pre-scheduling data transmission (Gu et al., TPDS 33(11), 2022, section 5.1). A launch starts
 * processes and reads what is not on the node over a path that all share; {@code
 * docs/prefetching.md} has the conditions. Mutable: for one run.
 */
public final class DataFirst {
  private final ReadingLoad load;
  private final boolean knowsData;
  private final VirtualPlatform platform = new VirtualPlatform();
  private final Map<JobId, Duration> lengths = new HashMap<>();
  private final Set<JobId> submittedNow = new HashSet<>();
  private final NodeDisks disks;
  private final LiquidScheduler scheduler;
  private final SharedPath path;
  private final Map<NodeDisks.Copy, SharedPath.Moving> early = new LinkedHashMap<>();
  private final Map<NodeDisks.Copy, Set<Launch>> awaited = new HashMap<>();
  private Runnable callOff = () -> {};
  private double idle;
  private double starting;
  private double unforeseen;
  private double brought;
  private double cancelled;

  /**
   * What came of a run.
   *
   * @param idle GPU-seconds in launches
   * @param starting those of them in which processes start, which bringing data does not shorten
   * @param unforeseen those of them in which jobs read that started when they were submitted, of
   *     which nobody knew before
   * @param brought bytes that were brought beforehand
   * @param wasted those of them that no job has read
   */
  public record Outcome(
      double idle, double starting, double unforeseen, double brought, double wasted) {

    /** Returns the part of the idle time that would be saved if all else were brought in time. */
    public double bound() {
      return 1 - (starting + unforeseen) / idle;
    }
  }

  private DataFirst(ReadingLoad load, @Nullable Prefetching rules) {
    this.load = load;
    knowsData = rules != null;
    disks = new NodeDisks(load.cluster());
    path = new SharedPath(platform, load.path().bytesPerSecond());
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(load.cluster()).policy(Policies.bestEffortFifo());
    scheduler = (rules == null ? builder : builder.prefetch(rules)).build();
  }

  /** Runs a load by these rules, or with data sets read at launches only. */
  public static Outcome run(ReadingLoad load, Optional<Prefetching> rules) {
    return new DataFirst(load, rules.orElse(null)).run();
  }

  private Outcome run() {
    for (ReadingLoad.Arrival arrival : load.jobs()) {
      lengths.put(arrival.job().id(), arrival.length());
      platform.schedule(arrival.at(), () -> submit(arrival.job()));
    }
    platform.run();
    return new Outcome(idle, starting, unforeseen, brought, disks.wasted() + cancelled);
  }

  private void submit(JobSpec job) {
    submittedNow.add(job.id());
    on(new ClusterEvent.JobSubmitted(platform.instant(), job));
    submittedNow.clear();
  }

  private void on(ClusterEvent event) {
    for (Decision decision : scheduler.on(event)) {
      switch (decision) {
        case Decision.Start start ->
            new Launch(scheduler.job(start.job()).orElseThrow(), start).begin();
        case Decision.Prefetch prefetch -> bring(prefetch);
        case Decision.CancelPrefetch cancel -> cancel(cancel);
        default -> throw new IllegalStateException("nobody asked for " + decision);
      }
    }
    callOff.run();
    Instant now = platform.instant();
    callOff =
        scheduler
            .nextWakeUp()
            .map(
                at ->
                    platform.schedule(
                        at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO,
                        () -> on(new ClusterEvent.TimePassed(platform.instant()))))
            .orElse(() -> {});
  }

  private void bring(Decision.Prefetch prefetch) {
    prefetch.evict().forEach(name -> disks.evict(prefetch.node(), name));
    NodeDisks.Copy copy = new NodeDisks.Copy(prefetch.dataset(), prefetch.node());
    disks.keepRoom(copy);
    early.put(copy, path.begin(bytes(copy), () -> arrivedEarly(copy)));
  }

  private void cancel(Decision.CancelPrefetch cancel) {
    for (NodeDisks.Copy copy : List.copyOf(early.keySet())) {
      if (copy.node().equals(cancel.node()) && copy.dataset().name().equals(cancel.dataset())) {
        SharedPath.Moving moving = Objects.requireNonNull(early.remove(copy));
        double moved = path.moved(moving);
        path.cancel(moving);
        disks.giveUpRoom(copy);
        cancelled += moved;
        brought += moved;
      }
    }
  }

  private void arrivedEarly(NodeDisks.Copy copy) {
    early.remove(copy);
    brought += bytes(copy);
    disks.giveUpRoom(copy);
    disks.add(copy, true);
    arrived(copy);
  }

  /**
   * A copy is whole; one that finds no room on the disk is given up once it was read. Whatever goes
   * for it is told before the next goes, since the scheduler may have other copies go meanwhile.
   */
  private void arrivedLate(NodeDisks.Copy copy) {
    boolean someWent = true;
    while (someWent && !disks.hasRoom(copy)) {
      Optional<String> gone = disks.evictOldest(copy.node());
      gone.ifPresent(
          name -> tell(new ClusterEvent.DataEvicted(platform.instant(), copy.node(), name)));
      someWent = gone.isPresent();
    }
    boolean isKept = disks.hasRoom(copy);
    if (isKept) {
      disks.add(copy, false);
    }
    arrived(copy);
    if (!isKept) {
      tell(new ClusterEvent.DataEvicted(platform.instant(), copy.node(), copy.dataset().name()));
    }
  }

  private void arrived(NodeDisks.Copy copy) {
    @Nullable Set<Launch> launches = awaited.remove(copy);
    if (launches != null) {
      launches.forEach(launch -> launch.has(copy));
    }
    tell(new ClusterEvent.DataArrived(platform.instant(), copy.node(), copy.dataset()));
  }

  private void tell(ClusterEvent event) {
    if (knowsData) {
      on(event);
    }
  }

  private static double bytes(NodeDisks.Copy copy) {
    return (double) copy.dataset().size().bytes();
  }

  /** A job that starts its processes and reads. */
  private final class Launch {
    private final JobSpec job;
    private final boolean isUnforeseen;
    private final Instant begun = platform.instant();
    private final Set<NodeDisks.Copy> copies = new LinkedHashSet<>();
    private final Set<NodeDisks.Copy> held = new HashSet<>();
    private int missing;

    Launch(JobSpec job, Decision.Start start) {
      this.job = job;
      isUnforeseen = submittedNow.contains(job.id());
      for (TaskPlacement task : start.placement().tasks()) {
        for (Dataset dataset : job.datasets()) {
          copies.add(new NodeDisks.Copy(dataset, task.node()));
        }
      }
    }

    void begin() {
      copies.stream()
          .filter(disks::isThere)
          .forEach(
              copy -> {
                disks.use(copy);
                held.add(copy);
              });
      platform.schedule(load.processes(), this::read);
    }

    private void read() {
      for (NodeDisks.Copy copy : copies) {
        if (!held.contains(copy) && disks.isThere(copy)) {
          disks.use(copy);
        } else if (!held.contains(copy)) {
          missing++;
          await(copy);
        }
      }
      workIfComplete();
    }

    private void await(NodeDisks.Copy copy) {
      boolean isComing = early.containsKey(copy) || awaited.containsKey(copy);
      awaited.computeIfAbsent(copy, each -> new LinkedHashSet<>()).add(this);
      if (!isComing) {
        path.begin(bytes(copy), () -> arrivedLate(copy));
      }
    }

    void has(NodeDisks.Copy copy) {
      disks.use(copy);
      missing--;
      workIfComplete();
    }

    private void workIfComplete() {
      if (missing == 0) {
        double launch = seconds(Duration.between(begun, platform.instant()));
        double processes = seconds(load.processes());
        idle += job.gpus() * launch;
        starting += job.gpus() * processes;
        unforeseen += isUnforeseen ? job.gpus() * (launch - processes) : 0;
        platform.schedule(Objects.requireNonNull(lengths.get(job.id())), this::end);
      }
    }

    private void end() {
      copies.forEach(disks::leave);
      on(new ClusterEvent.JobFinished(platform.instant(), job.id()));
    }
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
