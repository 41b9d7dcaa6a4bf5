package io.github.liquidscheduler.placement.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.PlacementScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whoever has to leave is found as by trying, whatever was counted before. */
class EvictionSearchLaws {

  private static final EvictionSearch.Limits KEEPING_TRAFFIC =
      new EvictionSearch.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, true);

  private final Placer placer = Placers.bestFit();

  /** A running job. */
  private record Running(JobId id, Placement placement) implements EvictionSearch.Candidate {

    @Override
    public NodeSet nodes(ClusterTopology topology) {
      return new NodeSet(placement, topology);
    }
  }

  @Property
  void victimsAreFoundExactlyIfTheJobFitsWithoutSome(
      @ForAll("scenarios") PlacementScenario scenario, @ForAll boolean keepingTraffic) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());
    List<Running> candidates = candidates(state);
    EvictionSearch.Limits limits = keepingTraffic ? KEEPING_TRAFFIC : EvictionSearch.Limits.NONE;

    assertThat(find(state, scenario.job(), candidates, limits).isPresent())
        .isEqualTo(fitsAfterSomeHead(scenario, candidates));
  }

  @Property
  void theJobFitsOnceTheyHaveLeftAndNoneOfThemCouldHaveStayed(
      @ForAll("scenarios") PlacementScenario scenario) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());
    Optional<LeavingSearch.Result<Running>> result =
        find(state, scenario.job(), candidates(state), EvictionSearch.Limits.NONE);

    result.ifPresent(found -> assertThatAllAreNeeded(found, state, scenario.job()));
  }

  private void assertThatAllAreNeeded(
      LeavingSearch.Result<Running> found, ClusterState state, JobSpec job) {
    assertThat(without(state, found.leaving()).fits(found.placement())).isTrue();
    for (Running each : found.leaving()) {
      List<Running> others = new ArrayList<>(found.leaving());
      others.remove(each);
      assertThat(placer.place(without(state, others), job)).isEmpty();
    }
  }

  @Property
  void theSearchLeavesNoTrace(
      @ForAll("scenarios") PlacementScenario scenario, @ForAll boolean keepingTraffic) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());
    ClusterState before = state.copy();
    find(
        state,
        scenario.job(),
        candidates(state),
        keepingTraffic ? KEEPING_TRAFFIC : EvictionSearch.Limits.NONE);

    assertThat(state.runningJobs()).isEqualTo(before.runningJobs());
    assertThat(candidates(state)).isEqualTo(candidates(before));
    state
        .topology()
        .nodes()
        .forEach(
            node -> {
              assertThat(state.freeGpus(node.id())).isEqualTo(before.freeGpus(node.id()));
              assertThat(state.freeCpu(node.id())).isEqualTo(before.freeCpu(node.id()));
              assertThat(state.freeMemory(node.id())).isEqualTo(before.freeMemory(node.id()));
              assertThat(state.nicLoad(node.id())).isEqualTo(before.nicLoad(node.id()));
            });
  }

  @Property
  void whatCountingRulesOutNoPlacerFinds(@ForAll("scenarios") PlacementScenario scenario) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());
    ClusterCapacity capacity = new ClusterCapacity(state.index());
    List<Running> gone = new ArrayList<>();
    for (Running next : candidates(state)) {
      gone.add(next);
      capacity.add(next.nodes(state.topology()));
      if (placer.place(without(state, gone), scenario.job()).isPresent()) {
        assertThat(capacity.lack(scenario.job())).isEmpty();
        assertThat(capacity.forJob(scenario.job()).mayHold()).isTrue();
      }
    }
  }

  private Optional<LeavingSearch.Result<Running>> find(
      ClusterState state, JobSpec job, List<Running> candidates, EvictionSearch.Limits limits) {
    return new EvictionSearch<Running>(state, placer, job, limits).fewest(candidates.iterator());
  }

  private boolean fitsAfterSomeHead(PlacementScenario scenario, List<Running> candidates) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());
    for (Running next : candidates) {
      state.release(next.id());
      if (placer.place(state, scenario.job()).isPresent()) {
        return true;
      }
    }
    return false;
  }

  private static ClusterState without(ClusterState state, List<Running> gone) {
    ClusterState left = state.copy();
    gone.forEach(each -> left.release(each.id()));
    return left;
  }

  private static List<Running> candidates(ClusterState state) {
    return state.runningJobs().stream()
        .map(id -> new Running(id, state.placement(id).orElseThrow()))
        .toList();
  }

  @Provide
  Arbitrary<PlacementScenario> scenarios() {
    return Arbitraries.oneOf(
        PlacementScenario.any(),
        PlacementScenario.withJobs(JobDraft.any().map(draft -> draft.named("job"))));
  }
}
