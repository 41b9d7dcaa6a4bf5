package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * The scheduler inside a platform of your own. The library has no threads and no clock, so you
 * bring both: one thread that applies all events, and the clock that dates them. Calls from any
 * thread are queued; decisions go out in the order in which they were taken.
 */
public final class EmbedInYourScheduler implements AutoCloseable {

  private final Scheduler scheduler;
  private final Clock clock;
  private final Launcher launcher;
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private Instant latest = Instant.MIN;

  /** Makes a platform that acts through {@code launcher}. */
  public EmbedInYourScheduler(ClusterTopology cluster, Clock clock, Launcher launcher) {
    this.clock = clock;
    this.launcher = launcher;
    scheduler = LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo()).build();
  }

  /** Your way to start and stop processes. */
  public interface Launcher {

    /** Starts the tasks of a job; returns without waiting for them. */
    void start(Decision.Start start);

    /** Stops the tasks of a job. */
    void stop(JobId job);

    /** Tells the user why the job can never run. */
    void reject(JobId job, String reason);
  }

  /** Takes a job from a user, on any thread. */
  public CompletableFuture<Void> submit(JobSpec job) {
    return happened(now -> new ClusterEvent.JobSubmitted(now, job));
  }

  /** Takes note that a job's processes have ended, on any thread. */
  public CompletableFuture<Void> finished(JobId job) {
    return happened(now -> new ClusterEvent.JobFinished(now, job));
  }

  private CompletableFuture<Void> happened(Function<Instant, ClusterEvent> event) {
    return CompletableFuture.runAsync(() -> decide(event.apply(now())), loop);
  }

  /** Clocks may step back; events may not. */
  private Instant now() {
    Instant now = clock.instant();
    latest = now.isAfter(latest) ? now : latest;
    return latest;
  }

  private void decide(ClusterEvent event) {
    try {
      scheduler.on(event).forEach(this::carryOut);
    } catch (StaleEventException e) {
      // The scheduler has stopped this job meanwhile, or knows of its end already.
    }
  }

  private void carryOut(Decision decision) {
    switch (decision) {
      case Decision.Start start -> launcher.start(start);
      case Decision.Preempt preempt -> launcher.stop(preempt.job());
      case Decision.Reject reject -> launcher.reject(reject.job(), reject.why().describe());
      case Decision.Migrate migrate -> throw notAskedFor(migrate);
      case Decision.Resize resize -> throw notAskedFor(resize);
      case Decision.Profile profile -> throw notAskedFor(profile);
      case Decision.Prefetch prefetch -> throw notAskedFor(prefetch);
      case Decision.CancelPrefetch cancel -> throw notAskedFor(cancel);
      case Decision.RequestPlan request -> throw notAskedFor(request);
    }
  }

  /** This platform is in immediate mode and changes no sizes, so no job migrates or is resized. */
  private static IllegalStateException notAskedFor(Decision decision) {
    return new IllegalStateException("the scheduler was not built to decide " + decision);
  }

  @Override
  public void close() {
    loop.close();
  }

  /** Runs three jobs, one of which has to wait for another, on one node. */
  public static void main(String[] arguments) {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build())
            .build();
    try (EmbedInYourScheduler platform =
        new EmbedInYourScheduler(cluster, Clock.systemUTC(), new PrintingLauncher())) {
      platform.submit(JobSpec.builder("first").gpus(6).build()).join();
      platform.submit(JobSpec.builder("second").gpus(4).build()).join();
      platform.submit(JobSpec.builder("too-large").gpus(9).build()).join();
      platform.finished(JobId.of("first")).join();
    }
  }

  private static final class PrintingLauncher implements Launcher {
    @Override
    public void start(Decision.Start start) {
      System.out.println("start " + start.placement() + ": " + start.why().describe());
    }

    @Override
    public void stop(JobId job) {
      System.out.println("stop " + job);
    }

    @Override
    public void reject(JobId job, String reason) {
      System.out.println("reject " + job + ": " + reason);
    }
  }
}
