package io.github.liquidscheduler.placement.network;

import static io.github.liquidscheduler.placement.network.Samples.IDEAL;
import static io.github.liquidscheduler.placement.network.Samples.counts;
import static io.github.liquidscheduler.placement.network.Samples.job;
import static io.github.liquidscheduler.placement.network.Samples.placed;
import static io.github.liquidscheduler.placement.network.Samples.serverJob;
import static io.github.liquidscheduler.placement.network.Samples.twoRacks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.Communication.AllReduce;
import io.github.liquidscheduler.job.Communication.AllToAll;
import io.github.liquidscheduler.job.Communication.Pipeline;
import io.github.liquidscheduler.job.Communication.TensorParallel;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.cost.NetworkParameters.AllReduceAlgorithm;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class NetworkModelTest {
  private static final long GIGABYTE = 1_000_000_000L;
  private static final Offset<Double> EXACTLY = within(1e-12);

  private final ClusterTopology racks = twoRacks();
  private final NetworkModel ideal = NetworkModel.of(racks, IDEAL);

  private double seconds(Communication communication, int... tasksOnNodes) {
    return seconds(ideal, communication, tasksOnNodes);
  }

  private double seconds(NetworkModel model, Communication communication, int... tasksOnNodes) {
    Traffic traffic = Traffic.of(job("j", 1, communication));
    return model.communicationSeconds(traffic, counts(racks, tasksOnNodes));
  }

  @Test
  void oneGpuNeedsNoNetwork() {
    assertThat(seconds(new AllReduce(GIGABYTE), 1)).isZero();
  }

  @Test
  void aRingOnOneNodeGoesAtThePaceOfItsNvlink() {
    assertThat(seconds(new AllReduce(GIGABYTE), 8)).isCloseTo(1.75 / 100, EXACTLY);
  }

  @Test
  void aRingOverTwoNodesGoesAtThePaceOfTheirNetworkCards() {
    assertThat(seconds(new AllReduce(GIGABYTE), 4, 4)).isCloseTo(1.75 / 10, EXACTLY);
  }

  @Test
  void aRingOverTwoRacksIsHeldUpByTheNarrowestLinkOnIt() {
    ClusterTopology narrow = racksJoinedBy(Samples.link(5));
    Traffic traffic = Traffic.of(job("j", 2, new AllReduce(GIGABYTE)));

    double inOneRack =
        NetworkModel.of(narrow, IDEAL).communicationSeconds(traffic, counts(narrow, 1, 1));
    double inTwoRacks =
        NetworkModel.of(narrow, IDEAL).communicationSeconds(traffic, counts(narrow, 1, 0, 1));

    assertThat(inOneRack).isCloseTo(1.0 / 10, EXACTLY);
    assertThat(inTwoRacks).isCloseTo(1.0 / 5, EXACTLY);
  }

  @Test
  void aHierarchySumsInsideNodesFirst() {
    NetworkModel hierarchical =
        NetworkModel.of(
            racks, IDEAL.toBuilder().allReduce(AllReduceAlgorithm.HIERARCHICAL).build());

    assertThat(seconds(hierarchical, new AllReduce(GIGABYTE), 4, 4))
        .isCloseTo(1.5 / 100 + 1.0 / 10, EXACTLY);
  }

  @Test
  void twoNodesAloneAreSlowerThanBandwidthSaysByThePairPenalty() {
    NetworkModel paired = NetworkModel.of(racks, IDEAL.toBuilder().pairPenalty(0.5).build());

    assertThat(seconds(paired, new AllReduce(GIGABYTE), 1, 1)).isCloseTo(0.15, EXACTLY);
    assertThat(seconds(paired, new AllReduce(GIGABYTE), 1, 1, 1)).isCloseTo(4.0 / 3 / 10, EXACTLY);
  }

  @Test
  void everyStepOfARingTakesTheLatency() {
    NetworkModel slow =
        NetworkModel.of(racks, IDEAL.toBuilder().linkLatency(Duration.ofMillis(1)).build());

    assertThat(seconds(slow, new AllReduce(GIGABYTE), 2, 2)).isCloseTo(0.15 + 0.006, EXACTLY);
  }

  @Test
  void latenciesOfLinksCountUpAndDownAtEachLevel() {
    ClusterTopology far = racksJoinedBy(new Link(Bandwidth.UNLIMITED, Duration.ofMillis(2)));
    Traffic traffic = Traffic.of(job("j", 2, new AllReduce(GIGABYTE)));

    double seconds =
        NetworkModel.of(far, IDEAL).communicationSeconds(traffic, counts(far, 1, 0, 1));

    assertThat(seconds).isCloseTo(0.1 + 2 * 2 * 0.002, EXACTLY);
  }

  @Test
  void inAnExchangeEachGpuSendsThePartForThoseElsewhereOverTheNetwork() {
    assertThat(seconds(new AllToAll(7 * GIGABYTE), 4, 4)).isCloseTo(4 * 4 / 10.0, EXACTLY);
    assertThat(seconds(new AllToAll(7 * GIGABYTE), 8)).isCloseTo(7 / 100.0, EXACTLY);
  }

  @Test
  void aPipelineSendsToBothNeighbours() {
    assertThat(seconds(new Pipeline(GIGABYTE), 2, 2)).isCloseTo(1 / 10.0, EXACTLY);
    assertThat(seconds(new Pipeline(GIGABYTE), 2, 2, 2)).isCloseTo(2 / 10.0, EXACTLY);
  }

  @Test
  void tensorParallelGroupsThatFitNodesStayOffTheNetwork() {
    TensorParallel groups = new TensorParallel(4, GIGABYTE);

    assertThat(seconds(groups, 8, 8)).isCloseTo(1.5 / 100, EXACTLY);
    assertThat(seconds(groups, 6, 6)).isCloseTo(1.5 / 10, EXACTLY);
  }

  @Test
  void patternsInOneIterationComeOneAfterTheOther() {
    Communication both =
        new Communication.Combined(List.of(new Pipeline(GIGABYTE), new AllReduce(GIGABYTE)));

    assertThat(seconds(both, 4, 4)).isCloseTo(0.1 + 0.175, EXACTLY);
  }

  @Test
  void nodesOfAnNvlinkDomainDoNotUseTheirNetworkCards() {
    ClusterTopology domains = nvlinkDomains();
    NetworkModel model = NetworkModel.of(domains, IDEAL);
    Traffic traffic = Traffic.of(job("j", 8, new AllReduce(GIGABYTE)));

    assertThat(model.communicationSeconds(traffic, counts(domains, 4, 4)))
        .isCloseTo(1.75 / 50, EXACTLY);
  }

  @Test
  void whatLeavesAnNvlinkDomainIsSpreadOverItsNetworkCards() {
    ClusterTopology domains = nvlinkDomains();
    NetworkModel model = NetworkModel.of(domains, IDEAL);
    Traffic traffic = Traffic.of(job("j", 8, new AllReduce(GIGABYTE)));

    assertThat(model.communicationSeconds(traffic, counts(domains, 2, 2, 2, 2)))
        .isCloseTo(1.75 / 2 / 10, EXACTLY);
  }

  @Test
  void moreGpusThanAnNvlinkGroupHoldsTalkOverTheHostBridge() {
    Node.Builder twoGroups = Node.builder("n").nvlink(Bandwidth.ofGigabytesPerSecond(100));
    for (int gpu = 0; gpu < 8; gpu++) {
      twoGroups.gpu(new Gpu(GpuModel.of("V100"), Memory.ofGib(16), gpu / 4, gpu / 4));
    }
    ClusterTopology node = ClusterTopology.builder().node(twoGroups.build()).build();
    NetworkModel model = NetworkModel.of(node, IDEAL);
    Traffic traffic = Traffic.of(job("j", 8, new AllReduce(GIGABYTE)));

    assertThat(model.communicationSeconds(traffic, counts(node, 4))).isCloseTo(0.015, EXACTLY);
    assertThat(model.communicationSeconds(traffic, counts(node, 8))).isCloseTo(0.175, EXACTLY);
  }

  @Test
  void serversSendWhatWorkersElsewhereAskFor() {
    Traffic traffic = Traffic.of(serverJob("j", 2, 2, GIGABYTE));

    double seconds = ideal.communicationSeconds(traffic, placed(racks, "pw:pw"));

    assertThat(seconds).as("half from each node, both ends in turn").isCloseTo(0.2, EXACTLY);
  }

  /**
   * Measured on nodes of four K80 with 10 GbE, one server and two workers: 510, 767, 810 and 1190
   * seconds (Liquid, figures 1 and 6). That p:ww is worse than p:w:w is the two workers sharing a
   * network card.
   */
  @Test
  void theOrderOfThePlacementsOfVgg16IsAsMeasured() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int i = 0; i < 5; i++) {
      cluster.node(
          Samples.node("n" + i, 4, 12, 1).nic(Link.of(Bandwidth.ofGigabitsPerSecond(10))).build());
    }
    ClusterTopology nodes = cluster.build();
    NetworkModel model = NetworkModel.of(nodes, NetworkParameters.DEFAULT);
    long parameters = 138_357_544L;
    Traffic vgg16 = Traffic.of(serverJob("vgg16", 1, 2, 4 * parameters));

    List<Double> seconds =
        List.of("pww", "pw:w", "p:w:w", "p:ww").stream()
            .map(placement -> model.iterationSeconds(vgg16, placed(nodes, placement)))
            .toList();

    assertThat(seconds).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void computingHidesCommunicatingTheMoreTheLargerTheExponent() {
    Traffic traffic = Traffic.of(job("j", 2, new AllReduce(10 * GIGABYTE)), Duration.ofSeconds(1));
    TaskCounts twoNodes = counts(racks, 1, 1);

    assertThat(withOverlap(1).iterationSeconds(traffic, twoNodes)).isCloseTo(2, EXACTLY);
    assertThat(withOverlap(2).iterationSeconds(traffic, twoNodes)).isCloseTo(Math.sqrt(2), EXACTLY);
  }

  private NetworkModel withOverlap(double overlap) {
    return NetworkModel.of(racks, IDEAL.toBuilder().overlap(overlap).build());
  }

  @Test
  void everybodyWaitsForTheSlowestGpu() {
    NetworkModel skewed = NetworkModel.of(racks, IDEAL.toBuilder().skew(0.1).build());
    Traffic silent = Traffic.of(job("j", 8, new Communication.None()), Duration.ofSeconds(1));

    assertThat(skewed.iterationSeconds(silent, counts(racks, 8)))
        .isCloseTo(1 + 0.1 * Math.log(8), EXACTLY);
  }

  @Test
  void countsOfAnotherJobAreRefused() {
    JobSpec twoRoles = serverJob("j", 1, 1, GIGABYTE);

    assertThatThrownBy(() -> ideal.communicationSeconds(Traffic.of(twoRoles), counts(racks, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("counts must be of the 2 roles of job 'j', but were of 1");
  }

  private static ClusterTopology racksJoinedBy(Link uplink) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < 2; rack++) {
      cluster.domain(Domain.of("rack", "r" + rack).withUplink(uplink));
      for (int node = 0; node < 2; node++) {
        cluster.node(Samples.node("r" + rack + "n" + node, 4, 100, 10).domain("r" + rack).build());
      }
    }
    return cluster.build();
  }

  /** Two NVLink domains of two nodes: 50 GB/s inside, 10 GB/s from each network card. */
  private static ClusterTopology nvlinkDomains() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("nvlink");
    for (int domain = 0; domain < 2; domain++) {
      cluster.domain(
          Domain.of("nvlink", "d" + domain).withFabric(Bandwidth.ofGigabytesPerSecond(50)));
      for (int node = 0; node < 2; node++) {
        cluster.node(
            Samples.node("d" + domain + "n" + node, 4, 100, 10).domain("d" + domain).build());
      }
    }
    return cluster.build();
  }
}
