package io.github.liquidscheduler.lab.baseline;

import static io.github.liquidscheduler.placement.network.Samples.placed;
import static io.github.liquidscheduler.placement.network.Samples.serverJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.job.Communication.AllReduce;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.baseline.NodeCountCost.Fitness;
import io.github.liquidscheduler.lab.baseline.PlacementCost.JobCost;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.network.Samples;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The costs that Liquid printed and released. */
class LiquidCostsTest {
  private static final Offset<Double> EXACTLY = within(1e-12);

  /** Two domains of two racks of three nodes of four GPUs. */
  private final ClusterTopology tree = tree();

  private double ways(String placement) {
    NodeCountCost cost = NodeCountCost.of(tree, node -> 0, 1, Fitness.SUM);
    return cost.forJob(serverJob("j", 1, 2, 1)).of(placed(tree, placement));
  }

  @Test
  void aWayCostsTheNodesThatShareIt() {
    assertThat(ways("pww")).isZero();
    assertThat(ways("pw:w")).as("three nodes in the rack").isEqualTo(3);
    assertThat(ways("p:w:w")).isEqualTo(6);
    assertThat(ways("pw:::w")).as("six nodes in the domain").isEqualTo(6);
    assertThat(ways("pw::::::w")).as("ten times the domain").isEqualTo(60);
  }

  @Test
  void thePaperCannotTellTwoWorkersOnOneNodeFromTwoOnTwo() {
    assertThat(ways("p:ww")).isEqualTo(ways("p:w:w"));
  }

  @Test
  void fitnessAsPrintedRewardsTouchingMoreNodes() {
    JobSpec job = Samples.job("j", 3, new AllReduce(1));
    JobCost sum = NodeCountCost.of(tree, node -> 1, 0, Fitness.SUM).forJob(job);
    JobCost mean = NodeCountCost.of(tree, node -> 1, 0, Fitness.MEAN).forJob(job);

    assertThat(sum.of(Samples.counts(tree, 3))).isEqualTo(-1);
    assertThat(sum.of(Samples.counts(tree, 1, 1, 1))).isEqualTo(-1.5);
    assertThat(mean.of(Samples.counts(tree, 3))).isEqualTo(-1);
    assertThat(mean.of(Samples.counts(tree, 1, 1, 1))).isEqualTo(-0.5);
  }

  @Test
  void lambdaWeighsTheWayAgainstFitness() {
    JobCost cost =
        NodeCountCost.of(tree, node -> 0, 0.5, Fitness.MEAN).forJob(serverJob("j", 1, 2, 1));

    assertThat(cost.of(placed(tree, "pw:w"))).isCloseTo(0.5 * 3 - 0.5 * 0.375, EXACTLY);
  }

  @Test
  void lambdaBeyondOneIsRefused() {
    assertThatThrownBy(() -> NodeCountCost.of(tree, node -> 0, 1.1, Fitness.SUM))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lambda must be from 0 to 1, but was 1.1");
  }

  @Test
  void tiersCostOneFourAndForty() {
    assertThat(tiers("pww", 1)).isZero();
    assertThat(tiers("pw:w", 1)).isEqualTo(1);
    assertThat(tiers("pw:::w", 1)).isEqualTo(4);
    assertThat(tiers("pw::::::w", 1)).isEqualTo(40);
    assertThat(tiers("p:w:w", 2)).as("two units of bandwidth").isEqualTo(4);
  }

  private double tiers(String placement, int units) {
    return TierCost.of(tree, node -> 0)
        .forJob(withBandwidth(serverJob("j", 1, 2, 1), units))
        .explain(placed(tree, placement))
        .terms()
        .stream()
        .filter(CostBreakdown.Quantity.class::isInstance)
        .map(CostBreakdown.Quantity.class::cast)
        .filter(term -> term.name().startsWith("tiers"))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static JobSpec withBandwidth(JobSpec job, int units) {
    JobSpec.Builder changed = job.toBuilder();
    TierCost.setBandwidth(changed, "worker", units);
    return changed.build();
  }

  @Test
  void theReleasedScoreAddsNodesUsedAndTakesAwayTheirLoadTaskByTask() {
    JobCost cost = TierCost.of(tree, node -> 1).forJob(serverJob("j", 1, 2, 1));

    double loadOfPair = (1 + 1 + 1 + 1 + 1 + 2) / 4.0;
    double loadOfOne = (1 + 1 + 1) / 4.0;
    assertThat(cost.of(placed(tree, "pw:w")))
        .isCloseTo(1 + (2 - loadOfPair - loadOfOne) / 3, EXACTLY);
  }

  /**
   * Two jobs in one rack with three split pairs between them, task by task in any order: the
   * released evaluator gives -77 to 3, for the first task of a job clears what it knows of both.
   */
  @Property
  void twoJobsInOneRackCostThreeInWhateverOrderTheirTasksCome(
      @ForAll("orders") List<Integer> order) {
    JobCost first = networkOnly(serverJob("first", 1, 2, 1));
    JobCost second = networkOnly(serverJob("second", 1, 1, 1));
    TaskCounts firstCounts = new TaskCounts(tree.nodes().size(), 2);
    TaskCounts secondCounts = new TaskCounts(tree.nodes().size(), 2);
    double sum = 0;
    for (int task : order) {
      double before = first.of(firstCounts) + second.of(secondCounts);
      switch (task) {
        case 0 -> firstCounts.add(0, 0, 1);
        case 1 -> firstCounts.add(1, 1, 1);
        case 2 -> firstCounts.add(2, 1, 1);
        case 3 -> secondCounts.add(1, 0, 1);
        default -> secondCounts.add(0, 1, 1);
      }
      sum += first.of(firstCounts) + second.of(secondCounts) - before;
    }

    assertThat(sum).isCloseTo(3, EXACTLY);
  }

  @Provide
  Arbitrary<List<Integer>> orders() {
    return Arbitraries.shuffle(0, 1, 2, 3, 4);
  }

  /** The score without load and nodes used, as the example counts it. */
  private JobCost networkOnly(JobSpec job) {
    JobCost cost = TierCost.of(tree, node -> 0).forJob(job);
    return new JobCost() {
      @Override
      public double of(TaskCounts counts) {
        return ((CostBreakdown.Quantity) cost.explain(counts).terms().getFirst()).value();
      }

      @Override
      public CostBreakdown explain(TaskCounts counts) {
        return cost.explain(counts);
      }
    };
  }

  private static ClusterTopology tree() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("domain", "rack");
    for (int domain = 0; domain < 2; domain++) {
      cluster.domain(Domain.of("domain", "d" + domain));
      for (int rack = 0; rack < 2; rack++) {
        String id = "d" + domain + "r" + rack;
        cluster.domain(Domain.of("rack", id).in("d" + domain));
        for (int node = 0; node < 3; node++) {
          cluster.node(Samples.node(id + "n" + node, 4, 100, 10).domain(id).build());
        }
      }
    }
    return cluster.build();
  }
}
