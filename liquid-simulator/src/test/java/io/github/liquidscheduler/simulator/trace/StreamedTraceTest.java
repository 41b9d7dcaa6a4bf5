package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A trace is opened in a file, and gone through without being held if it is in order. */
class StreamedTraceTest {

  private static final String HEADER = "job_id,num_gpu,submit_time,duration\n";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void whatIsOpenedHasTheJobsThatAreRead(TraceFormat format) {
    Path file = file(Texts.of(format));
    Trace read = format.reader().read(file);

    TraceSource opened = format.reader().open(file);

    assertThat(opened.held().jobs()).isEqualTo(read.jobs());
    assertThat(opened.size()).isEqualTo(2);
    assertThat(opened.source()).isEqualTo(file.toString());
    assertThat(opened.withLoad(3).held().jobs()).isEqualTo(read.withLoad(3).jobs());
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "TIRESIAS", "GAVEL", "SHOCKWAVE", "HELIOS", "ACME", "ALIBABA_2023"})
  void aFileInOrderIsNotHeld(TraceFormat format) {
    assertThat(format.reader().open(file(Texts.of(format)))).isNotInstanceOf(Trace.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"PHILLY", "PHILLY_JSON", "ALIBABA_2020", "KUBERNETES"})
  void whatIsOutOfOrderOrGatheredIsHeld(TraceFormat format) {
    assertThat(format.reader().open(file(Texts.of(format)))).isInstanceOf(Trace.class);
  }

  @Test
  void jobsAreGoneThroughAsOftenAsSomebodyWants() {
    TraceSource opened = tiresias(HEADER + "a,1,0,5\nb,2,7,6\n");

    assertThat(opened.held().jobs()).isEqualTo(opened.held().jobs()).hasSize(2);
  }

  @Test
  void jobsLeftOutAreCountedOnce() {
    Path file = file("submit_time,num_gpu,duration\n0,1,5\n1,0,5\n2,1,-1\n3,1,5\n");
    TraceReader reader = TraceFormat.CSV.reader();

    TraceSource opened = reader.open(file);
    opened.held();

    assertThat(opened.size()).isEqualTo(2);
    assertThat(opened.warnings()).isEqualTo(reader.read(file).warnings()).hasSize(2);
  }

  @Test
  void anIdThatComesTwiceIsRefusedWithBothLines() {
    assertThatThrownBy(() -> tiresias(HEADER + "a,1,0,5\nb,1,1,5\na,2,7,6\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessageContaining(
            "jobs.csv:4: a job id must come once, but 'a' came again after line 2");
  }

  @Test
  void aBadLastLineIsRefusedBeforeAnyJobIsShown() {
    assertThatThrownBy(() -> tiresias(HEADER + "a,1,0,5\nb,none,1,5\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessageContaining("jobs.csv:3:");
  }

  @Test
  void aLoadThatMakesTheLastJobComeTooLateIsRefusedAtOnce() {
    TraceSource opened = tiresias(HEADER + "a,1,0,5\nb,1,86400,5\n");

    assertThatThrownBy(() -> opened.withLoad(0.001).withLoad(0.001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("submit must be from 0 s");
  }

  @Test
  void aFileThatLosesOrGainsJobsWhileItIsReadIsRefused() throws IOException {
    Path file = file(HEADER + "a,1,0,5\nb,1,1,5\n");
    TraceSource opened = TraceFormat.TIRESIAS.reader().open(file);
    for (String changed :
        List.of("a,1,0,5\n", "a,1,0,5\nb,1,1,5\nc,1,1,5\n", "b,1,1,5\na,1,0,5\n")) {
      Files.writeString(file, HEADER + changed);

      assertThatThrownBy(opened::held)
          .isInstanceOf(InputFormatException.class)
          .hasMessageContaining("must stay as it is while it is read");
    }
  }

  @Test
  void timesOfAClockCountFromTheFirstSubmission() {
    TraceSource opened =
        TraceFormat.CSV
            .reader()
            .open(
                file(
                    """
                    submit_time,num_gpu,duration
                    2024-03-01 10:00:00,1,60
                    2024-03-01 10:00:30,1,60
                    """));

    assertThat(opened.held().jobs())
        .extracting(TraceJob::submit)
        .containsExactly(Duration.ZERO, Duration.ofSeconds(30));
  }

  private TraceSource tiresias(String text) {
    return TraceFormat.TIRESIAS.reader().open(file(text));
  }

  private Path file(String text) {
    try {
      return Files.writeString(folder.resolve("jobs.csv"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
