package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.testkit.MixedGang;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A job of several roles that hardly fits an idle cluster is part of any plan for it. */
class MixedGangPlanLaws {

  @Provide
  Arbitrary<MixedGang> mixedGangs() {
    return Arbitraries.oneOf(
        MixedGang.ofRoles(2), MixedGang.ofRoles(3), MixedGang.ofRoles(4), MixedGang.constrained());
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void aGreedyPlanStartsAJobExactlyWhenItFits(@ForAll("mixedGangs") MixedGang gang) {
    assertThat(starts(BatchPlanners.greedy(), gang)).isEqualTo(gang.fits());
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void aSearchedPlanStartsAJobExactlyWhenItFits(@ForAll("mixedGangs") MixedGang gang) {
    assertThat(starts(BatchPlanners.timefold(), gang)).isEqualTo(gang.fits());
  }

  private static boolean starts(BatchPlanner planner, MixedGang gang) {
    BatchPlan plan =
        planner.plan(
            PlanRequest.builder(ClusterState.of(gang.topology()))
                .pending(gang.job())
                .options(PlanOptions.builder().steps(200).boundRounds(0).build())
                .build());
    return !plan.starts().isEmpty();
  }
}
