package io.github.liquidscheduler.simulator.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationListener;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.conditions.RequestModel;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that come every minute and run for an hour, on 4 GPUs; they use 10 GiB and 40 %. */
class RequestsTest {

  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(
              Node.builder("n")
                  .gpus(4, GpuModel.of("A100"), Memory.ofGib(40))
                  .cpu(CpuCores.of(64))
                  .memory(Memory.ofGib(1024))
                  .build())
          .build();

  private static final TrueUsage TRUTH =
      TrueUsage.of(
          List.of(
              new ResourceSample(
                  TaskProfile.builder(Workload.builder("resnet50").batchSize(32).build()).build(),
                  Map.of(
                      ResourceTarget.GPU_MEMORY,
                      10.0 * (1L << 30),
                      ResourceTarget.GPU_UTILIZATION,
                      0.4))),
          7);

  private final Trace trace = Trace.of("hourly", jobs(180));

  @Test
  void whatUsersOverAskOthersWaitFor() {
    SimulationResult over = run(users(2, 0));
    SimulationResult exact = run(Requests.exact(TRUTH, CLUSTER));

    assertThat(over.counts().outOfMemory()).isZero();
    assertThat(average(exact)).isLessThan(average(over) * 0.8);
  }

  @Test
  void jobsThatUnderAskAreKilledAndAskForMore() {
    SimulationResult result = run(users(1.5, 1));

    assertThat(result.counts().outOfMemory()).isGreaterThanOrEqualTo(180);
    assertThat(result.counts().failures()).isEqualTo(result.counts().outOfMemory());
    assertThat(result.finished()).hasSize(180);
  }

  @Test
  void anEstimatorLearnsFromJobsThatRanAlone() {
    LearnedResourceEstimator estimator = LearnedResourceEstimator.withoutModel();
    SimulationResult estimated = run(Requests.estimated(TRUTH, CLUSTER, estimator));

    assertThat(estimator.samples()).isNotEmpty();
    assertThat(average(estimated)).isLessThan(average(run(users(2, 0))));
    assertThat(estimated.finished()).hasSize(180);
  }

  @Test
  void jobsThatWaitAskAnewWhenOneLikeThemWasMeasured() {
    List<ClusterEvent.JobUpdated> updated = new ArrayList<>();
    SimulationListener listener =
        new SimulationListener() {
          @Override
          public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
            if (event instanceof ClusterEvent.JobUpdated e) {
              updated.add(e);
            }
          }
        };
    Requests requestModel =
        Requests.estimated(TRUTH, CLUSTER, LearnedResourceEstimator.withoutModel());

    simulation(requestModel).listener(listener).strict().build().run();

    assertThat(updated)
        .isNotEmpty()
        .allSatisfy(
            event -> assertThat(event.spec().roles().getFirst().request().share()).isPresent());
  }

  @Test
  void jobsThatStateTheirIterationsAreExpectedToTakeAsLongAsTheSpeedSeenSays() {
    Requests requestModel =
        Requests.estimated(TRUTH, CLUSTER, LearnedResourceEstimator.withoutModel());
    TraceJob job = job("j").iterations(600).build();
    JobSpec first = requestModel.submit(job, JobSpec.builder("j").gpus(1).build());
    requestModel.finished(job, first, onFirstGpu(first), true, Duration.ofMinutes(10));

    JobSpec next =
        requestModel.submit(
            job("k").iterations(6000).build(), JobSpec.builder("k").gpus(1).build());

    assertThat(first.expectedWork()).contains(ExpectedWork.ofIterations(600));
    assertThat(next.expectedWork()).contains(ExpectedWork.of(Duration.ofMinutes(100), 6000));
  }

  @Test
  void aJobThatEndsAtOnceTeachesNoSpeed() {
    Requests requestModel =
        Requests.estimated(TRUTH, CLUSTER, LearnedResourceEstimator.withoutModel());
    TraceJob job = job("j").iterations(600).build();
    JobSpec first = requestModel.submit(job, JobSpec.builder("j").gpus(1).build());
    requestModel.finished(job, first, onFirstGpu(first), true, Duration.ZERO);

    JobSpec next =
        requestModel.submit(
            job("k").iterations(6000).build(), JobSpec.builder("k").gpus(1).build());

    assertThat(next.expectedWork().orElseThrow().iterations()).hasValue(6000);
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertThat(run(users(2, 0.1)).decisionsDigest())
        .isEqualTo(run(users(2, 0.1)).decisionsDigest());
  }

  @Test
  void usefulUseIsMeasuredWhileJobsWait() {
    UsefulUse use = new UsefulUse(TRUTH, CLUSTER, trace);
    simulation(Requests.exact(TRUTH, CLUSTER)).listener(use).build().run();

    assertThat(use.gpuTime()).isBetween(0.7, 0.85);
    assertThat(use.gpuMemory()).isBetween(0.4, 0.55);
  }

  @Test
  void aTableWithoutBothMeasurementsIsRefused() {
    assertThatThrownBy(() -> TrueUsage.of(List.of(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a table of usage must measure memory and utilisation of a GPU");
  }

  @Test
  void factorsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new RequestError(0, 1, 0))
        .hasMessage("the over-request factor must be from 0.01 to 100, but was 0.0");
    assertThatThrownBy(() -> new RequestError(2, 0.5, 0))
        .hasMessage("the request spread must be from 1 to 100, but was 0.5");
    assertThatThrownBy(() -> new RequestError(2, 1, Double.NaN))
        .hasMessage("the under-request fraction must be from 0 to 1, but was NaN");
  }

  private static RequestModel users(double overRequest, double underRequestFraction) {
    return Requests.byUsers(
        TRUTH, CLUSTER, new RequestError(overRequest, 1, underRequestFraction), 3);
  }

  private SimulationResult run(RequestModel requestModel) {
    return simulation(requestModel).strict().build().run();
  }

  private Simulation.Builder simulation(RequestModel requestModel) {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(CLUSTER).policy(Policies.named("best-effort-fifo")).build();
    return Simulation.builder(trace, scheduler)
        .requestModel(requestModel)
        .speed(SharedSpeed.of(GroundTruth.asRecorded(), TRUTH));
  }

  private static double average(SimulationResult result) {
    return result.statistics().orElseThrow().completion().average().toSeconds();
  }

  private static Placement onFirstGpu(JobSpec job) {
    TaskRole role = job.roles().getFirst();
    TaskPlacement task =
        new TaskPlacement(new TaskId(role.name(), 0), new NodeId("n"), List.of(0), role.request());
    return new Placement(job.id(), List.of(task));
  }

  private static List<TraceJob> jobs(int count) {
    List<TraceJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(job("j" + i).submit(Duration.ofMinutes(i)).build());
    }
    return jobs;
  }

  private static TraceJob.Builder job(String id) {
    return TraceJob.builder(id).submit(Duration.ZERO).duration(Duration.ofHours(1));
  }
}
