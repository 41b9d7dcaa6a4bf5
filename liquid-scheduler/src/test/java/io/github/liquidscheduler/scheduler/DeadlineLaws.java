package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Invariants of jobs with deadlines, for any later arrivals. */
class DeadlineLaws {

  private static final double PAUSE = 2.5;

  private static final GpuModel SLOW = GpuModel.of("V100");

  /** What waiting jobs wait for. */
  private record Wait(Optional<Backfill> backfill, Optional<BatchWindow> window) {

    static final Wait NONE = new Wait(Optional.empty(), Optional.empty());

    static Wait beside(Backfill backfill) {
      return new Wait(Optional.of(backfill), Optional.empty());
    }

    static Wait of(BatchWindow window) {
      return new Wait(Optional.empty(), Optional.of(window));
    }

    LiquidScheduler.Builder with(LiquidScheduler.Builder options) {
      backfill.ifPresent(options::backfill);
      window.ifPresent(options::batch);
      return options;
    }
  }

  /** The GPU models of two nodes: the speed on the first one's, and whether jobs move to others. */
  private record Models(double slow, boolean moves) {

    static final Models ALIKE = new Models(1, false);

    ClusterTopology cluster() {
      GpuModel other = slow < 1 ? GpuModel.of("A100") : SLOW;
      return ClusterTopology.builder()
          .node(Node.builder("n0").gpus(4, SLOW, Memory.ofGib(16)).build())
          .node(Node.builder("n1").gpus(4, other, Memory.ofGib(16)).build())
          .build();
    }

    LiquidScheduler.Builder with(LiquidScheduler.Builder options, double exponent) {
      if (slow == 1) {
        return options;
      }
      Performance speeds = Performance.by(predictor(exponent, slow));
      Duration pause = Duration.ofMillis((long) (DeadlineWorld.MOVE_PAUSE * 1000));
      return options.performance(moves ? speeds.moving(pause) : speeds);
    }
  }

  /**
   * A job: its numbers of tasks, its time, and its slack in tenths of that; 0 for no deadline. Its
   * right stands for priority and queue.
   */
  private record Draft(
      int after,
      int min,
      int more,
      int preferred,
      int seconds,
      int slack,
      boolean stays,
      int right) {

    Draft(int after, int min, int more, int preferred, int seconds, int slack) {
      this(after, min, more, preferred, seconds, slack, false, 0);
    }

    JobSpec job(int number, long arrival) {
      JobSpec.Builder job =
          JobSpec.builder("job-" + number)
              .gpus(1)
              .queue("queue-" + right % 2)
              .priority(right)
              .preemptible(!stays)
              .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
      int max = min + more;
      int size = Math.min(max, min + preferred);
      job.roles(List.of(resized(job.build().roles().getFirst(), size)))
          .parallelism(Parallelism.between(min, size, max));
      if (slack > 0) {
        job.deadline(Instant.ofEpochSecond(arrival + (long) seconds * slack / 10));
      }
      return job.build();
    }
  }

