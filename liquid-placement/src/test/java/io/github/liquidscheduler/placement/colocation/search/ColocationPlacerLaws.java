package io.github.liquidscheduler.placement.colocation.search;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Laws of every GPU of every cluster, after any arrivals and departures. */
class ColocationPlacerLaws {

  private static final GpuModel V100 = GpuModel.of("V100");

  @Property
  void memoryAndSharesAreNeverOverCommitted(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = new RandomCluster(choices.random());
    onEachGpu(
        cluster,
        gpu -> {
          long held =
              cluster.state.residents(gpu).stream().mapToLong(r -> asked(cluster, r).bytes()).sum();
          assertThat(held).isLessThanOrEqualTo(cluster.state.topology().gpu(gpu).memory().bytes());
          assertThat(cluster.state.freeShare(gpu)).isNotNegative();
        });
  }

  @Property
  void noMoreJobsThanAllowedAreOnAGpu(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = new RandomCluster(choices.random());
    onEachGpu(
        cluster,
        gpu ->
            assertThat(cluster.state.residents(gpu))
                .hasSizeLessThanOrEqualTo(cluster.mode.maxResidents()));
  }

  @Property
  void anExclusiveJobIsAlone(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = new RandomCluster(choices.random());
    onEachGpu(
        cluster,
        gpu -> {
          for (Resident resident : cluster.state.residents(gpu)) {
            if (job(cluster, resident).sharing() instanceof Sharing.Exclusive) {
              assertThat(cluster.state.residents(gpu)).hasSize(1);
              assertThat(cluster.state.freeShare(gpu)).isZero();
            }
          }
        });
  }

  @Property
  void everybodyIsPredictedToKeepTheFloorForSure(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = new RandomCluster(choices.random());
    onEachGpu(
        cluster,
        gpu -> {
          List<Resident> residents = cluster.state.residents(gpu);
          for (int i = 0; i < residents.size(); i++) {
            ColocationQuery colocation = colocation(cluster, gpu, residents, i);
            if (job(cluster, residents.get(i)).sharing() instanceof Sharing.Guaranteed promised) {
              assertThat(cluster.predictor.retainedSpeed(colocation).low())
                  .isGreaterThanOrEqualTo(promised.floor());
            } else {
              assertThat((float) cluster.predictor.retainedSpeed(colocation).value())
                  .isGreaterThanOrEqualTo(0.55f);
            }
          }
        });
  }

  @Property
  void namesDoNotMatter(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster one = new RandomCluster(choices.random());
    RandomCluster other = new RandomCluster(choices.random(), "renamed-");

    assertThat(where(one.start(one.job("x")))).isEqualTo(where(other.start(other.job("x"))));
    assertThat(one.state.shared().size()).isEqualTo(other.state.shared().size());
  }

  @Property
  void aPlacerThatRemembersNothingDecidesTheSame(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = new RandomCluster(choices.random());
    ColocationPlacer forgetful =
        new ColocationPlacer(
            Colocation.builder(PredictedSlowdownRule.of(cluster.predictor))
                .profiles(KnownLoads::profile)
                .mode(cluster.mode)
                .build());
    ColocationPlacer experienced =
        new ColocationPlacer(
            Colocation.builder(PredictedSlowdownRule.of(cluster.predictor))
                .profiles(KnownLoads::profile)
                .mode(cluster.mode)
                .build());
    for (int i = 0; i < 5; i++) {
      experienced.place(cluster.state, cluster.job("before-" + i));
    }
    JobSpec job = cluster.job("x");

    assertThat(experienced.place(cluster.state, job))
        .isEqualTo(forgetful.place(rebuilt(cluster), job));
  }

  @Property
  void aJobThatDoesNotFitFitsNoBetterAfterAnotherHasStarted(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = new RandomCluster(choices.random());
    JobSpec job = cluster.job("x");
    if (cluster.placer.place(cluster.state, job).isEmpty()) {
      cluster.start(cluster.job("y"));

      assertThat(cluster.placer.place(cluster.state, job)).isEmpty();
    }
  }

  @Property
  void aBusierResidentNeverMakesACandidateLookBetter(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    double[] loads = random.doubles(1 + random.nextInt(3)).toArray();
    double[] busier = loads.clone();
    int which = random.nextInt(loads.length);
    busier[which] += (1 - busier[which]) * random.nextDouble();
    double candidateJob = random.nextDouble();

    List<ColocationPolicy> rules =
        List.of(
            PredictedSlowdownRule.of(new KnownLoads(random.nextInt(3) * 0.1)), new AnyCoRunner());
    for (ColocationPolicy rule : rules) {
      assertThat(cost(rule, candidateJob, busier))
          .as(rule.name())
          .isGreaterThanOrEqualTo(cost(rule, candidateJob, loads) - 1e-6);
    }
  }

  private static double cost(ColocationPolicy rule, double candidateJob, double[] loads) {
    SharedGpu candidate =
        new SharedGpu(
            V100,
            coRunner(0, candidateJob),
            IntStream.range(0, loads.length).mapToObj(i -> coRunner(i, loads[i])).toList(),
            Memory.ofGib(1));
    CandidateScores scores = new CandidateScores(1);
    rule.score(List.of(candidate), Observations.NONE, scores);
    return scores.cost(0);
  }

  private static CoRunner coRunner(int number, double load) {
    Sharing sharing = number % 2 == 0 ? new Sharing.Opportunistic() : new Sharing.Guaranteed(0.5);
    return new CoRunner(
        sharing,
        new ColocationProfile(Workload.builder("w" + number).build(), 1, load, load, Double.NaN));
  }

  /** Returns the same state, without the jobs that have gone. */
  private static ClusterState rebuilt(RandomCluster cluster) {
    ClusterState state = ClusterState.of(cluster.state.topology());
    for (JobSpec job : cluster.jobs.values()) {
      state.apply(job, cluster.state.placement(job.id()).orElseThrow());
    }
    return state;
  }

  private static ColocationQuery colocation(
      RandomCluster cluster, GpuId gpu, List<Resident> residents, int victim) {
    GpuModel model = cluster.state.topology().gpu(gpu).model();
    List<ColocationProfile> others = new ArrayList<>();
    for (Resident resident : residents) {
      others.add(KnownLoads.profile(job(cluster, resident), model));
    }
    return new ColocationQuery(model, others.remove(victim), others);
  }

  private static JobSpec job(RandomCluster cluster, Resident resident) {
    return requireNonNull(cluster.jobs.get(resident.job()));
  }

  private static Memory asked(RandomCluster cluster, Resident resident) {
    return job(cluster, resident).roles().get(0).request().gpuMemory().orElse(Memory.ZERO);
  }

  private static void onEachGpu(RandomCluster cluster, Consumer<GpuId> check) {
    for (Node node : cluster.state.topology().nodes()) {
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        check.accept(new GpuId(node.id(), gpu));
      }
    }
  }

  private static List<String> where(Optional<Placement> place) {
    return place.stream()
        .flatMap(found -> found.tasks().stream())
        .map(TaskPlacement::toString)
        .toList();
  }
}
