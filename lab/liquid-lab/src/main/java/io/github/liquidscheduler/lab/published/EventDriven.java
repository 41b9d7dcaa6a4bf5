package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.runtime.SchedulerLoop;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Liquid's event-driven communication (Gu et al., TPDS 33(11), 2022, section 5.3): how long GPUs
 * idle between two jobs if the end of a job is told at once, and if it is told with the next
 * heartbeat. Runs the {@link SchedulerLoop} of production, in virtual time. Immutable.
 *
 * <p>As in the released driver, NeuMF jobs of one GPU come every 3 s. What the paper does not say
 * is how long a job runs and how long its launch takes; {@code lab/liquid-lab/docs/reproduction.md}
 * says what is assumed.
 *
 * @param cluster the nodes
 * @param nodes how many, at least 1
 * @param jobs how many jobs, at least 1
 * @param launch from the start of a job to its first iteration, while its GPU idles
 */
public record EventDriven(LiquidCluster cluster, int nodes, int jobs, Duration launch) {

  /** How often agents report in Liquid. */
  public static final Duration HEARTBEAT = Duration.ofSeconds(5);

  private static final Duration BETWEEN_JOBS = Duration.ofSeconds(3);

  /** Four such jobs take 192 minutes one after the other on a K80; a quarter more or less. */
  private static final int SHORTEST_MS = 36 * 60_000;

  private static final int LONGEST_MS = 60 * 60_000;

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if there is no node or no job, or the launch takes negative
   *     time
   */
  public EventDriven {
    Objects.requireNonNull(cluster, "cluster");
    if (nodes < 1 || jobs < 1 || launch.isNegative()) {
      throw new IllegalArgumentException(
          "nodes and jobs must be at least 1 and a launch not negative, but were %d, %d and %s"
              .formatted(nodes, jobs, launch));
    }
  }

  /** Returns what part of the idle time events save, for each of the seeds 0, 1, …. */
  public List<Double> savings(int seeds) {
    return LongStream.range(0, seeds)
        .mapToObj(seed -> 1 - seconds(idle(seed, Duration.ZERO)) / seconds(idle(seed, HEARTBEAT)))
        .toList();
  }

  /**
   * Returns how long GPUs idle between jobs, all together: from the end of a job on a GPU to the
   * first iteration of the next, where that one waited by then.
   *
   * @param heartbeat the time between heartbeats; zero if ends are told at once
   */
  public Duration idle(long seed, Duration heartbeat) {
    Run run = new Run(heartbeat);
    SplittableRandom random = new SplittableRandom(seed);
    for (int job = 0; job < jobs; job++) {
      String id = "neumf-" + job;
      run.lengths.put(JobId.of(id), Duration.ofMillis(random.nextInt(SHORTEST_MS, LONGEST_MS + 1)));
      run.platform.schedule(BETWEEN_JOBS.multipliedBy(job), () -> run.submit(id));
    }
    run.platform.run();
    return run.idle;
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  /** One run. */
  private final class Run {
    final VirtualPlatform platform = new VirtualPlatform();
    final Map<JobId, Duration> lengths = new HashMap<>();
    private final Map<JobId, Instant> submitted = new HashMap<>();
    private final Map<GpuId, Instant> ends = new HashMap<>();
    private final SchedulerLoop loop;
    private Duration idle = Duration.ZERO;

    Run(Duration heartbeat) {
      LiquidScheduler scheduler =
          LiquidScheduler.builder(cluster.topology(nodes))
              .policy(Policies.bestEffortFifo())
              .build();
      SchedulerLoop.Builder builder =
          SchedulerLoop.builder(scheduler, platform)
              .executor(platform)
              .timer(platform)
              .handler(this::carryOut)
              .failures(Run::fail);
      loop = (heartbeat.isZero() ? builder : builder.heartbeat(heartbeat)).start();
    }

    private static void fail(Throwable failure) {
      throw new IllegalStateException("the loop could not go on", failure);
    }

    void submit(String id) {
      JobSpec job = JobSpec.builder(id).gpus(1).build();
      submitted.put(job.id(), platform.instant());
      loop.offer(now -> new ClusterEvent.JobSubmitted(now, job));
    }

    private void carryOut(Decision decision) {
      Decision.Start start = (Decision.Start) decision;
      Instant works = platform.instant().plus(launch);
      List<GpuId> gpus = new ArrayList<>();
      start
          .placement()
          .tasks()
          .forEach(task -> task.gpus().forEach(gpu -> gpus.add(new GpuId(task.node(), gpu))));
      for (GpuId gpu : gpus) {
        @Nullable Instant end = ends.get(gpu);
        if (end != null && !known(submitted, start.job()).isAfter(end)) {
          idle = idle.plus(Duration.between(end, works));
        }
      }
      Duration untilEnd = launch.plus(known(lengths, start.job()));
      platform.schedule(untilEnd, () -> end(start.job(), gpus));
    }

    private static <T> T known(Map<JobId, T> values, JobId job) {
      return Objects.requireNonNull(values.get(job), "a value of each job");
    }

    private void end(JobId job, List<GpuId> gpus) {
      gpus.forEach(gpu -> ends.put(gpu, platform.instant()));
      loop.offer(now -> new ClusterEvent.JobFinished(now, job));
    }
  }
}
