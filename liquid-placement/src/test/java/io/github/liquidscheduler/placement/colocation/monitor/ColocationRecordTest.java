package io.github.liquidscheduler.placement.colocation.monitor;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ColocationRecordTest {

  private static final GpuModel V100 = GpuModel.of("V100");

  @Test
  void aPartKeptIsAboveZeroAndAtMostOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report("a", 0))
        .withMessage("the part of its speed that a job keeps must be in (0, 1], but was 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ColocationRecord.Ban(
                    Workload.UNKNOWN, Workload.UNKNOWN, V100, OptionalDouble.of(1.01)))
        .withMessageContaining("but was 1.01");
  }

  @Test
  void aRateWasSeen() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ColocationRecord.Rate(Workload.UNKNOWN, V100, 2, 7.5, 0))
        .withMessage(
            "a rate must be positive, of at least one GPU and seen at least once, but was 7.5 of 2,"
                + " seen 0 times");
  }

  @Test
  void aJobHasOneLastReport() {
    List<ColocationRecord.Report> twice = List.of(report("a", 1), report("a", 0.5));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ColocationRecord(2, twice, List.of(), List.of(), List.of()))
        .withMessage(
            "each job must be named once, but 'a' was named twice, in the reports of jobs that"
                + " share GPUs");
  }

  private static ColocationRecord.Report report(String job, double retained) {
    return new ColocationRecord.Report(
        JobId.of(job), List.of(List.of()), OptionalDouble.of(retained));
  }
}
