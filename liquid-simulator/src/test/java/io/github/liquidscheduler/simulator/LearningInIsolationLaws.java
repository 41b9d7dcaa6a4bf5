package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;

/** What one scheduler learns of jobs that share GPUs, no other scheduler knows. */
class LearningInIsolationLaws {

  private static final CompositePredictor SHIPPED = CompositePredictor.shipped();
  private static final List<Workload> WORKLOADS =
      List.of(
          workload("Recommendation", 8192),
          workload("ResNet-18", 16),
          workload("Transformer", 256));

  @AfterContainer
  static void close() {
    SHIPPED.close();
  }

  @Example
  void twoCopiesAnswerAlikeWhateverTheOriginalLearnsInBetween() {
    LiquidScheduler original = options().build();
    original.on(submitted("a1", 0, new Sharing.Guaranteed(0.5)));
    Scheduler first = original.copy();
    Scheduler second = original.copy();
    ClusterEvent question = submitted("b2", 1, new Sharing.Opportunistic());

    List<Decision> before = first.on(question);
    original.on(submitted("b1", 1, new Sharing.Opportunistic()));
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      decisions.addAll(original.on(progressed("a1", 3)));
    }

    assertThat(decisions).hasOnlyElementsOfType(Decision.Preempt.class).hasSize(1);
    assertThat(before).hasOnlyElementsOfType(Decision.Start.class).hasSize(1);
    assertThat(second.on(question)).isEqualTo(before);
    assertThat(original.on(question)).isEmpty();
  }

  @Example
  void aSecondSchedulerOfOneBuilderKnowsNothingOfWhatTheFirstHasLearned() {
    LiquidScheduler.Builder builder = options();
    LiquidScheduler first = builder.build();
    LiquidScheduler second = builder.build();
    first.on(submitted("a1", 0, new Sharing.Guaranteed(0.5)));
    first.on(submitted("b1", 1, new Sharing.Opportunistic()));
    for (int i = 0; i < 3; i++) {
      first.on(progressed("a1", 3));
    }

    assertThat(first.snapshot().section("colocations").values())
        .containsKeys("learnedStates", "bans");
    assertThat(second.snapshot()).isEqualTo(options().build().snapshot());
    assertThat(builder.build().snapshot()).isEqualTo(options().build().snapshot());
  }

  @Property(tries = 100)
  void aCopyDecidesAsOneWhoseOriginalStoodStill(
      @ForAll @Size(max = 40) List<@From("steps") Step> before,
      @ForAll @Size(max = 30) List<@From("steps") Step> inBetween,
      @ForAll @Size(max = 30) List<@From("steps") Step> after) {
    LiquidScheduler original = options().build();
    run(original, before, 0);
    Scheduler asked = original.copy();
    Scheduler late = original.copy();

    List<Decision> decisions = run(asked, after, 1000);
    run(original, inBetween, 2000);

    assertThat(run(late, after, 1000)).isEqualTo(decisions);
    assertThat(late.snapshot()).isEqualTo(asked.snapshot());
  }

  /** A step of a scenario: a job comes, or one that runs reports a rate or ends. */
  record Step(int kind, int which, boolean guaranteed, double rate) {}

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 9),
            Arbitraries.integers().between(0, 5),
            Arbitraries.of(true, false),
            Arbitraries.doubles().between(2, 10))
        .as(Step::new);
  }

  private static List<Decision> run(Scheduler scheduler, List<Step> steps, int first) {
    List<Decision> decisions = new ArrayList<>();
    int number = first;
    for (Step step : steps) {
      decisions.addAll(scheduler.on(event(scheduler, step, number++)));
    }
    return decisions;
  }

  private static ClusterEvent event(Scheduler scheduler, Step step, int number) {
    List<JobId> running = scheduler.view().runningJobs();
    if (running.isEmpty() || step.kind() < 3) {
      return submitted(
          "j" + number,
          step.which(),
          step.guaranteed() ? new Sharing.Guaranteed(0.5) : new Sharing.Opportunistic());
    }
    JobId job = running.get(step.which() % running.size());
    return step.kind() == 3
        ? new ClusterEvent.JobFinished(Instant.EPOCH, job)
        : progressed(job.value(), step.rate());
  }

  private static ClusterEvent submitted(String id, int which, Sharing sharing) {
    return new ClusterEvent.JobSubmitted(
        Instant.EPOCH,
        JobSpec.builder(id)
            .gpus(1)
            .workload(WORKLOADS.get(which % WORKLOADS.size()))
            .expectedWork(ExpectedWork.of(Duration.ofSeconds(100), 1000))
            .sharing(sharing)
            .build());
  }

  private static ClusterEvent progressed(String id, double rate) {
    return new ClusterEvent.JobProgressed(Instant.EPOCH, JobId.of(id), Progress.of(1, rate));
  }

  private static LiquidScheduler.Builder options() {
    return LiquidScheduler.builder(
            ClusterTopology.builder()
                .node(Node.builder("n0").gpus(1, GpuModel.of("V100"), Memory.ofGib(16)).build())
                .build())
        .policy(Policies.bestEffortFifo())
        .colocation(Colocation.of(SHIPPED));
  }

  private static Workload workload(String family, int batch) {
    return Workload.builder(family).batchSize(batch).build();
  }
}
