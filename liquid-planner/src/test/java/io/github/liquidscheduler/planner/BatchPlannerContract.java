package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.cost.PlanCost;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What every planner promises, on random clusters that are partly busy. */
public abstract class BatchPlannerContract {

  /** Returns the planner whose plans are charged by {@code cost}. */
  public abstract BatchPlanner planner(PlanCost cost);

  @Property(tries = 150)
  public void aPlanCanBeDoneInItsOrder(@ForAll long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    BatchPlan plan = plan(scenario);
    ClusterState state = scenario.state.copy();

    for (Migration migration : plan.migrations()) {
      state.release(migration.job());
      state.apply(migration.to());
    }
    plan.starts().forEach(state::apply);

    assertThat(state.runningJobs()).hasSize(scenario.running.size() + plan.starts().size());
  }

  @Property(tries = 150)
  public void everyPendingJobStartsWholeOrWaits(@ForAll long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    BatchPlan plan = plan(scenario);
    List<JobId> decided = new ArrayList<>(plan.starts().stream().map(Placement::job).toList());
    decided.addAll(plan.postponed());

    assertThat(decided)
        .containsExactlyInAnyOrderElementsOf(scenario.pending.stream().map(JobSpec::id).toList());
    for (Placement placement : placements(plan)) {
      assertThat(placement.tasks().stream().map(TaskPlacement::task).toList())
          .isEqualTo(tasks(job(scenario, placement.job())));
    }
  }

  @Property(tries = 150)
  public void theTopologyTheModelsAndTheLabelsAreRespected(@ForAll long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    ClusterTopology topology = scenario.state.topology();

    for (Placement placement : placements(plan(scenario))) {
      JobSpec job = job(scenario, placement.job());
      job.topology()
          .required()
          .ifPresent(level -> assertThat(holds(topology, placement, level)).isTrue());
      if (!job.gpuModels().isEmpty()) {
        assertThat(job.gpuModels()).containsAll(models(topology, placement));
        assertThat(models(topology, placement)).hasSizeLessThanOrEqualTo(1);
      }
      assertThat(placement.nodes())
          .allMatch(
              node ->
                  topology.node(node).labels().entrySet().containsAll(job.nodeLabels().entrySet()));
    }
  }

  @Property(tries = 100)
  public void onlyJobsOfferedForMigrationMove(@ForAll long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    PlanRequest request = scenario.request(scenario.options().build());

    assertThat(planner(scenario.cost()).plan(request).migrations().stream().map(Migration::job))
        .allMatch(request.migrationCosts()::containsKey);
  }

  @Property(tries = 100)
  public void theSameRequestGivesTheSamePlan(@ForAll long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    PlanRequest request = scenario.request(scenario.options().build());

    PlanCost cost = scenario.cost();

    assertThat(planner(cost).plan(request)).isEqualTo(planner(cost).plan(request));
  }

  @Property(tries = 100)
  public void aPlanIsNeverBetterThanItsBound(@ForAll long seed) {
    PlanCertificate certificate = plan(new PlanScenario(seed)).certificate();

    assertThat(certificate.lowerBound()).isLessThanOrEqualTo(certificate.cost());
  }

  private BatchPlan plan(PlanScenario scenario) {
    return planner(scenario.cost()).plan(scenario.request(scenario.options().build()));
  }

  static JobSpec job(PlanScenario scenario, JobId id) {
    return Stream.concat(scenario.running.stream(), scenario.pending.stream())
        .filter(job -> job.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static List<Placement> placements(BatchPlan plan) {
    return Stream.concat(plan.starts().stream(), plan.migrations().stream().map(Migration::to))
        .toList();
  }

  private static List<TaskId> tasks(JobSpec job) {
    List<TaskId> tasks = new ArrayList<>();
    for (TaskRole role : job.roles()) {
      for (int i = 0; i < role.count(); i++) {
        tasks.add(new TaskId(role.name(), i));
      }
    }
    return tasks;
  }

  private static Set<GpuModel> models(ClusterTopology topology, Placement placement) {
    Set<GpuModel> models = new LinkedHashSet<>();
    for (TaskPlacement task : placement.tasks()) {
      task.gpus().forEach(gpu -> models.add(topology.gpu(new GpuId(task.node(), gpu)).model()));
    }
    return models;
  }

  private static boolean holds(ClusterTopology topology, Placement placement, String level) {
    Set<NodeId> nodes = placement.nodes();
    if (nodes.size() == 1) {
      return true;
    }
    List<String> levels = topology.levels();
    NodeId first = nodes.iterator().next();
    return levels.subList(levels.indexOf(level), levels.size()).stream()
        .map(narrower -> topology.domainOf(first, narrower).map(Domain::id))
        .flatMap(Optional::stream)
        .map(topology::nodesOf)
        .anyMatch(domain -> nodes.stream().allMatch(n -> domain.contains(topology.position(n))));
  }
}
