package io.github.liquidscheduler.placement.colocation.search;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.github.liquidscheduler.placement.colocation.CandidateScores;
import io.github.liquidscheduler.placement.colocation.CoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
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

/** What holds on every GPU of every cluster, whoever came and went. */
class ColocationPlacerLaws {

  private static final GpuModel V100 = GpuModel.of("V100");

  @Property(tries = 1000)
  void memoryAndSharesAreNeverOverCommitted(@ForAll long seed) {
    RandomCluster town = new RandomCluster(seed);
    onEachGpu(
        town,
        gpu -> {
          long held =
              town.state.residents(gpu).stream().mapToLong(r -> asked(town, r).bytes()).sum();
          assertThat(held).isLessThanOrEqualTo(town.state.topology().gpu(gpu).memory().bytes());
          assertThat(town.state.freeShare(gpu)).isNotNegative();
        });
  }

  @Property(tries = 1000)
  void noMoreJobsThanAllowedAreOnAGpu(@ForAll long seed) {
    RandomCluster town = new RandomCluster(seed);
    onEachGpu(
        town,
        gpu ->
            assertThat(town.state.residents(gpu))
                .hasSizeLessThanOrEqualTo(town.mode.maxResidents()));
  }

  @Property(tries = 1000)
  void anExclusiveJobIsAlone(@ForAll long seed) {
    RandomCluster town = new RandomCluster(seed);
    onEachGpu(
        town,
        gpu -> {
          for (Resident resident : town.state.residents(gpu)) {
            if (job(town, resident).sharing() instanceof Sharing.Exclusive) {
              assertThat(town.state.residents(gpu)).hasSize(1);
              assertThat(town.state.freeShare(gpu)).isZero();
            }
          }
        });
  }

  @Property(tries = 1000)
  void everybodyIsPredictedToKeepTheFloorForSure(@ForAll long seed) {
    RandomCluster town = new RandomCluster(seed);
    onEachGpu(
        town,
        gpu -> {
          List<Resident> residents = town.state.residents(gpu);
          for (int i = 0; i < residents.size(); i++) {
            ColocationQuery colocation = colocation(town, gpu, residents, i);
            if (job(town, residents.get(i)).sharing() instanceof Sharing.Guaranteed promised) {
              assertThat(town.predictor.retainedSpeed(colocation).low())
                  .isGreaterThanOrEqualTo(promised.floor());
            } else {
              assertThat((float) town.predictor.retainedSpeed(colocation).value())
                  .isGreaterThanOrEqualTo(0.55f);
            }
          }
        });
  }

  @Property(tries = 1000)
  void namesDoNotMatter(@ForAll long seed) {
    RandomCluster one = new RandomCluster(seed);
    RandomCluster other = new RandomCluster(seed, "renamed-");

    assertThat(where(one.start(one.job("x")))).isEqualTo(where(other.start(other.job("x"))));
    assertThat(one.state.shared().size()).isEqualTo(other.state.shared().size());
  }

  @Property(tries = 1000)
  void aPlacerThatRemembersNothingDecidesTheSame(@ForAll long seed) {
    RandomCluster town = new RandomCluster(seed);
    ColocationPlacer forgetful =
        new ColocationPlacer(
            Colocation.builder(PredictedSlowdownRule.of(town.predictor))
                .profiles(KnownLoads::profile)
                .mode(town.mode)
                .build());
    ColocationPlacer experienced =
        new ColocationPlacer(
            Colocation.builder(PredictedSlowdownRule.of(town.predictor))
                .profiles(KnownLoads::profile)
                .mode(town.mode)
                .build());
    for (int i = 0; i < 5; i++) {
      experienced.place(town.state, town.job("before-" + i));
    }
    JobSpec job = town.job("x");

    assertThat(experienced.place(town.state, job)).isEqualTo(forgetful.place(rebuilt(town), job));
  }

  @Property(tries = 1000)
  void aJobThatDoesNotFitFitsNoBetterAfterAnotherHasStarted(@ForAll long seed) {
    RandomCluster town = new RandomCluster(seed);
    JobSpec job = town.job("x");
    if (town.placer.place(town.state, job).isEmpty()) {
      town.start(town.job("y"));

      assertThat(town.placer.place(town.state, job)).isEmpty();
    }
  }

  @Property(tries = 1000)
  void aBusierResidentNeverMakesACandidateLookBetter(@ForAll long seed) {
    Random random = new Random(seed);
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
  private static ClusterState rebuilt(RandomCluster town) {
    ClusterState state = ClusterState.of(town.state.topology());
    for (JobSpec job : town.jobs.values()) {
      state.apply(job, town.state.placement(job.id()).orElseThrow());
    }
    return state;
  }

  private static ColocationQuery colocation(
      RandomCluster town, GpuId gpu, List<Resident> residents, int victim) {
    GpuModel model = town.state.topology().gpu(gpu).model();
    List<ColocationProfile> others = new ArrayList<>();
    for (Resident resident : residents) {
      others.add(KnownLoads.profile(job(town, resident), model));
    }
    return new ColocationQuery(model, others.remove(victim), others);
  }

  private static JobSpec job(RandomCluster town, Resident resident) {
    return requireNonNull(town.jobs.get(resident.job()));
  }

  private static Memory asked(RandomCluster town, Resident resident) {
    return job(town, resident).roles().get(0).request().gpuMemory().orElse(Memory.ZERO);
  }

  private static void onEachGpu(RandomCluster town, Consumer<GpuId> check) {
    for (Node node : town.state.topology().nodes()) {
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
