package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.RandomPlacer;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class DefragmentationPlannerTest {

  private final DefragmentationPlanner planner =
      DefragmentationPlanner.with(BestFitPlacer.bestFit());
  private final ClusterState state = ClusterState.of(cluster(2, 2, 4));
  private final JobSpec gang = inOneRack("gang", 8);

  @Example
  void theCheapestRackIsFreed() {
    run("a", 1, "n0");
    run("b", 1, "n2");
    Map<JobId, Double> costs = costs("a", 5, "b", 3);

    BatchPlan plan = planner.plan(state, gang, 10, costs).orElseThrow();

    assertThat(plan.migrations()).extracting(Migration::job).containsExactly(JobId.of("b"));
    assertThat(plan.migrations().get(0).to().nodes()).containsExactly(node("n0"));
    assertThat(plan.starts().get(0).nodes()).containsExactly(node("n2"), node("n3"));
    assertThat(plan.certificate().cost()).isEqualTo(3);
  }

  @Example
  void whatDoesNotPayIsNotMoved() {
    run("a", 1, "n0");
    run("b", 1, "n2");

    assertThat(planner.plan(state, gang, 3, costs("a", 5, "b", 3))).isEmpty();
  }

  @Example
  void aGangThatFitsNeedsNoMoves() {
    run("a", 1, "n0");

    assertThat(planner.plan(state, gang, 10, costs("a", 1))).isEmpty();
  }

  @Example
  void onlyWhatMayMoveDoes() {
    run("a", 1, "n0");
    run("b", 1, "n2");

    assertThat(planner.plan(state, gang, 10, costs("a", 5)).orElseThrow().migrations())
        .extracting(Migration::job)
        .containsExactly(JobId.of("a"));
    assertThat(planner.plan(state, gang, 10, Map.of())).isEmpty();
  }

  @Example
  void whatIsNotInTheWayStays() {
    run("a", 1, "n0");
    run("b", 1, "n1");
    run("c", 1, "n2");
    run("d", 1, "n3");

    BatchPlan plan =
        planner
            .plan(state, inOneRack("gang", 7), 10, costs("a", 2, "b", 1, "c", 4, "d", 4))
            .orElseThrow();

    assertThat(plan.migrations()).extracting(Migration::job).containsExactly(JobId.of("b"));
  }

  @Example
  void aJobThatMayMoveRuns() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planner.plan(state, inOneRack("huge", 17), 1, costs("x", 1)))
        .withMessage("a job that may move must run and be known, but 'x' is not");
  }

  /** Whatever runs where: every step fits what is there at that moment, and together they pay. */
  @Property(tries = 500)
  void theOrderNeverTakesWhatIsNotThereAndPays(
      @ForAll @Size(min = 1, max = 10) List<@IntRange(min = 1, max = 4) Integer> sizes,
      @ForAll @IntRange(min = 2, max = 12) int asked,
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    ClusterState state = ClusterState.of(cluster(2, 2, 4));
    Random random = choices.random();
    Map<JobId, Double> costs = new LinkedHashMap<>();
    for (int i = 0; i < sizes.size(); i++) {
      JobSpec job = JobSpec.builder("j" + i).gpus(sizes.get(i)).build();
      Optional<Placement> place = new RandomPlacer(random.nextInt()).place(state, job);
      place.ifPresent(found -> state.apply(job, found));
      if (place.isPresent() && i % 4 != 3) {
        costs.put(job.id(), 1.0 + i % 3);
      }
    }
    ClusterState before = state.copy();

    Optional<BatchPlan> plan = planner.plan(state, inOneRack("gang", asked), 6, costs);

    assertThat(state.runningJobs()).isEqualTo(before.runningJobs());
    plan.ifPresent(found -> carryOut(found, state, costs));
  }

  private static void carryOut(BatchPlan plan, ClusterState state, Map<JobId, Double> costs) {
    for (Migration migration : plan.migrations()) {
      assertThat(costs).containsEntry(migration.job(), migration.cost());
      assertThat(migration.pays()).isTrue();
      JobSpec job = state.job(migration.job()).orElseThrow();
      assertThat(state.fits(new Placement(JobId.of("shadow"), migration.to().tasks()))).isTrue();
      state.release(job.id());
      state.apply(job, migration.to());
    }
    state.apply(plan.starts().get(0));
    assertThat(plan.migrations().stream().mapToDouble(Migration::cost).sum()).isLessThan(6);
  }

  private void run(String job, int gpus, String node) {
    JobSpec spec = JobSpec.builder(job).gpus(gpus).nodeLabel("name", node).build();
    Placement place = BestFitPlacer.bestFit().place(state, spec).orElseThrow();
    state.apply(JobSpec.builder(job).gpus(gpus).build(), place);
  }

  private static JobSpec inOneRack(String id, int gpus) {
    return JobSpec.builder(id).gpus(gpus).topology(TopologyConstraint.required("rack")).build();
  }

  private static Map<JobId, Double> costs(Object... jobsAndCosts) {
    Map<JobId, Double> costs = new LinkedHashMap<>();
    for (int i = 0; i < jobsAndCosts.length; i += 2) {
      costs.put(JobId.of((String) jobsAndCosts[i]), ((Number) jobsAndCosts[i + 1]).doubleValue());
    }
    return costs;
  }

  private static NodeId node(String id) {
    return NodeId.of(id);
  }

  private static ClusterTopology cluster(int racks, int nodes, int gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < racks; rack++) {
      cluster.domain(Domain.of("rack", "r" + rack));
      for (int node = 0; node < nodes; node++) {
        String id = "n" + (rack * nodes + node);
        cluster.node(
            Node.builder(id)
                .domain("r" + rack)
                .gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16))
                .label("name", id)
                .build());
      }
    }
    return cluster.build();
  }
}
