package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.eviction.Growth;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AgendaTest {

  private final ClusterTopology topology =
      ClusterTopology.builder().node(node("n0")).node(node("n1")).build();
  private final Agenda agenda = new Agenda();

  @Test
  void growthHelpsItsLowestRankAndHigherOnes() {
    assertThat(agenda.hasGrownFor(Entries.ranked(0, 9))).isFalse();
    agenda.growFrom(5, NodeSet.all(topology, 1));
    agenda.growFrom(7, NodeSet.all(topology, 1));

    assertThat(agenda.hasGrownFor(Entries.ranked(0, 4))).isFalse();
    assertThat(agenda.hasGrownFor(Entries.ranked(0, 5))).isTrue();
    assertThat(agenda.grownFrom()).isEqualTo(5);
    assertThat(agenda.grownNodes().stream()).containsExactly(1);
    agenda.growFrom(3, NodeSet.all(topology, 0));
    assertThat(agenda.hasGrownFor(Entries.ranked(0, 3))).isTrue();
    assertThat(agenda.hasRelearned()).isFalse();
  }

  @Test
  void theLowestRankIsTrackedPerEvent() {
    agenda.growFrom(3, NodeSet.all(topology, 0));
    agenda.settle();
    agenda.growFrom(5, NodeSet.all(topology, 0));

    assertThat(agenda.grownFrom()).isEqualTo(5);
  }

  @Test
  void newCoLocationKnowledgeHelpsAnyRank() {
    agenda.growFrom(3, NodeSet.all(topology, 0));
    agenda.relearn();

    assertThat(agenda.hasRelearned()).isTrue();
    assertThat(agenda.grownFrom()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void growthsAreNumberedThroughAllEvents() {
    assertThat(agenda.nextGrowth()).isZero();
    agenda.growFrom(3, NodeSet.all(topology, 0));
    agenda.growFrom(4, NodeSet.all(topology, 1));
    assertThat(agenda.firstGrowth()).isZero();
    assertThat(agenda.nextGrowth()).isEqualTo(2);

    agenda.settle();
    agenda.growFrom(5, NodeSet.all(topology, 1));

    assertThat(agenda.firstGrowth()).isEqualTo(2);
    assertThat(agenda.nextGrowth()).isEqualTo(3);
    assertThat(agenda.growths()).singleElement().satisfies(g -> assertThat(g.rank()).isEqualTo(5));
  }

  @Test
  void onceAllWereTriedNothingIsPending() {
    JobEntry job = Entries.ranked(0, 1);
    agenda.parkHead(job);
    agenda.growFrom(3, NodeSet.all(topology, 0));
    agenda.relearn();
    agenda.noteArrivals();
    agenda.cut(new Agenda.Cut(Instant.EPOCH, Agenda.Rest.ALL, Optional.empty()));
    assertThat(agenda.isOpen()).isTrue();

    agenda.settle();

    assertThat(agenda.isOpen()).isFalse();
    assertThat(agenda.isCut()).isFalse();
    assertThat(agenda.hasGrown()).isFalse();
    assertThat(agenda.hasRelearned()).isFalse();
    assertThat(agenda.hasArrivals()).isFalse();
    assertThat(agenda.grownNodes().isEmpty()).isTrue();
    assertThat(agenda.growths()).isEmpty();
    assertThat(agenda.parkedHead()).isSameAs(job);
  }

  @Test
  void aParkedHeadThatArrivesAgainIsTried() {
    JobEntry head = Entries.ranked(0, 1);
    agenda.parkHead(head);
    agenda.arrive(Entries.ranked(1, 2));
    assertThat(agenda.parkedHead()).isSameAs(head);

    agenda.arrive(head);
    assertThat(agenda.parkedHead()).isNull();
  }

  @Test
  void askedJobsStayAskedUntilGrowthForTheirRank() {
    agenda.growFrom(5, NodeSet.all(topology, 0));
    agenda.askedUpTo(5, 7);
    assertThat(agenda.askedOf()).isEqualTo(7);
    agenda.askedUpTo(5, 3);
    assertThat(agenda.askedOf()).isEqualTo(7);

    agenda.growFrom(6, NodeSet.all(topology, 1));
    assertThat(agenda.askedOf()).isEqualTo(7);
    agenda.growFrom(5, NodeSet.all(topology, 1));
    assertThat(agenda.askedOf()).isEqualTo(-1);
  }

  @Test
  void theFirstGrowthHasNotBeenAskedAbout() {
    agenda.askedUpTo(5, 7);
    agenda.growFrom(9, NodeSet.all(topology, 0));

    assertThat(agenda.askedOf()).isEqualTo(-1);
    assertThat(agenda.grownFrom()).isEqualTo(9);
  }

  @Test
  void growthsKeepTheirOrder() {
    agenda.growFrom(2, Entries.on("a", "n1", 0), topology);
    agenda.growFrom(3, NodeSet.all(topology, 0));
    agenda.growFrom(4, Entries.on("b", "n0", 0), topology);

    assertThat(agenda.growths()).extracting(Growth::rank).containsExactly(2L, 3L, 4L);
  }

  @Test
  void anAgendaReturnsToAnImage() {
    CoRunnerKind kind =
        new CoRunnerKind(Workload.builder("bert").build(), new Sharing.Opportunistic());
    agenda.cut(new Agenda.Cut(Instant.EPOCH, Agenda.Rest.ALL, Optional.empty()));
    agenda.growFrom(3, NodeSet.all(topology, 1));
    agenda.admitBeside(kind, Set.of(kind));
    long next = agenda.nextGrowth();
    Agenda image = agenda.image();

    agenda.growFrom(Long.MIN_VALUE, NodeSet.all(topology, 0));
    agenda.settle();
    agenda.rollBackTo(image);

    assertThat(agenda.isCut()).isTrue();
    assertThat(agenda.grownNodes().stream()).containsExactly(1);
    assertThat(agenda.growths()).hasSize(1);
    assertThat(agenda.grownFrom()).isEqualTo(Long.MIN_VALUE);
    assertThat(agenda.nextGrowth()).isEqualTo(next);
    assertThat(agenda.newCoRunners()).containsExactly(kind);
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build();
  }
}
