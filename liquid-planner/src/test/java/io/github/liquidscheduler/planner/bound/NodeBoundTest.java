package io.github.liquidscheduler.planner.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.planner.bound.NodeBound.Node;
import io.github.liquidscheduler.planner.bound.TaskTypes.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class NodeBoundTest {

  private static final int ENOUGH = 3000;

  private static double bound(List<Member> gangs, List<Node> nodes, double known) {
    return new NodeBound(gangs, nodes).below(known, ENOUGH);
  }

  @Test
  void twoJobsThatMustShareANodeCostTheProductOfTheirIntensities() {
    List<Member> gangs = List.of(new Member(1, 1, 3, 0), new Member(1, 1, 5, 0));

    assertThat(bound(gangs, List.of(new Node(2, 0)), 15)).isBetween(14.9, 15.0);
  }

  @Test
  void whatRunsOnTheNodeDisturbsToo() {
    List<Member> gangs = List.of(new Member(1, 1, 3, 0));

    assertThat(bound(gangs, List.of(new Node(1, 7)), 21)).isBetween(20.9, 21.0);
  }

  @Test
  void aGangTooLargeForANodePaysForItsTraffic() {
    List<Member> gangs = List.of(new Member(4, 1, 0, 5));

    // Two and two: four of the six pairs are apart.
    assertThat(bound(gangs, List.of(new Node(2, 0), new Node(2, 0)), 20)).isBetween(19.9, 20.0);
  }

  @Test
  void jobsThatCanAvoidEachOtherCostNothing() {
    List<Member> gangs = List.of(new Member(1, 1, 3, 9), new Member(1, 1, 5, 9));

    assertThat(bound(gangs, List.of(new Node(1, 0), new Node(1, 0)), 0)).isZero();
  }

  @Test
  void moreEvaluationsNeverGiveALowerBound() {
    Instance instance = shared(7);
    double few = new NodeBound(instance.gangs(), instance.nodes()).below(2000, 400);
    double many = new NodeBound(instance.gangs(), instance.nodes()).below(2000, 2000);

    assertThat(many).isGreaterThanOrEqualTo(few);
    assertThat(few).isPositive();
  }

  @Test
  void theSameInstanceGivesTheSameBound() {
    Instance instance = shared(3);

    assertThat(bound(instance.gangs(), instance.nodes(), 1e6))
        .isEqualTo(bound(instance.gangs(), instance.nodes(), 1e6));
  }

  @Property(maxDiscardRatio = 20)
  void theBoundIsNeverAboveTheOptimum(@ForAll("instances") Instance instance) {
    double optimum = instance.optimum();
    Assume.that(optimum < Double.POSITIVE_INFINITY);

    assertThat(bound(instance.gangs(), instance.nodes(), 1e6)).isLessThanOrEqualTo(optimum);
  }

  @Property(maxDiscardRatio = 20)
  void coarserUnitsKeepTheBoundTrue(@ForAll("instances") Instance instance) {
    double optimum = instance.optimum();
    Assume.that(optimum < Double.POSITIVE_INFINITY);
    List<Member> large = new ArrayList<>();
    instance.gangs().forEach(gang -> large.add(scaled(gang)));
    List<Node> nodes =
        instance.nodes().stream().map(node -> new Node(node.free(), node.resident() * 37)).toList();

    assertThat(bound(large, nodes, 1e9)).isLessThanOrEqualTo(optimum * 37 * 37);
  }

  private static Member scaled(Member gang) {
    return new Member(gang.tasks(), gang.gpus(), gang.intensity() * 37, gang.traffic() * 37 * 37);
  }

  @Provide
  Arbitrary<Instance> instances() {
    Arbitrary<Member> gangs =
        Combinators.combine(
                Arbitraries.integers().between(1, 3),
                Arbitraries.integers().between(1, 3),
                Arbitraries.longs().between(0, 6),
                Arbitraries.longs().between(0, 6))
            .as(Member::new);
    Arbitrary<Node> nodes =
        Combinators.combine(Arbitraries.integers().between(0, 4), Arbitraries.longs().between(0, 5))
            .as(Node::new);
    return Combinators.combine(
            gangs.list().ofMinSize(1).ofMaxSize(4), nodes.list().ofMinSize(1).ofMaxSize(3))
        .as(Instance::new)
        .filter(Instance::mayFit);
  }

  /** Twelve nodes of eight GPUs, full but for a tenth. */
  private static Instance shared(long seed) {
    Random random = new Random(seed);
    List<Node> nodes = new ArrayList<>();
    for (int node = 0; node < 12; node++) {
      nodes.add(new Node(8 - random.nextInt(4), random.nextInt(6)));
    }
    int left = nodes.stream().mapToInt(Node::free).sum() * 9 / 10;
    List<Member> gangs = new ArrayList<>();
    while (left > 0) {
      int tasks = Math.min(left, 1 + random.nextInt(4));
      gangs.add(new Member(tasks, 1, 1 + random.nextInt(5), random.nextInt(5)));
      left -= tasks;
    }
    return new Instance(gangs, nodes);
  }

  record Instance(List<Member> gangs, List<Node> nodes) {

    boolean mayFit() {
      return gangs.stream().mapToInt(gang -> gang.tasks() * gang.gpus()).sum()
          <= nodes.stream().mapToInt(Node::free).sum();
    }

    /** Tries every way to place all tasks. */
    double optimum() {
      List<Member> tasks = new ArrayList<>();
      gangs.forEach(gang -> tasks.addAll(Collections.nCopies(gang.tasks(), gang)));
      int[] free = nodes.stream().mapToInt(Node::free).toArray();
      return cheapest(0, 0, free, new int[gangs.size()][nodes.size()]);
    }

    private double cheapest(int gang, int task, int[] free, int[][] counts) {
      if (gang == gangs.size()) {
        return cost(counts);
      }
      Member member = gangs.get(gang);
      boolean last = task + 1 == member.tasks();
      double least = Double.POSITIVE_INFINITY;
      for (int node = 0; node < free.length; node++) {
        if (free[node] >= member.gpus()) {
          free[node] -= member.gpus();
          counts[gang][node]++;
          least =
              Math.min(least, cheapest(last ? gang + 1 : gang, last ? 0 : task + 1, free, counts));
          counts[gang][node]--;
          free[node] += member.gpus();
        }
      }
      return least;
    }

    private double cost(int[][] counts) {
      double cost = 0;
      for (int one = 0; one < gangs.size(); one++) {
        Member gang = gangs.get(one);
        long together = 0;
        for (int node = 0; node < nodes.size(); node++) {
          long here = counts[one][node];
          together += here * here;
          cost += here * gang.intensity() * nodes.get(node).resident();
          for (int other = one + 1; other < gangs.size(); other++) {
            cost += here * counts[other][node] * gang.intensity() * gangs.get(other).intensity();
          }
        }
        long pairs = ((long) gang.tasks() * gang.tasks() - together) / 2;
        cost += pairs * gang.traffic();
      }
      return cost;
    }
  }
}
