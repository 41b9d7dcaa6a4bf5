package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.cost.NetworkParameters.AllReduceAlgorithm;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.planner.NetworkOracle.Placed;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Certificates against costs that were worked out from the placements alone. */
class PlanCostLaws {

  private static final double ROUNDING = 1e-6;
  private static final double MOVE = 0.01;

  /** How plans are charged. */
  record Charge(double pairPenalty, boolean hierarchical, boolean sharesLinks, double weight) {
    PlanCost cost() {
      AllReduceAlgorithm sum =
          hierarchical ? AllReduceAlgorithm.HIERARCHICAL : AllReduceAlgorithm.RING;
      NetworkParameters parameters =
          NetworkParameters.builder().pairPenalty(pairPenalty).allReduce(sum).build();
      PlanCost cost =
          PlanCost.physical(parameters).withInterference(new PlanScenario.ByFamily(), weight);
      return sharesLinks ? cost : cost.withLinksOfTheirOwn();
    }

    CostOracle oracle(ClusterTopology topology) {
      NetworkOracle network = new NetworkOracle(topology, pairPenalty, hierarchical);
      return new CostOracle(topology, network, sharesLinks, weight);
    }
  }

  @Provide
  Arbitrary<PlanWorld> worlds() {
    return PlanWorld.worlds(8, 5, 5);
  }

  @Provide
  Arbitrary<Charge> charges() {
    return Combinators.combine(
            Arbitraries.of(0.0, 0.5),
            Arbitraries.of(false, true),
            Arbitraries.of(true, false),
            Arbitraries.of(0.0, 2.0))
        .as(Charge::new);
  }

  @Property(tries = 250)
  void thePlanCostsWhatItsPlacementsSay(
      @ForAll("worlds") PlanWorld world, @ForAll("charges") Charge charge) {
    requireCost(world, charge, BatchPlanners.timefold(charge.cost()));
  }

  @Property(tries = 200)
  void theGreedyPlanCostsWhatItsPlacementsSay(
      @ForAll("worlds") PlanWorld world, @ForAll("charges") Charge charge) {
    requireCost(world, charge, BatchPlanners.greedy(charge.cost()));
  }

  @Test
  void jobsThatTheSearchCannotPlaceSendOverTheirLinksAllTheSame() {
    JobSpec spread = gang("spread", TopologyConstraint.NONE.andSpread(2, ClusterTopology.NODE));
    JobSpec plain = gang("plain", TopologyConstraint.NONE);
    ClusterTopology topology = twoNodes();
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(topology)).pending(List.of(spread, plain)).build();

    BatchPlan plan = BatchPlanners.greedy(PlanCost.physical().withFragmentation(0)).plan(request);

    List<Placed> placed = CostOracle.placed(List.of(spread, plain), plan.starts());
    double cost = new NetworkOracle(topology, 0, false).beside(placed.get(1), placed.subList(0, 1));
    assertThat(plan.certificate().cost()).isCloseTo(cost, within(ROUNDING));
  }

  private static JobSpec gang(String id, TopologyConstraint constraint) {
    return JobSpec.builder(id)
        .role("worker", 2, ResourceRequest.ofGpus(2))
        .topology(constraint)
        .communication(new Communication.AllReduce(1_000_000_000))
        .build();
  }

  private static ClusterTopology twoNodes() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (String id : List.of("one", "other")) {
      cluster.node(
          Node.builder(id)
              .gpus(5, GpuModel.of("A100"), Memory.ofGib(40))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(25)))
              .build());
    }
    return cluster.build();
  }

  private static void requireCost(PlanWorld world, Charge charge, BatchPlanner planner) {
    ClusterTopology topology = world.topology();
    ClusterState state = ClusterState.of(topology);
    List<JobSpec> movable = new ArrayList<>();
    List<Placed> fixed = new ArrayList<>();
    PlanRequest.Builder request = PlanRequest.builder(state).pending(world.waitingJobs());
    for (JobSpec job : started(world.runningJobs(), state)) {
      Placement home = state.placement(job.id()).orElseThrow();
      if (movable.size() < fixed.size()) {
        request.movable(job, MOVE);
        movable.add(job);
      } else {
        request.running(job);
        fixed.add(new Placed(job, home));
      }
    }
    PlanOptions options = PlanOptions.builder().steps(300).boundRounds(20).build();
    BatchPlan plan = planner.plan(request.options(options).build());

    List<Placed> planned = new ArrayList<>();
    movable.forEach(job -> planned.add(new Placed(job, where(plan, state, job))));
    planned.addAll(CostOracle.placed(world.waitingJobs(), plan.starts()));
    double cost = charge.oracle(topology).of(fixed, planned) + MOVE * plan.migrations().size();
    assertThat(plan.certificate().cost()).isCloseTo(cost, within(ROUNDING * (1 + cost)));
  }

  private static List<JobSpec> started(List<JobSpec> jobs, ClusterState state) {
    List<JobSpec> started = new ArrayList<>();
    for (JobSpec job : jobs) {
      BestFitPlacer.bestFit()
          .place(state, job)
          .ifPresent(
              placement -> {
                state.apply(job, placement);
                started.add(job);
              });
    }
    return started;
  }

  private static Placement where(BatchPlan plan, ClusterState state, JobSpec job) {
    return plan.migrations().stream()
        .filter(move -> move.job().equals(job.id()))
        .map(Migration::to)
        .findFirst()
        .orElseGet(() -> state.placement(job.id()).orElseThrow());
  }
}
