package io.github.liquidscheduler.simulator.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.prefetch.DataCopy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetch;
import io.github.liquidscheduler.scheduler.prefetch.PrefetchPlan;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduler.prefetch.Transfer;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How long GPUs idle while jobs launch if data sets are brought before jobs start, after Liquid's
 * pre-scheduling data transmission (Gu et al., TPDS 33(11), 2022, section 5.1). A launch starts
 * processes and reads the data set over a path that all share; {@code docs/prefetching.md} has the
 * conditions. Immutable.
 *
 * @param load the GPU time that jobs need, without launches, in parts of all there is while they
 *     come
 * @param error the standard deviation of the logarithm of expected over true run times
 * @param jobs how many jobs there are
 */
public record DataFirst(double load, double error, int jobs) {
  private static final int NODES = 5;
  private static final int DATA_SETS = 20;
  private static final Duration PROCESSES = Duration.ofSeconds(5);
  private static final double MEDIAN_RUN = 600;
  private static final double SPREAD_OF_RUNS = 1;
  private static final double MEAN_GPUS = (1 + 2 + 4) / 3.0;
  private static final Memory DISK = Memory.ofGib(100);
  private static final Bandwidth PATH = Bandwidth.ofGigabitsPerSecond(10);

  /**
   * What came of a run.
   *
   * @param idle GPU-seconds in launches
   * @param prefetched bytes that were brought beforehand
   * @param wasted those of them that no job has read
   */
  public record Outcome(double idle, double prefetched, double wasted) {}

  /** Runs the jobs of a seed, with data sets brought by these rules, or at launches only. */
  public Outcome run(long seed, Optional<Prefetching> rules) {
    Run run = new Run(rules.orElse(null));
    SplittableRandom random = new SplittableRandom(seed);
    double gpus = (double) NODES * LiquidCluster.K80.gpusPerNode();
    double meanRun = MEDIAN_RUN * Math.exp(SPREAD_OF_RUNS * SPREAD_OF_RUNS / 2);
    double pause = MEAN_GPUS * meanRun / (load * gpus);
    double at = 0;
    for (int number = 0; number < jobs; number++) {
      at -= Math.log(1 - random.nextDouble()) * pause;
      double seconds = MEDIAN_RUN * Math.exp(SPREAD_OF_RUNS * random.nextGaussian());
      double told = seconds * Math.exp(error * random.nextGaussian());
      JobSpec job =
          JobSpec.builder("job-" + number)
              .gpus(1 << random.nextInt(3))
              .dataset(dataset(random.nextInt(DATA_SETS)))
              .expectedWork(ExpectedWork.ofDuration(of(told)))
              .build();
      run.lengths.put(job.id(), of(seconds));
      run.platform.schedule(of(at), () -> run.submit(job));
    }
    run.platform.run();
    return new Outcome(run.idle, run.prefetched, run.caches.wasted() + run.cancelled);
  }

  private static Dataset dataset(int number) {
    return new Dataset("data-" + number, Memory.ofGib(2 + number));
  }

