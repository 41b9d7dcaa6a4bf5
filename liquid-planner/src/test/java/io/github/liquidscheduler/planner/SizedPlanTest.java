package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of jobs of several sizes. */
class SizedPlanTest {

  private static final PlanOptions BRIEFLY = PlanOptions.builder().steps(200).build();

  private static ClusterTopology nodes(int... gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int i = 0; i < gpus.length; i++) {
      cluster.node(
          Node.builder("n" + i).gpus(gpus[i], GpuModel.of("A100"), Memory.ofGib(40)).build());
    }
    return cluster.build();
  }

  private static JobSpec elastic(String id, int min, int preferred, int max) {
    return JobSpec.builder(id)
        .roles(List.of(new TaskRole("worker", preferred, ResourceRequest.ofGpus(1))))
        .parallelism(Parallelism.between(min, preferred, max))
        .build();
  }

  private static BatchPlan plan(String planner, ClusterTopology cluster, List<JobSpec> jobs) {
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(cluster)).pending(jobs).options(BRIEFLY).build();
    return BatchPlanners.named(planner, PlanCost.physical()).plan(request);
  }

  @ParameterizedTest
  @ValueSource(strings = {"greedy", "timefold"})
  void aJobIsPlannedAtTheLargestSizeThatIsLeft(String planner) {
    List<JobSpec> jobs = List.of(elastic("a", 1, 6, 8), elastic("b", 1, 6, 8));

    BatchPlan plan = plan(planner, nodes(8), jobs);

    assertThat(plan.postponed()).isEmpty();
    assertThat(plan.starts()).extracting(Placement::gpus).containsExactly(6, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"greedy", "timefold"})
  void aJobForWhichNotEvenTheLeastSizeIsLeftWaits(String planner) {
    List<JobSpec> jobs = List.of(elastic("a", 6, 6, 8), elastic("b", 3, 6, 8));

    BatchPlan plan = plan(planner, nodes(8), jobs);

    assertThat(plan.postponed()).containsExactly(jobs.get(1).id());
  }

  @Test
  void preferredSizesComeBeforeSmallerOnes() {
    List<JobSpec> jobs = List.of(elastic("a", 1, 4, 4), elastic("b", 1, 4, 4));

    assertThat(plan("timefold", nodes(4, 4), jobs).starts())
        .extracting(Placement::gpus)
        .containsExactly(4, 4);
  }

  @Property(tries = 60)
  void plansOfAnySizesHoldAndAreNotWorseThanGreedyNorBetterThanTheirBound(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 8) Integer> preferred,
      @ForAll @IntRange(min = 1, max = 3) int least) {
    List<JobSpec> jobs = new ArrayList<>();
    for (int size : preferred) {
      jobs.add(elastic("job-" + jobs.size(), Math.min(least, size), size, size + 2));
    }
    ClusterTopology cluster = nodes(4, 4, 2);

    BatchPlan plan = plan("timefold", cluster, jobs);

    ClusterState state = ClusterState.of(cluster);
    for (Placement start : plan.starts()) {
      JobSpec job =
          jobs.stream().filter(each -> each.id().equals(start.job())).findFirst().orElseThrow();
      assertThat(new PlacementRules(cluster, job).brokenBy(start)).isEmpty();
      assertThat(start.gpus()).isLessThanOrEqualTo(job.parallelism().preferred());
      state.apply(start.sized(job), start);
    }
    assertThat(plan.starts().size() + plan.postponed().size()).isEqualTo(jobs.size());
    int left = state.freeGpus();
    assertThat(plan.postponed()).allSatisfy(job -> assertThat(left).isLessThan(least));
    assertThat(plan.certificate().lowerBound())
        .isLessThanOrEqualTo(plan.certificate().cost() + 1e-9);
    int greedy = plan("greedy", cluster, jobs).starts().stream().mapToInt(Placement::gpus).sum();
    assertThat(plan.starts().stream().mapToInt(Placement::gpus).sum())
        .isGreaterThanOrEqualTo(greedy);
  }
}
