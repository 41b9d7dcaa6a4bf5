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
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryStateTest {

  private final ClusterTopology topology =
      ClusterTopology.builder().node(node("n0")).node(node("n1")).build();
  private final RetryState changes = new RetryState();

  @Test
  void growthHelpsItsLowestRankAndHigherOnes() {
    assertThat(changes.hasGrownFor(Entries.ranked(0, 9))).isFalse();
    changes.growFrom(5, NodeSet.all(topology, 1));
    changes.growFrom(7, NodeSet.all(topology, 1));

    assertThat(changes.hasGrownFor(Entries.ranked(0, 4))).isFalse();
    assertThat(changes.hasGrownFor(Entries.ranked(0, 5))).isTrue();
    assertThat(changes.grownFrom()).isEqualTo(5);
    assertThat(changes.grownNodes().stream()).containsExactly(1);
    changes.growFrom(3, NodeSet.all(topology, 0));
    assertThat(changes.hasGrownFor(Entries.ranked(0, 3))).isTrue();
    assertThat(changes.hasRelearned()).isFalse();
  }

  @Test
  void theLowestRankIsTrackedPerEvent() {
    changes.growFrom(3, NodeSet.all(topology, 0));
    changes.settle();
    changes.growFrom(5, NodeSet.all(topology, 0));

    assertThat(changes.grownFrom()).isEqualTo(5);
  }

  @Test
  void newCoLocationKnowledgeHelpsAnyRank() {
    changes.growFrom(3, NodeSet.all(topology, 0));
    changes.relearn();

    assertThat(changes.hasRelearned()).isTrue();
    assertThat(changes.grownFrom()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void growthsAreNumberedThroughAllEvents() {
    assertThat(changes.nextGrowth()).isZero();
    changes.growFrom(3, NodeSet.all(topology, 0));
    changes.growFrom(4, NodeSet.all(topology, 1));
    assertThat(changes.firstGrowth()).isZero();
    assertThat(changes.nextGrowth()).isEqualTo(2);

    changes.settle();
    changes.growFrom(5, NodeSet.all(topology, 1));

    assertThat(changes.firstGrowth()).isEqualTo(2);
    assertThat(changes.nextGrowth()).isEqualTo(3);
    assertThat(changes.growths()).singleElement().satisfies(g -> assertThat(g.rank()).isEqualTo(5));
  }

  @Test
  void afterAllAttemptsNothingIsFresh() {
    JobEntry job = Entries.ranked(0, 1);
    changes.fresh().add(job);
    changes.block(job);
    changes.growFrom(3, NodeSet.all(topology, 0));
    changes.relearn();

    changes.settle();

    assertThat(changes.hasGrown()).isFalse();
    assertThat(changes.hasRelearned()).isFalse();
    assertThat(changes.fresh()).isEmpty();
    assertThat(changes.grownNodes().isEmpty()).isTrue();
    assertThat(changes.growths()).isEmpty();
    assertThat(changes.blocked()).isSameAs(job);
  }

  @Test
  void askedJobsStayAskedUntilGrowthForTheirRank() {
    changes.growFrom(5, NodeSet.all(topology, 0));
    changes.leaveOpen(5, 7);
    assertThat(changes.askedOf()).isEqualTo(7);
    changes.leaveOpen(5, 3);
    assertThat(changes.askedOf()).isEqualTo(7);

    changes.growFrom(6, NodeSet.all(topology, 1));
    assertThat(changes.askedOf()).isEqualTo(7);
    changes.growFrom(5, NodeSet.all(topology, 1));
    assertThat(changes.askedOf()).isEqualTo(-1);
  }

  @Test
  void theFirstGrowthHasNotBeenAskedAbout() {
    changes.leaveOpen(5, 7);
    changes.growFrom(9, NodeSet.all(topology, 0));

    assertThat(changes.askedOf()).isEqualTo(-1);
    assertThat(changes.grownFrom()).isEqualTo(9);
  }

  @Test
  void growthsKeepTheirOrder() {
    changes.growFrom(2, Entries.on("a", "n1", 0), topology);
    changes.growFrom(3, NodeSet.all(topology, 0));
    changes.growFrom(4, Entries.on("b", "n0", 0), topology);

    assertThat(changes.growths()).extracting(Growth::rank).containsExactly(2L, 3L, 4L);
  }

  @Test
  void changesReturnToAnImage() {
    JobEntry known = Entries.ranked(0, 1);
    CoRunnerKind kind =
        new CoRunnerKind(Workload.builder("bert").build(), new Sharing.Opportunistic());
    changes.fresh().add(known);
    changes.growFrom(3, NodeSet.all(topology, 1));
    changes.admitBeside(kind, Set.of(kind));
    long next = changes.nextGrowth();
    RetryState image = changes.image();

    changes.fresh().add(Entries.ranked(1, 2));
    changes.growFrom(Long.MIN_VALUE, NodeSet.all(topology, 0));
    changes.settle();
    changes.rollBackTo(image);

    assertThat(changes.fresh()).containsExactly(known);
    assertThat(changes.grownNodes().stream()).containsExactly(1);
    assertThat(changes.growths()).hasSize(1);
    assertThat(changes.grownFrom()).isEqualTo(Long.MIN_VALUE);
    assertThat(changes.nextGrowth()).isEqualTo(next);
    assertThat(changes.newCoRunners()).containsExactly(kind);
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build();
  }
}