  private static Duration of(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  /** One run. */
  private static final class Run {
    final VirtualPlatform platform = new VirtualPlatform();
    final Map<JobId, Duration> lengths = new HashMap<>();
    final NodeCaches caches;
    private final @Nullable Prefetching rules;
    private final LiquidScheduler scheduler;
    private final SharedPath path = new SharedPath(platform, PATH.bytesPerSecond());
    private final Map<DataCopy, SharedPath.Moving> early = new LinkedHashMap<>();
    private final Map<DataCopy, Set<Launch>> awaited = new HashMap<>();
    private Runnable callOff = () -> {};
    private double idle;
    private double prefetched;
    private double cancelled;

    Run(@Nullable Prefetching rules) {
      this.rules = rules;
      ClusterTopology cluster = LiquidCluster.K80.topology(NODES);
      caches = new NodeCaches(cluster, DISK);
      scheduler = LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo()).build();
    }

    void submit(JobSpec job) {
      on(new ClusterEvent.JobSubmitted(platform.instant(), job));
    }

    private void on(ClusterEvent event) {
      Map<JobId, JobSpec> starting = new HashMap<>();
      List<Decision> decisions = scheduler.on(event);
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Start start) {
          scheduler.job(start.job()).ifPresent(job -> starting.put(job.id(), job));
          new Launch(Objects.requireNonNull(starting.get(start.job())), start).begin();
        }
      }
      prefetch();
    }

    private void prefetch() {
      if (rules == null) {
        return;
      }
      callOff.run();
      Map<Transfer, DataCopy> underWay = new LinkedHashMap<>();
      early.forEach(
          (copy, moving) ->
              underWay.put(new Transfer(copy, Memory.ofBytes((long) path.moved(moving))), copy));
      Instant now = platform.instant();
      PrefetchPlan plan =
          rules.plan(scheduler, caches.locality(), List.copyOf(underWay.keySet()), now);
      plan.cancel().forEach(this::cancel);
      plan.begin().stream().map(Prefetch::copy).forEach(this::bring);
      callOff =
          plan.lookAgain()
              .filter(now::isBefore)
              .map(at -> platform.schedule(Duration.between(now, at), this::prefetch))
              .orElse(() -> {});
    }

    private void cancel(Transfer transfer) {
      if (!awaited.containsKey(transfer.copy())) {
        path.cancel(Objects.requireNonNull(early.remove(transfer.copy())));
        cancelled += transfer.moved().bytes();
        prefetched += transfer.moved().bytes();
      }
    }

    private void bring(DataCopy copy) {
      if (!awaited.containsKey(copy)) {
        double bytes = (double) copy.dataset().size().bytes();
        early.put(copy, path.begin(bytes, () -> arrivedEarly(copy)));
      }
    }

    private void arrivedEarly(DataCopy copy) {
      early.remove(copy);
      prefetched += copy.dataset().size().bytes();
      caches.add(copy, true);
      arrived(copy);
    }

    private void arrived(DataCopy copy) {
      Set<Launch> launches = awaited.remove(copy);
      if (launches != null) {
        launches.forEach(launch -> launch.has(copy));
      }
    }

    /** A job that starts its processes and reads. */
    private final class Launch {
      private final JobSpec job;
      private final Instant begun = platform.instant();
      private final Set<DataCopy> copies = new LinkedHashSet<>();
      private int missing;

      Launch(JobSpec job, Decision.Start start) {
        this.job = job;
        for (TaskPlacement task : start.placement().tasks()) {
          copies.add(new DataCopy(job.dataset().orElseThrow(), task.node()));
        }
      }

      void begin() {
        platform.schedule(PROCESSES, this::read);
      }

      private void read() {
        for (DataCopy copy : copies) {
          if (caches.isThere(copy)) {
            caches.use(copy);
          } else {
            missing++;
            await(copy);
          }
        }
        workIfComplete();
      }

      private void await(DataCopy copy) {
        boolean isComing = early.containsKey(copy) || awaited.containsKey(copy);
        awaited.computeIfAbsent(copy, each -> new LinkedHashSet<>()).add(this);
        if (!isComing) {
          path.begin(
              (double) copy.dataset().size().bytes(),
              () -> {
                caches.add(copy, false);
                arrived(copy);
              });
        }
      }

      void has(DataCopy copy) {
        caches.use(copy);
        missing--;
        workIfComplete();
      }

      private void workIfComplete() {
        if (missing == 0) {
          Duration launch = Duration.between(begun, platform.instant());
          idle += job.gpus() * (launch.toNanos() / 1e9);
          Duration length = Objects.requireNonNull(lengths.get(job.id()));
          platform.schedule(length, this::end);
        }
      }

      private void end() {
        copies.forEach(caches::leave);
        on(new ClusterEvent.JobFinished(platform.instant(), job.id()));
      }
    }
  }
}
