package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.bound.LowerBound;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Example;
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
  public void aPlanCostsNoLessThanABoundThatDoesNotKnowItsCost(@ForAll long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    PlanCost cost = scenario.cost();
    PlanRequest request = scenario.request(scenario.options().build());
    BatchPlan plan = planner(cost).plan(request);
    PlanningInput input = new PlanningInput(request, cost.terms());
    double units = plan.certificate().cost() * cost.terms().scale();

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

  @Example
  public void aPlanOfNothingIsAPlan() {
    assertThat(equalJobs(0).starts()).isEmpty();
  }

  /** Plans jobs of a server and two workers on nine nodes of two GPUs. */
  private BatchPlan equalJobs(int jobs) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < 9; node++) {
      cluster.node(Node.builder("n" + node).gpus(2, GpuModel.of("T4"), Memory.ofGib(16)).build());
    }
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(cluster.build()))
            .pending(IntStream.range(0, jobs).mapToObj(BatchPlannerContract::equalJob).toList())
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
