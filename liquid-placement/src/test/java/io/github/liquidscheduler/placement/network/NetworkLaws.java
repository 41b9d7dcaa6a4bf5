package io.github.liquidscheduler.placement.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.network.PhysicalCost.JobCost;
import io.github.liquidscheduler.resource.Bandwidth;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What holds for every network, job and placement. */
class NetworkLaws {

  @Provide
  Arbitrary<RandomNetwork> networks() {
    return new Choices.Any().get().map(RandomNetwork::new);
  }

  @Property
  void aCostIsNeverNegative(@ForAll("networks") RandomNetwork random) {
    assertThat(random.cost(random.model()).of(random.counts)).isNotNegative().isFinite();
  }

  @Property
  void aBreakdownHasTheCost(@ForAll("networks") RandomNetwork random) {
    JobCost cost = random.cost(random.model());

    assertThat(cost.explain(random.counts).cost()).isEqualTo(cost.of(random.counts));
  }

  @Property
  void moreBytesNeverCostLess(@ForAll("networks") RandomNetwork random) {
    NetworkModel model = random.model();
    LinkLoads loads = random.loads(model);
    PhysicalCost cost = PhysicalCost.of(model, loads);

    double less = cost.forTraffic(random.traffic).of(random.counts);
    double more = cost.forTraffic(random.traffic.times(1.5)).of(random.counts);

    assertThat(more).isGreaterThanOrEqualTo(less);
  }

  @Property
  void namesAndOrderOfNodesDoNotMatter(@ForAll("networks") RandomNetwork random) {
    NetworkModel model = random.model();
    NetworkModel renamed = NetworkModel.of(random.reversedTopology(), model.parameters());

    double cost = random.cost(model).of(random.counts);

    assertThat(
            PhysicalCost.of(renamed, random.reversedLoads(renamed))
                .forTraffic(random.traffic)
                .of(random.reversed(random.counts)))
        .isCloseTo(cost, within(1e-9 * cost));
  }

  @Property
  void moreBandwidthNeverMakesAPlacementWorse(@ForAll("networks") RandomNetwork random) {
    NetworkModel narrow = random.model();
    NetworkModel wide = NetworkModel.of(random.widenedTopology(), narrow.parameters());
    LinkLoads narrowLoads = random.background(narrow);
    LinkLoads wideLoads = random.background(wide);

    assertThat(Samples.seconds(wide, random.traffic, random.counts, wideLoads))
        .isLessThanOrEqualTo(Samples.seconds(narrow, random.traffic, random.counts, narrowLoads));
    assertThat(wide.iterationSeconds(random.traffic, random.counts))
        .isLessThanOrEqualTo(narrow.iterationSeconds(random.traffic, random.counts));
  }

  @Property
  void aChangedCandidateCostsTheSameAsANewOne(@ForAll("networks") RandomNetwork random) {
    NetworkModel model = random.model();
    LinkLoads loads = random.loads(model);
    double expected = random.cost(model, loads).of(random.counts);
    IncrementalCost running = new IncrementalSeconds(loads.workspace(), random.traffic);

    random.addWithDetours(running);

    assertThat(running.cost()).isEqualTo(expected);
    assertThat(running.uncontendedCost()).isLessThanOrEqualTo(expected);
  }

  @Property
  void othersNeverMakeANetworkFaster(@ForAll("networks") RandomNetwork random) {
    NetworkModel model = random.model();

    assertThat(Samples.seconds(model, random.traffic, random.counts, random.loads(model)))
        .isGreaterThanOrEqualTo(model.communicationSeconds(random.traffic, random.counts));
  }

  @Property
  void removingUndoesAdding(@ForAll("networks") RandomNetwork random) {
    NetworkModel model = random.model();
    LinkLoads loads = random.loads(model);
    List<Bandwidth> before = shown(loads, model);
    double cost = random.cost(model, loads).of(random.counts);

    loads.add(random.traffic, random.counts);
    loads.remove(random.job.id());

    assertThat(shown(loads, model)).isEqualTo(before);
    assertThat(random.cost(model, loads).of(random.counts)).isEqualTo(cost);
  }

  @Property(tries = 300)
  void aNodeThatComesAndGoesMovesTheOthersAndNothingElse(
      @ForAll("networks") RandomNetwork random, @ForAll @IntRange(max = 1000) int choice) {
    NetworkModel model = random.model();
    LinkLoads loads = random.loads(model);
    List<Bandwidth> before = shown(loads, model);
    double cost = random.cost(model, loads).of(random.counts);
    List<Node> nodes = model.topology().nodes();
    Node like = nodes.get(choice % nodes.size());
    Node.Builder added = like.toBuilder().id("added");
    added.nic(choice % 2 == 0 ? like.nic() : Samples.link(1 + choice));
    ClusterTopology more = model.topology().withNode(added.build(), List.of());
    int at = more.position(NodeId.of("added"));

    IntUnaryOperator beforeGrowth = node -> node == at ? -1 : node - (node > at ? 1 : 0);
    int[] positions = IntStream.rangeClosed(0, nodes.size()).map(beforeGrowth).toArray();
    NetworkModel grown = model.changedTo(more, positions);
    LinkLoads moved = loads.in(grown, positions);
    List<Bandwidth> with = shown(moved, grown);
    assertThat(with.remove(at)).isEqualTo(new Bandwidth(0));
    assertThat(with).isEqualTo(before);

    IntUnaryOperator beforeLoss = node -> node + (node < at ? 0 : 1);
    int[] left = IntStream.range(0, nodes.size()).map(beforeLoss).toArray();
    NetworkModel shrunk = grown.changedTo(model.topology(), left);
    LinkLoads back = moved.in(shrunk, left);
    assertThat(random.cost(shrunk, back).of(random.counts)).isEqualTo(cost);
    random.residents().forEach(back::removeIfAdded);
    assertThat(back.isEmpty()).isTrue();
    assertThat(shown(back, shrunk)).allMatch(load -> load.bytesPerSecond() == 0);
  }

  @Property(tries = 200)
  void removingAllLeavesNothing(@ForAll("networks") RandomNetwork random) {
    NetworkModel model = random.model();
    LinkLoads loads = random.loads(model);

    for (JobId resident : random.residents()) {
      loads.remove(resident);
    }

    assertThat(shown(loads, model)).containsOnly(Bandwidth.ZERO);
  }

  private static List<Bandwidth> shown(LinkLoads loads, NetworkModel model) {
    List<Bandwidth> shown = new ArrayList<>();
    for (Node node : model.topology().nodes()) {
      shown.add(loads.nicLoad(node.id()));
    }
    for (Domain domain : model.topology().domains()) {
      DomainId id = domain.id();
      shown.add(loads.uplinkLoad(id));
    }
    return shown;
  }

  @Test
  void scoringMakesNoGarbage() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    RandomNetwork random = new RandomNetwork(Choices.of(7));
    JobCost cost = random.cost(random.model());
    double sum = score(cost, random.counts, 20_000);

    long before = threads.getCurrentThreadAllocatedBytes();
    sum += score(cost, random.counts, 10_000);
    long after = threads.getCurrentThreadAllocatedBytes();

    assertThat(sum).isPositive();
    assertThat(after - before).as("bytes in 10 000 scores").isLessThan(10_000);
  }

  private static double score(JobCost cost, TaskCounts counts, int times) {
    double sum = 0;
    for (int i = 0; i < times; i++) {
      sum += cost.of(counts);
    }
    return sum;
  }
}
