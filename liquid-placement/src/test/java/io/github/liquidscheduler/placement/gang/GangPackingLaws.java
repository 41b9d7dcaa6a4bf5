package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.testkit.MixedGang;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Packings of jobs of several roles into small idle clusters, against trying every assignment. */
class GangPackingLaws {

  private static final long ENOUGH_STEPS = 1_000_000;

  @Provide
  Arbitrary<MixedGang> free() {
    return Arbitraries.oneOf(MixedGang.ofRoles(2), MixedGang.ofRoles(3), MixedGang.ofRoles(4));
  }

  /** A required level is kept by the choice of the nodes to pack, not by the packing. */
  @Provide
  Arbitrary<MixedGang> constrained() {
    return MixedGang.constrained().filter(gang -> gang.job().topology().required().isEmpty());
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void aGangIsPackedExactlyWhenItFits(@ForAll("free") MixedGang gang) {
    requirePackedExactlyWhenItFits(gang);
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void slicesAndSpreadsAreKept(@ForAll("constrained") MixedGang gang) {
    requirePackedExactlyWhenItFits(gang);
  }

  /** What a search says does not depend on the steps, but whether it says anything does. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void fewStepsGiveNoOtherAnswerThanMany(@ForAll("free") MixedGang gang) {
    Search few = new Search(gang);
    GangPacking.Outcome outcome = few.packing.pack(64);

    if (outcome != GangPacking.Outcome.GAVE_UP) {
      assertThat(outcome).isEqualTo(new Search(gang).packing.pack(ENOUGH_STEPS));
    }
    assertThat(few.packing.steps()).isBetween(0L, 64L + 5 * 2 * 4 * 4);
  }

  private static void requirePackedExactlyWhenItFits(MixedGang gang) {
    Search search = new Search(gang);
    GangPacking.Outcome outcome = search.packing.pack(ENOUGH_STEPS);

    assertThat(outcome)
        .isEqualTo(gang.fits() ? GangPacking.Outcome.PACKED : GangPacking.Outcome.IMPOSSIBLE);
    if (outcome == GangPacking.Outcome.PACKED) {
      search.requireWhole(search.packing.parts());
    }
  }

  /** A packing of a gang into all nodes. */
  private static final class Search {

    private final CapacityIndex index;
    private final GangShape shape;
    private final GangPacking packing;

    Search(MixedGang gang) {
      index = ClusterState.of(gang.topology()).index();
      shape = new GangShape(gang.job(), index);
      NodeRange all = new NodeRange(0, gang.topology().nodes().size());
      packing = new GangPacking(index, shape, all, index.pools());
    }

    void requireWhole(List<GangPacking.Part> parts) {
      assertThat(parts).allMatch(part -> part.count() > 0);
      List<Picks.Pick> picks = new GangFill(index, shape, node -> true).fillPacked(parts);
      Placement placement = Picks.placement(index, shape, picks);
      ClusterTopology topology = index.topology();
      assertThat(new PlacementRules(topology, shape.job()).brokenBy(placement)).isEmpty();
      assertThat(ClusterState.of(topology).fits(placement)).isTrue();
    }
  }
}
