package io.github.liquidscheduler.placement.colocation.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ColocationPlacerTest {

  private static final Sharing OPPORTUNISTIC = new Sharing.Opportunistic();
  private static final GpuModel V100 = GpuModel.of("V100");

  private final ColocationPlacer placer = placer(PredictedSlowdownRule.of(KnownLoads.sure()));

  @Test
  void aJobAloneTakesOnlyItsShareSoThatAMateCanJoin() {
    ClusterState state = cluster(1);

    start(state, placer, job("a", 30, OPPORTUNISTIC));
    start(state, placer, job("b", 30, OPPORTUNISTIC));

    assertThat(on(state, "n0", 0)).containsExactly("a", "b");
    assertThat(state.freeShare(GpuId.of("n0", 0))).isZero();
  }

  @Test
  void jobsShareOnlyWhenTheyDoNotFitAlone() {
    ClusterState state = cluster(2);

    start(state, placer, job("a", 30, OPPORTUNISTIC));
    start(state, placer, job("b", 30, OPPORTUNISTIC));

    assertThat(on(state, "n0", 0)).containsExactly("a");
    assertThat(on(state, "n0", 1)).containsExactly("b");
  }

  @Test
  void sharingThatCostsLessThanAnEmptyGpuLeavesTheGpuEmptyIfItIsAlwaysOn() {
    ClusterState state = cluster(2);
    ColocationPlacer always =
        new ColocationPlacer(
            Colocation.builder(PredictedSlowdownRule.of(KnownLoads.sure()))
                .profiles(KnownLoads::profile)
                .trigger(SharingTrigger.always())
                .build());

    start(state, always, job("a", 30, OPPORTUNISTIC));
    start(state, always, job("b", 30, OPPORTUNISTIC));
    start(state, always, job("c", 90, OPPORTUNISTIC));

    assertThat(on(state, "n0", 0)).containsExactly("a", "b");
    assertThat(on(state, "n0", 1)).containsExactly("c");
  }

  @Test
  void theMateThatSuffersLeastIsChosen() {
    ClusterState state = cluster(3);
    start(state, placer, job("heavy", 90, OPPORTUNISTIC));
    start(state, placer, job("light", 20, OPPORTUNISTIC));
    start(state, placer, job("middle", 60, OPPORTUNISTIC));

    start(state, placer, job("x", 60, OPPORTUNISTIC));

    assertThat(on(state, "n0", 1)).containsExactly("light", "x");
  }

  @Test
  void aSpeedThatNobodyCanRetainIsNotBelieved() {
    for (double speed : List.of(1e308, 1.06, 0.0, -1.0)) {
      ColocationPlacer credulous =
          placer(
              PredictedSlowdownRule.builder(q -> Prediction.certain(speed, Provenance.LEARNED))
                  .opportunisticFloor(0)
                  .build());
      ClusterState state = cluster(1);
      start(state, credulous, job("a", 30, OPPORTUNISTIC));

      assertThat(credulous.place(state, job("b", 30, OPPORTUNISTIC))).isEmpty();
    }
  }

  @Test
  void anExclusiveJobNeverShares() {
    ClusterState state = cluster(1);
    start(state, placer, job("a", 10, OPPORTUNISTIC));

    assertThat(placer.place(state, job("x", 10, new Sharing.Exclusive()))).isEmpty();
  }

  @Test
  void anExclusiveJobThatAsksForAShareGetsTheWholeGpu() {
    ClusterState state = cluster(1);
    JobSpec share =
        job("a", 10, new Sharing.Exclusive()).toBuilder()
            .roles(List.of())
            .role("worker", 1, ResourceRequest.builder().share(GpuShare.ofPercent(30)).build())
            .build();

    start(state, placer, share);

    assertThat(state.freeShare(GpuId.of("n0", 0))).isZero();
  }

  @Test
  void nobodyJoinsAGuaranteedJobIfItsFloorMightNotHold() {
    ClusterState state = cluster(1);
    start(state, placer, job("a", 50, new Sharing.Guaranteed(0.9)));

    assertThat(placer.place(state, job("x", 70, OPPORTUNISTIC))).isEmpty();
    assertThat(placer.place(state, job("x", 50, OPPORTUNISTIC))).isPresent();
    assertThat(
            placer(PredictedSlowdownRule.of(new KnownLoads(0.2)))
                .place(state, job("x", 50, OPPORTUNISTIC)))
        .isEmpty();
  }

  @Test
  void aGuaranteedJobJoinsNobodyIfItsFloorMightNotHold() {
    ClusterState state = cluster(1);
    start(state, placer, job("a", 60, OPPORTUNISTIC));

    assertThat(placer.place(state, job("x", 60, new Sharing.Guaranteed(0.9)))).isEmpty();
    assertThat(placer.place(state, job("x", 60, new Sharing.Guaranteed(0.8)))).isPresent();
  }

  @Test
  void memoryIsNeverShared() {
    ClusterState state = cluster(1);
    start(state, placer, withMemory(job("a", 10, OPPORTUNISTIC), 10));

    assertThat(placer.place(state, withMemory(job("x", 10, OPPORTUNISTIC), 7))).isEmpty();
    assertThat(placer.place(state, withMemory(job("x", 10, OPPORTUNISTIC), 6))).isPresent();
  }

  @Test
  void aGangSharesGpuByGpuOnOneNodeIfItCan() {
    ClusterState state = cluster(4, 4);
    for (int i = 0; i < 4; i++) {
      start(state, placer, job("a" + i, 30, OPPORTUNISTIC));
    }
    start(state, placer, gang(job("big", 10, new Sharing.Exclusive()), 4));

    Placement found = placer.place(state, gang(job("x", 30, OPPORTUNISTIC), 4)).orElseThrow();

    assertThat(found.nodes()).hasSize(1);
    assertThat(found.tasks()).hasSize(4);
    state.apply(found);
  }

  @Test
  void aGangSpansNodesIfNoNodeHasEnoughMates() {
    ClusterState state = cluster(2, 2);
    for (int i = 0; i < 4; i++) {
      start(state, placer, job("a" + i, 30, OPPORTUNISTIC));
    }

    Placement found = placer.place(state, gang(job("x", 30, OPPORTUNISTIC), 3)).orElseThrow();

    assertThat(found.nodes()).hasSize(2);
  }

  @Test
  void aSliceIsGivenToJobsThatAskForNoMore() {
    GpuModel slice = GpuModel.of("A100 3g.20gb");
    ClusterTopology topology =
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(2, slice, Memory.ofGib(20)).build())
            .build();
    ClusterState state = ClusterState.of(topology);
    ColocationPlacer mig =
        new ColocationPlacer(
            Colocation.builder(new AnyCoRunner())
                .mode(slice, new SharingMode.MigSlice(GpuShare.ofThousandths(428)))
                .build());

    assertThat(mig.place(state, share("a", 50))).isEmpty();
    assertThat(mig.unmetConstraints(state, share("a", 50))).isNotEmpty();
    start(state, mig, share("b", 40));
    start(state, mig, share("c", 40));

    assertThat(on(state, "n0", 0)).containsExactly("b");
    assertThat(on(state, "n0", 1)).containsExactly("c");
    assertThat(mig.place(state, share("d", 40))).isEmpty();
  }

  private static JobSpec share(String id, int percent) {
    return JobSpec.builder(id)
        .sharing(OPPORTUNISTIC)
        .role("worker", 1, ResourceRequest.builder().share(GpuShare.ofPercent(percent)).build())
        .build();
  }

  private static ColocationPlacer placer(ColocationPolicy rule) {
    return new ColocationPlacer(Colocation.builder(rule).profiles(KnownLoads::profile).build());
  }

  private static ClusterState cluster(int... gpus) {
    ClusterTopology.Builder topology = ClusterTopology.builder();
    for (int n = 0; n < gpus.length; n++) {
      topology.node(Node.builder("n" + n).gpus(gpus[n], V100, Memory.ofGib(16)).build());
    }
    return ClusterState.of(topology.build());
  }

  private static JobSpec job(String id, int utilization, Sharing sharing) {
    return JobSpec.builder(id)
        .gpus(1)
        .sharing(sharing)
        .workload(Workload.builder("u" + utilization).build())
        .build();
  }

  private static JobSpec gang(JobSpec job, int gpus) {
    return job.toBuilder().roles(List.of()).gpus(gpus).build();
  }

  private static JobSpec withMemory(JobSpec job, int gib) {
    ResourceRequest request =
        ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(gib)).build();
    return job.toBuilder().roles(List.of()).role("worker", 1, request).build();
  }

  private static void start(ClusterState state, Placer placer, JobSpec job) {
    Optional<Placement> place = placer.place(state, job);
    assertThat(place).as("%s", job).isPresent();
    state.apply(job, place.get());
  }

  private static List<String> on(ClusterState state, String node, int gpu) {
    return state.residents(GpuId.of(node, gpu)).stream()
        .map(Resident::job)
        .map(Object::toString)
        .toList();
  }
}
