package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Batch mode in a platform: when the scheduler asks for a plan, a thread of its own makes it from
 * what the request carries, and the plan goes back as an event. Events never wait for the planner.
 */
public final class PlanInTheBackground implements AutoCloseable {

  private static final PlanOptions BRIEFLY =
      PlanOptions.builder().time(Duration.ofSeconds(1)).build();

  private final Scheduler scheduler;
  private final Clock clock;
  private final BatchPlanner planner = BatchPlanners.timefold();
  private final ExecutorService events = Executors.newSingleThreadExecutor();
  private final ExecutorService planning = Executors.newSingleThreadExecutor();
  private final List<Decision> decided = new ArrayList<>();

  /** Makes a platform whose jobs are planned together, two at a time or after 15 seconds. */
  public PlanInTheBackground(ClusterTopology cluster, Clock clock) {
    this.clock = clock;
    scheduler =
        LiquidScheduler.builder(cluster)
            .policy(Policies.bestEffortFifo())
            .batch(BatchWindow.of(Duration.ofSeconds(15)).maxJobs(2))
            .build();
  }

  /** Submits a job, on any thread. Complete once all that followed from it was decided. */
  public CompletableFuture<Void> submit(JobSpec job) {
    return happened(() -> new ClusterEvent.JobSubmitted(clock.instant(), job));
  }

  /** Returns the decisions so far. Call it when nothing is under way. */
  public List<Decision> decided() {
    return List.copyOf(decided);
  }

  private CompletableFuture<Void> happened(Supplier<ClusterEvent> event) {
    return CompletableFuture.supplyAsync(() -> scheduler.on(event.get()), events)
        .thenComposeAsync(this::carryOut, events);
  }

  private CompletableFuture<Void> carryOut(List<Decision> decisions) {
    decided.addAll(decisions);
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (Decision decision : decisions) {
      if (decision instanceof Decision.RequestPlan request) {
        all = all.thenCompose(done -> plan(request));
      }
    }
    return all;
  }

  // @start region="plan"
  private CompletableFuture<Void> plan(Decision.RequestPlan request) {
    PlanRequest question = request.request().withOptions(BRIEFLY);
    return CompletableFuture.supplyAsync(() -> planner.plan(question), planning)
        .thenCompose(this::proposed);
  }

  private CompletableFuture<Void> proposed(BatchPlan plan) {
    return happened(() -> new ClusterEvent.PlanProposed(clock.instant(), plan));
  }

  // @end

  @Override
  public void close() {
    planning.close();
    events.close();
  }

  /** Plans two jobs together. */
  public static void main(String[] arguments) {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build())
            .build();
    try (PlanInTheBackground platform = new PlanInTheBackground(cluster, Clock.systemUTC())) {
      platform.submit(JobSpec.builder("first").gpus(6).build()).join();
      platform.submit(JobSpec.builder("second").gpus(2).build()).join();
      platform.decided().forEach(decision -> System.out.println(decision.why().describe()));
    }
  }
}
