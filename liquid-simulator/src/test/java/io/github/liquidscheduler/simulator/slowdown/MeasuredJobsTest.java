package io.github.liquidscheduler.simulator.slowdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.input.WorkloadName;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredJobsTest {

  private static final GpuModel V100 = GpuModel.of("V100");

  private static final String PAIRS =
      """
      gpu,family,batch,precision,isolated_rate,co_family,co_batch,co_precision,retained_speed
      V100,a,1,,5,b,2,,.8
      V100,b,2,,,a,1,,.6
      V100,c,1,fp16,,c,1,fp16,.5
      V100,c,1,fp32,,c,1,fp32,.5
      K80,d,1,,,d,1,,.5
      """;

  @TempDir Path folder;

  private MeasuredJobs find(TraceJob... jobs) throws IOException {
    SlowdownTable table = SlowdownTable.read(Files.writeString(folder.resolve("pairs.csv"), PAIRS));
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n").gpus(2, V100, Memory.ofGib(16)).build())
            .build();
    return MeasuredJobs.of(
        Trace.of("test", List.of(jobs)), table, cluster, GroundTruth.asRecorded());
  }

  private static TraceJob job(String id, int gpus, String model) {
    return TraceJob.builder(id).gpus(gpus).duration(Duration.ofSeconds(60)).model(model).build();
  }

  @Test
  void jobsOfOneGpuWithAMeasuredWorkloadMayShare() throws IOException {
    MeasuredJobs jobs =
        find(
            job("known", 1, "a (batch size 1)"),
            job("gang", 2, "a (batch size 1)"),
            job("other batch", 1, "a (batch size 7)"),
            job("other GPU model", 1, "d (batch size 1)"));

    assertThat(jobs.trace().jobs())
        .filteredOn(jobs::mayShare)
        .extracting(TraceJob::id)
        .containsExactly("known");
    assertThat(jobs.unknown())
        .extracting(TraceJob::id)
        .containsExactly("other batch", "other GPU model");
  }

  @Test
  void theyReportAsManyIterationsAsTheTableHasAlone() throws IOException {
    MeasuredJobs jobs = find(job("five a second", 1, "a"), job("one", 1, "b"), job("none", 2, "b"));

    assertThat(jobs.trace().jobs())
        .extracting(job -> job.iterations().orElse(0))
        .containsExactly(300L, 60L, 0L);
  }

  @Test
  void theSchedulerIsToldTheRateThatJobsReport() throws IOException {
    MeasuredJobs jobs = find(job("j", 1, "a"));
    JobSpec spec = JobSpec.builder("j").gpus(1).workload(WorkloadName.parse("a")).build();

    assertThat(jobs.profile(spec, V100).isolatedRate()).isEqualTo(5);
    assertThat(jobs.profile(spec, V100).workload().batchSize()).hasValue(1);
  }

  @Test
  void jobsRetainWhatWasMeasured() throws IOException {
    TraceJob a = job("a", 1, "a");
    TraceJob b = job("b", 1, "b");
    GroundTruth truth = find(a, b).truth();

    assertThat(truth.retained(a, List.of(b), V100)).isEqualTo(.8);
    assertThat(truth.retained(b, List.of(a), V100)).isEqualTo(.6);
    assertThat(truth.retained(b, List.of(a, a), V100)).isEqualTo(.6 * .6);
    assertThat(truth.retained(a, List.of(a), V100)).isEqualTo(.5);
  }

  @Test
  void aJobThatLeavesItsPrecisionOpenIsRefusedWhereThatMatters() {
    assertThatThrownBy(() -> find(job("j", 1, "c (batch size 1)")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "job 'j' may be any of 'c (batch size 1, precision fp16)', 'c (batch size 1, precision"
                + " fp32)'");
  }

  @Test
  void aTraceOfWhichNobodyMayShareIsRefused() {
    assertThatThrownBy(() -> find(job("j", 2, "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("such as 'a (batch size 1)', but the first, job 'j', is on 2");
  }
}
