package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TiresiasReaderTest {

  private static final String HEADER =
      "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n";

  @Test
  void everyColumnIsRead() {
    assertThat(read(Texts.TIRESIAS).jobs())
        .containsExactly(
            TraceJob.builder("a")
                .gpus(1)
                .submit(Duration.ZERO)
                .iterations(606)
                .model("vgg19")
                .duration(Duration.ofSeconds(164))
                .line(2)
                .build(),
            TraceJob.builder("b")
                .gpus(8)
                .submit(Duration.ofSeconds(30))
                .iterations(133)
                .model("vgg11")
                .duration(Duration.ofMillis(147_500))
                .line(3)
                .build());
  }

  @Test
  void columnsMayComeInAnyOrderAndThoseNotNeededMayBeMissing() {
    TraceJob job =
        read("duration,job_id,colour,num_gpu,submit_time\n9,a,red,2.0,1e2\n").jobs().get(0);

    assertThat(job.gpus()).isEqualTo(2);
    assertThat(job.submit()).isEqualTo(Duration.ofSeconds(100));
    assertThat(job.iterations()).isEmpty();
    assertThat(job.model()).isEmpty();
  }

  @Test
  void jobsAreReadInTheOrderOfSubmission() {
    Trace trace = read(HEADER + "a,1,9,1,m,1,0\nb,1,3,1,m,1,0\nc,1,9,1,m,1,0\nd,1,3,1,m,1,0\n");

    assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("b", "d", "a", "c");
  }

  @Test
  void aQuotedValueMayHoldAComma() {
    assertThat(read(HEADER + "a,1,0,1,\"vgg, the large\",1,0\n").jobs().get(0).model())
        .contains("vgg, the large");
  }

  @Test
  void aMissingColumnIsNamed() {
    assertRefused(
        "job_id,submit_time,duration\na,1,2\n",
        "jobs.csv:1: the header must have the column 'num_gpu', but was"
            + " 'job_id,submit_time,duration'");
  }

  @Test
  void aColumnThatComesTwiceIsNamed() {
    assertRefused(
        "job_id,num_gpu,submit_time,duration,num_gpu\n",
        "jobs.csv:1: the header must name each column once, but had 'num_gpu' twice");
  }

  @Test
  void aDuplicateJobIdIsNamedWithBothLines() {
    assertRefused(
        HEADER + "a,1,0,1,m,1,0\nb,1,0,1,m,1,0\na,1,5,1,m,1,0\n",
        "jobs.csv:4: a job id must come once, but 'a' came again after line 2");
  }

  @Test
  void aQuoteLeftOpenSpoilsItsLineOnly() {
    assertRefused(
        HEADER + "a,1,0,1,\"m,1,0\nb,1,0,1,m,1,0\n",
        "jobs.csv:2: a line must be well-formed, but: 'a,1,0,1,\"m,1,0'");
  }

  @Test
  void aLineWithTooManyColumnsIsRefused() {
    assertRefused(
        HEADER + "a,1,0,1,m,1,0,7\n", "jobs.csv:2: a line must have 7 columns, but had 8");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "num_gpu, a whole number from 1 to 1000000, 0",
        "num_gpu, a whole number from 1 to 1000000, -8",
        "num_gpu, a whole number from 1 to 1000000, 1000001",
        "num_gpu, a whole number from 1 to 1000000, 1.5",
        "num_gpu, a whole number from 1 to 1000000, eight",
        "num_gpu, a whole number from 1 to 1000000, 0x8",
        "num_gpu, a whole number from 1 to 1000000, 99999999999999999999",
        "num_gpu, a whole number from 1 to 1000000, 1e999999999",
        "submit_time, a number of seconds from 0 to 3153600000, -1",
        "submit_time, a number of seconds from 0 to 3153600000, NaN",
        "submit_time, a number of seconds from 0 to 3153600000, Infinity",
        "submit_time, a number of seconds from 0 to 3153600000, 1e-999999999",
        "duration, a number of seconds from 0 to 3153600000, -0.5",
        "duration, a number of seconds from 0 to 3153600000, 3153600001",
        "duration, a number of seconds from 0 to 3153600000, 1e400",
        "duration, a number of seconds from 0 to 3153600000, nan",
        "iterations, a whole number from 1 to 1000000000000000, 0",
        "iterations, a whole number from 1 to 1000000000000000, 1e16",
      })
  void aNumberThatIsNoneOrOutOfRangeIsNamed(String column, String rule, String value) {
    String line =
        "a,num_gpu,submit_time,iterations,m,duration,0"
            .replace(column, value)
            .replaceAll("num_gpu|submit_time|iterations|duration", "1");

    assertRefused(
        HEADER + "z,1,0,1,m,1,0\n" + line,
        "jobs.csv:3: column '%s' must be %s, but was '%s'".formatted(column, rule, value));
  }

  @Test
  void aBlankValueIsNamed() {
    assertRefused(
        HEADER + "  ,1,0,1,m,1,0\n", "jobs.csv:2: column 'job_id' must not be blank, but was ''");
    assertRefused(
        HEADER + "a,1,,1,m,1,0\n",
        "jobs.csv:2: column 'submit_time' must not be blank, but was ''");
  }

  @Test
  void aMessageStaysShortAndOnOneLine() {
    assertThatThrownBy(() -> read(HEADER + "a,\u0007" + "9".repeat(500) + ",0,1,m,1,0\n"))
        .message()
        .isEqualTo(
            "jobs.csv:2: column 'num_gpu' must be a whole number from 1 to 1000000, but was '\uFFFD"
                + "9".repeat(59)
                + "…'");
  }

  private static Trace read(String text) {
    return Texts.read(TraceFormat.TIRESIAS, text);
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(message);
  }
}