  private static TaskRole resized(TaskRole role, int count) {
    return new TaskRole(role.name(), count, role.request());
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void anAdmittedJobMeetsItsDeadline(
      @ForAll("drafts") List<Draft> drafts,
      @ForAll("speeds") double exponent,
      @ForAll("policies") SchedulingPolicy policy,
      @ForAll("protections") PreemptionRules rules,
      @ForAll("waits") Wait wait,
      @ForAll("models") Models models) {
    DeadlineWorld world = world(exponent, policy, rules, wait, models);
    List<JobSpec> jobs = arrive(drafts, world);

    world.play();

    for (JobSpec job : jobs) {
      if (!world.rejected().containsKey(job.id())) {
        assertThat(world.ends()).containsKey(job.id());
        job.deadline()
            .ifPresent(
                deadline ->
                    assertThat(world.end(job.id().value()))
                        .as("end of %s, %s", job.id(), world.told())
                        .isBeforeOrEqualTo(deadline.plusMillis(1)));
      }
    }
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersKeepTheSamePromises(
      @ForAll("drafts") List<Draft> drafts,
      @ForAll("speeds") double exponent,
      @ForAll("policies") SchedulingPolicy policy,
      @ForAll("protections") PreemptionRules rules,
      @ForAll("waits") Wait wait,
      @ForAll("models") Models models) {
    DeadlineWorld world =
        world(exponent, policy, rules, wait, models)
            .comparing(() -> options(exponent, policy, rules, wait, models));
    arrive(drafts, world);

    world.play();
  }

  private static List<JobSpec> arrive(List<Draft> drafts, DeadlineWorld world) {
    List<JobSpec> jobs = new ArrayList<>();
    long arrival = 0;
    for (Draft draft : drafts) {
      arrival += draft.after();
      JobSpec job = draft.job(jobs.size(), arrival);
      jobs.add(job);
      world.arrive(arrival, job);
    }
    return jobs;
  }

  @Example
  void aShareIsReclaimedFromAJobThatStartedLargerInTheSameTurn() {
    List<Draft> drafts =
        List.of(
            new Draft(0, 2, 2, 2, 32, 10),
            new Draft(0, 1, 0, 0, 1, 0),
            new Draft(0, 1, 0, 0, 1, 0),
            new Draft(0, 1, 0, 0, 1, 0),
            new Draft(1, 1, 2, 2, 76, 10),
            new Draft(0, 1, 0, 0, 1, 0),
            new Draft(0, 1, 0, 2, 40, 0),
            new Draft(15, 2, 5, 1, 5, 0),
            new Draft(2, 2, 2, 1, 61, 40),
            new Draft(13, 3, 0, 3, 15, 40));
    anAdmittedJobMeetsItsDeadline(
        drafts, 0.5, Policies.deadlineFirst(), PreemptionRules.NONE, Wait.NONE, Models.ALIKE);
  }

  private static DeadlineWorld world(
      double exponent, SchedulingPolicy policy, PreemptionRules rules, Wait wait, Models models) {
    return new DeadlineWorld(
        options(exponent, policy, rules, wait, models).build(),
        tasks -> Math.pow(tasks, exponent),
        PAUSE,
        models.slow());
  }

  private static LiquidScheduler.Builder options(
      double exponent, SchedulingPolicy policy, PreemptionRules rules, Wait wait, Models models) {
    Elasticity elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .cost(ResizeCost.STOP_FREE)
            .worthwhile(0)
            .predictor(predictor(exponent, 1))
            .deadlines(LateJobs.REFUSE)
            .build();
    LiquidScheduler.Builder options =
        LiquidScheduler.builder(models.cluster())
            .policy(policy)
            .preemption(rules)
            .elasticity(elasticity);
    return models.with(wait.with(options), exponent);
  }

  private static PerformancePredictor predictor(double exponent, double slow) {
    return new PerformancePredictor() {
      @Override
      public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
        double pace = gpu.equals(SLOW) ? slow : 1;
        return Prediction.certain(pace * Math.pow(gpus, exponent), Provenance.MEASURED);
      }

      @Override
      public void observe(
          JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
        throw new AssertionError("the scheduler only asks");
      }
    };
  }

  @Provide
  Arbitrary<SchedulingPolicy> policies() {
    return Arbitraries.of(Policies.names()).map(Policies::named);
  }

  @Provide
  Arbitrary<PreemptionRules> protections() {
    return Combinators.combine(
            Arbitraries.of(0, 100), Arbitraries.of(Integer.MAX_VALUE, 1), Arbitraries.of(0, 0, 20))
        .as(
            (seconds, most, grace) ->
                PreemptionRules.NONE
                    .minRunTime(Duration.ofSeconds(seconds))
                    .mostPreemptions(most)
                    .gracePeriod(Duration.ofSeconds(grace)));
  }

  @Provide
  Arbitrary<Models> models() {
    return Arbitraries.of(
        Models.ALIKE, new Models(0.5, false), new Models(0.8, true), new Models(0.25, true));
  }

  @Provide
  Arbitrary<Wait> waits() {
    return Arbitraries.of(
        Wait.NONE,
        Wait.beside(Backfill.easy()),
        Wait.beside(Backfill.reserving(2).holdingAfter(Duration.ofSeconds(30), 1)),
        Wait.beside(Backfill.conservative()),
        Wait.of(BatchWindow.of(Duration.ofSeconds(7))),
        Wait.of(BatchWindow.of(Duration.ZERO).bypassLimit(1)));
  }

  @Provide
  Arbitrary<Double> speeds() {
    return Arbitraries.of(1.0, 0.8, 0.5);
  }

  @Provide
  Arbitrary<List<Draft>> drafts() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 120),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(1, 600),
            Arbitraries.of(0, 5, 8, 10, 12, 15, 20, 40),
            Arbitraries.of(true, false, false, false),
            Arbitraries.integers().between(0, 3))
        .as(Draft::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(14);
  }
}
