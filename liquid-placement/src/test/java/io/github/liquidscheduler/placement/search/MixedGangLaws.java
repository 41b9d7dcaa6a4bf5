package io.github.liquidscheduler.placement.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.MixedGang;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Jobs of several roles on small idle clusters, against trying every assignment. */
class MixedGangLaws {

  @Provide
  Arbitrary<MixedGang> twoRoles() {
    return MixedGang.ofRoles(2);
  }

  @Provide
  Arbitrary<MixedGang> threeRoles() {
    return MixedGang.ofRoles(3);
  }

  @Provide
  Arbitrary<MixedGang> fourRoles() {
    return MixedGang.ofRoles(4);
  }

  @Provide
  Arbitrary<MixedGang> constrained() {
    return MixedGang.constrained();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aJobOfTwoRolesIsPlacedExactlyWhenItFits(@ForAll("twoRoles") MixedGang gang) {
    requirePlacedExactlyIfItFits(gang);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aJobOfThreeRolesIsPlacedExactlyWhenItFits(@ForAll("threeRoles") MixedGang gang) {
    requirePlacedExactlyIfItFits(gang);
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void aJobOfFourRolesIsPlacedExactlyWhenItFits(@ForAll("fourRoles") MixedGang gang) {
    requirePlacedExactlyIfItFits(gang);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aConstrainedJobOfSeveralRolesIsPlacedExactlyWhenItFits(
      @ForAll("constrained") MixedGang gang) {
    requirePlacedExactlyIfItFits(gang);
  }

  private static void requirePlacedExactlyIfItFits(MixedGang gang) {
    boolean fits = gang.fits();
    requirePlaced(BestFitPlacer.bestFit(), gang, fits);
    requirePlaced(LeastCostPlacer.physical(), gang, fits);
  }

  private static void requirePlaced(Placer placer, MixedGang gang, boolean fits) {
    ClusterView idle = ClusterState.of(gang.topology());
    Optional<Placement> placement = placer.place(idle, gang.job());

    assertThat(placement.isPresent()).isEqualTo(fits);
    assertThat(placer.isInfeasible(idle, gang.job())).isNotEqualTo(fits);
  }
}
