package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.NetworkOracle.Placed;
import io.github.liquidscheduler.planner.bound.LowerBound;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.GangPlacements;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** By the physical model, on clusters so small that every plan can be tried. */
class PhysicalOptimumLaws {

  private static final double ROUNDING = 1e-8;
  private static final int ROUNDS = 100;

  @Provide
  Arbitrary<PlanWorld> worlds() {
    return PlanWorld.worlds(4, 3, 3);
  }

  @Property(tries = 300)
  void theBestPlanIsBetweenTheBoundAndThePlanFound(@ForAll("worlds") PlanWorld world) {
    ClusterTopology topology = world.topology();
    List<JobSpec> jobs = world.waitingJobs();
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(topology))
            .pending(jobs)
            .options(PlanOptions.builder().steps(1000).boundRounds(ROUNDS).build())
            .build();
    BatchPlan plan = BatchPlanners.timefold().plan(request);
    Assume.that(plan.postponed().isEmpty());
    double optimum = new Tries(topology, jobs).optimum();

    assertThat(plan.certificate().cost()).isGreaterThanOrEqualTo(optimum - ROUNDING);
    assertThat(uncapped(request, plan)).isLessThanOrEqualTo(optimum + ROUNDING);
  }

  /** Returns the bound that is found when a plan is said to cost ten times what it does. */
  private static double uncapped(PlanRequest request, BatchPlan plan) {
    PlanningInput input = new PlanningInput(request, PlanCost.physical().terms());
    GangAssignment[] assignments = new GangAssignment[input.problem().gangs().length];
    for (Gang gang : input.problem().gangs()) {
      assignments[gang.id] =
          GangPlacements.assignmentOf(input.problem(), gang, plan.starts().get(gang.id));
    }
    double scale = input.cost().scale();
    double target = 10 * plan.certificate().cost() * scale;
    return LowerBound.of(input.problem(), assignments, target, ROUNDS) / scale;
  }

  /** All ways to put the tasks of all jobs on nodes. */
  private static final class Tries {
    private final ClusterTopology topology;
    private final List<JobSpec> jobs;
    private final CostOracle oracle;
    private final int[] free;
    private double least = Double.POSITIVE_INFINITY;

    Tries(ClusterTopology topology, List<JobSpec> jobs) {
      this.topology = topology;
      this.jobs = jobs;
      oracle = new CostOracle(topology, new NetworkOracle(topology, 0, false), true, 0);
      free = topology.nodes().stream().mapToInt(node -> node.gpus().size()).toArray();
    }

    double optimum() {
      place(new ArrayList<>(), new ArrayList<>(), 0);
      return least;
    }

    /** Places the next task of the next job; equal tasks go to nodes in ascending order. */
    private void place(List<Placed> done, List<TaskPlacement> tasks, int from) {
      if (done.size() == jobs.size()) {
        least = Math.min(least, oracle.of(List.of(), done));
        return;
      }
      JobSpec job = jobs.get(done.size());
      if (tasks.size() == job.tasks()) {
        List<Placed> more = new ArrayList<>(done);
        more.add(new Placed(job, new Placement(job.id(), List.copyOf(tasks))));
        place(more, new ArrayList<>(), 0);
        return;
      }
      TaskRole role = role(job, tasks.size());
      boolean first = tasks.isEmpty() || !tasks.getLast().task().role().equals(role.name());
      for (int node = first ? 0 : from; node < free.length; node++) {
        place(done, tasks, role, node);
      }
    }

    private void place(List<Placed> done, List<TaskPlacement> tasks, TaskRole role, int at) {
      Node node = topology.nodes().get(at);
      int gpus = role.request().gpus();
      JobSpec job = jobs.get(done.size());
      boolean suits = gpus == 0 || job.gpuModels().contains(node.gpus().getFirst().model());
      if (free[at] >= gpus && suits) {
        int first = node.gpus().size() - free[at];
        List<Integer> held = IntStream.range(first, first + gpus).boxed().toList();
        TaskId id = new TaskId(role.name(), tasks.size());
        free[at] -= gpus;
        tasks.add(new TaskPlacement(id, node.id(), held, role.request()));
        place(done, tasks, at);
        tasks.removeLast();
        free[at] += gpus;
      }
    }

    private static TaskRole role(JobSpec job, int task) {
      int left = task;
      int role = 0;
      while (left >= job.roles().get(role).count()) {
        left -= job.roles().get(role++).count();
      }
      return job.roles().get(role);
    }
  }
}
