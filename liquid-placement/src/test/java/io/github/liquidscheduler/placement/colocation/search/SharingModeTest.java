package io.github.liquidscheduler.placement.colocation.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharingModeTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel SLICE = GpuModel.of("A100 3g.20gb");
  private static final Sharing OPPORTUNISTIC = new Sharing.Opportunistic();

  private final Asked asked = new Asked();

  @Test
  void timeSlicingTellsAPredictorTheProfilesAsTheyAre() {
    startABusyAndAQuietJob(new SharingMode.TimeSlicing(2));

    assertThat(asked.gpus()).containsOnly("V100");
    assertThat(asked.utilizations("u90")).containsOnly(0.9);
    assertThat(asked.utilizations("u30")).containsOnly(0.3);
  }

  @Test
  void mpsIsAnotherGpuToAPredictorAndNobodyIsBusierThanItsShare() {
    startABusyAndAQuietJob(new SharingMode.Mps(2));

    assertThat(asked.gpus()).containsOnly("V100 MPS");
    assertThat(asked.utilizations("u90")).containsOnly(0.5);
    assertThat(asked.utilizations("u30")).containsOnly(0.3);
  }

  @Test
  void theLargerShareUnderMpsMayBeBusier() {
    SharingMode mps = new SharingMode.Mps(4);
    ColocationProfile busy = KnownLoads.profile(job("a", 90, OPPORTUNISTIC, 4), V100);

    assertThat(mps.seen(busy, mps.granted(GpuShare.WHOLE)).utilization()).isEqualTo(0.25);
    assertThat(mps.seen(busy, mps.granted(GpuShare.ofPercent(10))).utilization()).isEqualTo(0.25);
    assertThat(mps.seen(busy, mps.granted(GpuShare.ofPercent(60))).utilization())
        .isCloseTo(0.6, within(1e-9));
  }

  @Test
  void noUtilisationIsMadeUpUnderMps() {
    ColocationProfile unknown = ColocationProfile.of(Workload.builder("x").build());

    assertThat(new SharingMode.Mps(2).seen(unknown, GpuShare.ofPercent(50)).utilization()).isNaN();
  }

  @Test
  void whoIsSureOfTimeSlicingOnlyLeavesGuaranteedJobsAloneUnderMps() {
    for (boolean mps : new boolean[] {false, true}) {
      ClusterState state = cluster(V100, 1);
      ColocationPlacer placer =
          placer(mps ? new SharingMode.Mps(2) : new SharingMode.TimeSlicing(2));
      start(state, placer, job("a", 20, new Sharing.Guaranteed(0.9), 4));

      assertThat(placer.place(state, job("b", 20, OPPORTUNISTIC, 4)).isPresent()).isEqualTo(!mps);
    }
  }

  @Test
  void deviceMemoryIsHardUnderMpsToo() {
    ClusterState state = cluster(V100, 1);
    ColocationPlacer placer = placer(new SharingMode.Mps(4));
    start(state, placer, job("a", 10, OPPORTUNISTIC, 6));
    start(state, placer, job("b", 10, OPPORTUNISTIC, 6));

    assertThat(placer.place(state, job("c", 10, OPPORTUNISTIC, 5))).isEmpty();
    assertThat(placer.place(state, job("c", 10, OPPORTUNISTIC, 4))).isPresent();
  }

  @Test
  void asManyJobsAsTheModeAllowsAreOnAGpu() {
    ClusterState state = cluster(V100, 1);
    ColocationPlacer placer = placer(new SharingMode.Mps(3));
    for (int i = 0; i < 3; i++) {
      start(state, placer, job("j" + i, 10, OPPORTUNISTIC, 1));
    }

    assertThat(placer.place(state, job("x", 10, OPPORTUNISTIC, 1))).isEmpty();
    assertThat(state.residents(GpuId.of("n0", 0))).hasSize(3);
  }

  @Test
  void aSliceHasItsOwnMemoryAndNoPredictorIsAsked() {
    ClusterState state = cluster(SLICE, 2);
    ColocationPlacer placer = placer(new SharingMode.MigSlice(GpuShare.ofThousandths(428)));

    assertThat(placer.place(state, job("large", 90, OPPORTUNISTIC, 21))).isEmpty();
    start(state, placer, job("a", 90, new Sharing.Guaranteed(1), 20));
    start(state, placer, job("b", 90, OPPORTUNISTIC, 1));

    assertThat(placer.place(state, job("c", 1, OPPORTUNISTIC, 1))).isEmpty();
    assertThat(state.residents(GpuId.of("n0", 0))).hasSize(1);
    assertThat(state.residents(GpuId.of("n0", 1))).hasSize(1);
    assertThat(asked.questions).isEmpty();
  }

  @Test
  void eachModelIsSharedInItsOwnWay() {
    ClusterState state =
        ClusterState.of(
            ClusterTopology.builder().node(node("n0", V100, 1)).node(node("n1", SLICE, 1)).build());
    ColocationPlacer placer =
        new ColocationPlacer(
            Colocation.builder(PredictedSlowdownRule.of(asked))
                .profiles(KnownLoads::profile)
                .mode(new SharingMode.Mps(2))
                .mode(SLICE, new SharingMode.MigSlice(GpuShare.ofThousandths(428)))
                .build());
    for (int i = 0; i < 3; i++) {
      start(state, placer, job("j" + i, 10, OPPORTUNISTIC, 1));
    }

    assertThat(state.residents(GpuId.of("n0", 0))).hasSize(2);
    assertThat(state.residents(GpuId.of("n1", 0))).hasSize(1);
    assertThat(asked.gpus()).containsOnly("V100 MPS");
  }

  @Test
  void aSliceHoldsNoWholeGpuWhateverTheNameOfItsModel() {
    for (String name : List.of("1g", "any that is more than a slice")) {
      GpuModel model = GpuModel.of(name);
      ColocationPlacer placer =
          new ColocationPlacer(
              Colocation.builder(PredictedSlowdownRule.of(asked))
                  .profiles(KnownLoads::profile)
                  .mode(model, new SharingMode.MigSlice(GpuShare.ofThousandths(142)))
                  .build());

      assertThat(placer.place(cluster(model, 1), JobSpec.builder("whole").gpus(1).build()))
          .isEmpty();
    }
  }

  @Test
  void aModeHoldsOneToEightJobs() {
    for (int residents : new int[] {0, 9}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new SharingMode.Mps(residents))
          .withMessage("a GPU's residents must be from 1 to 8, but were " + residents);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new SharingMode.TimeSlicing(residents))
          .withMessage("a GPU's residents must be from 1 to 8, but were " + residents);
    }
  }

  private void startABusyAndAQuietJob(SharingMode mode) {
    ClusterState state = cluster(V100, 1);
    ColocationPlacer placer = placer(mode);
    start(state, placer, job("busy", 90, OPPORTUNISTIC, 4));
    start(state, placer, job("quiet", 30, OPPORTUNISTIC, 4));
  }

  private ColocationPlacer placer(SharingMode mode) {
    return new ColocationPlacer(
        Colocation.builder(PredictedSlowdownRule.of(asked))
            .profiles(KnownLoads::profile)
            .mode(mode)
            .build());
  }

  private static ClusterState cluster(GpuModel model, int gpus) {
    return ClusterState.of(ClusterTopology.builder().node(node("n0", model, gpus)).build());
  }

  private static Node node(String id, GpuModel model, int gpus) {
    return Node.builder(id).gpus(gpus, model, Memory.ofGib(model.equals(SLICE) ? 20 : 16)).build();
  }

  private static JobSpec job(String id, int utilization, Sharing sharing, int gib) {
    ResourceRequest request =
        ResourceRequest.builder()
            .share(GpuShare.ofPercent(10))
            .gpuMemory(Memory.ofGib(gib))
            .build();
    return JobSpec.builder(id)
        .role("worker", 1, request)
        .sharing(sharing)
        .workload(Workload.builder("u" + utilization).build())
        .build();
  }

  private static void start(ClusterState state, ColocationPlacer placer, JobSpec job) {
    state.apply(job, placer.place(state, job).orElseThrow());
  }

  /** Knows loads under time slicing for sure and nothing of other GPUs; notes what it is asked. */
  private static final class Asked implements InterferencePredictor {
    private final List<ColocationQuery> questions = new ArrayList<>();

    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      questions.add(colocation);
      return colocation.gpu().equals(V100)
          ? KnownLoads.sure().retainedSpeed(colocation)
          : new Prediction(0.95, 0.5, 1, Provenance.DEFAULT);
    }

    List<String> gpus() {
      return questions.stream().map(question -> question.gpu().name()).toList();
    }

    List<Double> utilizations(String family) {
      List<ColocationProfile> profiles = new ArrayList<>();
      for (ColocationQuery question : questions) {
        profiles.add(question.victim());
        profiles.addAll(question.coRunners());
      }
      return profiles.stream()
          .filter(profile -> profile.workload().family().equals(family))
          .map(ColocationProfile::utilization)
          .toList();
    }
  }
}
