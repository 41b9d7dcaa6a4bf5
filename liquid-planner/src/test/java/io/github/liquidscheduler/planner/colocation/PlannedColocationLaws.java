package io.github.liquidscheduler.planner.colocation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.search.RandomCluster;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds on every GPU once the last jobs were planned together. */
class PlannedColocationLaws {

  private static final PlanOptions BRIEFLY = PlanOptions.builder().boundRounds(0).build();
  private static final float LEAST_SPEED = 0.55f;

  @Property(tries = 300)
  void memoryAndSharesAreNeverOverCommitted(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = planned(choices);
    onEachGpu(
        cluster,
        (gpu, jobs) -> {
          long held = jobs.stream().mapToLong(job -> requested(job).bytes()).sum();
          assertThat(held).isLessThanOrEqualTo(cluster.state.topology().gpu(gpu).memory().bytes());
          assertThat(cluster.state.freeShare(gpu)).isNotNegative();
        });
  }

  @Property(tries = 300)
  void noMoreJobsThanTheModeAllowsAreOnAGpu(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = planned(choices);
    onEachGpu(
        cluster,
        (gpu, jobs) -> assertThat(jobs).hasSizeLessThanOrEqualTo(cluster.mode.maxResidents()));
  }

  @Property(tries = 300)
  void anExclusiveJobHasNoCoRunner(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = planned(choices);
    onEachGpu(
        cluster,
        (gpu, jobs) -> {
          if (jobs.stream().anyMatch(job -> job.sharing() instanceof Sharing.Exclusive)) {
            assertThat(jobs).hasSize(1);
            assertThat(cluster.state.freeShare(gpu)).isZero();
          }
        });
  }

  @Property(tries = 300)
  void everyJobIsPredictedToKeepItsFloor(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster cluster = planned(choices);
    onEachGpu(
        cluster,
        (gpu, jobs) -> {
          for (int victim = 0; victim < jobs.size(); victim++) {
            Prediction speed = cluster.predictor.retainedSpeed(query(cluster, gpu, jobs, victim));
            if (jobs.get(victim).sharing() instanceof Sharing.Guaranteed promised) {
              assertThat(speed.low()).isGreaterThanOrEqualTo(promised.floor());
            } else {
              assertThat((float) speed.value()).isGreaterThanOrEqualTo(LEAST_SPEED);
            }
          }
        });
  }

  /** Returns a random cluster on which as many of some random jobs started as a plan starts. */
  private static RandomCluster planned(Choices choices) {
    RandomCluster cluster = new RandomCluster(choices.random());
    Map<JobId, JobSpec> waiting = new LinkedHashMap<>();
    cluster.candidateJobs(8).forEach(job -> waiting.put(job.id(), job));
    PlanRequest request =
        PlanRequest.builder(cluster.state)
            .pending(List.copyOf(waiting.values()))
            .options(BRIEFLY)
            .build();
    ColocationPlanner planner =
        ColocationPlanner.of(BatchPlanners.greedy(), cluster.placer.colocation());
    for (Placement start : planner.plan(request).starts()) {
      cluster.state.apply(requireNonNull(waiting.get(start.job())), start);
    }
    return cluster;
  }

  private static ColocationQuery query(
      RandomCluster cluster, GpuId gpu, List<JobSpec> jobs, int victim) {
    GpuModel model = cluster.state.topology().gpu(gpu).model();
    List<ColocationProfile> profiles = new ArrayList<>();
    jobs.forEach(job -> profiles.add(KnownLoads.profile(job, model)));
    return new ColocationQuery(model, profiles.remove(victim), profiles);
  }

  private static Memory requested(JobSpec job) {
    return job.roles().get(0).request().gpuMemory().orElse(Memory.ZERO);
  }

  private static void onEachGpu(RandomCluster cluster, BiConsumer<GpuId, List<JobSpec>> check) {
    for (Node node : cluster.state.topology().nodes()) {
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        GpuId id = new GpuId(node.id(), gpu);
        check.accept(
            id, cluster.state.residents(id).stream().map(each -> job(cluster, each)).toList());
      }
    }
  }

  private static JobSpec job(RandomCluster cluster, Resident resident) {
    return cluster.state.job(resident.job()).orElseThrow();
  }
}
