package io.github.liquidscheduler.estimator.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.estimator.duration.DurationEstimator;
import io.github.liquidscheduler.estimator.duration.ObservedSpeeds;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestEstimatorTest {

  private static final GpuModel A100 = GpuModel.of("A100");

  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(
              Node.builder("n")
                  .gpus(4, A100, Memory.ofGib(40))
                  .cpu(CpuCores.of(32))
                  .memory(Memory.ofGib(256))
                  .build())
          .build();

  private final LearnedResourceEstimator resources = LearnedResourceEstimator.withoutModel();
  private final RequestEstimator filler =
      RequestEstimator.of(CLUSTER, resources, new DurationEstimator());

  @Test
  void whatTheUserStatedStays() {
    ResourceRequest stated =
        ResourceRequest.builder()
            .gpus(1)
            .gpuMemory(Memory.ofGib(3))
            .cpu(CpuCores.of(1))
            .memory(Memory.ofGib(2))
            .build();
    JobSpec job =
        aJob()
            .role("worker", 1, stated)
            .expectedWork(ExpectedWork.ofDuration(Duration.ofHours(1)))
            .build();

    assertThat(filler.fill(job)).isEqualTo(job);
  }

  @Test
  void aJobOfWhichNothingIsKnownGetsTheGpuWithItsPartOfTheNode() {
    ResourceRequest filled = request(filler.fill(aJob().gpus(1).build()));

    assertThat(filled.share()).isEmpty();
    assertThat(filled.gpuMemory()).isEmpty();
    assertThat(filled.cpu()).contains(CpuCores.of(8));
    assertThat(filled.memory()).contains(Memory.ofGib(64));
  }

  @Test
  void aJobThatFitsOnNoGpuRequestsWhatItWouldNeed() {
    JobSpec job = aLargeModel("Llama-3-70B");

    Memory asked = request(filler.fill(job)).gpuMemory().orElseThrow();

    assertThat(asked).isBetween(Memory.ofGib(130), Memory.ofGib(160));
  }

  @Test
  void aJobThatMayFitRequestsAtMostTheDeviceThatTheClusterHas() {
    JobSpec job = aLargeModel("gpt2-xl");

    assertThat(request(filler.fill(job)).gpuMemory()).contains(Memory.ofGib(40));
  }

  @Test
  void aJobThatWasMeasuredGetsTheShareItKeepsBusy() {
    JobSpec job = aJob().gpus(1).sharing(new Sharing.Opportunistic()).build();
    measure(job);

    ResourceRequest filled = request(filler.fill(job));

    assertThat(filled.share()).contains(GpuShare.ofPercent(45));
    assertThat(filled.gpuMemory().orElseThrow()).isBetween(Memory.ofGib(6), Memory.ofGib(40));
    assertThat(filled.cpu()).contains(CpuCores.of(3));
    assertThat(filled.memory().orElseThrow()).isBetween(Memory.ofGib(5), Memory.ofGib(32));
  }

  @Test
  void anExclusiveJobGetsWholeGpusHoweverWellItIsKnown() {
    JobSpec job = aJob().gpus(1).build();
    measure(job);

    assertThat(request(filler.fill(job)).share()).isEmpty();
  }

  @Test
  void aJobThatRanOutOfMemoryNeverAsksForAsLittleAgain() {
    JobSpec job = aJob().gpus(1).build();
    measure(job);
    JobSpec asked = filler.fill(job);

    JobSpec again = filler.afterOutOfMemory(asked, A100);
    JobSpec next = filler.fill(job);

    Memory tooLittle = request(asked).gpuMemory().orElseThrow();
    assertThat(request(again).gpuMemory().orElseThrow()).isGreaterThan(tooLittle);
    assertThat(request(next).gpuMemory().orElseThrow()).isGreaterThan(tooLittle);
  }

  @Test
  void aJobThatRanOutOfAllTheMemoryOfItsGpuAsksForMoreThanThereIs() {
    JobSpec again = filler.afterOutOfMemory(aJob().gpus(1).build(), A100);

    assertThat(request(again).gpuMemory().orElseThrow()).isGreaterThan(Memory.ofGib(40));
  }

  @Test
  void aJobThatRanOutOfHostMemoryAsksForTwiceAsMuch() {
    JobSpec again = filler.afterOutOfHostMemory(filler.fill(aJob().gpus(1).build()));

    assertThat(request(again).memory()).contains(Memory.ofGib(128));
  }

  @Test
  void anExpectedDurationIsTheMedianOfJobsLikeIt() {
    JobSpec job = aJob().gpus(1).build();
    for (int minutes = 1; minutes <= 5; minutes++) {
      filler.finished(job, Duration.ofMinutes(minutes));
    }

    assertThat(filler.fill(job).expectedWork())
        .contains(ExpectedWork.ofDuration(Duration.ofMinutes(3)));
  }

  @Test
  void statedWorkIsDividedByThePredictedSpeed() {
    JobSpec job = aJob().gpus(1).expectedWork(ExpectedWork.ofIterations(100)).build();
    ObservedSpeeds speeds = new ObservedSpeeds();
    speeds.observe(job, A100, 1, "node", 4);

    assertThat(filler.withSpeeds(speeds).fill(job).expectedWork())
        .contains(ExpectedWork.of(Duration.ofSeconds(25), 100));
    assertThat(filler.fill(job).expectedWork()).contains(ExpectedWork.ofIterations(100));
  }

  @Test
  void speedsAreLearnedFromJobsThatRanAloneOnGpusOfOneModel() {
    JobSpec job = aJob().gpus(2).expectedWork(ExpectedWork.ofIterations(100)).build();
    RequestEstimator learning = filler.withSpeeds(new ObservedSpeeds());
    learning.ranAlone(job, onTwoGpus(job), 4);

    assertThat(learning.fill(job).expectedWork())
        .contains(ExpectedWork.of(Duration.ofSeconds(25), 100));
  }

  @Test
  void progressGetsTheTimeThatItsOwnSpeedLeaves() {
    JobSpec job = aJob().gpus(1).expectedWork(ExpectedWork.ofIterations(100)).build();

    Progress progress = filler.progress(job, Duration.ofSeconds(50), Progress.of(50, 1));

    assertThat(progress.remaining()).contains(Duration.ofSeconds(50));
  }

  @Test
  void aTimeThatAJobReportsItselfStays() {
    JobSpec job = aJob().gpus(1).build();
    Progress own = Progress.of(50, 1).withRemaining(Duration.ofSeconds(7));

    assertThat(filler.progress(job, Duration.ofSeconds(50), own)).isEqualTo(own);
  }

  private static JobSpec aLargeModel(String family) {
    Workload.Builder workload = Workload.builder(family).framework("pytorch").batchSize(1);
    if (family.startsWith("Llama")) {
      workload.precision("bf16").hyperparameter("mode", "inference");
    }
    return aJob().workload(workload.build()).gpus(1).build();
  }

  private void measure(JobSpec job) {
    ResourceUsage usage =
        ResourceUsage.builder()
            .gpuMemory(Memory.ofGib(6))
            .gpuUtilization(0.45, 0)
            .cpu(CpuCores.ofMillicores(2500))
            .memory(Memory.ofGib(5))
            .build();
    resources.observe(job, job.roles().getFirst(), A100, usage);
  }

  private static Placement onTwoGpus(JobSpec job) {
    TaskRole role = job.roles().getFirst();
    List<TaskPlacement> tasks =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    new TaskPlacement(
                        new TaskId(role.name(), i), new NodeId("n"), List.of(i), role.request()))
            .toList();
    return new Placement(job.id(), tasks);
  }

  private static JobSpec.Builder aJob() {
    return JobSpec.builder("j").workload(Workload.builder("nobody-knows-it").build());
  }

  private static ResourceRequest request(JobSpec job) {
    return job.roles().getFirst().request();
  }
}
