package io.github.liquidscheduler.simulator.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;

class TraceReaderLawsTest {

  @Property
  void whateverTheBytesATraceOrOneLineOfComplaintComesOut(
      @ForAll TraceFormat format, @ForAll byte[] bytes) {
    assertReadOrRefused(format, bytes);
  }

  @Property
  void whicheverByteIsSpoiltATraceOrOneLineOfComplaintComesOut(
      @ForAll TraceFormat format,
      @ForAll @IntRange(min = 0, max = 1000) int position,
      @ForAll byte spoilt) {
    byte[] bytes = Texts.of(format).getBytes(UTF_8);
    bytes[position % bytes.length] = spoilt;

    assertReadOrRefused(format, bytes);
  }

  @Property
  void whicheverByteOfGzipIsSpoiltATraceOrOneLineOfComplaintComesOut(
      @ForAll TraceFormat format,
      @ForAll @IntRange(min = 0, max = 1000) int position,
      @ForAll @ByteRange(min = 1) byte flip) {
    byte[] bytes = Texts.compressed(Texts.of(format));
    bytes[position % bytes.length] ^= flip;

    assertReadOrRefused(format, bytes);
  }

  @Property
  void whatIsWrittenIsReadBack(@ForAll("traces") Trace trace) throws IOException {
    StringBuilder written = new StringBuilder();
    TiresiasWriter.write(trace, written);

    assertThat(Texts.read(TraceFormat.TIRESIAS, written.toString()).jobs())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("line")
        .isEqualTo(trace.jobs());
  }

  @Provide
  Arbitrary<Trace> traces() {
    return jobs()
        .list()
        .ofMinSize(1)
        .ofMaxSize(8)
        .uniqueElements(TraceJob::id)
        .map(jobs -> Trace.of("generated", jobs));
  }

  private static Arbitrary<TraceJob> jobs() {
    Arbitrary<String> ids = Arbitraries.strings().ascii().excludeChars('\n', '\r').ofMaxLength(5);
    Arbitrary<Duration> times =
        Arbitraries.longs().between(0, TraceJob.LONGEST.toNanos()).map(Duration::ofNanos);
    return Combinators.combine(
            ids.map(String::strip).filter(id -> !id.isBlank()),
            times,
            times,
            Arbitraries.integers().between(1, TraceJob.MOST_GPUS),
            Arbitraries.longs().between(1, TraceJob.MOST_ITERATIONS))
        .as(
            (id, submit, duration, gpus, iterations) ->
                TraceJob.builder(id)
                    .submit(submit)
                    .duration(duration)
                    .gpus(gpus)
                    .iterations(iterations)
                    .model("model of \"" + id + "\"")
                    .build());
  }

  private static void assertReadOrRefused(TraceFormat format, byte[] bytes) {
    try {
      List<TraceJob> jobs = Texts.read(format, bytes).jobs();
      assertThat(jobs).isNotEmpty().allMatch(job -> job.gpus() >= 1 && job.line().isPresent());
    } catch (InputFormatException e) {
      assertThat(e).message().startsWith("jobs.csv:").doesNotContain("\n", "\r");
    }
  }
}
