package io.github.liquidscheduler.placement.network;

import static io.github.liquidscheduler.placement.network.Samples.IDEAL;
import static io.github.liquidscheduler.placement.network.Samples.counts;
import static io.github.liquidscheduler.placement.network.Samples.job;
import static io.github.liquidscheduler.placement.network.Samples.seconds;
import static io.github.liquidscheduler.placement.network.Samples.twoRacks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication.AllReduce;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.cost.CostBreakdown.ContentionTerm;
import io.github.liquidscheduler.placement.cost.CostBreakdown.LinkTerm;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LinkLoadsTest {
  private static final long GIGABYTE = 1_000_000_000L;
  private static final Offset<Double> EXACTLY = within(1e-6);

  private final ClusterTopology racks = twoRacks();
  private final NetworkModel model = NetworkModel.of(racks, IDEAL.toBuilder().overlap(1).build());
  private final LinkLoads loads = LinkLoads.none(model);

  /** Two GPUs that send a gigabyte in each iteration, which takes a second on 10 GB/s links. */
  private static Traffic sender(String id) {
    return Traffic.of(job(id, 2, new AllReduce(GIGABYTE)), Duration.ofMillis(900));
  }

  @Test
  void aJobLoadsTheLinksBetweenItsTasks() {
    loads.add(sender("a"), counts(racks, 1, 0, 0, 0, 1));

    assertThat(loads.nicLoad(new NodeId("r0n0"))).isEqualTo(new Bandwidth(GIGABYTE));
    assertThat(loads.nicLoad(new NodeId("r0n1"))).isEqualTo(Bandwidth.ZERO);
    assertThat(loads.uplinkLoad(DomainId.of("r1"))).isEqualTo(new Bandwidth(GIGABYTE));
  }

  @Test
  void aJobOnOneNodeLoadsNoLink() {
    loads.add(sender("a"), counts(racks, 2));

    assertThat(loads.nicLoad(new NodeId("r0n0"))).isEqualTo(Bandwidth.ZERO);
    assertThat(loads.isEmpty()).isFalse();
  }

  @Test
  void whatManySendOverAnUnlimitedLinkAddsUp() {
    ClusterTopology unlimited =
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build())
            .node(Node.builder("n1").gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build())
            .build();
    LinkLoads all = LinkLoads.none(NetworkModel.of(unlimited, IDEAL));
    Bandwidth before = Bandwidth.ZERO;
    for (String id : List.of("a", "b", "c", "d")) {
      JobSpec job = job(id, 2, new AllReduce(Long.MAX_VALUE / 8));
      all.add(Traffic.of(job, Duration.ofNanos(1)), counts(unlimited, 1, 1));
      assertThat(all.nicLoad(new NodeId("n0"))).isGreaterThan(before);
      before = all.nicLoad(new NodeId("n0"));
    }
    List.of("d", "c", "b", "a").forEach(id -> all.remove(JobId.of(id)));
    assertThat(all.nicLoad(new NodeId("n0"))).isEqualTo(Bandwidth.ZERO);
  }

  @Test
  void aCandidateGetsTheRest() {
    loads.add(sender("a"), counts(racks, 1, 1));

    assertThat(seconds(model, sender("b"), counts(racks, 1, 0, 1), loads))
        .isCloseTo(1.0 / 9, EXACTLY);
  }

  @Test
  void aCandidateGetsAFairShareOfAFullLink() {
    loads.add(eager("a"), counts(racks, 1, 1));
    loads.add(eager("b"), counts(racks, 1, 1));

    assertThat(seconds(model, sender("c"), counts(racks, 1, 0, 1), loads))
        .isCloseTo(3.0 / 10, EXACTLY);
  }

  /** Computes next to nothing, so it fills every link it crosses. */
  private static Traffic eager(String id) {
    return Traffic.of(job(id, 2, new AllReduce(GIGABYTE)), Duration.ofNanos(1));
  }

  @Test
  void harmIsTheTimeThatOthersLose() {
    loads.add(eager("a"), counts(racks, 1, 1));

    CostBreakdown breakdown =
        PhysicalCost.of(model, loads).forTraffic(eager("b")).explain(counts(racks, 1, 0, 1));

    ContentionTerm contention =
        breakdown.terms().stream()
            .filter(ContentionTerm.class::isInstance)
            .map(ContentionTerm.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(contention.job()).isEqualTo(JobId.of("a"));
    assertThat(contention.extraSeconds())
        .as("its transfers take twice as long")
        .isCloseTo(0.1, EXACTLY);
    assertThat(breakdown.cost()).as("0.2 of its own and 0.1 of the other").isCloseTo(0.3, EXACTLY);
  }

  @Test
  void theBreakdownNamesTheSlowestLinkOfEachLevelAndWhoIsThere() {
    loads.add(sender("a"), counts(racks, 1, 0, 0, 0, 1));
    PhysicalCost cost = PhysicalCost.of(model, loads);

    List<LinkTerm> links =
        cost
            .forJob(job("b", 2, new AllReduce(GIGABYTE)))
            .explain(counts(racks, 1, 0, 0, 0, 0, 1))
            .terms()
            .stream()
            .filter(LinkTerm.class::isInstance)
            .map(LinkTerm.class::cast)
            .toList();

    assertThat(links)
        .extracting(LinkTerm::level, LinkTerm::below, LinkTerm::links, LinkTerm::sharedWith)
        .containsExactly(
            tuple("rack", "r0", 2, List.of(JobId.of("a"))),
            tuple("node", "r0n0", 2, List.of(JobId.of("a"))));
    assertThat(links.getLast().left()).isEqualTo(new Bandwidth(9 * GIGABYTE));
  }

  @Test
  void freeNodesCostLessThanLoadedOnes() {
    loads.add(eager("a"), counts(racks, 1, 1));
    PhysicalCost.JobCost cost =
        PhysicalCost.of(model, loads).forJob(job("b", 2, new AllReduce(GIGABYTE)));

    assertThat(cost.of(counts(racks, 0, 0, 1, 1))).isLessThan(cost.of(counts(racks, 1, 1)));
  }

  @Test
  void aViewShowsLoadsWithoutNames() {
    ClusterState state = ClusterState.of(racks);
    JobSpec job = job("a", 2, new AllReduce(GIGABYTE));
    state.apply(job, new Placement(job.id(), List.of(task(0, "r0n0"), task(1, "r0n1"))));

    LinkLoads shown = LinkLoads.shownBy(state, model);

    Bandwidth load = shown.nicLoad(new NodeId("r0n0"));
    assertThat(load).isEqualTo(state.nicLoad(new NodeId("r0n0"))).isGreaterThan(Bandwidth.ZERO);
    assertThat(shown.isEmpty()).isTrue();
    assertThat(seconds(model, sender("b"), counts(racks, 1, 1), shown))
        .isCloseTo(1e9 / (10e9 - load.bytesPerSecond()), EXACTLY);
  }

  private static TaskPlacement task(int index, String node) {
    return new TaskPlacement(
        new TaskId("worker", index), new NodeId(node), List.of(0), ResourceRequest.ofGpus(1));
  }

  @Test
  void aJobCannotBeAddedTwice() {
    loads.add(sender("a"), counts(racks, 1, 1));

    assertThatThrownBy(() -> loads.add(sender("a"), counts(racks, 1, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the traffic of job 'a' is there already");
  }

  @Test
  void aJobThatIsNotThereCannotBeRemoved() {
    assertThatThrownBy(() -> loads.remove(JobId.of("a")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the traffic of job 'a' is not there");
  }

  @Test
  void aCopyGoesItsOwnWay() {
    loads.add(sender("a"), counts(racks, 1, 1));
    LinkLoads copy = loads.copy();
    copy.remove(JobId.of("a"));

    assertThat(copy.nicLoad(new NodeId("r0n0"))).isEqualTo(Bandwidth.ZERO);
    assertThat(loads.nicLoad(new NodeId("r0n0"))).isEqualTo(new Bandwidth(GIGABYTE));
  }
}
