package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces of one's own. */
class TraceColumnsTest {

  @Test
  void aPartOfAGpuIsAShareAndTimesMayBeOfAClock() {
    assertThat(
            Texts.read(TraceFormat.CSV, Texts.CSV.replace("T02:00:30Z", " 10:00:30+0800")).jobs())
        .containsExactly(
            TraceJob.builder("a")
                .duration(Duration.ofMinutes(10))
                .request(
                    TraceRequest.of(
                            1,
                            ResourceRequest.builder()
                                .share(GpuShare.ofPercent(25))
                                .memory(Memory.ofGib(16))
                                .build())
                        .on(List.of(GpuModel.of("A100"), GpuModel.of("H100"))))
                .virtualCluster("vision")
                .label("user", "ann")
                .line(2)
                .build(),
            TraceJob.builder("b")
                .submit(Duration.ofSeconds(30))
                .gpus(8)
                .duration(Duration.ofMillis(60_500))
                .line(3)
                .build());
  }

  @Test
  void columnsMayBeCalledOtherwise() {
    String text = "who,arrival,n,began,ended,queue\nx,5,2,7,17,3.5\n";

    Trace trace =
        read(
            text,
            "job_id=who",
            "submit_time = arrival",
            "num_gpu=n",
            "start_time=began",
            "end_time=ended",
            "queue=");

    assertThat(trace.jobs())
        .containsExactly(
            TraceJob.builder("x")
                .submit(Duration.ofSeconds(5))
                .gpus(2)
                .duration(Duration.ofSeconds(10))
                .line(2)
                .build());
  }

  @Test
  void jobsWithoutIdsAreCalledByTheirPosition() {
    assertThat(read("submit_time,num_gpu\n0,1\n0,0\n0,2\n").jobs())
        .extracting(TraceJob::id)
        .containsExactly("0", "2");
  }

  @Test
  void secondsSince1970CountFromTheFirstJob() {
    assertThat(read("submit_time,num_gpu\n1700000060,1\n1700000000.5,1\n").jobs())
        .extracting(TraceJob::submit)
        .containsExactly(Duration.ZERO, Duration.ofMillis(59_500));
  }

  @Test
  void datesCountFromTheFirstJobInWhateverYear() {
    for (String day : List.of("1975-03-01", "2026-03-01")) {
      Trace trace =
          read("submit_time,num_gpu\n%1$sT10:01:00Z,1\n%1$sT10:00:00Z,1\n".formatted(day));

      assertThat(trace.start()).isEqualTo(day + "T10:00:00Z");
      assertThat(trace.jobs())
          .extracting(TraceJob::submit)
          .containsExactly(Duration.ZERO, Duration.ofMinutes(1));
    }
  }

  @Test
  void whatCannotBeSimulatedIsCountedWithItsFirstLine() {
    String text =
        """
        submit_time,num_gpu,start_time,end_time
        0,1,1,2
        0,0,1,2
        0,1,,
        0,1,5,null
        0,0,1,2
        0,1,5,4
        """;

    assertThat(read(text).warnings())
        .containsExactly(
            new TraceWarning("asked for no GPU", 2, 3),
            new TraceWarning("never started", 1, 4),
            new TraceWarning("had not ended", 1, 5),
            new TraceWarning("ended before starting", 1, 7));
  }

  @Test
  void aWarningReadsWell() {
    assertThat(new TraceWarning("asked for no GPU", 1088, 7))
        .hasToString("1,088 jobs that asked for no GPU, the first on line 7");
    assertThat(new TraceWarning("never started", 1, 2))
        .hasToString("1 job that never started, the first on line 2");
  }

  @Test
  void whenEveryJobIsLeftOutTheReasonsAreNamed() {
    assertThatThrownBy(() -> read("submit_time,num_gpu\n0,0\n0,0\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "jobs.csv: a trace must have at least one job, but had none; left out were 2 jobs that"
                + " asked for no GPU, the first on line 2");
  }

  @ParameterizedTest
  @CsvSource({
    "2024-03-01 10:00:00+08:00, 2024-03-01 10:00:00, must be a time with a zone",
    "2024-03-01 10:00:00, 2024-03-01 10:00:00Z, must be a time without a zone",
    "17, 2024-03-01 10:00:00, must be a number",
    "2024-03-01 10:00:00, 17, must be a time without a zone"
  })
  void timesOfOneFileAreOfOneKind(String first, String second, String rule) {
    assertThatThrownBy(() -> read("submit_time,num_gpu\n%s,1\n%s,1\n".formatted(first, second)))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "jobs.csv:3: column 'submit_time' %s, as earlier times are, but was '%s'",
            rule, second);
  }

  @ParameterizedTest
  @CsvSource({
    "submit_time, 'columns must be named as in submit_time=arrival, but one was ''submit_time'''",
    "submit_time=, a trace must have a column that tells submit_time",
  })
  void columnsThatAreNamedWronglyAreRefused(String column, String message) {
    assertThatThrownBy(() -> TraceColumns.standard().with(List.of(column)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aColumnThatTellsNothingKnownIsRefusedWithAllNames() {
    assertThatThrownBy(() -> TraceColumns.standard().with(List.of("gpus=n")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a column must tell one of job_id, submit_time, start_time, end_time, duration,"
                + " num_gpu, num_nodes, num_cpu, memory_gib, gpu_models, iterations, model_name,"
                + " batch_size, precision, dataset, dataset_size, queue, user, status, but was to"
                + " tell 'gpus'");
  }

  @Test
  void aJobReadsTheDataSetsOfItsRow() {
    Trace trace =
        read(
            """
            submit_time,num_gpu,data,size
            0,1,clicks|image,20GiB|500
            0,1,,
            """,
            "dataset=data",
            "dataset_size=size");

    assertThat(trace.jobs().get(0).datasets())
        .containsExactly(
            new Dataset("clicks", Memory.ofGib(20)), new Dataset("image", Memory.ofBytes(500)));
    assertThat(trace.jobs().get(1).datasets()).isEmpty();
  }

  /** Others have a column of names that nobody needs the sizes of. */
  @Test
  void namesOfDataSetsWithoutAColumnOfSizesAreNotRead() {
    Trace trace =
        read(
            """
            submit_time,num_gpu,dataset
            0,1,clicks
            """);

    assertThat(trace.jobs().getFirst().datasets()).isEmpty();
  }

  private static Trace read(String text, String... columns) {
    return TraceFormat.csv(TraceColumns.standard().with(List.of(columns)))
        .read("jobs.csv", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
