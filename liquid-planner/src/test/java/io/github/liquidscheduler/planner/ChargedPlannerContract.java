package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.bound.LowerBound;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.GangPlacements;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.testkit.BatchPlannerContract;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * What our planners promise beyond the contract of all, whatever plans cost: they are judged on
 * requests whose number says how their plans are charged.
 */
public abstract class ChargedPlannerContract extends BatchPlannerContract {

  /** Returns the planner whose plans are charged by {@code cost}. */
  public abstract BatchPlanner planner(PlanCost cost);

  @Override
  protected BatchPlanner planner() {
    return request -> planner(PlanScenario.cost(request)).plan(request);
  }

  @Override
  @Provide
  protected Arbitrary<PlanRequest> requests() {
    return new Choices.Any().get().map(choices -> new PlanScenario(choices).request());
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void aPlanCostsNoLessThanABoundThatDoesNotKnowItsCost(
      @ForAll("requests") PlanRequest request) {
    BatchPlan plan = planner().plan(request);
    CostTerms terms = PlanScenario.cost(request).terms();
    PlanningInput input = new PlanningInput(request, terms);
    double units = plan.certificate().cost() * terms.scale();

    double bound = LowerBound.of(input.problem(), assignments(input, plan), 2 * units + 1000, 50);

    assertThat(bound).isLessThanOrEqualTo(units + 1e-9 * units);
  }

  @Example
  public void ofEqualJobsTheLastWait() {
    BatchPlan plan = equalJobs(12);

    assertThat(plan.starts())
        .extracting(Placement::job)
        .map(Object::toString)
        .containsExactly("j0", "j1", "j2", "j3", "j4", "j5");
    assertThat(plan.postponed()).hasSize(6);
  }

  /** Plans jobs of a server and two workers on nine nodes of two GPUs. */
  private BatchPlan equalJobs(int jobs) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < 9; node++) {
      cluster.node(Node.builder("n" + node).gpus(2, GpuModel.of("T4"), Memory.ofGib(16)).build());
    }
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(cluster.build()))
            .pending(IntStream.range(0, jobs).mapToObj(ChargedPlannerContract::equalJob).toList())
            .options(PlanOptions.builder().steps(3_000).boundRounds(0).build())
            .build();
    return planner(PlanCost.physical()).plan(request);
  }

  private static JobSpec equalJob(int number) {
    return JobSpec.builder("j" + number)
        .role("ps", 1, ResourceRequest.ofGpus(1))
        .role("worker", 2, ResourceRequest.ofGpus(1))
        .communication(new Communication.ParameterServer("ps", "worker", 100_000_000))
        .build();
  }

  private static GangAssignment[] assignments(PlanningInput input, BatchPlan plan) {
    Map<JobId, Placement> placements = new LinkedHashMap<>();
    placements(plan).forEach(placement -> placements.put(placement.job(), placement));
    return Stream.of(input.problem().gangs())
        .map(
            gang ->
                Optional.ofNullable(placements.get(gang.job.id()))
                    .map(found -> GangPlacements.assignmentOf(input.problem(), gang, found))
                    .orElse(gang.home))
        .toArray(GangAssignment[]::new);
  }

  private static List<Placement> placements(BatchPlan plan) {
    return Stream.concat(plan.starts().stream(), plan.migrations().stream().map(Migration::to))
        .toList();
  }
}
