package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.planner.search.TimefoldSearch;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.Bandwidth;
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
          Node.builder("n" + i)
              .gpus(gpus[i], GpuModel.of("A100"), Memory.ofGib(40))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(25)))
              .build());
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

  @Test
  void aJobStartsSmallerWhereThatLeavesRoomForAnother() {
    List<JobSpec> jobs = List.of(elastic("a", 4, 6, 6), elastic("b", 4, 4, 4));

    assertThat(plan("greedy", nodes(8), jobs).starts())
        .extracting(Placement::gpus)
        .containsExactly(6);
    assertThat(plan("timefold", nodes(8), jobs).starts())
        .extracting(Placement::gpus)
        .containsExactly(4, 4);
  }

  @Test
  void aJobThatStartsSmallerIsPlacedWhereItCostsLeast() {
    List<JobSpec> jobs = List.of(talking("a", 1, 4), talking("b", 2, 4), elastic("c", 3, 3, 3));

    BatchPlan plan = plan("timefold", nodes(4, 4, 1), jobs);

    assertThat(plan.starts()).extracting(Placement::gpus).containsExactly(4, 2, 3);
    assertThat(plan.starts().get(1).nodes()).hasSize(1);
    assertThat(plan.certificate().cost()).isZero();
  }

  @Test
  void aJobThatStartsSmallerCountsInThePlansCost() {
    List<JobSpec> jobs = List.of(talking("a", 1, 4), talking("b", 4, 6), elastic("c", 1, 1, 1));

    BatchPlan plan = plan("timefold", nodes(4, 3, 2), jobs);

    assertThat(plan.starts()).extracting(Placement::gpus).containsExactly(4, 4, 1);
    assertThat(plan.starts().get(1).nodes()).hasSize(2);
    assertThat(plan.certificate().cost()).isGreaterThan(0.01);
  }

  @Property(tries = 100)
  void theSumsHoldWhileSizesChange(
      @ForAll @Size(min = 2, max = 5) List<@IntRange(min = 2, max = 6) Integer> preferred) {
    List<JobSpec> jobs = new ArrayList<>();
    for (int size : preferred) {
      jobs.add(talking("job-" + jobs.size(), 1, size));
    }
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(nodes(4, 2)))
            .pending(jobs)
            .options(PlanOptions.builder().steps(60).build())
            .build();

    BatchPlan plan =
        BatchPlanners.timefold(PlanCost.physical(), TimefoldSearch.asserting()).plan(request);

    assertThat(plan.starts().size() + plan.postponed().size()).isEqualTo(jobs.size());
    assertThat(plan.starts()).extracting(Placement::job).doesNotHaveDuplicates();
  }

  private static JobSpec talking(String id, int min, int preferred) {
    return elastic(id, min, preferred, preferred).toBuilder()
        .communication(Communication.allReduce(Memory.ofGib(1)))
        .build();
  }

  @Property(tries = 100)
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
