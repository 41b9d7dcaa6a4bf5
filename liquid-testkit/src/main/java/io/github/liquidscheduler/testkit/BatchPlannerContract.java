package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The contract of every {@link BatchPlanner}, on small clusters that are partly busy. */
public abstract class BatchPlannerContract {

  /** Makes a contract. */
  protected BatchPlannerContract() {}

  /** Returns the planner to judge. It may be the same one each time. */
  protected abstract BatchPlanner planner();

  /** Returns the requests that it is asked. */
  @Provide
  protected Arbitrary<PlanRequest> requests() {
    return PlanningScenario.any().map(PlanningScenario::request);
  }

  /**
   * A plan can be carried out in its order: each migration while what was there before still is,
   * then each start; gangs are whole, of a size they allow, allowed there, and nothing is too much.
   */
  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  public void aPlanCanBeDoneInItsOrder(@ForAll("requests") PlanRequest request) {
    BatchPlan plan = planner().plan(request);
    PlainCluster cluster = PlainCluster.copyOf(request.view(), request::running);
    for (Migration migration : plan.migrations()) {
      JobSpec job = request.running(migration.job()).orElseThrow();
      cluster.stop(job.id());
      new PlacementJudge(cluster).requireStart(job, migration.to());
      cluster.start(job, migration.to());
    }
    for (Placement start : plan.starts()) {
      JobSpec job =
          start.sized(
              request.pending().stream()
                  .filter(each -> each.id().equals(start.job()))
                  .findFirst()
                  .orElseThrow());
      new PlacementJudge(cluster).requireStart(job, start);
      cluster.start(job, start);
    }
  }

  /** Each job to place is decided on once. */
  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  public void everyPendingJobStartsOrWaits(@ForAll("requests") PlanRequest request) {
    BatchPlan plan = planner().plan(request);
    List<JobId> decided = new ArrayList<>(plan.starts().stream().map(Placement::job).toList());
    decided.addAll(plan.postponed());

    assertThat(decided)
        .containsExactlyInAnyOrderElementsOf(request.pending().stream().map(JobSpec::id).toList());
    assertThat(plan.number()).isEqualTo(request.number());
  }

  /** Running jobs move at most once, and only those that may. */
  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void onlyJobsOfferedForMigrationMove(@ForAll("requests") PlanRequest request) {
    List<JobId> moved = planner().plan(request).migrations().stream().map(Migration::job).toList();

    assertThat(moved).doesNotHaveDuplicates().allMatch(request.migrationCosts()::containsKey);
  }

  /** A plan is a function of the request, which planning does not change. */
  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void theSameRequestGivesTheSamePlan(@ForAll("requests") PlanRequest request) {
    assertThat(planner().plan(request)).isEqualTo(planner().plan(request));
  }

  /** Nothing to place is no error. */
  @Example
  public void aPlanOfNothingIsAPlan() {
    Node node = Node.builder("n0").gpus(1, GpuModel.of("V100"), Memory.ofGib(16)).build();
    PlainCluster idle = PlainCluster.of(ClusterTopology.builder().node(node).build());

    assertThat(planner().plan(PlanRequest.builder(idle).build()).starts()).isEmpty();
  }
}
