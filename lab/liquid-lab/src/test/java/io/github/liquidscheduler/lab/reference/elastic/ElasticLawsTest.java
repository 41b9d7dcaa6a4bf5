package io.github.liquidscheduler.lab.reference.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.lab.reference.elastic.price.ShadowPrice;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What holds for every policy and every scaling cost. */
class ElasticLawsTest {

  private static final List<ElasticPolicy> POLICIES =
      List.of(
          new FixedTiresias(ServiceQueues.TWO),
          new FixedTiresias(new ServiceQueues(List.of(100.0, 400.0), true)),
          ElasticTiresias.builder("elastic-tiresias").pendingLimit(0).coolDownSeconds(30).build(),
          ElasticTiresias.builder("measured").pendingLimit(1).measuredOnly(true).build(),
          ElasticTiresias.builder("admission")
              .refill(ElasticTiresias.Refill.ADMISSION)
              .minFraction(0.1)
              .build(),
          new MarginalGain(0, false),
          new AfsL(),
          new OptimusLike(),
          ShadowPrice.unknownDurations(),
          ShadowPrice.knownDurations(),
          ShadowPrice.steadyLoad(),
          new FixedSrtf());

  @Property(tries = 200)
  void noGpuIsHeldTwiceAndNoJobIsFasterThanItsCurve(
      @ForAll long seed, @ForAll @IntRange(min = 4, max = 12) int gpus) {
    ElasticTrace trace = RandomJobs.trace(seed);
    for (ElasticPolicy policy : POLICIES) {
      for (ScalingCost cost : ScalingCost.values()) {
        ElasticRun run = ElasticSimulator.of(gpus, new Checked(policy), cost).run(trace);

        assertThat(run.jobs()).hasSize(trace.jobs().size()).allSatisfy(ElasticLawsTest::hasWorked);
        assertThat(run.utilization()).isBetween(0.0, 1 + 1e-9);
        assertThat(run.usefulUtilization()).isBetween(0.0, run.utilization() + 1e-9);
        assertThat(run.counts().starts() - run.counts().preemptions()).isEqualTo(run.jobs().size());
      }
    }
  }

  @Test
  void aPolicyThatStartsNothingIsRefused() {
    ElasticPolicy idle = new MarginalGain(1, false);

    assertThatThrownBy(
            () -> ElasticSimulator.of(4, idle, ScalingCost.ZERO).run(RandomJobs.trace(1)))
        .hasMessageStartingWith("policy marginal must give GPUs to a job, but leaves ");
  }

  @Test
  void aJobLargerThanTheClusterIsRefused() {
    ElasticPolicy policy = new FixedTiresias(ServiceQueues.TWO);

    assertThatThrownBy(
            () -> ElasticSimulator.of(1, policy, ScalingCost.ZERO).run(RandomJobs.trace(1)))
        .hasMessageContaining("must fit into the cluster of 1 GPU");
  }

  private static void hasWorked(FinishedJob finished) {
    ThroughputCurve curve = finished.job().work().curve();
    double fastest = finished.job().work().iterations() / curve.throughput(curve.peak());
    assertThat(finished.running()).isGreaterThan(fastest - 1e-6);
    assertThat(finished.completion()).isGreaterThan(finished.running() - 1e-6);
  }

  /** Checks each plan of a policy. */
  private record Checked(ElasticPolicy policy) implements ElasticPolicy {
    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public List<Double> serviceThresholds() {
      return policy.serviceThresholds();
    }

    @Override
    public JobOrder newOrder() {
      return policy.newOrder();
    }

    @Override
    public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
      int[] sizes = policy.sizes(jobs, gpus, now);
      int total = 0;
      for (int i = 0; i < sizes.length; i++) {
        ElasticJob.Sizes named = jobs.get(i).job().sizes();
        assertThat(sizes[i]).isBetween(0, named.maximum());
        assertThat(sizes[i] == 0 || sizes[i] >= named.minimum()).isTrue();
        total += sizes[i];
      }
      assertThat(total).isLessThanOrEqualTo(gpus);
      return sizes;
    }
  }
}
